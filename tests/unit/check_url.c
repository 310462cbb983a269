/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/url.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct good {
  const char *given;
  const char *text;
  const char *key;
  const char *origin;
  const char *host;
  uint16_t port;
  bool is_https;
  bool is_loopback;
};

static const struct good good[] = {
    {"http://broker:8161/console/jolokia", "http://broker:8161/console/jolokia",
     "http://broker:8161/console/jolokia", "http://broker", "broker", 8161,
     false, false},
    /* the port always, one trailing slash less */
    {"http://broker/console/jolokia/", "http://broker/console/jolokia/",
     "http://broker:80/console/jolokia", "http://broker", "broker", 80, false,
     false},
    {"http://broker/console/jolokia//", "http://broker/console/jolokia//",
     "http://broker:80/console/jolokia/", "http://broker", "broker", 80, false,
     false},
    {"https://b/", "https://b/", "https://b:443", "https://b", "b", 443, true,
     false},
    {"https://b:443/x", "https://b:443/x", "https://b:443/x", "https://b", "b",
     443, true, false},
    {"http://b:443/x", "http://b:443/x", "http://b:443/x", "http://b", "b", 443,
     false, false},
    {"http://b:65535/x", "http://b:65535/x", "http://b:65535/x", "http://b",
     "b", 65535, false, false},
    {"http://b:1/x", "http://b:1/x", "http://b:1/x", "http://b", "b", 1, false,
     false},
    /* case of scheme, host, escapes; not of the path */
    {"HTTPS://Broker-A.Example.NET:8161/Console/Jolokia",
     "https://broker-a.example.net:8161/Console/Jolokia",
     "https://broker-a.example.net:8161/Console/Jolokia",
     "https://broker-a.example.net", "broker-a.example.net", 8161, true, false},
    {"http://b/a%2fb%c3%bc", "http://b/a%2Fb%C3%BC", "http://b:80/a%2Fb%C3%BC",
     "http://b", "b", 80, false, false},
    /* a final dot of the host is sent, and is no other key */
    {"http://b.example.:80/x", "http://b.example.:80/x",
     "http://b.example:80/x", "http://b.example", "b.example", 80, false,
     false},
    /* unreserved escapes decoded in the key alone */
    {"http://b/%6a%4Fl%7e%2d%5F%31", "http://b/%6A%4Fl%7E%2D%5F%31",
     "http://b:80/jOl~-_1", "http://b", "b", 80, false, false},
    /* dot segments, spelled out or hidden */
    {"http://b/a/./b/../c", "http://b/a/c", "http://b:80/a/c", "http://b", "b",
     80, false, false},
    {"http://b/../../a", "http://b/a", "http://b:80/a", "http://b", "b", 80,
     false, false},
    {"http://b/a/..", "http://b/", "http://b:80", "http://b", "b", 80, false,
     false},
    {"http://b/a/b/.", "http://b/a/b/", "http://b:80/a/b", "http://b", "b", 80,
     false, false},
    {"http://b/a/%2e%2E/c/%2e/d", "http://b/c/d", "http://b:80/c/d", "http://b",
     "b", 80, false, false},
    {"http://b/a//../c", "http://b/a/c", "http://b:80/a/c", "http://b", "b", 80,
     false, false},
    {"http://b/.../..a/a.", "http://b/.../..a/a.", "http://b:80/.../..a/a.",
     "http://b", "b", 80, false, false},
    /* two slashes are not one: servers tell them apart */
    {"http://b/console//jolokia", "http://b/console//jolokia",
     "http://b:80/console//jolokia", "http://b", "b", 80, false, false},
    /* '@' and ':' in the path are no login */
    {"http://b:8161/a@b:c", "http://b:8161/a@b:c", "http://b:8161/a@b:c",
     "http://b", "b", 8161, false, false},
    {"http://b/%3Fq%23f%25", "http://b/%3Fq%23f%25", "http://b:80/%3Fq%23f%25",
     "http://b", "b", 80, false, false},
    {"http://AZaz09.Zz/~%5a%7a%fa", "http://azaz09.zz/~%5A%7A%FA",
     "http://azaz09.zz:80/~Zz%FA", "http://azaz09.zz", "azaz09.zz", 80, false,
     false},
    {"http://ax1/x", "http://ax1/x", "http://ax1:80/x", "http://ax1", "ax1", 80,
     false, false},
    {"http://0b/x", "http://0b/x", "http://0b:80/x", "http://0b", "0b", 80,
     false, false},
    /* IPv6 */
    {"http://[2001:DB8:0:0:0:0:0:1]:8161/x", "http://[2001:db8::1]:8161/x",
     "http://[2001:db8::1]:8161/x", "http://[2001:db8::1]", "2001:db8::1", 8161,
     false, false},
    {"http://[0:0::1]/x", "http://[::1]/x", "http://[::1]:80/x", "http://[::1]",
     "::1", 80, false, true},
    /* loopback */
    {"http://127.0.0.1/x", "http://127.0.0.1/x", "http://127.0.0.1:80/x",
     "http://127.0.0.1", "127.0.0.1", 80, false, true},
    {"http://127.255.3.4/x", "http://127.255.3.4/x", "http://127.255.3.4:80/x",
     "http://127.255.3.4", "127.255.3.4", 80, false, true},
    {"http://128.0.0.1/x", "http://128.0.0.1/x", "http://128.0.0.1:80/x",
     "http://128.0.0.1", "128.0.0.1", 80, false, false},
    {"http://LocalHost/x", "http://localhost/x", "http://localhost:80/x",
     "http://localhost", "localhost", 80, false, true},
    {"http://a.localhost./x", "http://a.localhost./x",
     "http://a.localhost:80/x", "http://a.localhost", "a.localhost", 80, false,
     true},
    {"http://notlocalhost/x", "http://notlocalhost/x",
     "http://notlocalhost:80/x", "http://notlocalhost", "notlocalhost", 80,
     false, false},
    {"http://127.0.0.1.example/x", "http://127.0.0.1.example/x",
     "http://127.0.0.1.example:80/x", "http://127.0.0.1.example",
     "127.0.0.1.example", 80, false, false},
    {"http://a_b-c.d9/x", "http://a_b-c.d9/x", "http://a_b-c.d9:80/x",
     "http://a_b-c.d9", "a_b-c.d9", 80, false, false},
};

