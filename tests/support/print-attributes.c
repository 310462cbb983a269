/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* Prints the values of the ready-made sets as they stand between the markers of
 * README.md, or with --manual of the manual page; with --list for programs. */
#include "artemis/attributes.h"

#include <stdio.h>
#include <string.h>

#define QUEUES                                                                 \
  "{broker},component=addresses,address=*,subcomponent=queues,routing-type=*," \
  "queue=*"

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

/* set, object name, plugin, prefix, key that names it, type, type instance,
 * path, scale, whether a derive, whether what is below 0 is absent, first
 * version; parted by tabs. */
static void print_list(const struct attribute *table, size_t n) {
  static const char *const patterns[] = {
      [OBJECT_BROKER] = "{broker}",
      [OBJECT_ADDRESS] = "{broker},component=addresses,address=*",
      [OBJECT_QUEUE] = QUEUES,
  };
  static const char *const keys[] = {[OBJECT_BROKER] = "",
                                     [OBJECT_ADDRESS] = "address",
                                     [OBJECT_QUEUE] = "queue"};
  for (size_t i = 0; i < n; i++) {
    const struct attribute *a = &table[i];
    const struct attribute_mbean *mbean = a->mbean;
    const char *key = mbean && mbean->instance ? mbean->instance : "";
    size_t len = strlen(key) > 3 ? strlen(key) - 3 : 0; /* of "%{KEY}" */
    if (!mbean) {
      key = keys[a->object];
      len = strlen(key);
    } else if (len > 0) {
      key += 2;
    }
    printf("%s\t%s\t%s\t%s\t%.*s\t%s\t%s\t%s\t%.17g\t%d\t%d\t%u\n",
           set_name(a->set), mbean ? mbean->pattern : patterns[a->object],
           plugin_of(a), mbean ? mbean->prefix : object_name(a->object),
           (int)len, key, a->type, attribute_label(a), a->name, a->scale,
           a->is_derive, a->is_unknown_below_0, a->since);
  }
}

int main(int argc, char **argv) {
  size_t n;
  const struct attribute *table = attributes(&n);
  if (argc > 1 && strcmp(argv[1], "--manual") == 0)
    print_manual(table, n);
  else if (argc > 1 && strcmp(argv[1], "--list") == 0)
    print_list(table, n);
  else
    print_readme(table, n);
  return 0;
}
