/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef TESTS_SETTINGS_TEXT_H
#define TESTS_SETTINGS_TEXT_H

/* Settings of one text, and what was wrong with it. With the rules of the
 * scrape. */

#include "client/translate.h"
#include "config/settings.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct config_tree *tree;
static struct problems problems;
static struct settings settings;

static inline void text_set_up(void) {
  tree = config_tree_new();
  ck_assert_ptr_nonnull(tree);
  problems_init(&problems);
}

static inline void text_tear_down(void) {
  settings_fini(&settings);
  problems_fini(&problems);
  config_tree_free(tree);
}

/* Of what ${from} has alone. */
static inline enum status load_tree(struct config_tree *from,
                                    struct settings *ret) {
  const struct settings_sources alone = {.base = config_tree_root(from)};
  return settings_load(&alone, &translate_rules, ret, &problems);
}

static inline enum status load_text(const char *text) {
  ck_assert_int_eq(config_parse_text(tree, text, strlen(text), "f", &problems),
                   STATUS_OK);
  return load_tree(tree, &settings);
}

static inline void load_text_well(const char *text) {
  enum status status = load_text(text);
  ck_assert_msg(status == STATUS_OK && problems.n == 0, "%s: %s: %s", text,
                problems.n ? problems.list[0].place : "",
                problems.n ? problems.list[0].text : "");
}

#endif