START_TEST(takes_and_makes_canonical) {
  const struct good *c = &good[_i];
  struct url url;
  struct error error = {STATUS_OK, ""};
  ck_assert_msg(url_parse(c->given, &url, &error) == STATUS_OK, "%s: %s",
                c->given, error.text);
  ck_assert_str_eq(url.text, c->text);
  ck_assert_str_eq(url.key, c->key);
  ck_assert_str_eq(url.origin, c->origin);
  ck_assert_str_eq(url.host, c->host);
  ck_assert_uint_eq(url.port, c->port);
  ck_assert_int_eq(url.is_https, c->is_https);
  ck_assert_int_eq(url.is_loopback, c->is_loopback);

  struct url again;
  ck_assert_int_eq(url_parse(url.text, &again, &error), STATUS_OK);
  ck_assert_str_eq(again.text, url.text);
  ck_assert_str_eq(again.key, url.key);
}
END_TEST

#define LOGIN "use Username and PasswordFile"

static const struct {
  const char *given;
  const char *says;   /* of the reason and the remedy */
  const char *shows;  /* of the URL */
  const char *hides;  /* NULL: nothing to hide */
  const char *hides2; /* likewise */
} bad[] = {
    {"", "must begin with http://", "\"\"", NULL, NULL},
    {"broker:8161/console/jolokia", "must begin with http://", "broker:8161",
     NULL, NULL},
    {"ftp://b/x", "must begin with http://", "ftp://b/x", NULL, NULL},
    {"http:/b/x", "must begin with http://", "http:/b/x", NULL, NULL},
    {"file:///etc/passwd", "must begin with http://", "file:", NULL, NULL},
    {" http://b/x", "must begin with http://", "http://b/x", NULL, NULL},
    {"http:///x", "no host; write http://HOST", "http:///x", NULL, NULL},
    {"http://:80/x", "no host", "http://:80/x", NULL, NULL},
    {"http://./x", "no host", "http://./x", NULL, NULL},
    {"http://[]/x", "no host", "http://[]/x", NULL, NULL},
    {"http://b", "no path; Artemis answers at /console/jolokia", "http://b",
     NULL, NULL},
    {"http://b:8161", "no path", "http://b:8161", NULL, NULL},
    /* logins, shown by none */
    {"http://joe:secret@b/x", LOGIN, "http://...@b/x", "joe", "secret"},
    {"https://joe@b/x", LOGIN, "https://...@b/x", "joe", NULL},
    {"http://joe:sec/ret@b/x", LOGIN, "http://...@b/x", "joe", "ret"},
    {"http://joe:sec?ret@b/x", LOGIN, "http://...@b/x", "joe", "ret"},
    {"http://joe:sec#ret@b/x", LOGIN, "http://...@b/x", "joe", "ret"},
    {"http://joe:s@cret@b/x", LOGIN, "http://...@b/x", "joe", "cret"},
    {"http://joe:[secret@b/x", LOGIN, "http://...@b/x", "joe", "secret"},
    {"http://[joe:secret@b/x", LOGIN, "http://...@b/x", "joe", "secret"},
    {"http://@b/x", LOGIN, "http://...@b/x", NULL, NULL},
    {"joe:secret@b/x", "must begin with http://", "\"...@b/x\"", "joe",
     "secret"},
    {"joey://secret@b/x", "must begin with http://", "\"...@b/x\"", "joey",
     "secret"},
    {"http://joe:secret%40b/x", "port", "http://...@b/x", "joe", "secret"},
    {"http://joe:a%40secret%40b/x", "port", "http://...@b/x", "joe", "secret"},
    {"http://joe@secret%40b/x", LOGIN, "http://...@b/x", "joe", "secret"},
    {"http://joe:secret@b:80/x y", LOGIN, "http://...@b:80/x y", "joe",
     "secret"},
    /* query and fragment, which may hold a token */
    {"http://b/x?token=secret", "query or fragment; remove", "http://b/x?...",
     "secret", NULL},
    {"http://b?x", "query or fragment", "http://b?...", NULL, NULL},
    {"http://b/x#secret", "query or fragment", "http://b/x?...", "secret",
     NULL},
    {"http://b/x?", "query or fragment", "http://b/x?...", NULL, NULL},
    /* ports */
    {"http://b:0/x", "1 to 65535", ":0/x", NULL, NULL},
    {"http://b:65536/x", "1 to 65535", ":65536", NULL, NULL},
    {"http://b:99999999999999999999/x", "1 to 65535", ":9999", NULL, NULL},
    {"http://b:/x", "leave its ':' out", "http://b:/x", NULL, NULL},
    {"http://b:80a/x", "1 to 65535", ":80a", NULL, NULL},
    {"http://b:-1/x", "1 to 65535", ":-1", NULL, NULL},
    {"http://b:+80/x", "1 to 65535", ":+80", NULL, NULL},
    {"http://b:080/x", "1 to 65535", ":080", NULL, NULL},
    {"http://b:80:80/x", "1 to 65535", ":80:80", NULL, NULL},
    {"http://::1/x", "no host", "http://::1/x", NULL, NULL},
    /* escapes and bytes */
    {"http://b/%", "write a lone '%' as %25", "http://b/%", NULL, NULL},
    {"http://b/%4", "%25", "http://b/%4", NULL, NULL},
    {"http://b/%4g", "%25", "http://b/%4g", NULL, NULL},
    {"http://b/a%00b", "%00 cannot stand in a path; remove it", "a%00b", NULL,
     NULL},
    {"http://b/a b", "write it as %XX", "http://b/a b", NULL, NULL},
    {"http://b/a\tb", "write it as %XX", "http://b/a?b", NULL, NULL},
    {"http://b/a\nb", "write it as %XX", "http://b/a?b", NULL, NULL},
    {"http://b/\x7f", "write it as %XX", "http://b/", NULL, NULL},
    {"http://b/\xc3\xbc", "write it as %XX", "http://b/", NULL, NULL},
    {"http://b\xc3\xbc/x", "xn--", "http://b", NULL, NULL},
    {"http://{host}/x", "write it as %XX", "{host}", NULL, NULL},
    {"http://b/a\\b", "write it as %XX", "a\\b", NULL, NULL},
    /* hosts */
    {"http://a..b/x", "empty label", "a..b", NULL, NULL},
    {"http://.a/x", "empty label", ".a", NULL, NULL},
    {"http://a../x", "empty label", "a..", NULL, NULL},
    {"http://a%41/x", "no host name has", "a%41", NULL, NULL},
    {"http://a,b/x", "no host name has", "a,b", NULL, NULL},
    {"http://127.1/x", "four decimal numbers", "127.1", NULL, NULL},
    {"http://2130706433/x", "four decimal numbers", "2130706433", NULL, NULL},
    {"http://0x7f000001/x", "four decimal numbers", "0x7f000001", NULL, NULL},
    {"http://127.0.0.0x1/x", "four decimal numbers", "0x1", NULL, NULL},
    {"http://127.0.0.01/x", "four decimal numbers", "127.0.0.01", NULL, NULL},
    {"http://256.0.0.1/x", "four decimal numbers", "256.0.0.1", NULL, NULL},
    {"http://[::1/x", "'[' without ']'", "[::1/x", NULL, NULL},
    {"http://[::1]x/x", "only a port may follow", "[::1]x", NULL, NULL},
    {"http://[::1]8161/x", "only a port may follow", "[::1]8161", NULL, NULL},
    {"http://[::1%25eth0]/x", "without a zone", "eth0", NULL, NULL},
    {"http://[127.0.0.1]/x", "no IPv6 address", "[127.0.0.1]", NULL, NULL},
    {"http://[::g]/x", "no IPv6 address", "[::g]", NULL, NULL},
};

