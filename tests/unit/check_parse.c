/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/parse.h"

#include "base/buf.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct config_tree *tree;
static struct problems problems;
static struct buf shown;
static char folder[] = "/tmp/check_parse.XXXXXX";

static void set_up(void) {
  tree = config_tree_new();
  ck_assert_ptr_nonnull(tree);
  problems_init(&problems);
  buf_init(&shown, 1 << 20);
}

static void tear_down(void) {
  config_tree_free(tree);
  problems_fini(&problems);
  buf_fini(&shown);
}

/* A tree on one line: KEY VALUE...{CHILDREN}; */
static void show(const struct config_item *item) {
  buf_add_text(&shown, item->key);
  for (size_t i = 0; i < item->n_values; i++) {
    const struct config_value *value = &item->values[i];
    if (value->type == CONFIG_TEXT)
      buf_printf(&shown, " '%s'", value->text);
    else if (value->type == CONFIG_NUMBER)
      buf_printf(&shown, " %.17g", value->number);
    else
      buf_printf(&shown, " %s", value->number > 0 ? "T" : "F");
  }
  if (item->n_children > 0) {
    buf_add_text(&shown, "{");
    for (size_t i = 0; i < item->n_children; i++) {
      ck_assert_ptr_eq(item->children[i].parent, item);
      show(&item->children[i]);
    }
    buf_add_text(&shown, "}");
  }
  buf_add_text(&shown, ";");
}

static const char *shown_root(void) {
  const struct config_item *root = config_tree_root(tree);
  for (size_t i = 0; i < root->n_children; i++)
    show(&root->children[i]);
  return buf_text(&shown);
}

static const struct {
  const char *text;
  const char *tree;
} good[] = {
    {"", ""},
    {"\n\n# comment\n", ""},
    {"# comment without a line break", ""},
    {"A 1\n", "A 1;"},
    {"A 1 # comment\n", "A 1;"},
    {"A 1#comment\n", "A 1;"},
    {"A\t1 \r\nB 2\r\n", "A 1;B 2;"},
    {"A 1\b2\n", "A 1 2;"},
    {"A 1 \\\n  2 \\\r\n 3\n", "A 1 2 3;"},
    {"\\\nA 1\n", "A 1;"},
    /* numbers */
    {"A +5 -5 010 00 0x1F 0XfF\n", "A 5 -5 10 0 31 255;"},
    {"A .5 -.5 0.25 007.5 1.5e+3 1.5E-1\n", "A 0.5 -0.5 0.25 7.5 1500 "
                                            "0.14999999999999999;"},
    {"A 1.0e+999 -1.0e+999\n", "A inf -inf;"},
    {"A 1e3 5s 0x 1_000 0x1G\n", "A '1e3' '5s' '0x' '1_000' '0x1G';"},
    {"A 1.0e3 1.2.3 1-2\n", "A 1 'e3' 1.2 0.29999999999999999 1 -2;"},
    /* words */
    {"A true yes on false no off\n", "A T T T F F F;"},
    {"A True trueish \"true\"\n", "A 'True' 'trueish' 'true';"},
    {"1a 1\n", "1a 1;"},
    /* addresses */
    {"A 1.2.3.4 1.2.3.4:80 1.2.3.256\n", "A '1.2.3.4' '1.2.3.4:80' '1.2.3.25' "
                                         "6;"},
    {"A ::1 fe80::1 :: 1:: [::1] [::1]:80\n",
     "A '::1' 'fe80::1' '::' '1::' '[::1]' '[::1]:80';"},
    {"A 1:2:3:4:5:6:7:8 1:2:3:4:5:6:1.2.3.4 ::ffff:1.2.3.4:80\n",
     "A '1:2:3:4:5:6:7:8' '1:2:3:4:5:6:1.2.3.4' '::ffff:1.2.3.4:80';"},
    {"1.2.3.4 1\n", "1.2.3.4 1;"},
    /* strings */
    {"A \"\" \"a b\" \"a\"b\"c\"\n", "A '' 'a b' 'a' 'b' 'c';"},
    {"A \"a\\\"b\" \"c\\\\d\\n\"\n", "A 'a\"b' 'c\\dn';"},
    {"A \"a#b\" # c\n", "A 'a#b';"},
    {"A \"a\nb\"\n", "A 'a\nb';"},
    {"A \"a\\\n   b\\\n\t c\" 5\n", "A 'abc' 5;"},
    {"A \"a\\\n\\\nb\"\n", "A 'a\nb';"},
    {"A \"a\\\n\"b\"\n", "A 'a\"b';"},
    {"A \"a\\\r\n b\"\n", "A 'a\r\n b';"},
    {"A \"\xc3\xa9\"\n", "A '\xc3\xa9';"},
    /* blocks */
    {"<B>\nA 1\n</B>\n", "B{A 1;};"},
    {"< B \"x\" 1 true > # c\n A 1\n</ B > # c\n", "B 'x' 1 T{A 1;};"},
    {"<B x>\n</B>\n", "B 'x';"},
    {"<B>\n</B>\nA 1\n", "A 1;"},
    {"<B>\n<C>\n\n</C>\n</B>\nA 1\n", "A 1;"},
    {"<B\\\n x>\nA 1\n</B>\n", "B 'x'{A 1;};"},
    {"<A>\n<B>\n<C>\nx 1\n</C>\ny 2\n</B>\n<B>\nz 3\n</B>\n</A>\nw 4\n",
     "A{B{C{x 1;};y 2;};B{z 3;};};w 4;"},
};

