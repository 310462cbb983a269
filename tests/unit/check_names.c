/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/names.h"

#include "artemis/sample.h"
#include "base/hash.h"
#include "base/text.h"

#include <check.h>
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define X10 "xxxxxxxxxx"
#define X100 X10 X10 X10 X10 X10 X10 X10 X10 X10 X10
#define U8 "\xc3\xbc" /* two bytes */

/* Plain names: written as they are. */
static const char *const plain[] = {"ORDERS",
                                    "a_b",
                                    "comma,eq=c:d",
                                    "q\"uote",
                                    "back\\slash",
                                    "st*ar",
                                    "a b",
                                    "what?",
                                    U8 "n\xc3\xaf",
                                    "007",
                                    "a~b",
                                    "~",
                                    "~0123",
                                    "x~0123456789abcdeF",
                                    "x~0123456789abcdeg",
                                    "-",
                                    ".",
                                    "\xf0\x9f\x90\xb0",
                                    X100 X10 "xxxxxxxxxxx"};

START_TEST(plain_names) {
  char got[SAMPLE_NAME_MAX];
  char want[256];
  size_t len = names_instance(got, sizeof got, NAMES_PLAIN, "queue", plain[_i],
                              strlen(plain[_i]));
  snprintf(want, sizeof want, "queue-%s", plain[_i]);
  ck_assert_str_eq(got, want);
  ck_assert_uint_eq(len, strlen(want));
}
END_TEST

/* Others: a readable part, a hash. */
static const struct {
  const char *name;
  size_t len; /* 0: strlen */
  const char *readable;
} hashed[] = {
    {"a/b", 0, "a_b"},
    {"/", 0, "_"},
    {"/a", 0, "_a"},
    {"", 0, ""},
    {" ", 0, "_"},
    {" a", 0, "_a"},
    {"a ", 0, "a_"},
    {"  a  ", 0, "_ a _"},
    {"tab\there", 0, "tab_here"},
    {"nul\0", 4, "nul_"},
    {"del\x7f", 0, "del_"},
    {"new\nline", 0, "new_line"},
    {"\xff", 0, "_"},
    {"\xc3", 0, "_"},
    {"a\xc0\xafz", 0, "a__z"},       /* overlong */
    {"\xed\xa0\x80", 0, "___"},      /* surrogate */
    {"\xf5\x80\x80\x80", 0, "____"}, /* past U+10FFFF */
    {U8 "\xe2\x82", 0, U8 "__"},
    {"x~0123456789abcdef", 0, "x~0123456789abcdef"},
    {"~0123456789abcdef", 0, "~0123456789abcdef"},
    {X100 X10 "xxxxxxxxxxxy", 0, X100 "xxxx"},
    {X100 "xxx" U8 U8 U8 U8 U8 U8 U8 U8 U8 U8 U8, 0, X100 "xxx"},
    {X100 "xx" U8 U8 U8 U8 U8 U8 U8 U8 U8 U8 U8, 0, X100 "xx" U8},
};

START_TEST(hashed_names) {
  char got[SAMPLE_NAME_MAX];
  char want[256];
  const char *name = hashed[_i].name;
  size_t n = hashed[_i].len > 0 ? hashed[_i].len : strlen(name);
  size_t len = names_instance(got, sizeof got, NAMES_PLAIN, "queue", name, n);
  snprintf(want, sizeof want, "queue-%s~%016llx", hashed[_i].readable,
           (unsigned long long)hash_bytes(name, n));
  ck_assert_str_eq(got, want);
  ck_assert_uint_eq(len, strlen(want));
  ck_assert_uint_lt(len, SAMPLE_NAME_MAX);
}
END_TEST

/* A series goes on over versions of this program. */
START_TEST(the_hash_is_the_same_for_ever) {
  char got[SAMPLE_NAME_MAX];
  (void)names_instance(got, sizeof got, NAMES_PLAIN, "queue", "a/b", 3);
  ck_assert_str_eq(got, "queue-a_b~e620c3190468cf61");
}
END_TEST

