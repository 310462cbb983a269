/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* MBean blocks and sets: what they become, and how mistakes in them are told.
 * With the rules of the scrape. */
#include "artemis/attributes.h"
#include "settings_text.h"

#include <stdlib.h>

#define A "Node \"a\" \"https://a/j\"\n"
#define IN(text) "<Cluster \"c\">\n" text A "</Cluster>\n"
#define MBEAN(pattern, text) "<MBean \"" pattern "\">\n" text "</MBean>\n"
#define SET(name, text) "<Set \"" name "\">\n" text "</Set>\n"
#define X "Attribute \"X\"\n"

/* ---- what comes of it ---- */

START_TEST(without_any) {
  load_text_well(IN(""));
  ck_assert_uint_eq(settings.nodes[0].ready_sets, SET_ARTEMIS);
  ck_assert_uint_eq(settings.nodes[0].mbeans.n, 0);
  ck_assert_uint_eq(settings.clusters[0].member.ready_sets, SET_ARTEMIS);
}
END_TEST

START_TEST(a_block) {
  load_text_well(
      IN(MBEAN("d:type=T,name=*,*",
               "<Attribute \"In\" \"Out\">\nType \"if_octets\"\n"
               "TypeInstance \"net\"\nScale \"1e-3\"\n</Attribute>\n"
               "Attribute \"A/b\" \"ti\" \"derive\"\n"
               "<Attribute \"State\">\nMap \"ON\" 1\nMap \"OFF\" \"0\"\n"
               "</Attribute>\n"
               "Prefix \"p\"\nInstance \"%{name}\"\nTier \"slow\"\n"
               "Type \"count\"\nInclude \"name=a*\" \"name=b\"\n"
               "Include \"name=c\"\nExclude \"x=/y/\"\n")));
  const struct mbean_list *list = &settings.nodes[0].mbeans;
  ck_assert_uint_eq(list->n, 1);
  const struct mbean_settings *mbean = &list->mbean[0];
  ck_assert_str_eq(mbean->pattern, "d:type=T,name=*,*");
  ck_assert_str_eq(mbean->prefix, "p");
  ck_assert_str_eq(mbean->instance, "%{name}");
  ck_assert_int_eq(mbean->tier, MBEAN_SLOW);
  ck_assert(!mbean->all_attributes);
  ck_assert_uint_eq(mbean->include.n, 3);
  ck_assert_str_eq(mbean->include.pattern[2], "name=c");
  ck_assert_uint_eq(mbean->exclude.n, 1);
  ck_assert_uint_eq(mbean->n_values, 3);
  const struct value_settings *value = mbean->values;
  ck_assert_uint_eq(value[0].n_paths, 2);
  ck_assert_str_eq(value[0].paths[1], "Out");
  ck_assert_str_eq(value[0].type, "if_octets");
  ck_assert_str_eq(value[0].type_instance, "net");
  ck_assert_double_eq_tol(value[0].scale, 0.001, 1e-12);
  ck_assert_str_eq(value[1].paths[0], "A/b");
  ck_assert_str_eq(value[1].type_instance, "ti");
  ck_assert_str_eq(value[1].type, "derive");
  ck_assert_double_eq_tol(value[1].scale, 1, 1e-12);
  ck_assert_str_eq(value[2].type, "count");
  ck_assert_ptr_null(value[2].type_instance);
  ck_assert_uint_eq(value[2].n_map, 2);
  ck_assert_str_eq(value[2].map[0].text, "ON");
  ck_assert_double_eq_tol(value[2].map[0].number, 1, 1e-12);
  ck_assert_double_eq_tol(value[2].map[1].number, 0, 1e-12);
}
END_TEST

START_TEST(all_attributes) {
  load_text_well(IN(MBEAN("d:type=T", "AllAttributes true\n")));
  const struct mbean_settings *mbean = &settings.nodes[0].mbeans.mbean[0];
  ck_assert(mbean->all_attributes);
  ck_assert_uint_eq(mbean->n_values, 0);
  ck_assert_str_eq(mbean->type, "gauge");
}
END_TEST

