/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_CAPTURE_DROP_H
#define ARTEMIS_CAPTURE_DROP_H

/* Removing what is there of a capture, one part a step: as struct step has
 * them. Private to the captures' tables. */

#include "artemis/capture.h"

enum status capture_drop_divert(void *state, const struct identity *identity,
                                struct step_request *ret, struct error *error);
enum status capture_drop_queue(void *state, const struct identity *identity,
                               struct step_request *ret, struct error *error);
enum status capture_drop_address(void *state, const struct identity *identity,
                                 struct step_request *ret, struct error *error);
enum status capture_drop_security(void *state, const struct identity *identity,
                                  struct step_request *ret,
                                  struct error *error);
enum status capture_drop_settings(void *state, const struct identity *identity,
                                  struct step_request *ret,
                                  struct error *error);

/* What is not there is removed. */
enum status capture_check_removal(void *state, const struct error *items,
                                  struct error *error);

bool capture_has_no_settings(const void *state);
bool capture_has_no_security(const void *state);
bool capture_has_no_address(const void *state);
bool capture_has_no_queue(const void *state);
bool capture_has_no_divert(const void *state);

/* Those steps, for a table: what leads to the copies goes first. */
#define CAPTURE_DROP(name, drop, has_none)                                     \
  { name, true, drop, NULL, capture_check_removal, has_none, NULL }
#define CAPTURE_DROP_STEPS                                                     \
  CAPTURE_DROP("remove divert", capture_drop_divert, capture_has_no_divert),   \
      CAPTURE_DROP("remove queue", capture_drop_queue, capture_has_no_queue),  \
      CAPTURE_DROP("remove address", capture_drop_address,                     \
                   capture_has_no_address),                                    \
      CAPTURE_DROP("remove security settings", capture_drop_security,          \
                   capture_has_no_security),                                   \
      CAPTURE_DROP("remove address settings", capture_drop_settings,           \
                   capture_has_no_settings)

#endif
