/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/capture_drop.h"
#include "artemis/capture_look.h"
#include "artemis/capture_requests.h"
#include "artemis/object_name.h"

/* -- What is there -- */

static enum status build_source(void *state, const struct identity *identity,
                                struct step_request *ret, struct error *error) {
  static const char *const columns[] = {"RoutingTypes"};
  struct capture *capture = state;
  (void)identity;
  object_name_address(&capture->source_mbean, capture->domain,
                      capture->options.source);
  if (capture->source_mbean.status)
    return error_set(error, STATUS_INVALID, "the address is too long");
  step_read(ret, buf_text(&capture->source_mbean),
            (struct item_spec){FORM_PATTERN, columns, 1});
  return STATUS_OK;
}

static void row_of_source(void *state, size_t item, const struct row *row) {
  struct capture *capture = state;
  (void)item;
  (void)row;
  capture->has_source = true;
}

static enum status check_source(void *state, const struct error *items,
                                struct error *error) {
  const struct capture *capture = state;
  if (items[0].kind == STATUS_NOT_FOUND || !capture->has_source)
    return error_set(error, STATUS_NOT_FOUND, "there is no address %.128s",
                     capture->options.source);
  return step_first_failure(items, 1, error);
}

/* All its parts are there, whatever they are like. */
static bool is_complete(const struct capture_found *found) {
  return found->has_settings && found->has_address && found->has_queue &&
         found->has_divert;
}

static enum status check_before(void *state, const struct error *items,
                                struct error *error) {
  struct capture *capture = state;
  enum status status = capture_look_check(state, items, error);
  const struct capture_found *found = &capture->found;
  if (!status && is_complete(found) && !capture_is_whole(found))
    return error_set(error, STATUS_ITEM_ERROR,
                     "the capture %s is there already, of another address or "
                     "with another ring, size, filter or role: remove it "
                     "first, or give --name",
                     capture->name);
  return status;
}

/* -- Making it, one part a step -- */

typedef enum status builder(void *state, const struct identity *identity,
                            struct step_request *ret, struct error *error);

static enum status make(builder *build, void *state,
                        const struct identity *identity,
                        struct step_request *ret, struct error *error) {
  return capture_is_kept(state) ? STATUS_OK
                                : build(state, identity, ret, error);
}

static enum status make_settings(void *state, const struct identity *identity,
                                 struct step_request *ret,
                                 struct error *error) {
  return make(capture_add_settings, state, identity, ret, error);
}

static enum status make_security(void *state, const struct identity *identity,
                                 struct step_request *ret,
                                 struct error *error) {
  return make(capture_add_security, state, identity, ret, error);
}

static enum status make_address(void *state, const struct identity *identity,
                                struct step_request *ret, struct error *error) {
  return make(capture_create_address, state, identity, ret, error);
}

static enum status make_queue(void *state, const struct identity *identity,
                              struct step_request *ret, struct error *error) {
  return make(capture_create_queue, state, identity, ret, error);
}

static enum status make_divert(void *state, const struct identity *identity,
                               struct step_request *ret, struct error *error) {
  return make(capture_create_divert, state, identity, ret, error);
}

static enum status look_again(void *state, const struct identity *identity,
                              struct step_request *ret, struct error *error) {
  return make(capture_look_build, state, identity, ret, error);
}

/* Before anything can arrive: the broker makes a divert without a target, too,
 * and a divert to an address without limits. */
static enum status check_target(void *state, const struct error *items,
                                struct error *error) {
  const struct capture_found *found = &((struct capture *)state)->found;
  enum status status = capture_look_check(state, items, error);
  if (status)
    return status;
  if (found->has_address && found->has_queue && found->queue_fits &&
      found->settings_fit && found->security_fits)
    return STATUS_OK;
  return error_set(error, STATUS_ITEM_ERROR,
                   "the broker says that it is done, and the capture's %s "
                   "not as asked for",
                   !found->has_address    ? "address is"
                   : !found->has_queue    ? "queue is"
                   : !found->queue_fits   ? "ring is"
                   : !found->settings_fit ? "address settings are"
                                          : "security settings are");
}

/* Where a queue or divert has its name, the broker makes none, and says
 * nothing. */
static enum status check_whole(void *state, const struct error *items,
                               struct error *error) {
  const struct capture_found *found = &((struct capture *)state)->found;
  enum status status = capture_look_check(state, items, error);
  if (status || capture_is_whole(found))
    return status;
  return error_set(error, STATUS_ITEM_ERROR,
                   "the broker says that it is done, and the capture's divert "
                   "is %s",
                   found->has_divert ? "not as asked for" : "not there");
}

/* -- After a change of unknown outcome -- */

static bool has_settings(const void *state) {
  return ((const struct capture *)state)->found.settings_fit;
}
static bool has_security(const void *state) {
  const struct capture_found *found = &((const struct capture *)state)->found;
  return found->has_security && found->security_fits;
}
static bool has_address(const void *state) {
  return ((const struct capture *)state)->found.has_address;
}
static bool has_queue(const void *state) {
  return ((const struct capture *)state)->found.queue_fits;
}
static bool has_divert(const void *state) {
  return ((const struct capture *)state)->found.divert_fits;
}

/* -- The table -- */

/* What is there of it goes first: it is not whole. */
static const struct step install_steps[] = {
    {"find address", false, build_source, row_of_source, check_source, NULL,
     NULL},
    {"look", false, capture_look_build, capture_look_row, check_before, NULL,
     NULL},
    CAPTURE_DROP_STEPS,
    {"add address settings", true, make_settings, NULL, NULL, has_settings,
     capture_remove_settings},
    {"add security settings", true, make_security, NULL, NULL, has_security,
     capture_remove_security},
    {"create address", true, make_address, NULL, NULL, has_address,
     capture_delete_address},
    {"create queue", true, make_queue, NULL, NULL, has_queue,
     capture_destroy_queue},
    {"verify queue", false, look_again, capture_look_row, check_target, NULL,
     NULL},
    {"create divert", true, make_divert, NULL, NULL, has_divert,
     capture_destroy_divert},
    {"verify divert", false, look_again, capture_look_row, check_whole, NULL,
     NULL},
};

const struct step_table capture_install_table = {
    install_steps, sizeof(install_steps) / sizeof(*install_steps),
    &capture_inspection};