/* Sets come from the innermost Set line; blocks add up. */
START_TEST(sets_and_blocks) {
  load_text_well(
      "Set \"jvm\"\n" SET("b", MBEAN("d:s=1", X) MBEAN("d:s=2", X))
          SET("e", MBEAN("d:s=3", X)) IN(
              MBEAN("d:c=4",
                    X) "<Node \"n\">\nURL \"https://b/j\"\n"
                       "Set \"artemis-detail\" \"b\"\nSet \"classic\"\n" MBEAN(
                           "d:n=5", X) "</Node>\n"));
  const struct node_settings *node = &settings.nodes[0];
  ck_assert_uint_eq(node->ready_sets, SET_ARTEMIS | SET_DETAIL | SET_CLASSIC);
  ck_assert_uint_eq(node->mbeans.n, 4);
  ck_assert_str_eq(node->mbeans.mbean[0].pattern, "d:c=4");
  ck_assert_str_eq(node->mbeans.mbean[1].pattern, "d:n=5");
  ck_assert_str_eq(node->mbeans.mbean[3].pattern, "d:s=2");
  ck_assert_uint_eq(settings.nodes[1].ready_sets, SET_JVM);
  ck_assert_uint_eq(settings.nodes[1].mbeans.n, 1);
  ck_assert_uint_eq(settings.clusters[0].member.mbeans.n, 1);
  ck_assert_uint_eq(settings.n_sets, 2);
}
END_TEST

/* It stands behind the cluster that uses it, in another Plugin block. */
START_TEST(a_set_may_stand_anywhere) {
  load_text_well("<Plugin jolokia>\n" IN(
      "Set \"b\"\n") "</Plugin>\n"
                     "<Plugin jolokia>\n" SET("b",
                                              MBEAN("d:s=1", X)) "</Plugin>\n");
  ck_assert_uint_eq(settings.nodes[0].ready_sets, 0);
  ck_assert_uint_eq(settings.nodes[0].mbeans.n, 1);
}
END_TEST

START_TEST(what_has_changed) {
  static const char *const same = IN(MBEAN("d:a=1", X));
  static const char *const others[] = {
      IN(MBEAN("d:a=2", X)),
      IN(MBEAN("d:a=1", "Attribute \"Y\"\n")),
      IN(MBEAN("d:a=1", X "Tier \"slow\"\n")),
      IN(MBEAN("d:a=1", "Attribute \"X\" \"x\"\n")),
      IN(MBEAN("d:a=1", "Attribute \"X\" \"X\" \"count\"\n")),
      IN(MBEAN("d:a=1", "<Attribute \"X\">\nScale 2\n</Attribute>\n")),
      IN(MBEAN("d:a=1", "<Attribute \"X\">\nMap \"a\" 1\n</Attribute>\n")),
      IN(MBEAN("d:a=1", X) "Set \"jvm\"\n"),
  };
  struct settings first;
  load_text_well(same);
  first = settings;
  for (size_t i = 0; i <= sizeof others / sizeof others[0]; i++) {
    bool is_same = i == sizeof others / sizeof others[0];
    config_tree_free(tree);
    tree = config_tree_new();
    load_text_well(is_same ? same : others[i]);
    ck_assert_msg(settings_node_changes(&first.nodes[0], &settings.nodes[0]) ==
                      (is_same ? 0 : CHANGED_OTHER),
                  "%s", is_same ? same : others[i]);
    settings_fini(&settings);
  }
  settings = first;
}
END_TEST

/* ---- mistakes ---- */

