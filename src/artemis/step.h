/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_STEP_H
#define ARTEMIS_STEP_H

/* A command of several requests, as a table: each step is one request, what its
 * reply must say, and how its effect is undone. Pure: who runs the table
 * (ctl/steps) reads with each request whether the broker is active. */

#include "artemis/identity.h"

#define STEP_ITEMS 8

struct step_request {
  struct operation operations[STEP_ITEMS];
  struct item_spec specs[STEP_ITEMS];
  size_t n; /* 0: nothing is to be done in this step */
};

/* ${state} is one node's. A step of reads has is_change false; a change is a
 * request of one operation: a bulk goes on after a failed item. */
struct step {
  const char *name; /* for people and programs: "create address" */
  bool is_change;

  /* What is to be sent; the strings in it are of ${state}. STATUS_INVALID, ...:
   * it cannot be; the command ends, nothing is sent. */
  enum status (*build)(void *state, const struct identity *identity,
                       struct step_request *ret, struct error *error);

  /* A row of item ${item} of a step of reads. */
  void (*row)(void *state, size_t item, const struct row *row);

  /* Whether the reply says that all is well: ${items} is how each ended, with
   * the agent's text. NULL: none may have failed. */
  enum status (*check)(void *state, const struct error *items,
                       struct error *error);

  /* Of a change whose outcome is unknown, after the table's inspection: whether
   * its effect is there. */
  bool (*is_done)(const void *state);

  /* The one operation that takes the effect back, and may be sent where there
   * is none. NULL: nothing is to be undone. */
  void (*undo)(void *state, const struct identity *identity,
               struct step_request *ret);
};

struct step_table {
  const struct step *steps;
  size_t n;                   /* at most STEPS_MAX; the first one reads */
  const struct step *inspect; /* reads what the changes have done */
};
#define STEPS_MAX 16

/* step_exec(request, mbean, name, arguments, n_arguments): adds an exec whose
 * value is a row of one column; step_read(request, mbean, spec): a read of the
 * attributes that are ${spec}'s columns; step_search(request, pattern): of the
 * object names. Arrays and strings must stay. */
void step_exec(struct step_request *request, const char *mbean,
               const char *name, const struct argument *arguments,
               size_t n_arguments);
void step_read(struct step_request *request, const char *mbean,
               struct item_spec spec);
void step_search(struct step_request *request, const char *pattern);

/* step_first_failure(items, n, error): of the items, the first that failed, as
 * an error; STATUS_OK if none did. */
enum status step_first_failure(const struct error *items, size_t n,
                               struct error *error);

/* step_is_missing(item): an undoing that failed because there is nothing to be
 * undone: no such queue, address, divert. */
bool step_is_missing(const struct error *item);

/* What a value is: ${text} (null and absence are ""), ${number}. */
bool step_is_text(const struct value *value, const char *text);
bool step_is_number(const struct value *value, uint64_t number);

#endif
