/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* Any text is either taken or has its mistakes told; what is left is whole: no
 * node without name and URL, none of a cluster that is left out, all numbers in
 * range; and a password never stands in a mistake. */
#include "client/translate.h"
#include "config/settings.h"
#include "fuzz.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Stands for the real check: any text with "://" is a URL, and its own key. */
static enum status check_url(const char *text, char *ret_key, size_t key_size,
                             bool *ret_is_plaintext, struct error *error) {
  if (!strstr(text, "://"))
    return error_set(error, STATUS_INVALID, "URL: not one");
  snprintf(ret_key, key_size, "%s", text);
  *ret_is_plaintext = strncmp(text, "http://", 7) == 0;
  return STATUS_OK;
}

static void check_problem(const struct problem *problem) {
  FUZZ_CHECK(*problem->text);
  for (const char *at = problem->text; *at; at++)
    FUZZ_CHECK((unsigned char)*at >= 0x20 && *at != 0x7f);
}

struct input {
  const uint8_t *bytes;
  size_t len;
};

static bool stands_twice(const struct input *input, const char *text) {
  size_t len = strlen(text);
  const uint8_t *first = memmem(input->bytes, input->len, text, len);
  if (!first)
    return false;
  const uint8_t *next = first + 1;
  return memmem(next, input->len - (size_t)(next - input->bytes), text, len);
}

/* Unlike any word of ours: long, with a digit between letters. */
static bool is_secret(const char *text) {
  for (const char *at = text; strlen(text) >= 12 && *at && at[1]; at++)
    if (isalpha((unsigned char)at[0]) && isdigit((unsigned char)at[1]) &&
        isalpha((unsigned char)at[2]))
      return true;
  return false;
}

static void check_secrets(const struct config_item *item,
                          const struct input *input,
                          const struct problems *problems) {
  for (size_t i = 0; i < item->n_children; i++)
    check_secrets(&item->children[i], input, problems);
  if (strcasecmp(item->key, "Password") != 0)
    return;
  for (size_t i = 0; i < item->n_values; i++) {
    const char *text = item->values[i].text;
    if (!is_secret(text) || stands_twice(input, text))
      continue;
    for (size_t j = 0; j < problems->n; j++)
      FUZZ_CHECK(!strstr(problems->list[j].text, text));
  }
}

static void check_node(const struct node_settings *node) {
  FUZZ_CHECK(node->name && *node->name && strlen(node->name) <= 127);
  FUZZ_CHECK(node->cluster && node->url && node->url_key);
  FUZZ_CHECK(!strchr(node->name, '/'));
  FUZZ_CHECK((node->username != NULL) == (node->password != NULL));
  FUZZ_CHECK(node->ceiling.requests_per_second_milli >= 1 &&
             node->ceiling.requests_per_second_milli <= 1000000000);
  FUZZ_CHECK(node->ceiling.burst >= 1 && node->ceiling.burst <= 1000000);
  FUZZ_CHECK(node->ceiling.max_in_flight >= 1 &&
             node->ceiling.max_in_flight <= 64);
  FUZZ_CHECK(node->timeout_ns >= 100000000 &&
             node->timeout_ns <= 3600 * INT64_C(1000000000));
  FUZZ_CHECK((unsigned)node->queues.source <= SOURCE_READ);
  FUZZ_CHECK((unsigned)node->self_metrics <= SELF_METRICS_OFF);
  if (node->username && strncmp(node->url, "http://", 7) == 0)
    FUZZ_CHECK(node->allow_plaintext);
}

/* Files are not read: whoever writes a configuration may name any. */
static bool names_a_file(const struct config_item *item) {
  for (size_t i = 0; i < item->n_children; i++)
    if (names_a_file(&item->children[i]))
      return true;
  return item->n_values > 0 && item->values[0].type == CONFIG_TEXT &&
         item->values[0].text[0] == '/';
}

static void check_settings(const struct settings *settings) {
  FUZZ_CHECK(settings->state_dir && settings->instances >= 1);
  FUZZ_CHECK(settings_memory(settings) <= settings->max_memory);
  for (size_t i = 0; i < settings->n_nodes; i++) {
    check_node(&settings->nodes[i]);
    for (size_t j = 0; j < i; j++)
      FUZZ_CHECK(strcmp(settings->nodes[i].name, settings->nodes[j].name) != 0);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct settings_rules rules = translate_rules;
  rules.check_url = check_url;
  struct problems problems;
  problems_init(&problems);
  struct config_tree *tree = config_tree_new();
  FUZZ_CHECK(tree);
  enum status parsed =
      config_parse_text(tree, (const char *)data, size, "f", &problems);
  FUZZ_CHECK((parsed == STATUS_OK) == (problems.n_errors == 0));
  if (!names_a_file(config_tree_root(tree))) {
    struct settings settings;
    size_t n_errors = problems.n_errors;
    const struct settings_sources alone = {.base = config_tree_root(tree)};
    enum status loaded = settings_load(&alone, &rules, &settings, &problems);
    FUZZ_CHECK((loaded == STATUS_OK) == (problems.n_errors == n_errors));
    check_settings(&settings);
    settings_fini(&settings);
  }
  for (size_t i = 0; i < problems.n; i++)
    check_problem(&problems.list[i]);
  check_secrets(config_tree_root(tree), &(struct input){data, size}, &problems);
  config_tree_free(tree);
  problems_fini(&problems);
  return 0;
}