#define C "f:2"
static const struct {
  const char *text;
  const char *place;
  const char *reason;
  const char *remedy;
  bool is_warning;
} mistakes[] = {
    {IN(MBEAN("no colon", X)), C, "MBean: ", ":", false},
    {IN(MBEAN("d:a=*,a=b", X)), C, "MBean: ", "", false},
    {IN("<MBean>\n" X "</MBean>\n"), C, "MBean: needs a value",
     "write MBean \"java.lang:type=Memory\"", false},
    {IN("<MBean d>\n" X "</MBean>\n"), C, "MBean: ", "", false},
    {IN(MBEAN("d:a=1", "")), C, "MBean: names no attribute",
     "write Attribute \"NAME\" in it", false},
    {IN(MBEAN("d:a=*", "Exclude \"b\"\n" X)), "f:3",
     "Exclude: value 1 names no key", "KEY=PATTERN", false},
    {IN(MBEAN("d:a=*", "Include \"a=/(/\"\n" X)), "f:3", "Include: value 1 ",
     "", false},
    {IN(MBEAN("d:a=1", "Include \"a=1\"\n" X)), C,
     "Include: the MBean is no pattern", "remove it", false},
    {IN(MBEAN("d:a=*", "Exclude \"b=1\"\n" X)), C,
     "Exclude: %{b}: the MBean's name has no such key", "one of its keys",
     false},
    {IN(MBEAN("d:a=*", "AllAttributes true\n")), C,
     "AllAttributes: the MBean is a pattern", "name the attributes", false},
    {IN(MBEAN("d:a=1", "AllAttributes true\n" X)), C,
     "AllAttributes: attributes are named, too", "remove one", false},
    {IN(MBEAN("d:a=1", "AllAttributes true\nType \"if_octets\"\n")), C,
     "Type: the type if_octets has 2 data sources", "another type", false},
    {IN(MBEAN("d:a=1", "Attribute \"\"\n")), "f:3", "value 1 is empty",
     "give it a value", false},
    {IN(MBEAN("d:a=1", "Attribute 5\n")), "f:3", "value 1 is no text",
     "put it in quotes", false},
    {IN(MBEAN("d:a=1", "Attribute \"A\" \"b\" \"gauge\" \"c\"\n")), "f:3",
     "Attribute: needs a name", "write Attribute \"NAME\"", false},
    {IN(MBEAN("d:a=1", "Attribute \"A//b\"\n")), "f:3", "has an empty name",
     "\"!/\" for a slash", false},
    {IN(MBEAN("d:a=1", "Attribute \"A/*/b/*\"\n")), "f:3",
     "has more than one '*'", "write one key", false},
    {IN(MBEAN("d:a=1", "Attribute \"*\"\n")), "f:3",
     "has '*' in place of an attribute", "name it", false},
    {IN(MBEAN("d:a=1", "Attribute \"A!b\"\n")), "f:3", "escapes nothing",
     "\"!!\"", false},
    {IN(MBEAN("d:a=1", "Attribute \"A\" \"t\" \"frobs\"\n")), "f:3",
     "the type frobs is not in collectd's types.db", "\"gauge\"", false},
    {IN(MBEAN("d:a=1", "Attribute \"A\" \"t\" \"counter\"\n")), "f:3",
     "the type counter is not", "\"derive\"", false},
    {IN(MBEAN("d:a=1", "Attribute \"A\" \"t\" \"if_octets\"\n")), "f:3",
     "has 2 data sources, here it gets 1", "an attribute for each", false},
    {IN(MBEAN("d:a=1", "<Attribute \"A\" \"B\">\nScale 1\n</Attribute>\n")),
     "f:3", "the type gauge has 1 data sources, here it gets 2", "", false},
    {IN(MBEAN("d:a=1", "<Attribute \"A/*\" \"B\">\nType \"if_octets\"\n"
                       "</Attribute>\n")),
     "f:3", "a '*' stands for several values", "one name", false},
    {IN(MBEAN("d:a=1", "<Attribute \"A\">\nScale 0\n</Attribute>\n")), "f:4",
     "Scale: 0 is out of range", "write 1e-12 to", false},
    {IN(MBEAN("d:a=1", "<Attribute \"A\">\nMap \"x\"\n</Attribute>\n")), "f:4",
     "Map: needs a text and the number", "write Map \"STARTED\" 1", false},
    {IN(MBEAN("d:a=1", "<Attribute \"A\">\nMap \"x\" \"y\"\n</Attribute>\n")),
     "f:4", "Map: needs a text and the number", "", false},
    {IN(MBEAN("d:a=1", "<Attribute \"A\">\nInterval 5\n</Attribute>\n")), "f:4",
     "Interval: cannot stand in <Attribute>", "move it to", false},
    {IN(MBEAN("d:a=1", X "Atribute \"B\"\n")), "f:4",
     "Atribute: unknown option", "did you mean Attribute?", false},
    {IN(MBEAN("d:a=1", X "Tier \"hourly\"\n")), "f:4", "hourly is unknown",
     "\"fast\" or \"slow\"", false},
    {IN(MBEAN("d:a=1", X "Prefix \"a/b\"\n")), C, "Prefix: has a '/'",
     "use another character", false},
    {IN(MBEAN("d:a=1", X "Instance \"%{b}\"\n")), C,
     "Instance: %{b}: the MBean's name has no such key", "one of its keys",
     false},
    {IN(MBEAN("d:a=1", X "Instance \"%{a\"\n")), C, "without a '}'",
     "write \"%{KEY}\"", false},
    {IN(MBEAN("d:a=1", X X)), "f:4", "another one here has this type",
     "TypeInstance of its own", false},
    {IN(MBEAN("d:a=1", "Attribute \"ProducedRate\"\n")), "f:3",
     "reading ProducedRate changes", "remove it", true},
    {IN(MBEAN("d:a=1", "Attribute \"A\" \"a/b\"\n")), "f:3",
     "its type instance has a '/'", "use another character", false},
    {IN(MBEAN("d:a=1", X) MBEAN("d:a=1", X)), "f:8",
     "MBean: two blocks, of d:a=1 and d:a=1, have one series for X",
     "a Prefix of its own", false},
    {IN(MBEAN("d:a=1", "Prefix \"p\"\n" X) MBEAN("d:a=2", "Prefix \"p\"\n" X)),
     "f:10", "of d:a=1 and d:a=2, have one series", "leave one out", false},
    {IN(MBEAN("d:a=1", "Instance \"i\"\n" X)
            MBEAN("d:a=2", "Instance \"i\"\n" X)),
     "f:10", "of d:a=1 and d:a=2, have one series for X", "a Prefix of its own",
     false},
    {IN(MBEAN("d:a=x,b=y", X) MBEAN("e:b=x,a=y", X)), "f:8",
     "of d:a=x,b=y and e:b=x,a=y, have one series for X", "leave one out",
     false},
    {IN(MBEAN("d:a=1", "Prefix \"1\"\n" X) MBEAN("d:a=1", X)), "f:9",
     "have one series for X", "leave one out", false},
    {IN(MBEAN("d:a=1", "AllAttributes true\n")
            MBEAN("d:a=1", "AllAttributes true\n")),
     "f:8", "of d:a=1 and d:a=1, have one series for each attribute",
     "leave one out", false},
    {IN(MBEAN("d:a=1", "AllAttributes true\n")
            MBEAN("e:a=1", "AllAttributes true\n")),
     "f:8", "of d:a=1 and e:a=1, may have one series for each attribute",
     "a Prefix of its own", true},
    {IN(MBEAN("d:a=1", X) MBEAN("d:a=1", "AllAttributes true\n")), "f:8",
     "may have one series for X", "leave one out", true},
    {IN(MBEAN("d:a=*,b=*", "Instance \"%{b}\"\n" X)), C,
     "Instance: leaves out %{a}", "add it", true},
    {IN(MBEAN("d:a=*", "Instance \"i\"\n" X)), C, "Instance: leaves out %{a}",
     "or write its value in the pattern", true},
    {IN(MBEAN("d:a=1,*", "Instance \"%{a}\"\n" X)), C,
     "Instance: is the same for all MBeans", "leave it out", true},
    {IN(MBEAN("*:a=1", "Instance \"i\"\n" X)), C,
     "Instance: is the same for all MBeans", "leave it out", true},
    {SET("b", MBEAN("d:a=*", "Instance \"i\"\n" X)) IN("Set \"b\"\n"), "f:2",
     "Instance: leaves out %{a}", "add it", true},
    {SET("b", MBEAN("d:a=1", X)) IN("Set \"b\" \"b\"\n"), "f:8",
     "have one series for X", "leave one out", false},
    {IN("Set \"nothing\"\n"), C, "there is no set nothing", "<Set \"nothing\">",
     false},
    {IN(SET("x", MBEAN("d:a=1", X))), C, "Set: a block stands in",
     "move it there", false},
    {SET("jvm", MBEAN("d:a=1", X)) IN(""), "f:1",
     "there is another of the name jvm", "one of its own", false},
    {SET("b", MBEAN("d:a=1", X)) SET("b", MBEAN("d:a=1", X)) IN(""), "f:6",
     "there is another of the name b", "", false},
    {SET("b", X) IN(""), "f:2", "Attribute: cannot stand in <Set>",
     "move it to <MBean>", false},
    {MBEAN("d:a=1", X) IN(""), "f:1", "MBean: cannot stand in <Plugin jolokia>",
     "move it to <Cluster>", false},
};