START_TEST(takes) {
  enum status status = config_parse_text(tree, good[_i].text,
                                         strlen(good[_i].text), "f", &problems);
  ck_assert_msg(status == STATUS_OK, "%s: %s", good[_i].text,
                problems.n ? problems.list[0].text : "");
  ck_assert_uint_eq(problems.n, 0);
  ck_assert_str_eq(shown_root(), good[_i].tree);
}
END_TEST

static const struct {
  const char *text;
  const char *tree;     /* what is well */
  const char *problems; /* "PLACE|part of the text|", one after the other */
} bad[] = {
    {"A\nB 1\n", "B 1;", "f:1|needs a value|"},
    {"B 1\nA", "B 1;", "f:2|no line break|"},
    {"B 1\nA 1", "B 1;", "f:2|no line break: collectd refuses it; add one|"},
    {"1 2\nB 1\n", "B 1;", "f:1|begins with the name of an option|"},
    {"true 2\n\"x\" 1\nB 1\n", "B 1;", "f:1|begins with|f:2|begins with|"},
    {"A foo-bar\nB 1\n", "B 1;", "f:1|'-' cannot stand outside quotes|"},
    {"A a.b\nB 1\n", "B 1;", "f:1|'.' cannot|"},
    {"A '5'\nB 1\n", "B 1;", "f:1|''' cannot|"},
    {"\xc3\xa9 1\nB 1\n", "B 1;", "f:1|byte 0xc3|"},
    {"A foo/bar\nB 1\n", "B 1;", "f:1|put the value in \"...\"|"},
    {"A 1 \\\n foo-bar \\\n x\nB 1\n", "B 1;", "f:2|'-' cannot|"},
    {"A 1>\nB 1\n", "B 1;", "f:1|only words, numbers and strings|"},
    {"A 1 <B>\nB 1\n", "B 1;", "f:1|only words, numbers and strings|"},
    /* strings */
    {"A \"x\nB 1\n", "B 1;", "f:1|no closing quote: put a \" at its end|"},
    {"A \"x\nB \"y\"\nC 1\n", "B 'y';C 1;",
     "f:1|does not end on its line: put a \" at its end|"},
    {"A \"x\nB \"/y\"\nC 1\nD \"z\nE 1\n", "B '/y';C 1;E 1;",
     "f:1|does not end on its line|f:4|no closing quote|"},
    {"A \"x\\\n\"\nB 1\n", "B 1;", "f:1|no closing quote|"},
    {"<B \"x>\nA 1\nC \"y\"\n</B>\n", "B 'x>\nA 1\nC ' 'y'{A 1;C 'y';};",
     "f:1|does not end on its line|"},
    /* blocks */
    {"<B>\nA 1\n</b>\nC 1\n", "B{A 1;};C 1;",
     "f:3|<B> is closed by </b>: write both alike|"},
    {"C 1\n<B>\nA 1\n", "C 1;B{A 1;};",
     "f:2|<B> is not closed: put </B> behind its last line|"},
    {"<B>\n<C>\nA 1\n</B>\nD 1\n", "B{C{A 1;};};D 1;",
     "f:2|<C> is not closed|"},
    {"</B>\nA 1\n", "A 1;", "f:1|</B> closes no block: remove it|"},
    {"<B>\nA 1\n</C>\n</B>\n", "B{A 1;};", "f:3|</C> closes no block|"},
    {"<B> A 1\nC 1\n</B>\n", "B{C 1;};",
     "f:1|a block's first line ends with its >|"},
    {"<B x\nC 1\n</B>\n", "B 'x'{C 1;};",
     "f:1|a block's first line needs a > at its end|"},
    {"<>\nA 1\n", "A 1;", "f:1|< needs the name of a block|"},
    {"<\"B\">\nA 1\n", "A 1;", "f:1|< needs the name of a block|"},
    {"<B>\nA 1\n</>\n</B>\n", "B{A 1;};", "f:3|</ needs the name|"},
    {"<B>\nA 1\n</B x>\nC 1\n", "B{A 1;};C 1;", "f:3|</NAME> alone|"},
    {"<B>\nA 1\n</B\nC 1\n", "B{A 1;};C 1;", "f:3|</NAME> alone|"},
    {"<B>\nA 1\n</B>", "B{A 1;};", "f:3|no line break|"},
    {"Include \"/x\"\nA 1\n", "A 1;", "f:1|Include works in files alone|"},
    /* every one of them is told */
    {"A\n<B>\nC x-y\n<D>\nE \"u\nF \"v\"\n</B>\n", "B{D{F 'v';};};",
     "f:1|needs a value|f:3|'-' cannot|f:5|does not end|f:4|<D> is not "
     "closed|"},
};