START_TEST(refuses_with_reason_and_remedy) {
  struct url url;
  struct error error = {STATUS_OK, ""};
  memset(&url, 0x5a, sizeof(url));
  struct url before = url;

  ck_assert_int_eq(url_parse(bad[_i].given, &url, &error), STATUS_INVALID);
  ck_assert_int_eq(error.kind, STATUS_INVALID);
  ck_assert_mem_eq(&url, &before, sizeof(url));
  ck_assert_msg(strstr(error.text, bad[_i].says), "%s: %s", bad[_i].given,
                error.text);
  ck_assert_msg(strstr(error.text, bad[_i].shows), "%s: %s", bad[_i].given,
                error.text);
  if (bad[_i].hides)
    ck_assert_msg(!strstr(error.text, bad[_i].hides), "%s", error.text);
  if (bad[_i].hides2)
    ck_assert_msg(!strstr(error.text, bad[_i].hides2), "%s", error.text);
  ck_assert_int_eq(url_parse(bad[_i].given, &url, NULL), STATUS_INVALID);
}
END_TEST

static void check_length(size_t len, enum status expected) {
  static const char begin[] = "http://broker:8161/";
  char text[URL_MAX + 100];
  struct url url;
  struct error error = {STATUS_OK, ""};
  memset(text, 'a', len);
  memcpy(text, begin, sizeof(begin) - 1);
  text[len] = '\0';
  ck_assert_int_eq(url_parse(text, &url, &error), expected);
  if (expected == STATUS_OK)
    ck_assert_str_eq(url.text, text);
  else
    ck_assert(strstr(error.text, "longer than 2,047 bytes") != NULL);
}