/* A prefix that leaves no room gives nothing, not a name of two. */
START_TEST(no_room) {
  char got[32] = "untouched";
  ck_assert_uint_eq(names_instance(got, 0, NAMES_PLAIN, "queue", "a", 1), 0);
  ck_assert_str_eq(got, "untouched");
  ck_assert_uint_eq(names_instance(got, 23, NAMES_PLAIN, "queue", "a", 1), 0);
  ck_assert_str_eq(got, "");
  ck_assert_uint_eq(names_instance(got, 24, NAMES_PLAIN, "queue", "a", 1), 7);
  ck_assert_uint_eq(names_instance(got, 24, NAMES_PLAIN, "queue", "a/", 2), 23);
}
END_TEST

struct made {
  char name[160];
  size_t len;
  char instance[SAMPLE_NAME_MAX];
};

static uint64_t seed = 1;
static unsigned next(unsigned n) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(seed >> 33) % n;
}

/* Few letters and short names, so that readable parts meet often. */
static void make_name(struct made *made) {
  static const char letters[] = "aa/_. ~\t\xc3\xbc\xff";
  static const char digits[] = "0123456789abcdef";
  char stem[SAMPLE_NAME_MAX];
  switch (next(4)) {
  case 0: /* one long prefix, another end */
    memset(made->name, 'x', 150);
    made->len = 150;
    for (size_t i = 0; i < 8; i++)
      made->name[142 + i] = digits[next(16)];
    return;
  case 1: /* what a hashed name looks like */
    made->len = 1 + next(3);
    for (size_t i = 0; i < made->len; i++)
      stem[i] = letters[next(sizeof letters - 1)];
    made->len = names_instance(made->name, SAMPLE_NAME_MAX, NAMES_PLAIN, "q",
                               stem, made->len);
    memmove(made->name, made->name + 2, made->len - 2);
    made->len -= 2;
    return;
  default:
    made->len = 1 + next(12);
    for (size_t i = 0; i < made->len; i++)
      made->name[i] = letters[next(sizeof letters - 1)];
    return;
  }
}

static int by_instance(const void *a, const void *b) {
  return strcmp(((const struct made *)a)->instance,
                ((const struct made *)b)->instance);
}

/* Strict: what may follow "queue-", and what may not. */
static const struct {
  const char *name;
  const char *readable; /* NULL: as it is */
} strict[] = {
    {"ORDERS", NULL},
    {"a_b-C9", NULL},
    {"-", NULL},
    {"a.b", "a_b"},
    {"a b", "a_b"},
    {"a~b", "a_b"},
    {"x~0123456789abcdef", "x_0123456789abcdef"},
    {U8, "__"},
    {"a\"b", "a_b"},
    {"\"http-bio-8080\"", "_http-bio-8080_"},
    {"", ""},
};

START_TEST(strict_names) {
  char got[SAMPLE_NAME_MAX];
  char want[256];
  const char *name = strict[_i].name;
  size_t n = strlen(name);
  if (strict[_i].readable == NULL)
    snprintf(want, sizeof want, "queue-%s", name);
  else
    snprintf(want, sizeof want, "queue-%s~%016llx", strict[_i].readable,
             (unsigned long long)hash_bytes(name, n));
  (void)names_instance(got, sizeof got, NAMES_STRICT, "queue", name, n);
  ck_assert_str_eq(got, want);
}
END_TEST

/* collectd makes '/' '_', drops a leading one, and calls a lone one "root". */
START_TEST(slashes_stay_apart) {
  static const char *const names[] = {"a/b", "a_b", "/a", "a", "/", "root"};
  enum { N_NAMES = sizeof names / sizeof names[0] };
  char got[N_NAMES][SAMPLE_NAME_MAX];
  for (size_t i = 0; i < N_NAMES; i++) {
    (void)names_instance(got[i], sizeof got[i], (enum names_alphabet)_i,
                         "address", names[i], strlen(names[i]));
    ck_assert_ptr_null(strchr(got[i], '/'));
    for (size_t j = 0; j < i; j++)
      ck_assert_str_ne(got[i], got[j]);
  }
}
END_TEST