static void check_problems(const char *expected) {
  size_t i = 0;
  while (*expected) {
    char place[100], text[200];
    const char *bar = strchr(expected, '|');
    const char *end = strchr(bar + 1, '|');
    snprintf(place, sizeof place, "%.*s", (int)(bar - expected), expected);
    snprintf(text, sizeof text, "%.*s", (int)(end - bar - 1), bar + 1);
    ck_assert_msg(i < problems.n, "only %zu problems, not %s", i, expected);
    ck_assert_str_eq(problems.list[i].place, place);
    ck_assert_msg(strstr(problems.list[i].text, text) != NULL,
                  "\"%s\" has no \"%s\"", problems.list[i].text, text);
    ck_assert(!problems.list[i].is_warning);
    expected = end + 1;
    i++;
  }
  ck_assert_uint_eq(problems.n, i);
  ck_assert_uint_eq(problems.n_errors, i);
}

START_TEST(refuses) {
  enum status status = config_parse_text(tree, bad[_i].text,
                                         strlen(bad[_i].text), "f", &problems);
  ck_assert_int_eq(status, STATUS_INVALID);
  check_problems(bad[_i].problems);
  ck_assert_str_eq(shown_root(), bad[_i].tree);
}
END_TEST

START_TEST(a_broken_line_marks_its_blocks) {
  const char text[] =
      "<A>\n<B>\nx\n</B>\n<C>\ny 1\n</C>\n</A>\n<D>\nz 1\n</D>\n";
  config_parse_text(tree, text, strlen(text), "f", &problems);
  const struct config_item *root = config_tree_root(tree);
  ck_assert(root->is_broken);
  ck_assert(root->children[0].is_broken);
  ck_assert(!root->children[0].children[0].is_broken); /* C: B is dropped */
  ck_assert(!root->children[1].is_broken);
}
END_TEST

START_TEST(places) {
  const char text[] = "\n<A>\n\nx 1 \\\n 2\n\n<B c>\n\"\n";
  config_parse_text(tree, text, strlen(text), "dir/f", &problems);
  const struct config_item *a = &config_tree_root(tree)->children[0];
  ck_assert_int_eq(a->line, 2);
  ck_assert_str_eq(a->file, "dir/f");
  ck_assert_int_eq(a->children[0].line, 4);
  ck_assert_int_eq(a->children[1].line, 7);
}
END_TEST

