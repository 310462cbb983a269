/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/capture_drop.h"
#include "artemis/capture_look.h"
#include "artemis/object_name.h"

#include <stdlib.h>
#include <string.h>

/* -- Which it is -- */

static enum status build_find(void *state, const struct identity *identity,
                              struct step_request *ret, struct error *error) {
  static const char *const columns[] = {"Address"};
  struct capture *capture = state;
  struct buf *out = &capture->divert_pattern;
  (void)identity;
  buf_clear(out);
  buf_printf(out,
             "%s,component=addresses,address=*,subcomponent=diverts,divert="
             "\"" CAPTURE_DIVERT_PREFIX "*\"",
             capture->domain);
  if (out->status)
    return error_set(error, STATUS_INVALID, "the JMX domain is too long");
  step_read(ret, buf_text(out), (struct item_spec){FORM_PATTERN, columns, 1});
  return STATUS_OK;
}

static void row_of_find(void *state, size_t item, const struct row *row) {
  struct capture *capture = state;
  const struct value *address = &row->columns[0];
  char *divert = object_name_key(row->name, row->name_len, "divert");
  (void)item;
  const size_t prefix = strlen(CAPTURE_DIVERT_PREFIX);
  bool is_ours = divert && strncmp(divert, CAPTURE_DIVERT_PREFIX, prefix) == 0;
  const char *name = is_ours ? divert + prefix : "";
  if (capture_is_name(name)) {
    capture->is_named |= strcmp(name, capture->word) == 0;
    if (step_is_text(address, capture->word) && capture->n_named++ == 0)
      capture_set_name(capture, name);
  }
  free(divert);
}

/* A name comes before an address. What is left of a broken installation may
 * have no divert: then it is a name. */
static enum status check_find(void *state, const struct error *items,
                              struct error *error) {
  struct capture *capture = state;
  if (items[0].kind && items[0].kind != STATUS_NOT_FOUND)
    return step_first_failure(items, 1, error);
  if (capture->is_named || capture->n_named == 0) {
    if (capture_is_name(capture->word))
      capture_set_name(capture, capture->word);
    return STATUS_OK;
  }
  if (capture->n_named > 1)
    return error_set(error, STATUS_INVALID,
                     "%zu captures are of address %.128s: name one "
                     "(jolokiactl capture list)",
                     capture->n_named, capture->word);
  return STATUS_OK;
}

static enum status look_named(void *state, const struct identity *identity,
                              struct step_request *ret, struct error *error) {
  const struct capture *capture = state;
  return capture->name[0] ? capture_look_build(state, identity, ret, error)
                          : STATUS_OK;
}

static enum status look_after(void *state, const struct identity *identity,
                              struct step_request *ret, struct error *error) {
  const struct capture *capture = state;
  return capture_is_any(&capture->found)
             ? capture_look_build(state, identity, ret, error)
             : STATUS_OK;
}

static enum status check_gone(void *state, const struct error *items,
                              struct error *error) {
  const struct capture *capture = state;
  enum status status = capture_look_check(state, items, error);
  if (!status && capture_is_any(&capture->found))
    return error_set(error, STATUS_ITEM_ERROR,
                     "the broker says that it is removed, and a part of it is "
                     "there");
  return status;
}

/* -- The table -- */

static const struct step remove_steps[] = {
    {"find capture", false, build_find, row_of_find, check_find, NULL, NULL},
    {"look", false, look_named, capture_look_row, capture_look_check, NULL,
     NULL},
    CAPTURE_DROP_STEPS,
    {"verify", false, look_after, capture_look_row, check_gone, NULL, NULL},
};

const struct step_table capture_remove_table = {
    remove_steps, sizeof(remove_steps) / sizeof(*remove_steps),
    &capture_inspection};
