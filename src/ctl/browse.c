/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/browse.h"

#include <string.h>

/* Pages of one request: a thousand messages, of 1 to 2 MB. With a filter each
 * page is a walk over the whole queue. */
#define PAGES_MAX 5

struct pages {
  struct browse *browse;
  bool is_enough;
  bool is_end; /* a page was not full */
  bool is_cut; /* a message came that was not wanted any more */
  struct error fault;
};

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct pages *pages = cookie;
  struct browse *browse = pages->browse;
  const struct value *id = &row->columns[BROWSE_ID];
  (void)item;
  pages->is_cut |= browse->n_seen >= browse->limit || pages->is_enough;
  if (pages->is_cut)
    return true;
  browse->n_seen++;
  if (id->type != VALUE_INT || id->integer < 0)
    browse->n_unreadable++;
  else
    pages->is_enough =
        !browse->message(browse->cookie, id->integer, row->columns);
  return true;
}

static void explain(struct error *fault, const struct item_result *result) {
  /* 2.18.0 cannot show a message with a property that is null, nor anything
   * that stands beside it; STOMP's are so. */
  if (strstr(result->error_type, "NullPointerException"))
    error_set(fault, STATUS_ITEM_ERROR,
              "the queue is not listable: one of its messages has a property "
              "that is null, which this Artemis cannot show; name ids");
  else
    error_set(fault, result->status, "the messages cannot be looked at: %s",
              result->error);
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct pages *pages = cookie;
  (void)item;
  pages->browse->n_seen += result->rows_invalid;
  pages->browse->n_unreadable += result->rows_invalid;
  if (result->status && !pages->fault.kind)
    explain(&pages->fault, result);
  if (!result->status && result->rows + result->rows_invalid < MESSAGES_PAGE)
    pages->is_end = true;
}

static enum status ask_pages(struct pages *pages, struct dialog *dialog,
                             uint32_t first, size_t n, struct error *error) {
  struct browse_arguments arguments[PAGES_MAX];
  struct operation operations[PAGES_MAX];
  struct item_spec specs[PAGES_MAX];
  struct job_result result;
  for (size_t i = 0; i < n; i++) {
    message_browse(pages->browse->mbean, first + (uint32_t)i,
                   pages->browse->filter, &arguments[i], &operations[i]);
    specs[i] = message_browse_spec;
  }
  const struct dialog_bulk bulk = {
      .kind = KIND_BROWSE,
      .operations = operations,
      .specs = specs,
      .n = n,
      .sink = {.row = on_row, .item = on_item, .cookie = pages}};
  enum status status = dialog_wait(dialog, &bulk, &result);
  if (status)
    *error = result.error;
  else if (pages->fault.kind)
    *error = pages->fault;
  return status ? status : pages->fault.kind;
}

enum status browse_run(struct browse *browse, struct dialog *dialog,
                       struct error *error) {
  struct pages pages = {.browse = browse};
  uint32_t page = 1;
  browse->n_seen = browse->n_unreadable = 0;
  browse->is_complete = false;
  while (!pages.is_enough && !pages.is_end && browse->n_seen < browse->limit) {
    uint64_t left =
        (browse->limit - browse->n_seen + MESSAGES_PAGE - 1) / MESSAGES_PAGE;
    size_t n = browse->filter ? 1 : left < PAGES_MAX ? (size_t)left : PAGES_MAX;
    enum status status = ask_pages(&pages, dialog, page, n, error);
    if (status)
      return status;
    page += (uint32_t)n;
  }
  browse->is_complete = pages.is_end && !pages.is_cut && !browse->n_unreadable;
  return STATUS_OK;
}
