/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/hash.h"

#include <check.h>
#include <string.h>

/* Published values of FNV-1a, 64 bits. */
static const struct {
  const char *text;
  uint64_t hash;
} vectors[] = {
    {"", 0xcbf29ce484222325},    {"a", 0xaf63dc4c8601ec8c},
    {"b", 0xaf63df4c8601f1a5},   {"fo", 0x08985907b541d342},
    {"foo", 0xdcb27518fed9d577}, {"foobar", 0x85944171f73967e8},
};

START_TEST(the_published_values) {
  const char *text = vectors[_i].text;
  ck_assert_uint_eq(hash_text(text), vectors[_i].hash);
  ck_assert_uint_eq(hash_bytes(text, strlen(text)), vectors[_i].hash);
}
END_TEST

START_TEST(bytes_may_be_any) {
  ck_assert_uint_eq(hash_bytes("\0", 1), 0xaf63bd4c8601b7df);
  ck_assert_uint_eq(hash_bytes("\xff", 1), 0xaf64724c8602eb6e);
  ck_assert_uint_ne(hash_bytes("a\0b", 3), hash_bytes("a", 1));
}
END_TEST

/* A word that holds one byte is hashed like that byte. */
START_TEST(words_are_hashed_like_bytes) {
  uint64_t words[6];
  for (size_t i = 0; i < 6; i++)
    words[i] = (unsigned char)"foobar"[i];
  ck_assert_uint_eq(hash_words(words, sizeof(words)), 0x85944171f73967e8);
  ck_assert_uint_eq(hash_words(words, 0), 0xcbf29ce484222325);
  words[5] |= UINT64_C(1) << 63;
  ck_assert_uint_ne(hash_words(words, sizeof(words)), 0x85944171f73967e8);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("hash");
  TCase *tcase = tcase_create("hash");
  tcase_add_loop_test(tcase, the_published_values, 0,
                      sizeof vectors / sizeof vectors[0]);
  tcase_add_test(tcase, bytes_may_be_any);
  tcase_add_test(tcase, words_are_hashed_like_bytes);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
