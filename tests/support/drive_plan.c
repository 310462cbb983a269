/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "drive_plan.h"

static const char broker[] = "org.apache.activemq.artemis:broker=\"sim\"";
static const char queue[] =
    "org.apache.activemq.artemis:broker=\"sim\",component=addresses,address="
    "\"sim.queue.00001\",subcomponent=queues,routing-type=\"anycast\",queue="
    "\"sim.queue.00001\"";
static const char *const columns[] = {"Version", "Active"};
static const char *const queue_columns[] = {"name", "messageCount"};
static const struct argument listing_arguments[] = {
    {.type = ARGUMENT_TEXT,
     .text = "{\"field\":\"\",\"operation\":\"\",\"value\":\"\"}"},
    {.type = ARGUMENT_INT, .integer = 1},
    {.type = ARGUMENT_INT, .integer = 2147483647}};

/* By their numbers. */
static struct argument ids[PLAN_MAX];

static struct operation exec_of(const char *mbean, const char *name,
                                const struct argument *arguments, size_t n) {
  return (struct operation){.type = OPERATION_EXEC,
                            .mbean = mbean,
                            .name = name,
                            .arguments = arguments,
                            .n_arguments = n};
}

void plan_operation(enum plan_of of, size_t i, bool is_bad,
                    struct operation *ret, struct item_spec *ret_spec) {
  *ret_spec = (struct item_spec){.form = FORM_VALUE};
  switch (of) {
  case PLAN_READS:
    *ret = (struct operation){.type = OPERATION_READ,
                              .mbean = is_bad ? "sim:refused=1" : broker,
                              .attributes = columns,
                              .n_attributes = 2};
    *ret_spec = (struct item_spec){
        .form = FORM_MBEAN, .columns = columns, .n_columns = 2};
    break;
  case PLAN_LISTINGS:
    *ret = exec_of(broker, "listQueues(java.lang.String,int,int)",
                   listing_arguments, 3);
    *ret_spec = (struct item_spec){
        .form = FORM_LISTING, .columns = queue_columns, .n_columns = 2};
    break;
  case PLAN_REMOVALS:
    ids[i] = (struct argument){.type = ARGUMENT_INT, .integer = (int64_t)i + 1};
    *ret = exec_of(queue, "removeMessage(long)", &ids[i], 1);
    break;
  case PLAN_CHANGES:
    *ret = exec_of(broker, "resetAllMessageCounters()", NULL, 0);
    break;
  }
}
