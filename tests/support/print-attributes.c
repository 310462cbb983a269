/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* Prints the table of values as it stands in README.md between its markers. */
#include "artemis/attributes.h"

#include <stdio.h>

static const char *instance_of(enum object object) {
  static const char *const instances[] = {
      [OBJECT_BROKER] = "broker",
      [OBJECT_ADDRESS] = "address-NAME",
      [OBJECT_QUEUE] = "queue-NAME",
  };
  return instances[object];
}

static const char *interval_of(enum tier tier) {
  static const char *const options[TIER_COUNT] = {
      [TIER_FAST] = "Interval",
      [TIER_ADDRESS] = "AddressInterval",
      [TIER_SLOW] = "SlowInterval",
  };
  return options[tier];
}

int main(void) {
  size_t n;
  const struct attribute *table = attributes(&n);
  puts(
      "| plugin instance | type-type_instance | unit | every | from Artemis |");
  puts("|---|---|---|---|---|");
  for (size_t i = 0; i < n; i++)
    printf("| %s | %s-%s | %s | %s | %u.%u |\n", instance_of(table[i].object),
           table[i].type, table[i].name, table[i].unit,
           interval_of(table[i].tier), table[i].since / 1000,
           table[i].since % 1000);
  return 0;
}