START_TEST(the_cluster_is_named) {
  const char text[] = "<Plugin jolokia>\n<Cluster \"c1\">\n<Queues>\nx\n"
                      "</Queues>\n</Cluster>\ny\n</Plugin>\n";
  config_parse_text(tree, text, strlen(text), "f", &problems);
  ck_assert_uint_eq(problems.n, 2);
  ck_assert_str_eq(problems.list[0].cluster, "c1");
  ck_assert_str_eq(problems.list[1].cluster, "");
}
END_TEST

/* collectd skips stray bytes; in another plugin's block that is only told. */
START_TEST(other_plugins_blocks) {
  const char text[] = "<Plugin ping>\nHost a-b\n</Plugin>\n";
  ck_assert_int_eq(config_parse_text(tree, text, strlen(text), "f", &problems),
                   STATUS_OK);
  ck_assert_uint_eq(problems.n, 1);
  ck_assert(problems.list[0].is_warning);
}
END_TEST

START_TEST(nul_byte) {
  const char text[] = "A 1\nB \0 2\nC 1\n";
  ck_assert_int_eq(
      config_parse_text(tree, text, sizeof text - 1, "f", &problems),
      STATUS_INVALID);
  ck_assert_str_eq(problems.list[problems.n - 1].place, "f:2");
  ck_assert_ptr_nonnull(strstr(problems.list[problems.n - 1].text, "NUL byte"));
  ck_assert_str_eq(shown_root(), "A 1;");
}
END_TEST

START_TEST(a_thousand_problems) {
  struct buf text;
  buf_init(&text, 1 << 20);
  for (int i = 0; i < PROBLEMS_MAX + 7; i++)
    buf_add_text(&text, "A\n");
  config_parse_text(tree, text.data, text.len, "f", &problems);
  ck_assert_uint_eq(problems.n, PROBLEMS_MAX);
  ck_assert_uint_eq(problems.n_errors, PROBLEMS_MAX + 7);
  ck_assert_uint_eq(problems.n_dropped, 7);
  buf_fini(&text);
}
END_TEST

START_TEST(too_many_lines) {
  struct buf text;
  buf_init(&text, 1 << 20);
  for (int i = 0; i < 100001; i++)
    buf_add_text(&text, "A 1\n");
  ck_assert_int_eq(config_parse_text(tree, text.data, text.len, "f", &problems),
                   STATUS_INVALID);
  check_problems("f:100001|more than 100000 lines and blocks|");
  ck_assert_uint_eq(config_tree_root(tree)->n_children, 100000);
  buf_fini(&text);
}
END_TEST

START_TEST(too_many_blocks_in_each_other) {
  struct buf text;
  buf_init(&text, 1 << 20);
  for (int i = 0; i < 100; i++)
    buf_add_text(&text, "<A>\n");
  config_parse_text(tree, text.data, text.len, "f", &problems);
  check_problems("f:64|more than 63 blocks in each other|");
  buf_fini(&text);
}
END_TEST

/* Unclosed quotes and broken lines over and over cost no more than their length
 * again: libcheck ends after 4 s what looks for the end of a string from each.
 */
START_TEST(many_quotes) {
  static const struct {
    const char *line;
    size_t n_children; /* a string over two lines, or nothing that holds */
    size_t n_errors;
    const char *place; /* of the first */
  } cases[] = {
      {"A \"\n", 100000, 1, "f:200001"},
      {"\"\\\n", 0, 1, "f:1"},
      {"A \"\\\n", 0, 1, "f:600001"}, /* one string, and no last line break */
      {"\\\"\n", 0, 1000000, "f:1"},
      {"A \" x\n", 100000, 1, "f:200001"},
      {"A \"\\\"\n", 0, 100001, "f:1"},
      {"::::\n", 100000, 1, "f:100001"},
      {"\r\n\\\n\"\\\n\n", 0, 375000, "f:3"},
  };
  struct buf text;
  buf_init(&text, 1 << 24);
  while (text.len < 3000000)
    buf_add_text(&text, cases[_i].line);
  ck_assert_int_eq(config_parse_text(tree, text.data, text.len, "f", &problems),
                   STATUS_INVALID);
  buf_fini(&text);
  ck_assert_uint_eq(config_tree_root(tree)->n_children, cases[_i].n_children);
  ck_assert_uint_eq(problems.n_errors, cases[_i].n_errors);
  ck_assert_str_eq(problems.list[0].place, cases[_i].place);
}
END_TEST

