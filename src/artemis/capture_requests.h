/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_CAPTURE_REQUESTS_H
#define ARTEMIS_CAPTURE_REQUESTS_H

/* The requests that make and remove the parts of a capture, in the form that
 * the broker's version knows: positional arguments, or JSON, for settings from
 * 2.32 on, for diverts from 2.38, for security from 2.50 (seen on 2.18.0,
 * 2.28.0 and 2.40.0). Private to capture.c. */

#include "artemis/capture.h"

enum status capture_add_settings(void *state, const struct identity *identity,
                                 struct step_request *ret, struct error *error);
enum status capture_add_security(void *state, const struct identity *identity,
                                 struct step_request *ret, struct error *error);
enum status capture_create_address(void *state, const struct identity *identity,
                                   struct step_request *ret,
                                   struct error *error);
enum status capture_create_queue(void *state, const struct identity *identity,
                                 struct step_request *ret, struct error *error);
enum status capture_create_divert(void *state, const struct identity *identity,
                                  struct step_request *ret,
                                  struct error *error);

void capture_remove_settings(void *state, const struct identity *identity,
                             struct step_request *ret);
void capture_remove_security(void *state, const struct identity *identity,
                             struct step_request *ret);
void capture_delete_address(void *state, const struct identity *identity,
                            struct step_request *ret);
void capture_destroy_queue(void *state, const struct identity *identity,
                           struct step_request *ret);
void capture_destroy_divert(void *state, const struct identity *identity,
                            struct step_request *ret);

#endif