START_TEST(mistake) {
  enum status status = load_text(mistakes[_i].text);
  const struct problem *problem = NULL;
  for (size_t i = 0; i < problems.n && !problem; i++)
    if (strcmp(problems.list[i].place, mistakes[_i].place) == 0 &&
        strstr(problems.list[i].text, mistakes[_i].reason))
      problem = &problems.list[i];
  ck_assert_msg(problem != NULL, "%s: told is: %s: %s", mistakes[_i].text,
                problems.n ? problems.list[0].place : "",
                problems.n ? problems.list[0].text : "nothing");
  ck_assert_msg(strstr(problem->text, mistakes[_i].remedy) != NULL, "%s",
                problem->text);
  ck_assert_int_eq(problem->is_warning, mistakes[_i].is_warning);
  ck_assert_int_eq(status,
                   mistakes[_i].is_warning ? STATUS_OK : STATUS_INVALID);
}
END_TEST

/* A mistake in a set costs no cluster, but is told. */
START_TEST(a_mistake_in_a_set) {
  load_text(SET("b", MBEAN("nothing", X) MBEAN("d:a=1", X)) IN("Set \"b\"\n"));
  ck_assert_uint_eq(problems.n_errors, 1);
  ck_assert_uint_eq(settings.n_nodes, 1);
  ck_assert_uint_eq(settings.nodes[0].mbeans.n, 1);
}
END_TEST