/* ---- a tree by hand ---- */

START_TEST(by_hand) {
  struct config_item *a = config_add_item(config_tree_root(tree), "A");
  ck_assert_int_eq(config_add_text(a, "x"), STATUS_OK);
  ck_assert_int_eq(config_add_number(a, 2.5), STATUS_OK);
  ck_assert_int_eq(config_add_bool(a, true), STATUS_OK);
  ck_assert_str_eq(a->values[1].text, "2.5");
  ck_assert_str_eq(a->values[2].text, "true");
  for (int i = 0; i < 100; i++) {
    struct config_item *child = config_add_item(a, "B");
    ck_assert_ptr_nonnull(child);
    ck_assert_ptr_nonnull(config_add_item(child, "C"));
  }
  for (int i = 0; i < 10; i++)
    ck_assert_ptr_nonnull(config_add_item(config_tree_root(tree), "D"));
  shown_root(); /* looks at every parent */
  a = &config_tree_root(tree)->children[0];
  problems_add(&problems, a->children[3].children, "c", false, "%s", "why\n");
  ck_assert_str_eq(problems.list[0].place, "<Plugin jolokia>/<A>/<B>/C");
  ck_assert_str_eq(problems.list[0].text, "why?");
  ck_assert_str_eq(problems.list[0].cluster, "c");
  problems_add(&problems, NULL, NULL, true, "none");
  ck_assert_str_eq(problems.list[1].place, "");
  ck_assert_uint_eq(problems.n_errors, 1);
}
END_TEST

START_TEST(paths_show_names_alone) {
  struct config_item *item = config_add_item(config_tree_root(tree), "Plugin");
  config_add_text(item, "jolokia");
  struct config_item *cluster = config_add_item(item, "Cluster");
  config_add_text(cluster, "orders");
  item = config_add_item(cluster, "Password");
  config_add_text(item, "s3cret");
  problems_add(&problems, item, NULL, false, "x");
  ck_assert_str_eq(problems.list[0].place,
                   "<Plugin jolokia>/<Cluster orders>/Password");
  item = config_add_item(cluster, "Node");
  config_add_text(item, "https://joe:s3cret@h/console/jolokia");
  config_add_number(config_add_item(item, "Timeout"), 1);
  problems_add(&problems, item, NULL, false, "x");
  ck_assert_str_eq(problems.list[1].place,
                   "<Plugin jolokia>/<Cluster orders>/<Node>");
}
END_TEST

/* ---- files ---- */

