/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* Cluster files that come, go, change, break and are mended at random, a
 * thousand times, under a monitor whose nodes answer, hang, close and cannot be
 * reached: what is left of it all. The client's clock is the real one, that of
 * the files the test's own. */

#include "client/translate.h"
#include "config/live.h"
#include "left_rig.h"

#include "../support/prng.h"

#include <malloc.h>
#include <sys/stat.h>

enum { N_FILES = 8, N_RELOADS = 1000, N_WARM = 100 };

/* ---- the files ---- */

static char folder[] = "/tmp/check_reload.XXXXXX";

/* Rates at which what was used is soon back, so that all is forgotten. */
static const char base[] =
    "Interval 0.1\nTimeout 0.1\n<Ceiling>\nRequestsPerSecond 1000000\n"
    "BytesPerSecond 1073741824\nHandlingShare 64\nChangesPerSecond 1000000\n"
    "</Ceiling>\n"
    "ClusterFiles \"/tmp/check_reload.XXXXXX/*.conf\"\n";

/* What each file has. */
static struct {
  bool is_there, is_broken, has_login;
  size_t n_nodes; /* 1, 2 */
  size_t url;     /* of the first; 9: nobody listens */
  size_t burst;
} wanted[N_FILES];

static char *file_name(size_t i, const char *end) {
  static char name[100];
  snprintf(name, sizeof(name), "%s/%zu%s", folder, i, end);
  return name;
}

