/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "drive_beside.h"

#include "base/clock.h"
#include "drive_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void beside_begin(struct beside *beside, struct node *node) {
  if (beside->every_ns == 0)
    return;
  if (beside->n_requests == 0)
    beside->n_requests = 8;
  size_t n = beside->n_requests * CEILING_OPERATIONS_PER_PERMIT;
  beside->node = node;
  beside->operations = calloc(n, sizeof(*beside->operations));
  beside->specs = calloc(n, sizeof(*beside->specs));
  if (!beside->operations || !beside->specs)
    exit(3);
  for (size_t i = 0; i < n; i++)
    plan_operation(PLAN_READS, i, false, &beside->operations[i],
                   &beside->specs[i]);
}

static void on_done(void *cookie, const struct job_result *result) {
  struct beside *beside = cookie;
  beside->is_running = false;
  beside->n++;
  beside->failed += result->error.kind != STATUS_OK;
  if (result->permit_wait_ns > beside->wait_max_ns)
    beside->wait_max_ns = result->permit_wait_ns;
}

static void submit(struct beside *beside) {
  struct job *job;
  struct error error;
  struct job_options options = {.owner = OWNER_SCRAPE,
                                .kind = KIND_BROKER,
                                .operations = beside->operations,
                                .specs = beside->specs,
                                .n = beside->n_requests *
                                     CEILING_OPERATIONS_PER_PERMIT,
                                .timeout_ns = 10 * CLOCK_NS_PER_S,
                                .deadline_ns = CLOCK_NEVER,
                                .done = on_done,
                                .cookie = beside};
  if (client_submit(beside->node, &options, &job, &error) == STATUS_OK) {
    beside->is_running = true;
  } else {
    beside->n++;
    beside->failed++;
  }
}

int64_t beside_feed(struct beside *beside, int64_t now_ns) {
  if (beside->next_ns == 0)
    beside->next_ns = now_ns;
  if (now_ns < beside->next_ns)
    return beside->next_ns;
  beside->next_ns += beside->every_ns;
  if (beside->is_running)
    beside->skipped++;
  else
    submit(beside);
  return beside->next_ns;
}

void beside_report(struct beside *beside) {
  if (beside->every_ns > 0)
    printf(" scrapes=%" PRIu64 " scrapes_failed=%" PRIu64
           " scrapes_skipped=%" PRIu64 " scrape_wait_max_ms=%" PRId64,
           beside->n, beside->failed, beside->skipped,
           beside->wait_max_ns / CLOCK_NS_PER_MS);
  printf("\n");
}

void beside_end(struct beside *beside) {
  free(beside->operations);
  free(beside->specs);
}
