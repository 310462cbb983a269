/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/capture_drop.h"

#include "artemis/capture_requests.h"

typedef void removal(void *state, const struct identity *identity,
                     struct step_request *ret);

static enum status drop(struct capture *capture, bool is_there,
                        removal *remove_it, const struct identity *identity,
                        struct step_request *ret) {
  if (is_there && !capture_is_kept(capture))
    remove_it(capture, identity, ret);
  return STATUS_OK;
}

enum status capture_drop_divert(void *state, const struct identity *identity,
                                struct step_request *ret, struct error *error) {
  struct capture *capture = state;
  (void)error;
  return drop(capture, capture->found.has_divert, capture_destroy_divert,
              identity, ret);
}

enum status capture_drop_queue(void *state, const struct identity *identity,
                               struct step_request *ret, struct error *error) {
  struct capture *capture = state;
  (void)error;
  return drop(capture, capture->found.has_queue, capture_destroy_queue,
              identity, ret);
}

enum status capture_drop_address(void *state, const struct identity *identity,
                                 struct step_request *ret,
                                 struct error *error) {
  struct capture *capture = state;
  (void)error;
  return drop(capture, capture->found.has_address, capture_delete_address,
              identity, ret);
}

enum status capture_drop_security(void *state, const struct identity *identity,
                                  struct step_request *ret,
                                  struct error *error) {
  struct capture *capture = state;
  (void)error;
  return drop(capture, capture->found.has_security, capture_remove_security,
              identity, ret);
}

enum status capture_drop_settings(void *state, const struct identity *identity,
                                  struct step_request *ret,
                                  struct error *error) {
  struct capture *capture = state;
  (void)error;
  return drop(capture, capture->found.has_settings, capture_remove_settings,
              identity, ret);
}

enum status capture_check_removal(void *state, const struct error *items,
                                  struct error *error) {
  (void)state;
  return step_is_missing(&items[0]) ? STATUS_OK
                                    : step_first_failure(items, 1, error);
}

/* -- After a change of unknown outcome -- */

bool capture_has_no_settings(const void *state) {
  return !((const struct capture *)state)->found.has_settings;
}
bool capture_has_no_security(const void *state) {
  return !((const struct capture *)state)->found.has_security;
}
bool capture_has_no_address(const void *state) {
  return !((const struct capture *)state)->found.has_address;
}
bool capture_has_no_queue(const void *state) {
  return !((const struct capture *)state)->found.has_queue;
}
bool capture_has_no_divert(const void *state) {
  return !((const struct capture *)state)->found.has_divert;
}