static const char *path_of(const char *name) {
  static char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* FILE: {dir} in ${text} stands for the folder. */
static void write_file(const char *name, const char *text) {
  FILE *file = fopen(path_of(name), "w");
  ck_assert_ptr_nonnull(file);
  const char *at;
  while ((at = strstr(text, "{dir}"))) {
    fprintf(file, "%.*s%s", (int)(at - text), text, folder);
    text = at + 5;
  }
  fputs(text, file);
  fclose(file);
}

static void set_up_files(void) {
  set_up();
  memcpy(strstr(folder, "check_parse.") + 12, "XXXXXX", 6);
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void tear_down_files(void) {
  char command[100];
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
  tear_down();
}

static void make_folder(const char *name) {
  ck_assert_int_eq(mkdir(path_of(name), 0755), 0);
}

START_TEST(include_file) {
  write_file("a", "A 1\nInclude \"{dir}/b\"\nC 3\n");
  write_file("b", "B 2\n");
  ck_assert_int_eq(config_parse_file(tree, path_of("a"), &problems), STATUS_OK);
  ck_assert_str_eq(shown_root(), "A 1;B 2;C 3;");
  ck_assert_str_eq(config_tree_root(tree)->children[1].file, path_of("b"));
}
END_TEST

START_TEST(include_pattern_is_sorted) {
  write_file("a", "include \"{dir}/x*.conf\"\n");
  write_file("x2.conf", "B 2\n");
  write_file("x1.conf", "B 1\n");
  write_file("x10.conf", "B 10\n");
  write_file("y.conf", "B 3\n");
  ck_assert_int_eq(config_parse_file(tree, path_of("a"), &problems), STATUS_OK);
  ck_assert_str_eq(shown_root(), "B 1;B 10;B 2;");
}
END_TEST

START_TEST(include_folder_with_filter) {
  write_file("a",
             "<Include \"{dir}/d\">\nFilter \"*.conf\"\n</Include>\nZ 1\n");
  make_folder("d");
  make_folder("d/sub");
  write_file("d/2.conf", "B 2\n");
  write_file("d/1.conf", "B 1\n");
  write_file("d/1.conf~", "B 9\n");
  write_file("d/.hidden.conf", "B 9\n");
  write_file("d/sub/3.conf", "B 3\n");
  ck_assert_int_eq(config_parse_file(tree, path_of("a"), &problems), STATUS_OK);
  ck_assert_str_eq(shown_root(), "B 1;B 2;B 3;Z 1;");
}
END_TEST

/* 12 times 12 times 12 times 12 files, in four folders. */
START_TEST(include_of_too_much) {
  static const char *const folders[] = {"1", "2", "3", "4"};
  write_file("a", "Include \"{dir}/1\"\nZ 1\n");
  for (int depth = 0; depth < 4; depth++) {
    make_folder(folders[depth]);
    for (int i = 0; i < 12; i++) {
      char name[32];
      snprintf(name, sizeof name, "%d/%d", depth + 1, i);
      if (depth == 3) {
        write_file(name, "");
      } else {
        char target[24];
        snprintf(target, sizeof target, "../%d", depth + 2);
        ck_assert_int_eq(symlink(target, path_of(name)), 0);
      }
    }
  }
  config_parse_file(tree, path_of("a"), &problems);
  ck_assert_uint_eq(problems.n, 1);
  ck_assert_ptr_nonnull(strstr(problems.list[0].text, "more than 10000 files"));
  ck_assert_str_eq(shown_root(), "Z 1;");
}
END_TEST

START_TEST(include_in_a_block_is_an_option) {
  write_file("a", "<B>\nInclude \"{dir}/b\"\n</B>\n");
  write_file("b", "B 2\n");
  config_parse_file(tree, path_of("a"), &problems);
  ck_assert_str_eq(config_tree_root(tree)->children[0].children[0].key,
                   "Include");
}
END_TEST

START_TEST(include_of_nothing_is_warned_of) {
  write_file("a", "Include \"{dir}/nothing\"\nA 1\n");
  ck_assert_int_eq(config_parse_file(tree, path_of("a"), &problems), STATUS_OK);
  ck_assert_uint_eq(problems.n, 1);
  ck_assert(problems.list[0].is_warning);
  ck_assert_ptr_nonnull(strstr(problems.list[0].place, "/a:1"));
  ck_assert_ptr_nonnull(
      strstr(problems.list[0].text, "/nothing: No such file"));
  ck_assert_str_eq(shown_root(), "A 1;");
}
END_TEST

static const struct {
  const char *line;
  const char *text;
} bad_includes[] = {
    {"Include 5", "needs one path"},
    {"Include \"a\" \"b\"", "needs one path"},
    {"Include \"$(id)\"", "the shell would not take"},
    {"Include \"a;b\"", "the shell would not take"},
    {"<Include \"{dir}/b\">\nFilter 1\n</Include>",
     "Filter: needs one pattern"},
    {"<Include \"{dir}/b\">\nFoo 1\n</Include>", "only Filter may stand"},
    {"Include \"{dir}/a\"", "does a file include itself"},
};

START_TEST(bad_include) {
  char text[200];
  snprintf(text, sizeof text, "%s\nA 1\n", bad_includes[_i].line);
  write_file("a", text);
  write_file("b", "B 1\n");
  ck_assert_int_eq(config_parse_file(tree, path_of("a"), &problems),
                   STATUS_INVALID);
  ck_assert_msg(strstr(problems.list[0].text, bad_includes[_i].text) != NULL,
                "%s", problems.list[0].text);
  ck_assert_ptr_nonnull(strstr(problems.list[0].place, folder));
  ck_assert_ptr_nonnull(strstr(shown_root(), "A 1;"));
}
END_TEST

/* A file that includes itself many times ends all the same, and is not told
 * of as many times. */
START_TEST(include_explosion) {
  struct buf text;
  buf_init(&text, 1 << 20);
  for (int i = 0; i < 200; i++)
    buf_add_text(&text, "Include \"{dir}/a\"\n");
  write_file("a", buf_text(&text));
  buf_fini(&text);
  ck_assert_int_eq(config_parse_file(tree, path_of("a"), &problems),
                   STATUS_INVALID);
  ck_assert_uint_le(problems.n, 1 + 8);
}
END_TEST

START_TEST(a_mistake_in_an_included_file) {
  write_file("a", "Include \"{dir}/b\"\nA 1\n");
  write_file("b", "B 1\nC\nD 1\n");
  ck_assert_int_eq(config_parse_file(tree, path_of("a"), &problems),
                   STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(problems.list[0].place, "/b:2"));
  ck_assert_str_eq(shown_root(), "B 1;D 1;A 1;");
}
END_TEST

START_TEST(no_such_file) {
  ck_assert_int_eq(config_parse_file(tree, path_of("none"), &problems),
                   STATUS_INVALID);
  ck_assert_uint_eq(problems.n, 1);
  ck_assert_ptr_nonnull(strstr(problems.list[0].text, path_of("none")));
  ck_assert_ptr_nonnull(strstr(problems.list[0].text, "No such file"));
}
END_TEST

START_TEST(a_folder_and_a_pipe) {
  ck_assert_int_eq(config_parse_file(tree, folder, &problems), STATUS_INVALID);
  ck_assert_int_eq(mkfifo(path_of("pipe"), 0600), 0);
  ck_assert_int_eq(config_parse_file(tree, path_of("pipe"), &problems),
                   STATUS_INVALID);
  ck_assert_uint_eq(problems.n, 2);
  ck_assert_ptr_nonnull(strstr(problems.list[1].text, "not a regular file"));
}
END_TEST

START_TEST(too_large) {
  write_file("a", "A 1\n");
  ck_assert_int_eq(truncate(path_of("a"), 16 * 1024 * 1024 + 1), 0);
  ck_assert_int_eq(config_parse_file(tree, path_of("a"), &problems),
                   STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(problems.list[0].text, "longer than"));
}
END_TEST

static Suite *suite(void) {
  Suite *suite = suite_create("parse");
  TCase *text = tcase_create("text");
  tcase_add_checked_fixture(text, set_up, tear_down);
  tcase_add_loop_test(text, takes, 0, sizeof good / sizeof good[0]);
  tcase_add_loop_test(text, refuses, 0, sizeof bad / sizeof bad[0]);
  tcase_add_test(text, a_broken_line_marks_its_blocks);
  tcase_add_test(text, places);
  tcase_add_test(text, the_cluster_is_named);
  tcase_add_test(text, other_plugins_blocks);
  tcase_add_test(text, nul_byte);
  tcase_add_test(text, a_thousand_problems);
  tcase_add_test(text, too_many_lines);
  tcase_add_test(text, too_many_blocks_in_each_other);
  tcase_add_loop_test(text, many_quotes, 0, 8);
  tcase_add_test(text, by_hand);
  tcase_add_test(text, paths_show_names_alone);
  suite_add_tcase(suite, text);
  TCase *files = tcase_create("files");
  tcase_add_checked_fixture(files, set_up_files, tear_down_files);
  tcase_add_test(files, include_file);
  tcase_add_test(files, include_pattern_is_sorted);
  tcase_add_test(files, include_folder_with_filter);
  tcase_add_test(files, include_of_too_much);
  tcase_add_test(files, include_in_a_block_is_an_option);
  tcase_add_test(files, include_of_nothing_is_warned_of);
  tcase_add_loop_test(files, bad_include, 0,
                      sizeof bad_includes / sizeof bad_includes[0]);
  tcase_add_test(files, include_explosion);
  tcase_add_test(files, a_mistake_in_an_included_file);
  tcase_add_test(files, no_such_file);
  tcase_add_test(files, a_folder_and_a_pipe);
  tcase_add_test(files, too_large);
  suite_add_tcase(suite, files);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
