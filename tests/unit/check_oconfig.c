/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/oconfig.h"

#include <check.h>

/* <Plugin jolokia> with a value of each type, and a block in a block. */
START_TEST(the_tree_is_the_same) {
  static char texts[][16] = {"Plugin", "jolokia", "Cluster", "orders",
                             "Node",   "a",       "Numbers"};
  oconfig_value_t node_values[] = {
      {.type = OCONFIG_TYPE_STRING, .value.string = texts[5]},
      {.type = OCONFIG_TYPE_STRING, .value.string = texts[1]}};
  oconfig_value_t numbers[] = {
      {.type = OCONFIG_TYPE_NUMBER, .value.number = 0.25},
      {.type = OCONFIG_TYPE_BOOLEAN, .value.boolean = 1},
      {.type = OCONFIG_TYPE_BOOLEAN, .value.boolean = 0}};
  oconfig_item_t inside[] = {
      {.key = texts[4], .values = node_values, .values_num = 2},
      {.key = texts[6], .values = numbers, .values_num = 3}};
  oconfig_value_t cluster_value = {.type = OCONFIG_TYPE_STRING,
                                   .value.string = texts[3]};
  oconfig_item_t cluster = {.key = texts[2],
                            .values = &cluster_value,
                            .values_num = 1,
                            .children = inside,
                            .children_num = 2};
  oconfig_value_t plugin_value = {.type = OCONFIG_TYPE_STRING,
                                  .value.string = texts[1]};
  oconfig_item_t plugin = {.key = texts[0],
                           .values = &plugin_value,
                           .values_num = 1,
                           .children = &cluster,
                           .children_num = 1};
  struct config_tree *tree = config_tree_new();
  struct config_item *root = config_tree_root(tree);
  ck_assert_int_eq(oconfig_add(root, &plugin), STATUS_OK);
  ck_assert_int_eq(oconfig_add(root, &plugin), STATUS_OK);
  ck_assert_uint_eq(root->n_children, 2);
  for (size_t i = 0; i < 2; i++) {
    const struct config_item *copy = &root->children[i];
    ck_assert_str_eq(copy->key, "Plugin");
    ck_assert_str_eq(copy->values[0].text, "jolokia");
    ck_assert_uint_eq(copy->n_children, 1);
    const struct config_item *block = &copy->children[0];
    ck_assert_str_eq(block->key, "Cluster");
    ck_assert_str_eq(block->values[0].text, "orders");
    ck_assert_ptr_eq(block->parent, copy);
    ck_assert_uint_eq(block->n_children, 2);
    ck_assert_uint_eq(block->children[0].n_values, 2);
    ck_assert_str_eq(block->children[0].values[1].text, "jolokia");
    const struct config_value *values = block->children[1].values;
    ck_assert_int_eq(values[0].type, CONFIG_NUMBER);
    ck_assert_double_eq_tol(values[0].number, 0.25, 1e-12);
    ck_assert_int_eq(values[1].type, CONFIG_BOOL);
    ck_assert_double_eq_tol(values[1].number, 1, 1e-12);
    ck_assert_double_eq_tol(values[2].number, 0, 1e-12);
  }
  config_tree_free(tree);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("oconfig");
  TCase *t = tcase_create("oconfig");
  tcase_add_test(t, the_tree_is_the_same);
  suite_add_tcase(s, t);
  return s;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