START_TEST(bounds_the_length) {
  check_length(URL_MAX - 1, STATUS_OK);
  check_length(URL_MAX, STATUS_INVALID);
  check_length(URL_MAX + 50, STATUS_INVALID);
}
END_TEST

START_TEST(bounds_the_key_that_gains_a_port) {
  char text[URL_MAX];
  struct url url;
  memset(text, 'a', sizeof(text));
  memcpy(text, "http://b/", 9);
  text[URL_MAX - 1] = '\0';
  ck_assert_int_eq(url_parse(text, &url, NULL), STATUS_INVALID);
  text[URL_MAX - 1 - 3] = '\0'; /* ":80" fits */
  ck_assert_int_eq(url_parse(text, &url, NULL), STATUS_OK);
  ck_assert_uint_eq(strlen(url.key), URL_MAX - 1);
}
END_TEST

START_TEST(bounds_the_host) {
  char text[400] = "http://";
  struct url url;
  for (size_t i = 0; i < 255; i++)
    text[7 + i] = i % 2 ? '.' : 'a';
  text[7 + 255] = '/';
  ck_assert_int_eq(url_parse(text, &url, NULL), STATUS_OK);
  ck_assert_uint_eq(strlen(url.host), 255);
  text[7 + 255] = '.';
  text[7 + 256] = '/';
  ck_assert_int_eq(url_parse(text, &url, NULL), STATUS_INVALID);
}
END_TEST

START_TEST(tells_addresses_from_names) {
  static const struct {
    const char *url;
    bool is_address;
  } cases[] = {{"http://127.0.0.1/j", true},    {"http://[::1]/j", true},
               {"http://192.0.2.7/j", true},    {"http://localhost/j", false},
               {"http://a.example/j", false},   {"http://a1/j", false},
               {"http://[2001:db8::7]/j", true}};
  struct url url;
  ck_assert_int_eq(url_parse(cases[_i].url, &url, NULL), STATUS_OK);
  ck_assert_int_eq(url.is_address, cases[_i].is_address);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("url");
  TCase *tcase = tcase_create("url");
  tcase_add_loop_test(tcase, takes_and_makes_canonical, 0,
                      sizeof(good) / sizeof(*good));
  tcase_add_loop_test(tcase, refuses_with_reason_and_remedy, 0,
                      sizeof(bad) / sizeof(*bad));
  tcase_add_loop_test(tcase, tells_addresses_from_names, 0, 7);
  tcase_add_test(tcase, bounds_the_length);
  tcase_add_test(tcase, bounds_the_key_that_gains_a_port);
  tcase_add_test(tcase, bounds_the_host);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
