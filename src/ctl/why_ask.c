/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/why.h"

#include <stdlib.h>
#include <string.h>

static bool on_row(void *cookie, size_t item, const struct row *row) {
  why_row(cookie, item, row);
  return true;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  why_item(cookie, item, result);
}

void why_ask(struct ask *ask, size_t i, struct why *why) {
  const struct reply_sink sink = {
      .row = on_row, .item = on_item, .cookie = why};
  struct scrape_request request;
  struct error error;
  while (why_next(why, &request)) {
    ask_node(ask, i, &request, &sink, &error);
    why_done(why, &error);
  }
}

static bool on_mbean_row(void *cookie, size_t item, const struct row *row) {
  why_mbean_row(cookie, item, row);
  return true;
}

static void on_mbean_item(void *cookie, size_t item,
                          const struct item_result *result) {
  why_mbean_item(cookie, item, result);
}

void why_ask_mbean(struct ask *ask, size_t i, struct why_mbean *why) {
  const struct reply_sink sink = {
      .row = on_mbean_row, .item = on_mbean_item, .cookie = why};
  struct scrape_request request;
  struct error error;
  while (why_mbean_next(why, &request)) {
    ask_node(ask, i, &request, &sink, &error);
    why_mbean_done(why, &error);
  }
}

/* -- The MBeans of a pattern -- */

struct search {
  struct why_names *names;
  struct error *error; /* how the search itself ended */
};

static bool on_name(void *cookie, size_t item, const struct row *row) {
  struct why_names *names = ((struct search *)cookie)->names;
  (void)item;
  names->total++;
  if (names->n == WHY_NAMES)
    return true;
  names->names[names->n] = strndup(row->name, row->name_len);
  names->n += names->names[names->n] != NULL;
  return true;
}

static void on_searched(void *cookie, size_t item,
                        const struct item_result *result) {
  struct error *error = ((struct search *)cookie)->error;
  (void)item;
  if (result->status && result->status != STATUS_NOT_FOUND)
    error_set(error, result->status, "%s", result->error);
}

void why_ask_names(struct ask *ask, size_t i, const char *pattern,
                   struct why_names *ret, struct error *error) {
  const struct operation operation = {.type = OPERATION_SEARCH,
                                      .mbean = pattern};
  const struct item_spec spec = {.form = FORM_NAMES};
  const struct scrape_request request = {
      .kind = KIND_MBEAN, .operations = &operation, .specs = &spec, .n = 1};
  struct error item = {.kind = STATUS_OK};
  struct search search = {ret, &item};
  const struct reply_sink sink = {
      .row = on_name, .item = on_searched, .cookie = &search};
  *ret = (struct why_names){.n = 0};
  ask_node(ask, i, &request, &sink, error);
  if (!error->kind)
    *error = item;
}

void why_names_fini(struct why_names *names) {
  for (size_t i = 0; i < names->n; i++)
    free(names->names[i]);
}
