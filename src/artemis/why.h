/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_WHY_H
#define ARTEMIS_WHY_H

/* Why one series is missing: asks a node what a scrape would, looks at one
 * object and one attribute of the replies, and says what became of it. No I/O:
 * the caller sends what why_next() plans, as with struct scrape. At most three
 * requests. */

#include "artemis/scrape.h"

/* Each has a stable name (why_name()). */
enum why_reason {
  WHY_THERE,         /* nothing is missing: the value is there */
  WHY_NO_ATTRIBUTE,  /* of that object there is none of that name */
  WHY_OTHER_TYPE,    /* it is another type's */
  WHY_OLDER_VERSION, /* the broker is older than the attribute */
  WHY_NO_BROKER,     /* no broker in this JMX domain */
  WHY_NO_MBEAN,      /* the broker has no such object */
  WHY_HIDDEN_BY_ROLE,
  WHY_REFUSED_BY_ROLE,
  WHY_REFUSED_BY_POLICY,
  WHY_EXCLUDED, /* by the settings, or as the broker's own */
  WHY_OVER_CAP,
  WHY_NAME_TAKEN, /* another MBean has its series */
  WHY_BACKUP,
  WHY_NOT_STARTED,
  WHY_NULL,
  WHY_TEXT,       /* or whatever else is no number */
  WHY_WRONG_TYPE, /* a number for a truth value, and the reverse */
  WHY_NEGATIVE,   /* where a counter is due */
  WHY_UNKNOWN,    /* the broker's -1 */
  WHY_HELD_BACK,  /* after a restart */
  WHY_NOT_DUE,    /* not yet asked for */
  WHY_WRITE_QUEUE,
  WHY_FAULT,       /* its getter fails */
  WHY_ITEM_FAILED, /* the item as a whole did */
  WHY_NODE_DOWN,
  WHY_NODE_HELD,
  WHY_LOGIN_HELD,
  WHY_LOGIN_REFUSED,
  WHY_NO_PERMIT,
  WHY_NOT_ASKED, /* interrupted, out of time, without memory */
  WHY_NO_NODE,   /* the settings have none of that name */
  WHY_NO_SERIES, /* not one of ours */
  WHY_COUNT
};
const char *why_name(enum why_reason reason);

/* What is asked about: a plugin instance and an attribute of it. */
struct why_question {
  enum object object;
  const char *instance; /* as the node's series have it; must stay */
  const char *type;     /* "": any; must stay */
  const struct attribute *attribute;
};

#define WHY_TEXT_MAX 768
struct why_answer {
  enum why_reason reason;
  char text[WHY_TEXT_MAX];   /* what was found, one sentence */
  char remedy[WHY_TEXT_MAX]; /* what to change; "": nothing */
  bool has_value;
  bool is_derive;
  int64_t derive;
  double gauge;
  struct filter_judgement judgement; /* of WHY_EXCLUDED */
  uint64_t round_values; /* a whole round of its tier hands over so many */
};

struct why;

/* why_new(settings, question): copies both, not what they point to. NULL
 * without memory. */
struct why *why_new(const struct scrape_settings *settings,
                    const struct why_question *question);
void why_free(struct why *why); /* NULL is fine */

/* why_next(why, ret): the next request; false: there is an answer. why_row(),
 * why_item(), why_done(): as those of a scrape. */
bool why_next(struct why *why, struct scrape_request *ret);
void why_row(struct why *why, size_t item, const struct row *row);
void why_item(struct why *why, size_t item, const struct item_result *result);
void why_done(struct why *why, const struct error *error);

/* why_answer(why): once why_next() was false; valid until why_free(). Of the
 * rules of a filter only the pattern's place in its list is told. */
const struct why_answer *why_answer(const struct why *why);

/* why_answer_set(answer, reason, remedy, format, ...): for who knows better. */
void why_answer_set(struct why_answer *answer, enum why_reason reason,
                    const char *remedy, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* why_judge_error(answer, error): a request, or the item that has the object,
 * failed so. */
void why_judge_error(struct why_answer *answer, const struct error *error);

/* When collectd gets what the node gives, as far as it is known. */
struct why_due {
  enum tier tier;
  int64_t interval_ns;
  int64_t ago_ns;   /* since the tier was last read; -1: it was not yet (of the
                       fast tier it is not known) */
  int64_t about_ns; /* to so much */
  bool is_scraped;  /* a program of this host reads the node */
};

/* why_judge_due(answer, due): WHY_THERE, or WHY_NOT_DUE of a slower tier. */
void why_judge_due(struct why_answer *answer, const struct why_due *due);

/* why_attribute(object, name, len, ret_nearest): of the table; NULL if there is
 * none: then *${ret_nearest} is the one that was meant, or NULL. */
const struct attribute *why_attribute(enum object object, const char *name,
                                      size_t len,
                                      const struct attribute **ret_nearest);

#endif
