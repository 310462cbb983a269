/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/status.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(every_kind_has_a_name_and_a_class) {
  for (int a = 0; a < STATUS_COUNT; a++) {
    const char *name = status_name((enum status)a);
    ck_assert_ptr_nonnull(name);
    ck_assert_uint_eq(strspn(name, "abcdefghijklmnopqrstuvwxyz_"),
                      strlen(name));
    ck_assert_int_eq(status_class_of((enum status)a) == CLASS_NONE,
                     a == STATUS_OK);
    for (int b = 0; b < a; b++)
      ck_assert_str_ne(name, status_name((enum status)b));
  }
}
END_TEST

/* Metrics and scripts read these: a change here breaks their users. */
START_TEST(names_are_stable) {
  static const struct {
    enum status kind;
    const char *name;
    const char *class;
    bool is_ours;
  } cases[] = {
      {STATUS_OK, "ok", "none", false},
      {STATUS_PERMIT_TIMEOUT, "permit_timeout", "connection", true},
      {STATUS_PERMIT_QUEUE_FULL, "permit_queue_full", "connection", true},
      {STATUS_CONNECT, "connect", "connection", false},
      {STATUS_TLS, "tls", "connection", false},
      {STATUS_TIMEOUT, "timeout", "connection", false},
      {STATUS_RESET, "reset", "connection", false},
      {STATUS_CANCELLED, "cancelled", "stopped", true},
      {STATUS_CLOSING, "closing", "stopped", true},
      {STATUS_HELD, "held", "stopped", true},
      {STATUS_AUTH, "auth", "refused", false},
      {STATUS_DENIED, "denied", "refused", false},
      {STATUS_THROTTLED, "throttled", "refused", false},
      {STATUS_NOT_JOLOKIA, "not_jolokia", "reply", false},
      {STATUS_HTTP_STATUS, "http_status", "reply", false},
      {STATUS_REPLY_TOO_LARGE, "reply_too_large", "reply", false},
      {STATUS_REQUEST_TOO_LARGE, "request_too_large", "reply", false},
      {STATUS_MALFORMED_REPLY, "malformed_reply", "reply", false},
      {STATUS_NOT_FOUND, "not_found", "item", false},
      {STATUS_ITEM_DENIED, "item_denied", "item", false},
      {STATUS_NOT_STARTED, "not_started", "item", false},
      {STATUS_BUSY, "busy", "item", false},
      {STATUS_ITEM_ERROR, "item_error", "item", false},
      {STATUS_INVALID, "invalid", "local", true},
      {STATUS_NO_MEMORY, "no_memory", "local", true},
  };
  ck_assert_uint_eq(sizeof(cases) / sizeof(cases[0]), STATUS_COUNT);
  ck_assert_str_eq(status_name(cases[_i].kind), cases[_i].name);
  ck_assert_str_eq(status_class_name(status_class_of(cases[_i].kind)),
                   cases[_i].class);
  ck_assert_int_eq(status_is_ours(cases[_i].kind), cases[_i].is_ours);
}
END_TEST

START_TEST(numbers_that_are_no_kind) {
  static const int cases[] = {-1, STATUS_COUNT, STATUS_COUNT + 1, 100000};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    enum status kind;
    enum status_class class;
    memcpy(&kind, &cases[i], sizeof(kind));
    memcpy(&class, &cases[i], sizeof(class));
    ck_assert_str_eq(status_name(kind), "unknown");
    ck_assert_int_eq(status_class_of(kind), CLASS_NONE);
    ck_assert_str_eq(status_class_name(class), "unknown");
    ck_assert(!status_is_ours(kind));
  }
}
END_TEST

START_TEST(error_is_filled) {
  struct error error;
  ck_assert_int_eq(error_set(&error, STATUS_TLS, "%s: %d", "node", 7),
                   STATUS_TLS);
  ck_assert_int_eq(error.kind, STATUS_TLS);
  ck_assert_str_eq(error.text, "node: 7");
  ck_assert_int_eq(error_set(NULL, STATUS_RESET, "x"), STATUS_RESET);
}
END_TEST

START_TEST(error_may_be_wrapped_in_itself) {
  struct error error;
  error_set(&error, STATUS_TLS, "expired");
  error_set(&error, error.kind, "broker-a: %s", error.text);
  ck_assert_str_eq(error.text, "broker-a: expired");
}
END_TEST

START_TEST(control_bytes_do_not_pass) {
  struct error error;
  error_set(&error, STATUS_INVALID, "a\nb\x1b[31mc\x7f\td\xc3\xa9");
  ck_assert_str_eq(error.text, "a?b?[31mc??d\xc3\xa9");
}
END_TEST

/* A cut never leaves a part of a character, at any place of the cut. */
START_TEST(text_is_cut_at_a_whole_character) {
  static const char *const characters[] = {"a", "\xc3\xa9", "\xe2\x82\xac",
                                           "\xf0\x9f\x90\x87"};
  const char *c = characters[_i];
  size_t n = strlen(c);
  for (size_t before = 0; before < 8; before++) {
    char text[1024] = "xxxxxxxx";
    size_t len = before;
    for (; len + n < 700; len += n)
      memcpy(text + len, c, n);
    text[len] = 0;
    struct error error;
    error_set(&error, STATUS_INVALID, "%s", text);
    size_t max = sizeof(error.text) - 1;
    ck_assert_uint_eq(strlen(error.text), before + (max - before) / n * n);
    ck_assert_int_eq(memcmp(error.text, text, strlen(error.text)), 0);
  }
}
END_TEST

START_TEST(text_that_fits_to_the_byte_is_whole) {
  char text[600];
  struct error error;
  size_t max = sizeof(error.text) - 1;
  memset(text, 'x', max - 2);
  memcpy(text + max - 2, "\xc3\xa9", 3);
  error_set(&error, STATUS_INVALID, "%s", text);
  ck_assert_str_eq(error.text, text);
}
END_TEST

START_TEST(bytes_that_are_no_utf8_are_harmless) {
  struct error error;
  char text[1024];
  memset(text, 0x80, sizeof(text));
  text[sizeof(text) - 1] = 0;
  error_set(&error, STATUS_INVALID, "%s", text);
  ck_assert_uint_le(strlen(error.text), sizeof(error.text) - 1);
  error_set(&error, STATUS_INVALID, "%s", "\xff\xfe\xc3");
  ck_assert_str_eq(error.text, "\xff\xfe\xc3");
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("status");
  TCase *t = tcase_create("status");
  tcase_add_test(t, every_kind_has_a_name_and_a_class);
  tcase_add_loop_test(t, names_are_stable, 0, STATUS_COUNT);
  tcase_add_test(t, numbers_that_are_no_kind);
  tcase_add_test(t, error_is_filled);
  tcase_add_test(t, error_may_be_wrapped_in_itself);
  tcase_add_test(t, control_bytes_do_not_pass);
  tcase_add_loop_test(t, text_is_cut_at_a_whole_character, 0, 4);
  tcase_add_test(t, text_that_fits_to_the_byte_is_whole);
  tcase_add_test(t, bytes_that_are_no_utf8_are_harmless);
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
