/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/capture_look.h"

#include "artemis/object_name.h"
#include "jolokia/members.h"

#include <stdlib.h>
#include <string.h>

/* No capture may have this name, so that no settings are its own. */
#define OTHER_NAME CAPTURE_QUEUE_PREFIX "-"

enum {
  ITEM_SETTINGS,
  ITEM_OTHER_SETTINGS,
  ITEM_ROLES,
  ITEM_OTHER_ROLES,
  ITEM_ADDRESS,
  ITEM_QUEUE,
  ITEM_DIVERT,
  N_ITEMS
};

enum { RING, MESSAGES, N_QUEUE };
enum { FROM, TO, EXCLUSIVE, FILTER, N_DIVERT };
enum { SIZE, POLICY, EXPIRY, DLA_OLD, DLA, N_SETTINGS };
enum { ROLE, SEND, CONSUME, BROWSE, N_ROLES };

static const char *const role_columns[N_ROLES] = {[ROLE] = "name",
                                                  [SEND] = "send",
                                                  [CONSUME] = "consume",
                                                  [BROWSE] = "browse"};

/* -- The request -- */

enum status capture_look_build(void *state, const struct identity *identity,
                               struct step_request *ret, struct error *error) {
  static const char settings[] = "getAddressSettingsAsJSON(java.lang.String)";
  static const char roles[] = "getRolesAsJSON(java.lang.String)";
  static const char *const address[] = {"RoutingTypes"};
  static const char *const queue[N_QUEUE] = {
      [RING] = "RingSize", [MESSAGES] = "MessageCount"};
  static const char *const divert[N_DIVERT] = {[FROM] = "Address",
                                               [TO] = "ForwardingAddress",
                                               [EXCLUSIVE] = "Exclusive",
                                               [FILTER] = "Filter"};
  struct capture *capture = state;
  const char *broker = identity->broker_mbean;
  capture->version = identity->version_number;
  capture->found =
      (struct capture_found){.security_fits = !capture->options.role};
  buf_clear(&capture->roles);
  buf_clear(&capture->other_roles);
  capture->arguments[0] =
      (struct argument){.type = ARGUMENT_TEXT, .text = capture->queue};
  capture->arguments[1] =
      (struct argument){.type = ARGUMENT_TEXT, .text = OTHER_NAME};
  object_name_address(&capture->address_mbean, broker, capture->queue);
  object_name_queue(&capture->queue_mbean, broker, capture->queue, "anycast",
                    capture->queue);
  object_name_divert(&capture->divert_pattern, broker, NULL, capture->divert);
  if (capture->queue_mbean.status || capture->divert_pattern.status)
    return error_set(error, STATUS_INVALID, "the broker's name is too long");
  for (size_t i = 0; i < 2; i++)
    step_exec(ret, broker, settings, &capture->arguments[i], 1);
  for (size_t i = 0; i < 2; i++) {
    step_exec(ret, broker, roles, &capture->arguments[i], 1);
    ret->specs[ITEM_ROLES + i] =
        (struct item_spec){FORM_ROWS, role_columns, N_ROLES};
  }
  step_read(ret, buf_text(&capture->address_mbean),
            (struct item_spec){FORM_MBEAN, address, 1});
  step_read(ret, buf_text(&capture->queue_mbean),
            (struct item_spec){FORM_MBEAN, queue, N_QUEUE});
  step_read(ret, buf_text(&capture->divert_pattern),
            (struct item_spec){FORM_PATTERN, divert, N_DIVERT});
  return STATUS_OK;
}

/* -- Rows -- */

static void take_settings(struct buf *out, const struct row *row) {
  buf_clear(out);
  buf_add(out, row->columns[0].text, row->columns[0].text_len);
}

static void take_role(struct buf *out, const struct row *row) {
  const struct value *name = &row->columns[ROLE];
  buf_printf(out, "%.*s", (int)name->text_len, name->text);
  for (size_t i = SEND; i < N_ROLES; i++)
    buf_add_text(out, value_is_true(&row->columns[i]) ? " yes" : " no");
  buf_add_text(out, "\n");
}

