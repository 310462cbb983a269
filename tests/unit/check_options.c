/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/options.h"

#include "artemis/attributes.h"
#include "base/num.h"
#include "base/status.h"
#include "client/translate.h"
#include "config/settings.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file of the source tree, to be freed. */
static char *read_source(const char *name) {
  const char *top = getenv("top_srcdir");
  char path[1000];
  snprintf(path, sizeof path, "%s/%s", top ? top : ".", name);
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s: set top_srcdir", path);
  char *text = calloc(1, 200000);
  ck_assert_ptr_nonnull(text);
  ck_assert_uint_gt(fread(text, 1, 199999, file), 0);
  fclose(file);
  return text;
}

/* ---- the table ---- */

START_TEST(the_table_has_room) {
  ck_assert_ptr_nonnull(option_at(70));
  ck_assert_ptr_null(option_at(OPTIONS_MAX));
}
END_TEST

START_TEST(rows_are_whole) {
  const struct option *option = option_at((size_t)_i);
  ck_assert_uint_eq(option_number(option), (size_t)_i);
  for (size_t i = 0; i < (size_t)_i; i++)
    ck_assert_msg(strcmp(option_at(i)->name, option->name) != 0 ||
                      (option_at(i)->places & option->places) == 0,
                  "%s stands twice", option->name);
  ck_assert_uint_ne(option->places, 0);
  ck_assert_uint_gt(strlen(option->help), 0);
  if (option->type == OPTION_SECTION) {
    ck_assert(option->inside == IN_CEILING || option->inside == IN_QUEUES ||
              option->inside == IN_ADDRESSES || option->inside == IN_OPERATOR);
    return;
  }
  ck_assert_uint_gt(strlen(option->unit), 0);
  ck_assert((option->fallback == NULL) != (option->example == NULL));
  bool is_number = option->type == OPTION_RATE ||
                   option->type == OPTION_COUNT ||
                   option->type == OPTION_SECONDS;
  ck_assert(!is_number || (option->min > 0 && option->max > option->min));
  ck_assert((option->type == OPTION_CHOICE) == (option->choices != NULL));
  ck_assert_uint_lt(strlen(option->name), 40);
}
END_TEST

