/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* Settings that are read again and again: what a change of a file becomes. The
 * clock is the test's own. */
#include "config/live.h"

#include "base/clock.h"
#include "client/translate.h"
#include "config/file.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MS CLOCK_NS_PER_MS
#define S CLOCK_NS_PER_S

static char folder[] = "/tmp/check_live.XXXXXX";
static struct live *live;
static struct live_result result;
static int64_t now_ns;
static char names[2000]; /* of the nodes in use, each with a blank */

static void run(const char *command) { ck_assert_int_eq(system(command), 0); }

static void set_up(void) {
  memcpy(strchr(folder, '.') + 1, "XXXXXX", 6);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
  live = NULL;
  result = (struct live_result){.settings = NULL};
  now_ns = 1000 * S;
  names[0] = 0;
}

static void tear_down(void) {
  live_free(live);
  live_settings_free(result.settings);
  problems_fini(&result.problems);
  run("chmod -R u+rwx . && rm -r -- * .[!.]* ..?* 2>/dev/null; true");
  ck_assert_int_eq(chdir("/"), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}

/* Two writes within one tick of the kernel's clock look the same else. */
static void write_text(const char *name, const char *text) {
  static time_t stamp = 1000;
  FILE *file = fopen(name, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
  ck_assert_int_eq(chmod(name, 0600), 0);
  const struct timespec times[2] = {{.tv_sec = stamp}, {.tv_sec = stamp}};
  stamp++;
  ck_assert_int_eq(utimensat(AT_FDCWD, name, times, 0), 0);
}

/* A cluster and its one node, both of that name. */
static void write_cluster(const char *file, const char *name,
                          const char *more) {
  char text[1000];
  snprintf(text, sizeof text,
           "<Cluster \"c%s\">\nNode \"%s\" \"https://%s/j\"\n%s</Cluster>\n",
           name, name, name, more);
  write_text(file, text);
}

/* In ${text}, {dir} stands for our folder. */
static struct config_tree *tree_of(const char *text,
                                   struct problems *problems) {
  char expanded[4000];
  size_t len = 0;
  while (*text) {
    bool is_word = strncmp(text, "{dir}", 5) == 0;
    len += (size_t)snprintf(expanded + len, sizeof expanded - len, "%.*s",
                            is_word ? (int)strlen(folder) : 1,
                            is_word ? folder : text);
    text += is_word ? 5 : 1;
  }
  struct config_tree *tree = config_tree_new();
  config_parse_text(tree, expanded, len, "base", problems);
  return tree;
}

static void note_names(void) {
  size_t len = 0;
  names[0] = 0;
  for (size_t i = 0; i < result.settings->n_nodes; i++)
    len += (size_t)snprintf(names + len, sizeof names - len, "%s ",
                            result.settings->nodes[i].name);
}

/* Reads, and says whether there are new settings. */
static bool look(void) {
  live_settings_free(result.settings);
  problems_fini(&result.problems);
  ck_assert_int_eq(live_read(live, now_ns, &result), STATUS_OK);
  if (result.settings)
    note_names();
  return result.settings != NULL;
}

static bool look_after(int64_t ns) {
  now_ns += ns;
  return look();
}

static void begin(const char *base) {
  struct problems problems;
  problems_init(&problems);
  const struct live_options options = {.base = tree_of(base, &problems),
                                       .base_problems = &problems,
                                       .use_default = false,
                                       .rules = &translate_rules};
  ck_assert_int_eq(live_new(&options, &live), STATUS_OK);
  problems_fini(&problems);
  ck_assert(look());
}

#define FILES "ClusterFiles \"{dir}/*.conf\"\n"

/* A change is seen, and taken when it has settled. */
static void look_settled(void) {
  ck_assert(!look());
  ck_assert_int_eq(result.next_ns, now_ns + FILE_SETTLE_NS);
  ck_assert(!look_after(FILE_SETTLE_NS - 1));
  look_after(1);
}

static const struct problem *find_problem(const char *place,
                                          const char *reason) {
  for (size_t i = 0; i < result.problems.n; i++)
    if (strstr(result.problems.list[i].place, place) &&
        strstr(result.problems.list[i].text, reason))
      return &result.problems.list[i];
  return NULL;
}

/* ---- at the start ---- */

static void make_files(void) {
  write_cluster("1.conf", "n1", "");
  write_text("2.conf", "<Cluster \"two\">\nNode \"n2\"\n</Cluster>\nx\n");
  write_text("3.conf", "<Plugin jolokia>\n<Cluster \"three\">\n"
                       "Node \"n3\" \"https://x/3\"\n</Cluster>\n</Plugin>\n"
                       "<Cluster \"bare\">\nNode \"n3b\" \"https://x/b\"\n"
                       "</Cluster>\n");
  write_text("4.conf", "Timeout 5\n<Cluster \"four\">\n"
                       "Node \"n4\" \"https://x/4\"\n</Cluster>\n");
  write_text("5.conf",
             "<Cluster \"five\">\nNode \"n5\" \"nonsense\"\n</Cluster>\n"
             "<Cluster \"six\">\nNode \"n6\" \"https://x/6\"\n</Cluster>\n");
}

#define A "<Cluster \"c\">\nNode \"a\" \"https://a/j\"\n</Cluster>\n"

static const char *const bases[] = {
    FILES "Timeout 4\n" A,
    "LoadPlugin jolokia\n<Plugin jolokia>\n" FILES "Timeout 4\n" A
    "</Plugin>\n",
    "<Plugin jolokia>\n" A "Timeout 4\n</Plugin>\n<Plugin jolokia>\n"
    "ClusterFiles \"{dir}/1.conf\" \"{dir}/[2-9].conf\"\n"
    "ClusterFiles \"{dir}/1.conf\"\n</Plugin>\n"};

/* As much as is well; each mistake with its place. */
START_TEST(at_the_start) {
  make_files();
  begin(bases[_i]);
  ck_assert_str_eq(names, "a n1 n3b n3 n6 ");
  ck_assert_uint_eq(result.problems.n, 3);
  ck_assert_uint_eq(result.problems.n_errors, 3);
  ck_assert_uint_eq(result.n_rejected, 0);
  const struct problem *problem = result.problems.list;
  ck_assert_ptr_nonnull(strstr(problem[0].place, "/2.conf:4"));
  ck_assert_ptr_nonnull(strstr(problem[1].place, "/4.conf:1"));
  ck_assert_ptr_nonnull(strstr(problem[1].text, "Timeout: only Cluster"));
  ck_assert_ptr_nonnull(strstr(problem[2].place, "/5.conf:2"));
  for (size_t i = 0; i < 3; i++)
    ck_assert(!problem[i].is_rejected);
  for (size_t i = 0; i < result.settings->n_nodes; i++)
    ck_assert_int_eq(result.settings->nodes[i].timeout_ns, 4 * S);
  ck_assert(!look());
  ck_assert(!result.is_new);
  ck_assert_int_eq(result.next_ns, CLOCK_NEVER);
}
END_TEST

START_TEST(without_files) {
  begin("ClusterFiles \"{dir}/none/*.conf\"\n");
  ck_assert_uint_eq(result.problems.n, 0);
  ck_assert_str_eq(names, "");
}
END_TEST

START_TEST(a_file_that_is_not_there) {
  begin("ClusterFiles \"{dir}/none.conf\"\n");
  ck_assert_uint_eq(result.problems.n, 1);
  ck_assert(result.problems.list[0].is_warning);
  ck_assert_ptr_nonnull(find_problem("", "there is no file"));
}
END_TEST

START_TEST(a_link_to_nowhere) {
  ck_assert_int_eq(symlink("nowhere", "1.conf"), 0);
  begin(FILES);
  ck_assert_ptr_nonnull(find_problem("", "1.conf: cannot be read"));
  write_cluster("nowhere", "a", "");
  look_settled();
  ck_assert_str_eq(names, "a ");
}
END_TEST

/* 12 to the fifth folders are looked into, as "/ * / * / * / * / *" would. */
START_TEST(too_wide_a_pattern) {
  for (int i = 0; i < 12; i++) {
    char name[32];
    snprintf(name, sizeof name, "%d", i);
    ck_assert_int_eq(mkdir(name, 0700), 0);
  }
  begin("ClusterFiles \"{dir}/*/../*/../*/../*/../*/../*.conf\"\n");
  ck_assert_uint_eq(result.problems.n, 1);
  ck_assert_ptr_nonnull(find_problem("base:1", "more than 20000"));
}
END_TEST

/* ---- files that come, go and change ---- */

START_TEST(a_file_comes) {
  begin(FILES);
  write_cluster("1.conf", "a", "");
  look_settled();
  ck_assert_str_eq(names, "a ");
  write_cluster("0.conf", "b", "");
  look_settled();
  ck_assert_str_eq(names, "a b ");
  ck_assert(!look_after(100 * S));
  ck_assert(!result.is_new);
}
END_TEST

START_TEST(a_file_goes_while_others_stay) {
  write_cluster("1.conf", "a", "");
  write_cluster("2.conf", "b", "");
  begin(FILES);
  unlink("1.conf");
  ck_assert(!look());
  ck_assert_int_eq(result.next_ns, now_ns + LIVE_GONE_NS);
  ck_assert(!look_after(LIVE_GONE_NS - 1));
  ck_assert(look_after(1));
  ck_assert_str_eq(names, "b ");
  ck_assert_uint_eq(result.problems.n, 0);
}
END_TEST

/* An editor's way: the old file is moved, a new one written. */
START_TEST(a_file_is_away_for_a_moment) {
  write_cluster("1.conf", "a", "");
  write_cluster("2.conf", "b", "");
  begin(FILES);
  rename("1.conf", "1.conf~");
  ck_assert(!look());
  ck_assert(!look_after(300 * MS));
  write_cluster("1.conf", "a", "Timeout 5\n");
  look_settled();
  ck_assert_str_eq(names, "b a ");
  ck_assert_int_eq(result.settings->nodes[1].timeout_ns, 5 * S);
}
END_TEST

/* Half of it is there for a while, then all: one reload. */
START_TEST(a_file_that_is_being_written) {
  write_text("1.conf", A "<Cluster \"d\">\nNode \"d\" \"https://d/j\"\n"
                         "</Cluster>\n");
  begin(FILES);
  write_text("1.conf", "");
  ck_assert(!look());
  write_text("1.conf", A);
  ck_assert(!look_after(150 * MS));
  write_text("1.conf", A "<Cluster \"d\">\nNode ");
  ck_assert(!look_after(150 * MS));
  write_text("1.conf", A "<Cluster \"d\">\nNode \"d\" \"https://d/k\"\n"
                         "</Cluster>\n");
  ck_assert(!look_after(150 * MS));
  ck_assert(!result.is_new);
  ck_assert(look_after(FILE_SETTLE_NS));
  ck_assert_str_eq(names, "a d ");
  ck_assert_str_eq(result.settings->nodes[1].url, "https://d/k");
  ck_assert(!look_after(S));
}
END_TEST

START_TEST(ways_of_saving) {
  static const char *const commands[] = {"mv new 1.conf", "cat new >1.conf",
                                         "ln -sf new link && mv -T link 1.conf",
                                         "cp new 1.conf"};
  write_cluster("1.conf", "a", "");
  write_cluster("2.conf", "b", "");
  begin(FILES);
  write_cluster("new", "c", "");
  run(commands[_i]);
  look_settled();
  ck_assert_str_eq(names, "b c ");
}
END_TEST

/* ..data is a link to a folder that another takes the place of. */
START_TEST(as_kubernetes_does) {
  ck_assert_int_eq(mkdir("..one", 0700) + mkdir("..two", 0700), 0);
  write_cluster("..one/1.conf", "a", "");
  write_cluster("..one/2.conf", "b", "");
  write_cluster("..two/1.conf", "c", "");
  write_cluster("..two/2.conf", "d", "");
  ck_assert_int_eq(symlink("..one", "..data"), 0);
  ck_assert_int_eq(symlink("..data/1.conf", "1.conf"), 0);
  ck_assert_int_eq(symlink("..data/2.conf", "2.conf"), 0);
  begin(FILES);
  ck_assert_str_eq(names, "a b ");
  ck_assert_int_eq(symlink("..two", "..tmp"), 0);
  ck_assert_int_eq(rename("..tmp", "..data"), 0);
  look_settled();
  ck_assert_str_eq(names, "c d ");
}
END_TEST

/* ---- mistakes ---- */

START_TEST(a_spoilt_file_changes_nothing) {
  static const char *const texts[] = {
      "<Cluster \"ca\">\nNode \"a\" \"https://a/j\"\n", "nonsense\n",
      "<Cluster \"ca\">\nNode \"a\" \"ftp://a/j\"\n</Cluster>\n",
      ("<Cluster \"ca\">\nNode \"z\" \"https://z/j\"\n</Cluster>\n"
       "<Cluster \"cz\">\nTimeout 0\nNode \"y\" \"https://y/j\"\n</Cluster>\n"),
      "<Cluster \"cb\">\nNode \"z\" \"https://z/j\"\n</Cluster>\n"};
  write_cluster("1.conf", "a", "");
  write_cluster("2.conf", "b", "");
  begin(FILES);
  write_text("1.conf", texts[_i]);
  look_settled();
  ck_assert_ptr_null(result.settings);
  ck_assert(result.is_new);
  ck_assert_uint_eq(result.n_rejected, 1);
  const struct problem *problem = find_problem("/1.conf:", "");
  ck_assert_ptr_nonnull(problem);
  ck_assert(problem->is_rejected);
  /* What else changes does so; it is told still, and not counted again. */
  write_cluster("2.conf", "b", "Timeout 5\n");
  look_settled();
  ck_assert_str_eq(names, "a b ");
  ck_assert_int_eq(result.settings->nodes[1].timeout_ns, 5 * S);
  ck_assert_ptr_nonnull(find_problem("/1.conf:", ""));
  ck_assert_uint_eq(result.n_rejected, 0);
  /* Mended. */
  write_cluster("1.conf", "c", "");
  look_settled();
  ck_assert_str_eq(names, "b c ");
  ck_assert_uint_eq(result.problems.n, 0);
}
END_TEST

/* A new file never costs one that runs, whatever its name. */
START_TEST(who_was_first_stays) {
  write_cluster("5.conf", "a", "");
  begin(FILES);
  write_text("1.conf",
             "<Cluster \"ca\">\nNode \"x\" \"https://x/j\"\n</Cluster>\n"
             "<Cluster \"cy\">\nNode \"y\" \"https://y/j\"\n</Cluster>\n");
  look_settled();
  ck_assert_str_eq(names, "a y ");
  ck_assert_ptr_nonnull(find_problem("/1.conf:1", "its name stands twice"));
  ck_assert_uint_eq(result.n_rejected, 1);
  unlink("5.conf");
  look();
  look_after(LIVE_GONE_NS);
  ck_assert_str_eq(names, "x y ");
  ck_assert_uint_eq(result.problems.n, 0);
}
END_TEST

/* The name of a cluster, or of a node, in two files. */
static void write_clashing(const char *file, const char *own, const char *name,
                           const char *more, bool is_node) {
  char text[1000];
  snprintf(text, sizeof text,
           "<Cluster \"c%s\">\nNode \"%s\" \"https://%s/%s\"\n%s</Cluster>\n",
           is_node ? own : name, is_node ? name : own, own, file, more);
  write_text(file, text);
}

#define TWICE(is_node)                                                         \
  ((is_node) ? "Node: its name stands twice, also at "                         \
             : "Cluster: its name stands twice, also at ")

static void expect_clash(const char *place, const char *other, bool is_node) {
  const struct problem *problem = find_problem(place, TWICE(is_node));
  ck_assert_ptr_nonnull(problem);
  ck_assert_ptr_nonnull(strstr(problem->text, other));
  ck_assert_ptr_nonnull(strstr(problem->text, "give it another name"));
}

/* Of two new ones the first in order is taken, and the other one after it. */
START_TEST(two_new_files_clash) {
  bool is_node = _i;
  write_cluster("3.conf", "a", "");
  begin(FILES);
  write_clashing("2.conf", "y", "n", "", is_node);
  write_clashing("1.conf", "x", "n", "", is_node);
  look_settled();
  ck_assert_str_eq(names, is_node ? "a n " : "a x ");
  ck_assert_str_eq(result.settings->nodes[1].cluster, is_node ? "cx" : "cn");
  expect_clash(is_node ? "/2.conf:2" : "/2.conf:1", "/1.conf:", is_node);
  ck_assert_uint_eq(result.problems.n_errors, 1);
  ck_assert_uint_eq(result.n_rejected, 1);
  unlink("1.conf");
  look();
  look_after(LIVE_GONE_NS);
  ck_assert_str_eq(names, is_node ? "a n " : "a y ");
  ck_assert_str_eq(result.settings->nodes[1].cluster, is_node ? "cy" : "cn");
  ck_assert_uint_eq(result.problems.n, 0);
}
END_TEST

/* Both are saved at once, the one whose name it was for some other reason: it
 * keeps the name, and what is new of it holds. A third one is only spoilt. */
START_TEST(who_was_first_stays_when_both_change) {
  bool is_node = _i % 2;
  bool is_new = _i / 2 % 2; /* the other one */
  bool is_last = _i / 4;
  const char *other = is_last ? "4.conf" : "1.conf";
  char expected[20];
  if (!is_new)
    write_cluster(other, "a", "");
  write_clashing("2.conf", "y", "n", "", is_node);
  write_cluster("3.conf", "z", "");
  begin(FILES);
  write_clashing(other, "x", "n", "", is_node);
  write_clashing("2.conf", "y", "n", "Timeout 5\n", is_node);
  write_cluster("3.conf", "z", "Colour 5\n");
  look_settled();
  snprintf(expected, sizeof expected, "%s %s ",
           is_new    ? "z"
           : is_last ? "z a"
                     : "a z",
           is_node ? "n" : "y");
  ck_assert_str_eq(names, expected);
  ck_assert_int_eq(result.settings->nodes[2 - is_new].timeout_ns, 5 * S);
  expect_clash(other, "/2.conf:", is_node);
  ck_assert_uint_eq(result.problems.n_errors, 2);
  ck_assert_uint_eq(result.n_rejected, 2);
  unlink("2.conf");
  look();
  look_after(LIVE_GONE_NS);
  ck_assert_str_eq(result.settings->nodes[0].cluster, "cz");
  ck_assert_str_eq(result.settings->nodes[1].cluster, is_node ? "cx" : "cn");
  ck_assert_uint_eq(result.problems.n_errors, 1);
}
END_TEST

/* It is saved into the one file before it leaves the other. */
START_TEST(a_cluster_moves_to_another_file) {
  write_cluster("1.conf", "a", "");
  write_cluster("2.conf", "b", "");
  begin(FILES);
  write_text("2.conf",
             "<Cluster \"cb\">\nNode \"b\" \"https://b/j\"\n</Cluster>\n"
             "<Cluster \"ca\">\nNode \"a\" \"https://a/j\"\n</Cluster>\n");
  look_settled();
  ck_assert_ptr_null(result.settings);
  write_cluster("1.conf", "c", "");
  look_settled();
  ck_assert_str_eq(names, "c b a ");
  ck_assert_uint_eq(result.problems.n, 0);
}
END_TEST

START_TEST(a_file_that_cannot_be_read) {
  write_cluster("1.conf", "a", "");
  write_cluster("2.conf", "b", "");
  begin(FILES);
  unlink("1.conf");
  ck_assert_int_eq(mkdir("1.conf", 0700), 0);
  look_settled();
  ck_assert_ptr_null(result.settings);
  ck_assert_ptr_nonnull(find_problem("", "1.conf: cannot be read"));
  ck_assert_uint_eq(result.n_rejected, 1);
}
END_TEST

/* A full disk leaves an empty file behind. */
START_TEST(an_empty_file) {
  write_cluster("1.conf", "a", "");
  write_cluster("2.conf", "b", "");
  begin(FILES);
  write_text("1.conf", "");
  ck_assert(!look());
  ck_assert(!look_after(LIVE_HOLD_NS - 1));
  ck_assert(look_after(1));
  ck_assert_str_eq(names, "b ");
}
END_TEST

/* ---- folders ---- */

START_TEST(all_gone_at_once) {
  write_cluster("1.conf", "a", "");
  write_cluster("2.conf", "b", "");
  begin(FILES);
  unlink("1.conf");
  unlink("2.conf");
  ck_assert(!look());
  ck_assert(result.is_new);
  const struct problem *problem = find_problem("", "were gone at once");
  ck_assert_ptr_nonnull(problem);
  ck_assert(problem->is_warning);
  char told[sizeof problem->text];
  snprintf(told, sizeof told, "%s", problem->text);
  ck_assert_int_eq(result.next_ns, now_ns + LIVE_HOLD_NS);
  ck_assert(!look_after(30 * S));
  ck_assert(!result.is_new);
  if (_i == 0) { /* a remount: as before */
    write_cluster("1.conf", "a", "");
    write_cluster("2.conf", "b", "");
    look_settled();
    ck_assert_str_eq(names, "a b ");
    ck_assert_uint_eq(result.problems.n, 0);
  } else { /* one comes back: the other has its 60 s all the same */
    write_cluster("2.conf", "b", "");
    look();
    problem = find_problem("", "were gone at once");
    ck_assert_ptr_nonnull(problem);
    ck_assert_str_eq(problem->text, told); /* else it would be told again */
    look_after(FILE_SETTLE_NS);
    ck_assert_str_eq(names, "a b ");
    ck_assert(!look_after(30 * S - FILE_SETTLE_NS - 1));
    ck_assert(look_after(1));
    ck_assert_str_eq(names, "b ");
  }
}
END_TEST

START_TEST(all_gone_for_good) {
  write_cluster("1.conf", "a", "");
  mkdir("other", 0700);
  write_cluster("other/1.conf", "b", "");
  begin(FILES "ClusterFiles \"{dir}/other/*.conf\"\n");
  unlink("1.conf");
  ck_assert(!look());
  ck_assert(!look_after(LIVE_HOLD_NS - 1));
  ck_assert(look_after(1));
  ck_assert_str_eq(names, "b ");
  ck_assert_uint_eq(result.problems.n, 0);
}
END_TEST

/* Without a folder nothing is known; the 60 s are those of an empty one. */
START_TEST(a_folder_that_cannot_be_read) {
  mkdir("d", 0700);
  write_cluster("d/1.conf", "a", "");
  write_cluster("d/2.conf", "b", "");
  begin("ClusterFiles \"{dir}/d/*.conf\"\n");
  if (_i == 0)
    rename("d", "e");
  else
    chmod("d", 0);
  if (_i == 1 && access("d", R_OK) == 0)
    return; /* who may read everything sees no difference */
  ck_assert(!look());
  ck_assert_ptr_nonnull(find_problem("", "/d: "));
  ck_assert_uint_eq(result.problems.n_errors, 1);
  ck_assert(!look_after(3 * LIVE_HOLD_NS));
  if (_i == 1)
    chmod("d", 0700);
  else
    mkdir("d", 0700);
  run("rm -f d/*.conf");
  ck_assert(!look());
  ck_assert(!look_after(LIVE_HOLD_NS - 1));
  ck_assert(look_after(1));
  ck_assert_str_eq(names, "");
  ck_assert_uint_eq(result.problems.n, 0);
}
END_TEST

/* ---- files that options name ---- */

#define LOGIN "Username \"u\"\nPasswordFile \"%s/p\"\n"

static void begin_with_login(const char *option) {
  char more[400];
  write_text("p", "-----BEGIN one\n");
  snprintf(more, sizeof more,
           option[0] == 'P' ? "Username \"u\"\n%s \"%s/p\"\n" : "%s \"%s/p\"\n",
           option, folder);
  write_cluster("1.conf", "a", more);
  begin(FILES);
}

static const char *content(void) {
  const struct node_settings *node = &result.settings->nodes[0];
  return node->password ? node->password : node->ca_cert->bytes;
}

static const char *const file_options[] = {"PasswordFile", "CACert"};

START_TEST(a_named_file_changes) {
  begin_with_login(file_options[_i]);
  ck_assert_ptr_nonnull(strstr(content(), "one"));
  write_text("p", "");
  ck_assert(!look());
  write_text("p", "-----BEGIN two\n");
  ck_assert(!look_after(150 * MS));
  ck_assert(!result.is_new);
  ck_assert(look_after(FILE_SETTLE_NS));
  ck_assert_ptr_nonnull(strstr(content(), "two"));
  ck_assert(!look_after(S));
}
END_TEST

START_TEST(a_named_file_is_spoilt) {
  begin_with_login(file_options[_i / 2]);
  if (_i % 2)
    unlink("p");
  else
    write_text("p", "two\nlines\n");
  if (_i == 2)
    write_text("p", "no such thing\n");
  look();
  look_after(FILE_SETTLE_NS);
  ck_assert_uint_eq(result.problems.n_errors, 1);
  ck_assert_ptr_nonnull(find_problem("/1.conf:", "what it had before is used"));
  ck_assert(!result.settings || strstr(content(), "one"));
  ck_assert_str_eq(names, "a ");
  ck_assert(!look_after(S));
  write_text("p", "-----BEGIN two\n");
  look_settled();
  ck_assert_ptr_nonnull(strstr(content(), "two"));
  ck_assert_uint_eq(result.problems.n, 0);
}
END_TEST

START_TEST(a_named_file_that_comes_later) {
  write_cluster("1.conf", "a", "CACert \"/nowhere/x\"\n");
  write_cluster("2.conf", "b", "");
  char more[400];
  snprintf(more, sizeof more, LOGIN, folder);
  write_cluster("1.conf", "a", more);
  begin(FILES);
  ck_assert_str_eq(names, "b ");
  write_text("p", "one\n");
  look_settled();
  ck_assert_str_eq(names, "b a ");
  ck_assert_uint_eq(result.problems.n_errors, 0);
}
END_TEST

/* ---- what files include ---- */

/* A change gives the whole anew, once. */
static void look_again(const char *expected) {
  look_settled();
  ck_assert_ptr_nonnull(result.settings);
  ck_assert_str_eq(names, expected);
  ck_assert(!look());
  ck_assert(!look_after(FILE_SETTLE_NS));
  ck_assert(!result.is_new);
}

/* By a pattern, by a folder, by a file that is included itself. */
static void begin_with_includes(int way) {
  static const char *const before[] = {"Include \"", "<Include \"",
                                       "Include \""};
  static const char *const after[] = {"/in/*.part\"\n",
                                      "/in\">\nFilter \"*.part\"\n</Include>\n",
                                      "/outer\"\n"};
  char text[200];
  run("mkdir in");
  snprintf(text, sizeof text, "%s%s%s", before[0], folder, after[0]);
  write_text("outer", text);
  snprintf(text, sizeof text, "%s%s%s", before[way], folder, after[way]);
  write_text("1.conf", text);
  write_cluster("2.conf", "z", "");
  write_cluster("in/a.part", "a", "");
  begin(FILES);
  ck_assert_str_eq(names, "a z ");
}

START_TEST(what_a_file_includes_changes) {
  begin_with_includes(_i);
  write_cluster("in/a.part", "a", "Timeout 5\n");
  look_settled();
  ck_assert_str_eq(names, "z a ");
  ck_assert_int_eq(result.settings->nodes[1].timeout_ns, 5 * S);
}
END_TEST

/* One that comes, and one that is not meant. */
START_TEST(what_a_file_includes_comes) {
  begin_with_includes(_i);
  write_cluster("in/b.part", "b", "");
  look_again("z a b ");
  write_cluster("in/c.other", "c", "");
  ck_assert(!look());
  ck_assert(!look_after(FILE_SETTLE_NS));
}
END_TEST

/* As for a whole folder that is empty for a moment. */
START_TEST(what_a_file_includes_goes) {
  begin_with_includes(_i);
  run("mv in away");
  ck_assert(!look());
  ck_assert_int_eq(result.next_ns, now_ns + FILE_SETTLE_NS);
  ck_assert(!look_after(30 * S));
  run("mv away in");
  ck_assert(!look());
  ck_assert(!look_after(LIVE_HOLD_NS));
  unlink("in/a.part");
  ck_assert(!look());
  ck_assert(!look_after(LIVE_HOLD_NS - 1));
  ck_assert(look_after(1));
  ck_assert_str_eq(names, "z ");
}
END_TEST

/* What was good stays, and the mended file alone is enough. */
START_TEST(what_a_file_includes_is_spoilt) {
  begin_with_includes(_i);
  write_text("in/a.part", "nonsense\n");
  look_settled();
  ck_assert_ptr_null(result.settings);
  ck_assert(find_problem("/in/a.part:1", "")->is_rejected);
  ck_assert_uint_eq(result.n_rejected, 1);
  write_cluster("in/a.part", "b", "");
  look_again("z b ");
  ck_assert_uint_eq(result.problems.n, 0);
}
END_TEST

/* A change of the file itself does not wait for what is away. */
START_TEST(a_file_includes_something_else) {
  begin_with_includes(_i);
  unlink("in/a.part");
  ck_assert(!look());
  write_cluster("1.conf", "b", "");
  look_again("z b ");
  write_cluster("in/a.part", "a", "");
  ck_assert(!look());
  ck_assert(!look_after(FILE_SETTLE_NS));
}
END_TEST

/* ---- a base that is a file ---- */

START_TEST(a_base_that_is_read_again) {
  struct problems problems;
  char path[300];
  problems_init(&problems);
  snprintf(path, sizeof path, "%s/base", folder);
  write_text("base", A);
  const struct live_options options = {.base = tree_of(A, &problems),
                                       .base_path = path,
                                       .base_problems = &problems,
                                       .rules = &translate_rules};
  ck_assert_int_eq(live_new(&options, &live), STATUS_OK);
  ck_assert(look());
  ck_assert(!look_after(S));
  write_text("base", "Timeout 3\n" A);
  look_settled();
  ck_assert_int_eq(result.settings->nodes[0].timeout_ns, 3 * S);
  write_text("base", "Timeout 0\n" A);
  look_settled();
  ck_assert_ptr_null(result.settings);
  ck_assert_uint_eq(result.n_rejected, 1);
  ck_assert_ptr_nonnull(find_problem("base:1", "out of range"));
  write_text("base", "<Cluster \"c\">\n");
  look_settled();
  ck_assert_ptr_null(result.settings);
  ck_assert_uint_eq(result.n_rejected, 1);
  write_text("base", "");
  ck_assert(!look());
  write_text("base", "Timeout 6\n" A);
  look_settled();
  ck_assert_int_eq(result.settings->nodes[0].timeout_ns, 6 * S);
  ck_assert_uint_eq(result.problems.n, 0);
}
END_TEST

static size_t n_folders;
static bool has_folder;

static enum status count_folder(void *cookie, const char *path) {
  n_folders++;
  has_folder |= strcmp(path, cookie) == 0;
  return STATUS_OK;
}

START_TEST(folders_that_are_looked_at) {
  mkdir("d", 0700);
  write_text("d/p", "one\n");
  write_text("q", "x");
  char more[400];
  char path[400];
  snprintf(more, sizeof more, "Username \"u\"\nPasswordFile \"%s/d/p\"\n",
           folder);
  write_cluster("1.conf", "a", more);
  char include[400];
  char empty[400];
  mkdir("e", 0700);
  snprintf(empty, sizeof empty, "%s/e", folder);
  snprintf(include, sizeof include,
           "Include \"/nobody/*/x.part\"\nInclude \"%.200s\"\n", empty);
  write_text("2.conf", include);
  begin(FILES "ClusterFiles \"/nowhere/*/x.conf\"\n");
  snprintf(path, sizeof path, "%s/d", folder);
  const char *const expected[] = {path, folder, "/nowhere", "/nobody", empty};
  for (size_t i = 0; i < 5; i++) {
    has_folder = false;
    n_folders = 0;
    live_folders(live, count_folder, (void *)(uintptr_t)expected[i]);
    ck_assert(has_folder);
  }
  ck_assert_uint_le(n_folders, 8);
}
END_TEST

#define N(table) (sizeof table / sizeof table[0])

static Suite *suite(void) {
  Suite *suite = suite_create("live");
  TCase *tcase = tcase_create("live");
  tcase_set_timeout(tcase, 60); /* it looks at 20,000 files */
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_loop_test(tcase, at_the_start, 0, N(bases));
  tcase_add_test(tcase, without_files);
  tcase_add_test(tcase, a_file_that_is_not_there);
  tcase_add_test(tcase, a_link_to_nowhere);
  tcase_add_test(tcase, too_wide_a_pattern);
  tcase_add_test(tcase, a_file_comes);
  tcase_add_test(tcase, a_file_goes_while_others_stay);
  tcase_add_test(tcase, a_file_is_away_for_a_moment);
  tcase_add_test(tcase, a_file_that_is_being_written);
  tcase_add_loop_test(tcase, ways_of_saving, 0, 4);
  tcase_add_test(tcase, as_kubernetes_does);
  tcase_add_loop_test(tcase, a_spoilt_file_changes_nothing, 0, 5);
  tcase_add_test(tcase, who_was_first_stays);
  tcase_add_loop_test(tcase, two_new_files_clash, 0, 2);
  tcase_add_loop_test(tcase, who_was_first_stays_when_both_change, 0, 8);
  tcase_add_test(tcase, a_cluster_moves_to_another_file);
  tcase_add_test(tcase, a_file_that_cannot_be_read);
  tcase_add_test(tcase, an_empty_file);
  tcase_add_loop_test(tcase, all_gone_at_once, 0, 2);
  tcase_add_test(tcase, all_gone_for_good);
  tcase_add_loop_test(tcase, a_folder_that_cannot_be_read, 0, 2);
  tcase_add_loop_test(tcase, a_named_file_changes, 0, N(file_options));
  tcase_add_loop_test(tcase, a_named_file_is_spoilt, 0, 4);
  tcase_add_test(tcase, a_named_file_that_comes_later);
  tcase_add_test(tcase, a_base_that_is_read_again);
  tcase_add_loop_test(tcase, what_a_file_includes_changes, 0, 3);
  tcase_add_loop_test(tcase, what_a_file_includes_comes, 0, 3);
  tcase_add_loop_test(tcase, what_a_file_includes_goes, 0, 3);
  tcase_add_loop_test(tcase, what_a_file_includes_is_spoilt, 0, 3);
  tcase_add_loop_test(tcase, a_file_includes_something_else, 0, 3);
  tcase_add_test(tcase, folders_that_are_looked_at);
  suite_add_tcase(suite, tcase);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
