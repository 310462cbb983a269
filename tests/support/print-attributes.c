/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* Prints the values of the ready-made sets as they stand between the markers of
 * README.md, or with --manual of the manual page. */
#include "artemis/attributes.h"

#include <stdio.h>
#include <string.h>

static const char *plugin_of(const struct attribute *attribute) {
  return attribute->mbean ? attribute->mbean->plugin : "artemis";
}

static void instance_of(const struct attribute *attribute, char dst[64]) {
  static const char *const instances[] = {
      [OBJECT_BROKER] = "broker",
      [OBJECT_ADDRESS] = "address-NAME",
      [OBJECT_QUEUE] = "queue-NAME",
  };
  const struct attribute_mbean *mbean = attribute->mbean;
  if (mbean)
    snprintf(dst, 64, "%s%s", mbean->prefix, mbean->instance ? "-NAME" : "");
  else
    snprintf(dst, 64, "%s", instances[attribute->object]);
}

static const char *interval_of(enum tier tier) {
  static const char *const options[TIER_COUNT] = {
      [TIER_FAST] = "Interval",
      [TIER_ADDRESS] = "AddressInterval",
      [TIER_SLOW] = "SlowInterval",
  };
  return options[tier];
}

/* Whose version since is. */
static const char *product_of(enum set set) {
  if (set == SET_JVM)
    return "Java";
  return set == SET_CLASSIC ? "ActiveMQ" : "Artemis";
}

static void print_readme(const struct attribute *table, size_t n) {
  puts("| set | plugin-instance | type-type_instance | unit | every | from | "
       "cost |");
  puts("|---|---|---|---|---|---|---|");
  for (size_t i = 0; i < n; i++) {
    const struct attribute *a = &table[i];
    char instance[64];
    instance_of(a, instance);
    printf("| %s | %s-%s | %s-%s | %s | %s | %s %u.%u | %s |\n",
           set_name(a->set), plugin_of(a), instance, a->type,
           attribute_label(a), a->unit, interval_of(a->tier),
           product_of(a->set), a->since / 1000, a->since % 1000,
           a->cost ? a->cost : "a field");
  }
}

static void print_head(const struct attribute *a, const char *instance) {
  printf(".Ss Set %s: %s-%s, every %s\n", set_name(a->set), plugin_of(a),
         instance, interval_of(a->tier));
  if (a->mbean)
    printf("Of\n.Li %s .\n", a->mbean->pattern);
  puts(".Bl -column \"AuthenticationFailureCount\" \"current_connections\" "
       "\"connections\" \"2.99\"");
  printf(".It Em attribute Ta Em type Ta Em unit Ta Em since %s\n",
         product_of(a->set));
}

static void print_manual(const struct attribute *table, size_t n) {
  char last[64] = "";
  for (size_t i = 0; i < n; i++) {
    const struct attribute *a = &table[i];
    char instance[64];
    instance_of(a, instance);
    bool is_new = i == 0 || strcmp(last, instance) != 0 ||
                  a->tier != table[i - 1].tier ||
                  a->mbean != table[i - 1].mbean || a->set != table[i - 1].set;
    if (is_new && i > 0)
      puts(".El");
    if (is_new)
      print_head(a, instance);
    printf(".It %s Ta %s Ta %s Ta %u.%u\n", attribute_label(a), a->type,
           a->unit, a->since / 1000, a->since % 1000);
    memcpy(last, instance, sizeof last);
  }
  puts(".El");
}

int main(int argc, char **argv) {
  size_t n;
  const struct attribute *table = attributes(&n);
  if (argc > 1 && strcmp(argv[1], "--manual") == 0)
    print_manual(table, n);
  else
    print_readme(table, n);
  return 0;
}