/* Two writes within one tick of the kernel's clock look the same else. */
static void write_text(const char *name, const char *text) {
  static time_t stamp = 1000;
  FILE *file = fopen(name, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
  const struct timespec times[2] = {{.tv_sec = stamp}, {.tv_sec = stamp}};
  stamp++;
  ck_assert_int_eq(chmod(name, 0600), 0);
  ck_assert_int_eq(utimensat(AT_FDCWD, name, times, 0), 0);
}

static void write_file(size_t i) {
  char text[2000];
  int len = snprintf(text, sizeof(text), "<Cluster \"c%zu\">\n", i);
  if (wanted[i].has_login)
    len += snprintf(text + len, sizeof(text) - (size_t)len,
                    "Username \"u%zu\"\nPasswordFile \"%s/password\"\n", i,
                    folder);
  len += snprintf(text + len, sizeof(text) - (size_t)len,
                  "<Ceiling>\nBurst %zu\n</Ceiling>\n", wanted[i].burst);
  for (size_t j = 0; j < wanted[i].n_nodes; j++) {
    size_t url = (wanted[i].url + j) % 10;
    len += snprintf(text + len, sizeof(text) - (size_t)len,
                    "Node \"n%zu-%zu\" \"http://127.0.0.1:%u/%zu\"\n", i, j,
                    url == 9 ? 1 : server.port, url);
  }
  snprintf(text + len, sizeof(text) - (size_t)len, "%s",
           !wanted[i].is_broken  ? "</Cluster>\n"
           : wanted[i].burst % 2 ? "Colour 1\n</Cluster>\n"
                                 : "\"\n");
  write_text(file_name(i, ".conf"), text);
}

static void write_password(struct prng *prng) {
  char text[32];
  char name[100];
  snprintf(text, sizeof(text), "secret%d\n", (int)prng_below(prng, 100));
  snprintf(name, sizeof(name), "%s/password", folder);
  write_text(name, prng_one_in(prng, 4) ? "" : text);
}

static void mutate(struct prng *prng) {
  size_t i = prng_below(prng, N_FILES);
  switch (prng_below(prng, 7)) {
  case 0:
    wanted[i].url = prng_below(prng, 10);
    break;
  case 1:
    wanted[i].burst = 1 + prng_below(prng, 5);
    break;
  case 2:
    wanted[i].n_nodes = 1 + prng_below(prng, 2);
    break;
  case 3:
    wanted[i].is_broken = !wanted[i].is_broken;
    break;
  case 4:
    wanted[i].has_login = !wanted[i].has_login;
    break;
  case 5:
    write_password(prng);
    return;
  default:
    wanted[i].is_there = !wanted[i].is_there;
  }
  if (wanted[i].is_there)
    write_file(i);
  else
    unlink(file_name(i, ".conf"));
}

/* ---- what runs ---- */

static struct live *live;
static struct settings *present;
static int64_t now_ns;
static size_t n_taken, n_rejected;

static void look(void) {
  struct live_result result;
  ck_assert_int_eq(live_read(live, now_ns, &result), STATUS_OK);
  n_rejected += result.n_rejected;
  problems_fini(&result.problems);
  if (!result.settings)
    return;
  n_taken++;
  monitor_apply(monitor, result.settings, clock_mono_ns());
  live_settings_free(present);
  present = result.settings;
}

/* A change is seen, and what it comes to is taken. */
static void reload(void) {
  look();
  now_ns += LIVE_GONE_NS;
  look();
}

/* All files, well: the same each time, so that it can be compared. */
static void set_all_well(void) {
  struct prng prng = prng_seeded(1);
  for (size_t i = 0; i < N_FILES; i++) {
    wanted[i].is_there = true;
    wanted[i].is_broken = wanted[i].has_login = false;
    wanted[i].n_nodes = 2;
    wanted[i].url = prng_below(&prng, 10);
    wanted[i].burst = 1;
    write_file(i);
  }
  reload();
  scripted_run(NULL, 300 * MS);
}

static void begin(void) {
  struct problems problems;
  struct live_result result;
  struct config_tree *tree = config_tree_new();
  char text[sizeof(base)];
  memcpy(strchr(folder, '.') + 1, "XXXXXX", 6);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  memcpy(text, base, sizeof(base));
  memcpy(strstr(text, "/tmp/"), folder, strlen(folder));
  problems_init(&problems);
  ck_assert_int_eq(
      config_parse_text(tree, text, strlen(text), "base", &problems),
      STATUS_OK);
  const struct live_options options = {.base = tree, .rules = &translate_rules};
  ck_assert_int_eq(live_new(&options, &live), STATUS_OK);
  ck_assert_int_eq(live_read(live, now_ns, &result), STATUS_OK);
  ck_assert_uint_eq(result.problems.n_errors, 0);
  problems_fini(&result.problems);
  present = result.settings;
  start_monitor(present, CLOCK_NS_PER_S);
}

static void remove_files(void) {
  for (size_t i = 0; i < N_FILES; i++)
    unlink(file_name(i, ".conf"));
}

/* ---- the test ---- */

static void remove_all(void) {
  remove_files();
  look();
  now_ns += LIVE_HOLD_NS;
  look();
}

START_TEST(a_thousand_reloads) {
  struct prng prng = prng_seeded(11);
  size_t before = 0;
  begin();
  size_t descriptors = n_descriptors();
  for (int i = 0; i < N_RELOADS; i++) {
    for (size_t n = 1 + prng_below(&prng, 3); n > 0; n--)
      mutate(&prng);
    reload();
    scripted_run(NULL, (int64_t)prng_below(&prng, 5) * MS);
    if (i == N_WARM) {
      set_all_well();
      before = mallinfo2().uordblks;
    }
  }
  set_all_well();
  size_t after = mallinfo2().uordblks;
  ck_assert_msg(after < before + 256 * 1024, "from %zu to %zu", before, after);
  ck_assert_uint_gt(n_taken, N_RELOADS / 2);
  ck_assert_uint_gt(n_rejected, N_RELOADS / 20);
  ck_assert_uint_gt(server.n_requests, 200);
  remove_all();
  check_nothing_is_left(descriptors);
}
END_TEST

static void teardown(void) {
  char name[100];
  monitor_free(monitor);
  live_settings_free(present);
  live_free(live);
  remove_files();
  snprintf(name, sizeof(name), "%s/password", folder);
  unlink(name);
  rmdir(folder);
  scripted_teardown();
}

int main(void) {
  Suite *suite = suite_create("reload_random");
  TCase *tcase = tcase_create("reload_random");
  tcase_set_timeout(tcase, 240);
  tcase_add_checked_fixture(tcase, scripted_setup, teardown);
  tcase_add_test(tcase, a_thousand_reloads);
  suite_add_tcase(suite, tcase);
  return scripted_main(suite);
}
