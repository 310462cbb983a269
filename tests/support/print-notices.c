/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* Prints the table of notifications as it stands in the manual. */
#include "client/notice.h"

#include <stdio.h>

int main(void) {
  static const char *const hosts[] = {[NOTICE_OF_NODE] = "the node",
                                      [NOTICE_OF_CLUSTER] = "the cluster",
                                      [NOTICE_OF_COLLECTD] = "collectd's own"};
  for (int i = 0; i < EVENT_COUNT; i++) {
    const struct notice_row *row = notice_row((enum event)i);
    printf(".It Li %s Em %s\n%s (host: %s): %s.\n", row->instance,
           severity_name(row->severity), row->event, hosts[row->of],
           row->meaning);
  }
  return 0;
}