START_TEST(nearest) {
  static const struct {
    const char *name;
    enum option_place place;
    const char *nearest;
  } cases[] = {
      {"Intervall", IN_PLUGIN, "Interval"},
      {"interval_", IN_NODE, "Interval"},
      {"Passwordfile2", IN_CLUSTER, "PasswordFile"},
      {"MaxInflight1", IN_CEILING, "MaxInFlight"},
      {"User", IN_CEILING, NULL},
      {"Zebra", IN_PLUGIN, NULL},
      {"x", IN_PLUGIN, NULL},
      {"", IN_PLUGIN, NULL},
      {"ANameThatIsLongerThanAnyOptionHasAndThenSome", IN_PLUGIN, NULL},
      {"Burts", IN_CLUSTER, NULL},
      {"Burts", IN_CEILING, "Burst"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct option *option = option_nearest(cases[i].name, cases[i].place);
    ck_assert_pstr_eq(option ? option->name : NULL, cases[i].nearest);
  }
}
END_TEST

/* ---- the sample ---- */

/* The sample's lines that begin with "#|", with or without their marks. */
static void uncover(char *text, bool with_marked) {
  char *to = text;
  const char *from = text;
  while (*from) {
    const char *at = from + strspn(from, " ");
    size_t len = strcspn(from, "\n") + (strchr(from, '\n') != NULL);
    bool is_marked = strncmp(at, "#|", 2) == 0;
    if (is_marked && with_marked) {
      size_t skip = (size_t)(at - from) + 2;
      memmove(to, from + skip, len - skip);
      to += len - skip;
    } else if (!is_marked) {
      memmove(to, from, len);
      to += len;
    }
    from += len;
  }
  *to = 0;
}

static void load_sample(bool with_marked, struct settings *ret,
                        struct problems *ret_problems) {
  char *text = read_source("contrib/collectd/jolokia.conf");
  struct config_tree *tree = config_tree_new();
  uncover(text, with_marked);
  problems_init(ret_problems);
  ck_assert_int_eq(
      config_parse_text(tree, text, strlen(text), "sample", ret_problems),
      STATUS_OK);
  const struct settings_sources alone = {.base = config_tree_root(tree)};
  settings_load(&alone, &translate_rules, ret, ret_problems);
  config_tree_free(tree);
  free(text);
}

START_TEST(the_sample_loads) {
  struct settings settings;
  struct problems problems;
  load_sample(false, &settings, &problems);
  ck_assert_msg(problems.n == 0, "%s: %s", problems.list[0].place,
                problems.list[0].text);
  settings_fini(&settings);
  problems_fini(&problems);
}
END_TEST

/* Its files are not there, and Password beside PasswordFile is a comment. */
START_TEST(the_whole_sample_loads) {
  struct settings settings;
  struct problems problems;
  load_sample(true, &settings, &problems);
  for (size_t i = 0; i < problems.n; i++)
    ck_assert_msg(strstr(problems.list[i].text, "No such file") ||
                      strstr(problems.list[i].text, "has no certificate"),
                  "%s: %s", problems.list[i].place, problems.list[i].text);
  ck_assert_uint_eq(settings.n_clusters + settings.n_clusters_left_out, 1);
  settings_fini(&settings);
  problems_fini(&problems);
}
END_TEST

/* Each option stands there as it is by default, or marked with an example. */
START_TEST(the_sample_has_every_option) {
  const struct option *option = option_at((size_t)_i);
  char *text = read_source("contrib/collectd/jolokia.conf");
  char line[300];
  if (option->type == OPTION_SECTION)
    snprintf(line, sizeof line, "<%s>\n", option->name);
  else if (option->type == OPTION_CLUSTER || option->type == OPTION_MBEAN)
    snprintf(line, sizeof line, "<%s %s>\n", option->name, option->example);
  else
    snprintf(line, sizeof line, " %s %s\n", option->name,
             option->fallback ? option->fallback : option->example);
  const char *at = strstr(text, line);
  ck_assert_msg(at != NULL, "the sample lacks: %s", line);
  while (at > text && at[-1] != '\n')
    at--;
  bool is_marked = strncmp(at + strspn(at, " "), "#|", 2) == 0;
  /* The one Cluster of the sample is marked, and the one Set, with all in
   * them. */
  bool is_in_block = option->places == IN_CLUSTER ||
                     option->places == IN_MBEAN ||
                     option->places == IN_ATTRIBUTE;
  bool has_default =
      (option->fallback && !is_in_block) || option->type == OPTION_SECTION;
  ck_assert_msg(is_marked != has_default, "%s", line);
  free(text);
}
END_TEST

/* ---- the manual page ---- */

/* The text of the option's entry, up to the next one; NULL if there is none. */
static char *find_entry(const char *page, const char *name) {
  char head[100];
  snprintf(head, sizeof head, ".It Ic %s", name);
  const char *at = page;
  while ((at = strstr(at, head))) {
    const char *end = at + strlen(head);
    if (*end == ' ' || *end == '\n') {
      const char *next = strstr(end, "\n.It ");
      const char *list = strstr(end, "\n.El");
      return strndup(end, (size_t)((next && next < list ? next : list) - end));
    }
    at = end;
  }
  return NULL;
}

START_TEST(the_manual_has_every_option) {
  const struct option *option = option_at((size_t)_i);
  char *page = read_source("contrib/man/collectd-jolokia.5");
  char *entry = find_entry(page, option->name);
  ck_assert_msg(entry != NULL, "the manual lacks %s", option->name);
  char text[300];
  if (option->fallback) {
    snprintf(text, sizeof text, "The default is %s.", option->fallback);
    ck_assert_msg(strstr(entry, text) != NULL, "%s: no \"%s\"", option->name,
                  text);
  }
  if (option->type == OPTION_RATE || option->type == OPTION_COUNT ||
      option->type == OPTION_SECONDS) {
    snprintf(text, sizeof text, "%.15g to %.15g.", option->min, option->max);
    ck_assert_msg(strstr(entry, text) != NULL, "%s: no \"%s\"", option->name,
                  text);
  }
  free(entry);
  free(page);
}
END_TEST

START_TEST(the_manual_has_no_other_option) {
  char *page = read_source("contrib/man/collectd-jolokia.5");
  static const enum option_place places[] = {
      IN_PLUGIN,    IN_CLUSTER,  IN_NODE, IN_CEILING, IN_QUEUES,
      IN_ADDRESSES, IN_OPERATOR, IN_SET,  IN_MBEAN,   IN_ATTRIBUTE};
  for (const char *at = page; (at = strstr(at, ".It Ic ")); at++) {
    char name[100];
    size_t len = strcspn(at + 7, " \n");
    snprintf(name, sizeof name, "%.*s", (int)len, at + 7);
    bool is_known = false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
      is_known |= option_find(name, places[i]) != NULL;
    ck_assert_msg(is_known, "%s is no option", name);
  }
  free(page);
}
END_TEST

START_TEST(the_manual_has_every_attribute_and_kind) {
  char *page = read_source("contrib/man/collectd-jolokia.5");
  size_t n;
  const struct attribute *attribute = attributes(&n);
  ck_assert_uint_gt(n, 30);
  for (size_t i = 0; i < n; i++) {
    char line[200];
    snprintf(line, sizeof line, "\n.It %s Ta %s Ta %s Ta %u.%u\n",
             attribute_label(&attribute[i]), attribute[i].type,
             attribute[i].unit, attribute[i].since / 1000,
             attribute[i].since % 1000);
    ck_assert_msg(strstr(page, line) != NULL, "the manual lacks: %s", line);
  }
  const char *failures = strstr(page, "\n.Sh FAILURES");
  ck_assert_ptr_nonnull(failures);
  for (unsigned i = STATUS_OK + 1; i < STATUS_COUNT; i++)
    ck_assert_msg(strstr(failures, status_name((enum status)i)) != NULL, "%s",
                  status_name((enum status)i));
  free(page);
}
END_TEST

static Suite *suite(void) {
  Suite *suite = suite_create("options");
  int n = 0;
  while (option_at((size_t)n))
    n++;
  TCase *table = tcase_create("table");
  tcase_add_loop_test(table, rows_are_whole, 0, n);
  tcase_add_test(table, the_table_has_room);
  tcase_add_test(table, nearest);
  suite_add_tcase(suite, table);
  TCase *pages = tcase_create("pages");
  tcase_add_test(pages, the_sample_loads);
  tcase_add_test(pages, the_whole_sample_loads);
  tcase_add_loop_test(pages, the_sample_has_every_option, 0, n);
  tcase_add_loop_test(pages, the_manual_has_every_option, 0, n);
  tcase_add_test(pages, the_manual_has_no_other_option);
  tcase_add_test(pages, the_manual_has_every_attribute_and_kind);
  suite_add_tcase(suite, pages);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