static const struct {
  const char *text;
  const char *host, *instance, *type, *attribute; /* NULL instance: refused */
} written[] = {
    {"broker", "", "broker", "", ""},
    {"queue-a", "", "queue-a", "", ""},
    {"artemis-queue-a", "", "queue-a", "", ""},
    {"h/queue-a", "h", "queue-a", "", ""},
    {"queue-a/MessageCount", "", "queue-a", "", "MessageCount"},
    {"h/artemis-address-a/gauge-AddressSize", "h", "address-a", "gauge",
     "AddressSize"},
    {"h/artemis-broker/x-y-z", "h", "broker", "x", "y-z"},
    {"h/jmx-pool-Eden/bytes-used", "h", "pool-Eden", "bytes", "used"},
    {"jvm-memory", "", "memory", "", ""},
    {"activemq-queue-a/count-x", "", "queue-a", "count", "x"},
    {"jvm-1/artemis-queue-a", "jvm-1", "queue-a", "", ""},
    {"queue-1/jmx-a/gauge-x", "queue-1", "a", "gauge", "x"},
    {"h/jmx-/gauge-x", "", NULL, "", ""},
    {"queue-a/b/gauge-x", "queue-a", NULL, "", ""},
    {"h/artemis-queue-a/gauge-x/y", "", NULL, "", ""},
    {"h/jolokia-c/x-y", "", NULL, "", ""},
    {"brokers", "", NULL, "", ""},
    {"", "", NULL, "", ""},
    {"/", "", NULL, "", ""},
};

static void part_is(const struct names_part *part, const char *text) {
  ck_assert_uint_eq(part->len, strlen(text));
  ck_assert(memcmp(part->text, text, part->len) == 0);
}

START_TEST(series_as_people_write_them) {
  struct names_series series;
  bool is_taken = names_series(written[_i].text, &series);
  ck_assert_int_eq(is_taken, written[_i].instance != NULL);
  if (!is_taken)
    return;
  part_is(&series.host, written[_i].host);
  const char *mbean = strstr(written[_i].text, "jmx-")         ? "jmx"
                      : strstr(written[_i].text, "jvm-memory") ? "jvm"
                      : strstr(written[_i].text, "activemq-")  ? "activemq"
                                                               : "";
  part_is(&series.plugin, mbean);
  part_is(&series.instance, written[_i].instance);
  part_is(&series.type, written[_i].type);
  part_is(&series.attribute, written[_i].attribute);
}
END_TEST

/* What write_graphite does to a part: dots, spaces and control bytes. */
static void as_graphite(char *part) {
  for (; *part; part++)
    if (*part == '.' || isspace((unsigned char)*part) ||
        iscntrl((unsigned char)*part))
      *part = '_';
}

START_TEST(distinct_stay_distinct) {
  enum names_alphabet alphabet = _i == 0 ? NAMES_PLAIN : NAMES_STRICT;
  enum { N = 100000 };
  struct made *made = calloc(N, sizeof *made);
  size_t equal = 0;
  ck_assert_ptr_nonnull(made);
  for (size_t i = 0; i < N; i++) {
    size_t len;
    make_name(&made[i]);
    len = names_instance(made[i].instance, sizeof made[i].instance, alphabet,
                         "queue", made[i].name, made[i].len);
    ck_assert_uint_lt(len, SAMPLE_NAME_MAX);
    ck_assert_uint_eq(len, strlen(made[i].instance));
    ck_assert_uint_eq(text_utf8_length(made[i].instance, len), len);
    ck_assert_ptr_null(strchr(made[i].instance, '/'));
    if (alphabet == NAMES_STRICT)
      as_graphite(made[i].instance);
  }
  qsort(made, N, sizeof *made, by_instance);
  for (size_t i = 1; i < N; i++) {
    const struct made *a = &made[i - 1];
    const struct made *b = &made[i];
    if (strcmp(a->instance, b->instance) != 0)
      continue;
    equal++;
    ck_assert_msg(a->len == b->len && memcmp(a->name, b->name, a->len) == 0,
                  "two names for %s", a->instance);
  }
  ck_assert_uint_gt(equal,
                    100); /* names did come twice: the loop has compared */
  free(made);
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

int main(void) {
  Suite *suite = suite_create("names");
  TCase *tcase = tcase_create("instance");
  tcase_add_loop_test(tcase, plain_names, 0, N(plain));
  tcase_add_loop_test(tcase, hashed_names, 0, N(hashed));
  tcase_add_test(tcase, the_hash_is_the_same_for_ever);
  tcase_add_test(tcase, no_room);
  tcase_add_loop_test(tcase, slashes_stay_apart, 0, 2);
  tcase_add_loop_test(tcase, series_as_people_write_them, 0, N(written));
  tcase_add_loop_test(tcase, strict_names, 0, N(strict));
  tcase_add_loop_test(tcase, distinct_stay_distinct, 0, 2);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
