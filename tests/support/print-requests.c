/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* Prints the body of a request as the scrape sends it, for capture-fixtures.sh:
 *
 *     print-requests identity
 *     print-requests fast|read|address|slow VERSION BROKER-OBJECT-NAME */
#include "artemis/plan.h"

#include <stdio.h>
#include <string.h>

static int print(const struct operation *operations, size_t n) {
  struct error error = {.kind = STATUS_OK};
  struct buf body;
  int rc = 0;
  buf_init(&body, 1 << 20);
  if (request_build(&body, operations, n, &error) != STATUS_OK) {
    fprintf(stderr, "print-requests: %s\n", error.text);
    rc = 1;
  } else {
    fputs(buf_text(&body), stdout);
  }
  buf_fini(&body);
  return rc;
}

static int print_identity(void) {
  const struct operation *operations;
  const struct item_spec *specs;
  struct identity_reader *reader =
      identity_reader_new("org.apache.activemq.artemis");
  int rc;
  if (reader == NULL)
    return 1;
  identity_request(reader, &operations, &specs);
  rc = print(operations, IDENTITY_ITEMS);
  identity_reader_free(reader);
  return rc;
}

static int print_plan(const char *what, const char *version,
                      const char *broker) {
  static struct plan plan;
  static const struct aside none;
  struct identity identity = {.is_known = true};
  identity.version_number = identity_version_number(version);
  snprintf(identity.broker_mbean, sizeof identity.broker_mbean, "%s", broker);
  plan_begin(&plan, &identity, SET_ARTEMIS, &none);
  if (strcmp(what, "slow") == 0) {
    plan_add_broker(&plan, TIER_SLOW);
    return print(plan.operations, plan.n);
  }
  if (strcmp(what, "address") == 0)
    plan_add_active_uptime(&plan);
  else
    plan_add_active(&plan, PLAN_ACTIVE_BEFORE);
  if (strcmp(what, "fast") == 0) {
    plan_add_broker(&plan, TIER_FAST);
    plan_add_listing(&plan);
  } else if (strcmp(what, "read") == 0) {
    plan_add_queues(&plan, TIER_FAST);
  } else if (strcmp(what, "address") == 0) {
    plan_add_addresses(&plan, TIER_ADDRESS);
  }
  plan_add_active(&plan, PLAN_ACTIVE_AFTER);
  return print(plan.operations, plan.n);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "identity") == 0)
    return print_identity();
  if (argc == 4)
    return print_plan(argv[1], argv[2], argv[3]);
  fprintf(stderr, "usage: print-requests identity\n"
                  "       print-requests fast|read|address|slow VERSION "
                  "BROKER-OBJECT-NAME\n");
  return 2;
}
