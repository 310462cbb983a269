/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* Each allocation of reading and checking a configuration fails once. */
#include "client/translate.h"
#include "config/live.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A sanitizer has an allocator of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_OWN_ALLOCATOR 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OWN_ALLOCATOR 1
#endif
#endif

#ifndef HAS_OWN_ALLOCATOR

/* glibc's own, below those that are replaced here. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);

static long fail_at; /* the number of the allocation that fails; 0: none */
static long n_allocations;
static long n_alive;

static bool fails(void) {
  if (fail_at > 0 && ++n_allocations == fail_at) {
    errno = ENOMEM;
    return true;
  }
  return false;
}

#define REPLACES __attribute__((visibility("default")))

REPLACES void *malloc(size_t size) {
  void *new = fails() ? NULL : __libc_malloc(size);
  n_alive += new != NULL;
  return new;
}

REPLACES void *calloc(size_t n, size_t size) {
  void *new = fails() ? NULL : __libc_calloc(n, size);
  n_alive += new != NULL;
  return new;
}

REPLACES void *realloc(void *old, size_t size) {
  void *new = fails() ? NULL : __libc_realloc(old, size);
  n_alive += new && !old;
  return new;
}

REPLACES void free(void *old) {
  n_alive -= old != NULL;
  __libc_free(old);
}

static enum status check_url(const char *text, char *ret_key, size_t key_size,
                             bool *ret_is_plaintext, struct error *error) {
  (void)error;
  snprintf(ret_key, key_size, "%s", text);
  *ret_is_plaintext = false;
  return STATUS_OK;
}

static const char conf[] =
    "LoadPlugin jolokia\n<Plugin jolokia>\nClusterFiles \"%s/*.conf\"\n"
    "StateDir \"/x\"\n<Queues>\nExclude \"a\" \"b\"\nExclude \"c\"\n</Queues>\n"
    "Foo 1\n"
    "<Set \"s\">\n<MBean \"d:type=*\">\nAttribute \"A/b\" \"a\"\n"
    "<Attribute \"B\" \"C\">\nType \"if_octets\"\nMap \"x\" 1\n"
    "</Attribute>\nInstance \"%%{type}\"\n</MBean>\n</Set>\n"
    "<Cluster \"c\">\nUsername \"u\"\nPassword \"s3cret\"\n"
    "Discover true\nDiscoverHosts \"*.b\" \"c\"\n"
    "URLTemplate \"https://{host}/j\"\nNodeURL \"x:1\" \"https://c/j\"\n"
    "<Operator>\nUsername \"o\"\nPassword \"s3cret\"\n</Operator>\n"
    "Set \"jvm\" \"s\"\n<MBean \"d:a=b\">\nPrefix \"p\"\n"
    "AllAttributes true\n</MBean>\n"
    "CACert \"%s/pem\"\nNode \"a\" \"https://a/j\"\n"
    "<Node \"b\">\nURL \"https://b/j\"\nPasswordFile \"%s/p\"\n</Node>\n"
    "</Cluster>\n<Cluster \"d\">\nx\n</Cluster>\n</Plugin>\n";

struct outcome {
  enum status worst; /* STATUS_NO_MEMORY where any part ended so */
  size_t n_problems;
  size_t n_nodes;
};

/* All that a start does, with the failure within. */
static struct outcome run(const char *path, long fail) {
  struct outcome outcome = {STATUS_OK, 0, 0};
  struct live *live = NULL;
  struct live_result result = {.settings = NULL};
  struct problems problems;
  struct settings_rules rules = translate_rules;
  rules.check_url = check_url;
  fail_at = fail;
  n_allocations = 0;
  problems_init(&problems);
  struct config_tree *tree = config_tree_new();
  enum status status =
      tree ? config_parse_file(tree, path, &problems) : STATUS_NO_MEMORY;
  if (status == STATUS_NO_MEMORY) {
    config_tree_free(tree);
  } else {
    const struct live_options options = {.base = tree,
                                         .base_problems = &problems,
                                         .use_default = true,
                                         .rules = &rules};
    status = live_new(&options, &live);
  }
  if (!status)
    status = live_read(live, 1, &result);
  fail_at = 0;
  outcome.worst = status;
  outcome.n_nodes = result.settings ? result.settings->n_nodes : 0;
  outcome.n_problems = result.problems.n + result.problems.n_dropped;
  live_settings_free(result.settings);
  problems_fini(&result.problems);
  problems_fini(&problems);
  live_free(live);
  return outcome;
}

static char folder[] = "/tmp/check_memory.XXXXXX";

static void write_file(const char *name, const char *format) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  for (const char *at = format; *at; at++)
    if (at[0] == '%' && at[1] == 's') {
      fputs(folder, file);
      at++;
    } else {
      fputc(*at, file);
    }
  fclose(file);
  ck_assert_int_eq(chmod(path, 0600), 0);
}

START_TEST(each_allocation_fails_once) {
  char path[300];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  write_file("main", conf);
  write_file("p", "other\n");
  write_file("pem", "-----BEGIN CERTIFICATE-----\n");
  write_file("1.conf", "<Cluster \"e\">\nNode \"e\" \"https://e/j\"\n"
                       "</Cluster>\n");
  snprintf(path, sizeof path, "%s/main", folder);
  struct outcome well = run(path, 0);
  ck_assert_int_eq((int)well.worst, STATUS_OK);
  ck_assert_uint_eq(well.n_problems, 4); /* Foo, two Passwords, x */
  ck_assert_uint_eq(well.n_nodes, 3);
  long n_refused = 0;
  long n = 1;
  for (; n < 100000; n++) {
    long alive = n_alive;
    struct outcome outcome = run(path, n);
    ck_assert_msg(n_alive == alive, "allocation %ld: %ld blocks leak", n,
                  n_alive - alive);
    if (n_allocations < n)
      break;
    if (outcome.worst == STATUS_NO_MEMORY) {
      n_refused++;
      ck_assert_uint_eq(outcome.n_nodes, 0);
    } else {
      ck_assert_msg(outcome.n_problems >= well.n_problems, "allocation %ld", n);
    }
  }
  ck_assert_int_gt(n, 200);
  ck_assert_int_gt(n_refused, 200);
  for (size_t i = 0; i < 4; i++) {
    static const char *const names[] = {"main", "p", "1.conf", "pem"};
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

#endif

int main(void) {
  Suite *suite = suite_create("config memory");
  TCase *failing = tcase_create("failing");
#ifndef HAS_OWN_ALLOCATOR
  tcase_add_test(failing, each_allocation_fails_once);
#endif
  suite_add_tcase(suite, failing);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