/* The block that it stands in is left out: what the scrape refuses would cost
 * every node of every cluster. */
START_TEST(a_mistake_in_a_block_of_a_set) {
  load_text(SET("b", MBEAN("d:a=1", "Attribute \"A\" \"t\" \"frobs\"\n")
                         MBEAN("d:a=2", X)) IN("Set \"b\"\n"));
  ck_assert_uint_eq(problems.n_errors, 1);
  ck_assert_uint_eq(settings.n_nodes, 1);
  ck_assert_uint_eq(settings.nodes[0].mbeans.n, 1);
  ck_assert_str_eq(settings.nodes[0].mbeans.mbean[0].pattern, "d:a=2");
}
END_TEST

/* Of two blocks with filters each may have MBeans of its own. */
START_TEST(two_blocks_of_a_pattern) {
  load_text_well(IN(MBEAN("d:a=*", "Include \"a=x*\"\n" X) MBEAN(
      "d:a=*", "Include \"a=y*\"\n" X) MBEAN("d:a=*", "Prefix \"p\"\n" X)
                        MBEAN("d:a=1", X) MBEAN("d:a=2", X)));
  ck_assert_uint_eq(settings.nodes[0].mbeans.n, 5);
}
END_TEST

/* What tells them apart is their own, or is not known. */
START_TEST(blocks_apart) {
  load_text_well(IN(MBEAN("d:a=*,b=*,*", "Instance \"%{b}.%{a}\"\n" X) MBEAN(
      "d:a=1,*", "Instance \"%{c}\"\n" X) MBEAN("d:a=1", "Instance \"i\"\n" X)
                        MBEAN("d:a=2", "Instance \"i\"\nPrefix \"p\"\n" X)
                            MBEAN("d:a=3", "Instance \"i\"\nAttribute \"Y\"\n")
                                MBEAN("d:a=4", "AllAttributes true\n")
                                    MBEAN("e:a=4", "Type \"count\"\n"
                                                   "AllAttributes true\n")
                                        MBEAN("f:a=4", "Attribute \"A/b\"\n"
                                                       "Attribute \"A\" \"c\"\n"
                                                       "Attribute \"D\" \"d\""
                                                       " \"derive\"\n")));
  ck_assert_uint_eq(settings.nodes[0].mbeans.n, 8);
}
END_TEST

/* What may be is told once, and does not hide what must. */
START_TEST(series_that_may_be_shared) {
  static const char text[] = MBEAN("d:a=1", "AllAttributes true\n")
      MBEAN("d:a=1", X) MBEAN("d:a=1", "Attribute \"Y\"\n");
  char all[1024];
  snprintf(all, sizeof all,
           "<Cluster \"c\">\n%s" A "Node \"b\" \"https://b/j\"\n</Cluster>\n"
           "<Cluster \"d\">\n%s%sNode \"n\" \"https://n/j\"\n</Cluster>\n",
           text, text, MBEAN("d:a=1", X));
  load_text(all);
  ck_assert_uint_eq(problems.n, 3);
  ck_assert_uint_eq(problems.n_errors, 1);
  ck_assert(problems.list[1].is_warning && !problems.list[2].is_warning);
  ck_assert_uint_eq(settings.n_nodes, 2);
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

int main(void) {
  Suite *suite = suite_create("mbean_settings");
  TCase *tcase = tcase_create("mbean_settings");
  tcase_add_checked_fixture(tcase, text_set_up, text_tear_down);
  tcase_add_test(tcase, without_any);
  tcase_add_test(tcase, a_block);
  tcase_add_test(tcase, all_attributes);
  tcase_add_test(tcase, sets_and_blocks);
  tcase_add_test(tcase, a_set_may_stand_anywhere);
  tcase_add_test(tcase, what_has_changed);
  tcase_add_loop_test(tcase, mistake, 0, N(mistakes));
  tcase_add_test(tcase, a_mistake_in_a_set);
  tcase_add_test(tcase, a_mistake_in_a_block_of_a_set);
  tcase_add_test(tcase, two_blocks_of_a_pattern);
  tcase_add_test(tcase, blocks_apart);
  tcase_add_test(tcase, series_that_may_be_shared);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