/* Nobody but the one role may be named. */
static void check_role(struct capture *capture, const struct value *values) {
  const char *role = capture->options.role;
  capture->found.security_fits =
      role && capture->roles.len == 0 && step_is_text(&values[ROLE], role) &&
      value_is_true(&values[CONSUME]) && value_is_true(&values[BROWSE]) &&
      !value_is_true(&values[SEND]);
}

static void take_divert(struct capture *capture, const struct value *values) {
  const struct capture_options *options = &capture->options;
  struct capture_found *found = &capture->found;
  found->has_divert = true;
  found->divert_fits =
      step_is_text(&values[TO], capture->queue) &&
      !value_is_true(&values[EXCLUSIVE]) &&
      step_is_text(&values[FILTER], options->filter ? options->filter : "") &&
      (!options->source || step_is_text(&values[FROM], options->source));
}

void capture_look_row(void *state, size_t item, const struct row *row) {
  struct capture *capture = state;
  struct capture_found *found = &capture->found;
  if (item == ITEM_SETTINGS) {
    take_settings(&capture->settings, row);
  } else if (item == ITEM_OTHER_SETTINGS) {
    take_settings(&capture->other_settings, row);
  } else if (item == ITEM_ROLES) {
    check_role(capture, row->columns);
    take_role(&capture->roles, row);
  } else if (item == ITEM_OTHER_ROLES) {
    take_role(&capture->other_roles, row);
  } else if (item == ITEM_ADDRESS) {
    found->has_address = true;
  } else if (item == ITEM_QUEUE) {
    found->has_queue = true;
    found->queue_fits =
        step_is_number(&row->columns[RING], capture->options.ring);
    if (row->columns[MESSAGES].type == VALUE_INT)
      found->n_messages = row->columns[MESSAGES].integer;
  } else if (item == ITEM_DIVERT) {
    take_divert(capture, row->columns);
  }
}

/* -- The texts -- */

static void find(const struct buf *settings, const char *key, char *room,
                 struct value *ret) {
  const struct value object = {.type = VALUE_OTHER,
                               .text = buf_text(settings),
                               .text_len = settings->len};
  (void)members_find(&object, key, strlen(key), room, ret);
}

/* null and "" are none; it is named DLA before 2.40. */
static bool has_none(const struct buf *settings, const char *key, char *room) {
  struct value value;
  find(settings, key, room, &value);
  return step_is_text(&value, "");
}

static bool settings_fit(const struct buf *settings, uint64_t max_bytes,
                         char *room) {
  struct value size, policy;
  find(settings, "maxSizeBytes", room, &size);
  if (!step_is_number(&size, max_bytes))
    return false;
  find(settings, "addressFullMessagePolicy", room, &policy);
  return step_is_text(&policy, "DROP") &&
         has_none(settings, "expiryAddress", room) &&
         has_none(settings, "deadLetterAddress", room) &&
         has_none(settings, "DLA", room);
}

static bool is_same(const struct buf *a, const struct buf *b) {
  return a->len == b->len && memcmp(buf_text(a), buf_text(b), a->len) == 0;
}

static enum status read_texts(struct capture *capture, struct error *error) {
  struct capture_found *found = &capture->found;
  const struct buf *const texts[] = {&capture->settings,
                                     &capture->other_settings, &capture->roles,
                                     &capture->other_roles};
  for (size_t i = 0; i < 4; i++)
    if (texts[i]->status)
      return error_set(error, texts[i]->status,
                       "the broker's address or security settings are too "
                       "long");
  char *room = malloc(capture->settings.len + 1);
  if (!room)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the settings");
  found->settings_fit =
      settings_fit(&capture->settings, capture->options.max_bytes, room);
  free(room);
  found->has_settings = !is_same(&capture->settings, &capture->other_settings);
  found->has_security = !is_same(&capture->roles, &capture->other_roles);
  return STATUS_OK;
}

enum status capture_look_check(void *state, const struct error *items,
                               struct error *error) {
  for (size_t i = 0; i < N_ITEMS; i++)
    if (i < ITEM_ADDRESS || items[i].kind != STATUS_NOT_FOUND)
      if (step_first_failure(&items[i], 1, error))
        return items[i].kind;
  return read_texts(state, error);
}

const struct step capture_inspection = {.name = "look",
                                        .build = capture_look_build,
                                        .row = capture_look_row,
                                        .check = capture_look_check};
