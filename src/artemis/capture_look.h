/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_CAPTURE_LOOK_H
#define ARTEMIS_CAPTURE_LOOK_H

/* What is there of a capture: one request, for the look before, the
 * verification after, and after a change of unknown outcome. Private to
 * capture.c. */

#include "artemis/capture.h"

enum status capture_look_build(void *state, const struct identity *identity,
                               struct step_request *ret, struct error *error);
void capture_look_row(void *state, size_t item, const struct row *row);

/* Fills capture->found. */
enum status capture_look_check(void *state, const struct error *items,
                               struct error *error);

/* The three. */
extern const struct step capture_inspection;

#endif
