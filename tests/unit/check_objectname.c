/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/objectname.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct objectname parsed(const char *text) {
  struct objectname name;
  struct error error = {STATUS_OK, ""};
  ck_assert_msg(objectname_parse(text, strlen(text), &name, &error) ==
                    STATUS_OK,
                "%s: %s", text, error.text);
  return name;
}

static void assert_slice(struct objectname_slice slice, const char *expected) {
  ck_assert_msg(slice.len == strlen(expected) &&
                    memcmp(slice.text, expected, slice.len) == 0,
                "\"%.*s\" is not \"%s\"", (int)slice.len, slice.text, expected);
}

/* What Java 17's ObjectName made of the same texts. */
static const struct {
  const char *text;
  const char *domain;
  size_t n;
  bool is_pattern;
  bool is_list;
} good[] = {
    {"d:a=b", "d", 1, false, false},
    {"d:a=", "d", 1, false, false},
    {"d:a=,b=", "d", 2, false, false},
    {":a=b", "", 1, false, false},
    {"d=e:a=b", "d=e", 1, false, false},
    {"d,e:a=b", "d,e", 1, false, false},
    {"d\"e:a=b", "d\"e", 1, false, false},
    {"d*:a=b", "d*", 1, true, false},
    {"d?:a=b", "d?", 1, true, false},
    {"d:a=b,*", "d", 1, true, true},
    {"d:*", "d", 0, true, true},
    {"d:*,a=b", "d", 1, true, true},
    {"d:a=b,*,c=d", "d", 2, true, true},
    {"d:a=b*,*", "d", 1, true, true},
    {"d:a\"b=c", "d", 1, false, false},
    {"d:\"a\"=c", "d", 1, false, false},
    {"d:a=b*c", "d", 1, true, false},
    {"d:a=b?c", "d", 1, true, false},
    {"d:a=b\\c", "d", 1, false, false},
    {"d:a=b\\*c", "d", 1, true, false},
    {"d:a=\"\"", "d", 1, false, false},
    {"d:a=\"b\\n\"", "d", 1, false, false},
    {"d:a=\"b\\*\"", "d", 1, false, false},
    {"d:a=\"b*\"", "d", 1, true, false},
    {"d:a=\"b?\"", "d", 1, true, false},
    {"d:a= b", "d", 1, false, false},
    {"d: a=b", "d", 1, false, false},
    {"d:a\\b=c", "d", 1, false, false},
    {"d:a=b\rc\td", "d", 1, false, false},
    {"d:a=x@y", "d", 1, false, false},
    {"d:a=\"x,y=z:*\\\"\\?\",b=c", "d", 2, true, false},
    {"org.apache.activemq.artemis:broker=\"b\",*",
     "org.apache.activemq.artemis", 1, true, true},
    {"my.dom:broker=artemis", "my.dom", 1, false, false},
    {"d:a=\"1,2\",b=\"3,4\",c=\"5,6=7\"", "d", 3, false, false},
    {"D:broker=\"0.0.0.0\",component=addresses,address=\"a\\\",subcomponent="
     "queues,queue=\\\"b\",subcomponent=queues,routing-type=\"anycast\","
     "queue=\"q\"",
     "D", 6, false, false},
};

START_TEST(takes_what_java_takes) {
  struct objectname name = parsed(good[_i].text);
  assert_slice(name.domain, good[_i].domain);
  ck_assert_uint_eq(name.n_properties, good[_i].n);
  ck_assert_int_eq(name.is_pattern, good[_i].is_pattern);
  ck_assert_int_eq(name.is_list_pattern, good[_i].is_list);
}
END_TEST

#define KEYS8(k) k "0=," k "1=," k "2=," k "3=," k "4=," k "5=," k "6=," k "7="
#define KEYS32 KEYS8("a") "," KEYS8("b") "," KEYS8("c") "," KEYS8("d")

static const struct {
  const char *text;
  const char *says;
} bad[] = {
    {"", "no ':' behind the domain; write DOMAIN:KEY=VALUE"},
    {"no-colon", "no ':' behind the domain; write DOMAIN:KEY=VALUE"},
    {"d:", "no property behind the ':'; write DOMAIN:KEY=VALUE"},
    {"d:=b", "an empty key; write KEY=VALUE"},
    {"d:a", "a key without '='; write KEY=VALUE"},
    {"d:a=b,c", "a key without '='; write KEY=VALUE"},
    {"d:a=b,", "a ',' at the end; remove it"},
    {"d:*,", "a ',' at the end; remove it"},
    {"d:a=b,,c=d", "one of , : * ? or a line feed in a key"},
    {"d:,a=b", "one of , : * ? or a line feed in a key"},
    {"d:*a=b", "one of , : * ? or a line feed in a key"},
    {"d:a*=b", "one of , : * ? or a line feed in a key"},
    {"d:a?=b", "one of , : * ? or a line feed in a key"},
    {"d:a:b=c", "one of , : * ? or a line feed in a key"},
    {"d:a\nb=c", "quote a value that holds them"},
    {"d:*,*", "'*' twice among the properties; remove one"},
    {"d:*,a=b,*", "'*' twice among the properties; remove one"},
    {"d:a=b,a=c", "a key twice; remove one of the two"},
    {"d:a=b,c=d,c=e", "a key twice; remove one of the two"},
    {"d:a=b:c", "quote this value"},
    {"d:name={urn:x:1}", "quote this value"},
    {"d:a=b=c", "quote this value"},
    {"d:a=b\"c", "quote this value"},
    {"d:a=b\nc", "quote this value"},
    {"d:a=\"b", "a quoted value without its last '\"'; add it"},
    {"d:a=\"b\\\"", "a quoted value without its last '\"'"},
    {"d:a=\"b\\", "a quoted value without its last '\"'"},
    {"d:a=\"", "a quoted value without its last '\"'"},
    {"d:a=\"b\"c", "more text behind a quoted value; write \\\""},
    {"d:a=\"b\" ,c=d", "more text behind a quoted value; write \\\""},
    {"d:a=\"q\"uote\"", "more text behind a quoted value; write \\\""},
    {"d:a=\"b\\x\"", "an unknown escape in a quoted value; write \\\\"},
    {"d:a=\"b\nc\"", "a line feed in a quoted value; write \\n"},
    {"d\ne:a=b", "a line feed in the domain; remove it"},
    {"x@d:a=b", "an '@' in the domain"},
    {"x@d:a=b", "provider's name; remove it"},
    {"d:" KEYS32 ",e=", "more than 32 keys; use fewer"},
};

START_TEST(refuses_with_reason_and_remedy) {
  struct objectname name;
  struct error error = {STATUS_OK, ""};
  memset(&name, 0x5a, sizeof(name));
  struct objectname before;
  memcpy(&before, &name, sizeof(name));
  ck_assert_int_eq(
      objectname_parse(bad[_i].text, strlen(bad[_i].text), &name, &error),
      STATUS_INVALID);
  ck_assert_int_eq(error.kind, STATUS_INVALID);
  ck_assert_mem_eq(&name, &before, sizeof(name));
  ck_assert_msg(strstr(error.text, bad[_i].says), "%s: %s", bad[_i].text,
                error.text);
  ck_assert_msg(strncmp(error.text, "object name \"", 13) == 0, "%s",
                error.text);
}
END_TEST

START_TEST(refuses_a_nul_byte) {
  struct objectname name;
  struct error error;
  ck_assert_int_eq(objectname_parse("d:a=b\0c", 7, &name, &error),
                   STATUS_INVALID);
  ck_assert(strstr(error.text, "a NUL byte in it; remove it") != NULL);
}
END_TEST

START_TEST(takes_as_many_keys_as_it_says) {
  struct objectname name = parsed("d:" KEYS32);
  ck_assert_uint_eq(name.n_properties, OBJECTNAME_MAX_KEYS);
  name = parsed("d:" KEYS32 ",*");
  ck_assert_uint_eq(name.n_properties, OBJECTNAME_MAX_KEYS);
}
END_TEST

START_TEST(reads_only_the_length_given) {
  struct objectname name;
  ck_assert_int_eq(objectname_parse("d:a=b,c=d", 5, &name, NULL), STATUS_OK);
  ck_assert_uint_eq(name.n_properties, 1);
  assert_slice(name.properties[0].value, "b");
  ck_assert_int_eq(objectname_parse("d:a=\"b\"", 6, &name, NULL),
                   STATUS_INVALID);
}
END_TEST

START_TEST(finds_a_property) {
  struct objectname name = parsed("d:queue=\"a,b\",type=x,q=1");
  const struct objectname_property *found = objectname_get(&name, "queue");
  ck_assert_ptr_nonnull(found);
  assert_slice(found->value, "\"a,b\"");
  ck_assert(found->is_quoted);
  found = objectname_get(&name, "q");
  ck_assert_ptr_nonnull(found);
  assert_slice(found->value, "1");
  ck_assert(!found->is_quoted);
  ck_assert_ptr_null(objectname_get(&name, "queu"));
  ck_assert_ptr_null(objectname_get(&name, ""));
}
END_TEST

/* Plain names and their quoted forms. */
static const struct {
  const char *plain;
  const char *quoted;
} names[] = {
    {"plain", "\"plain\""},
    {"", "\"\""},
    {"a*b", "\"a\\*b\""},
    {"a?b", "\"a\\?b\""},
    {"q\"uote", "\"q\\\"uote\""},
    {"back\\slash", "\"back\\\\slash\""},
    {"new\nline", "\"new\\nline\""},
    {"c,d=e:f", "\"c,d=e:f\""},
    {"sl/ash", "\"sl/ash\""},
    {"/a//b/", "\"/a//b/\""},
    {"urn:x:1", "\"urn:x:1\""},
    {"exc!am", "\"exc!am\""},
    {"perc%41", "\"perc%41\""},
    {"at@sign", "\"at@sign\""},
    {"\xc3\xbcn\xc3\xaf", "\"\xc3\xbcn\xc3\xaf\""},
    {"<x>", "\"<x>\""},
    {" space ", "\" space \""},
    {"tab\tcr\rbell\a", "\"tab\tcr\rbell\a\""},
    {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
    {"\\", "\"\\\\\""},
    {"\\n", "\"\\\\n\""},
    {"\"", "\"\\\"\""},
    {"*?\"\\\n", "\"\\*\\?\\\"\\\\\\n\""},
    {"a\",subcomponent=queues,queue=\"b",
     "\"a\\\",subcomponent=queues,queue=\\\"b\""},
    {"$.artemis.internal.sf.c.1", "\"$.artemis.internal.sf.c.1\""},
};

START_TEST(quotes_and_unquotes) {
  struct buf buf;
  buf_init(&buf, 4096);
  buf_add_text(&buf, "d:queue=");
  size_t begin = buf.len;
  ck_assert_int_eq(
      objectname_quote(&buf, names[_i].plain, strlen(names[_i].plain)),
      STATUS_OK);
  ck_assert_str_eq(buf_text(&buf) + begin, names[_i].quoted);
  buf_add_text(&buf, ",z=1");

  struct objectname name = parsed(buf_text(&buf));
  ck_assert(!name.is_pattern);
  ck_assert_uint_eq(name.n_properties, 2);
  char plain[64];
  size_t len = 0;
  ck_assert_int_eq(
      objectname_unquote(&name.properties[0], plain, sizeof(plain), &len),
      STATUS_OK);
  ck_assert_str_eq(plain, names[_i].plain);
  ck_assert_uint_eq(len, strlen(names[_i].plain));
  buf_fini(&buf);
}
END_TEST

START_TEST(quotes_300_bytes) {
  char plain[301];
  char back[301];
  size_t len = 0;
  struct buf buf;
  memset(plain, '*', sizeof(plain) - 1);
  plain[300] = '\0';
  buf_init(&buf, 4096);
  buf_add_text(&buf, "d:queue=");
  objectname_quote(&buf, plain, 300);
  ck_assert_uint_eq(buf.len, 8 + 2 + 600);
  struct objectname name = parsed(buf_text(&buf));
  ck_assert_int_eq(objectname_unquote(&name.properties[0], back, 301, &len),
                   STATUS_OK);
  ck_assert_uint_eq(len, 300);
  ck_assert_str_eq(back, plain);
  buf_fini(&buf);
}
END_TEST

START_TEST(quotes_no_more_than_the_buffer_takes) {
  struct buf buf;
  buf_init(&buf, 5);
  ck_assert_int_eq(objectname_quote(&buf, "abc", 3), STATUS_OK);
  buf_clear(&buf);
  ck_assert_int_eq(objectname_quote(&buf, "ab*", 3), STATUS_REQUEST_TOO_LARGE);
  buf_fini(&buf);
}
END_TEST

START_TEST(unquotes_into_what_there_is) {
  struct objectname name = parsed("d:a=\"x\\*y\",b=pl\\ain,c=\"p*\",e=");
  char dst[8] = "before";
  size_t len = 77;
  ck_assert_int_eq(objectname_unquote(&name.properties[0], dst, 3, &len),
                   STATUS_INVALID);
  ck_assert_int_eq(objectname_unquote(&name.properties[0], dst, 0, &len),
                   STATUS_INVALID);
  ck_assert_int_eq(objectname_unquote(&name.properties[2], dst, 8, &len),
                   STATUS_INVALID);
  ck_assert_str_eq(dst, "before");
  ck_assert_uint_eq(len, 77);
  ck_assert_int_eq(objectname_unquote(&name.properties[0], dst, 4, &len),
                   STATUS_OK);
  ck_assert_str_eq(dst, "x*y");
  ck_assert_int_eq(objectname_unquote(&name.properties[1], dst, 8, &len),
                   STATUS_OK);
  ck_assert_str_eq(dst, "pl\\ain");
  ck_assert_int_eq(objectname_unquote(&name.properties[3], dst, 1, &len),
                   STATUS_OK);
  ck_assert_uint_eq(len, 0);
}
END_TEST

static const struct {
  const char *a;
  const char *b;
  bool is_equal;
} pairs[] = {
    {"d:a=1,b=2", "d:a=1,b=2", true},
    {"d:a=1,b=2", "d:b=2,a=1", true},
    {"D:broker=\"b\",component=addresses,address=\"A\"",
     "D:address=\"A\",broker=\"b\",component=addresses", true},
    {"d:a=1,*", "d:*,a=1", true},
    {"d:a=1", "e:a=1", false},
    {"d:a=1", "d:a=2", false},
    {"d:a=1", "d:a=11", false},
    {"d:a=1,b=2", "d:a=1", false},
    {"d:a=1,b=2", "d:a=1,c=2", false},
    {"d:a=1,b=2", "d:a=2,b=1", false},
    {"d:a=1", "d:a=1,*", false},
    {"d:a=1", "d:a=\"1\"", false},
    {"d:a=b", "D:a=b", false},
    {"d:a=bc", "d:ab=c", false},
};

START_TEST(compares_without_order) {
  struct objectname a = parsed(pairs[_i].a);
  struct objectname b = parsed(pairs[_i].b);
  ck_assert_int_eq(objectname_equal(&a, &b), pairs[_i].is_equal);
  ck_assert_int_eq(objectname_equal(&b, &a), pairs[_i].is_equal);
  ck_assert(objectname_equal(&a, &a));
  ck_assert_int_eq(objectname_hash(&a) == objectname_hash(&b),
                   pairs[_i].is_equal);
}
END_TEST

/* Queues whose address has their name: of values that change alike. */
START_TEST(hashes_tell_queues_apart) {
  enum { N = 1000 };
  uint64_t hashes[N];
  for (size_t i = 0; i < N; i++) {
    char text[100];
    snprintf(text, sizeof text, "d:address=\"q.%04zu\",queue=\"q.%04zu\"", i,
             i);
    struct objectname name = parsed(text);
    hashes[i] = objectname_hash(&name);
    for (size_t before = 0; before < i; before++)
      ck_assert_msg(hashes[before] != hashes[i], "%zu, %zu", before, i);
  }
}
END_TEST

#define GRIN "\xf0\x9f\x98\x80" /* two units of UTF-16 */

/* What Java 17's ObjectName.apply() answered. */
static const struct {
  const char *pattern;
  const char *name;
  bool matches;
} matches[] = {
    {"d:a=*", "d:a=\"x\"", true},
    {"d:a=*", "d:a=x,b=y", false},
    {"d:a=*,*", "d:a=x,b=y", true},
    {"d:*", "d:a=x", true},
    {"d:a=x,*", "d:a=x", true},
    {"d:a=x,*", "d:a=y", false},
    {"d:a=*,*", "d:b=1", false},
    {"d:a=*", "d:b=1", false},
    {"d:a=*,b=2", "d:a=1,b=3", false},
    {"d:b=*,a=x", "d:a=x,b=1", true},
    {"d*:a=x", "dd:a=x", true},
    {"d*:a=x", "d:a=x", true},
    {"d?:a=x", "d:a=x", false},
    {"*:*", "d:a=x", true},
    {":a=*", "d:a=1", false},
    {"d:a=x", "d:a=x", true},
    {"d:a=\"x*\"", "d:a=\"xyz\"", true},
    {"d:a=\"x*\"", "d:a=xyz", false},
    {"d:a=x?z", "d:a=xyz", true},
    {"d:a=x?z", "d:a=xz", false},
    {"d:a=*b*c", "d:a=abbcbc", true},
    {"d:a=*b*d", "d:a=abbcbc", false},
    {"d:a=**", "d:a=", true},
    {"d:a=?", "d:a=", false},
    {"d:a=\"x\\**\"", "d:a=\"x\\*yz\"", true},
    {"d:a=\"x\\**\"", "d:a=\"x\\\\yz\"", true},
    {"d:a=\"a*b\"", "d:a=\"a\\*b\"", true},
    {"d:a=\"a*b\"", "d:a=\"a\\?b\"", true},
    {"d:a=\"a?b\"", "d:a=\"a\\?b\"", false},
    {"d:a=\"\\*?\"", "d:a=\"\\*q\"", true},
    {"d:a=\"\\*?\"", "d:a=\"\\\\q\"", true},
    {"d:a=\"?\"", "d:a=\"\xc3\xbc\"", true},
    {"d:a=\"??\"", "d:a=\"\xc3\xbc\"", false},
    {"d:a=\"*?\xc3\xbc\"", "d:a=\"\xe2\x82\xac\xc3\xbc\"", true},
    {"d:a=\"?\"", "d:a=\"" GRIN "\"", false},
    {"d:a=\"??\"", "d:a=\"" GRIN "\"", true},
    {"d:a=\"?*\"", "d:a=\"" GRIN "\"", true},
    {"D:broker=\"b\",component=addresses,address=*",
     "D:broker=\"b\",component=addresses,address=\"A\",subcomponent=queues,"
     "routing-type=\"anycast\",queue=\"q\"",
     false},
};

START_TEST(matches_as_java_does) {
  struct objectname pattern = parsed(matches[_i].pattern);
  struct objectname name = parsed(matches[_i].name);
  ck_assert_int_eq(objectname_matches(&pattern, &name), matches[_i].matches);
}
END_TEST

START_TEST(matches_many_stars_fast) {
  char text[2048] = "d:a=";
  struct objectname pattern = parsed("d:a=*a*a*a*a*a*a*a*a*a*a*a*a*b");
  memset(text + 4, 'a', sizeof(text) - 5);
  struct objectname name = parsed(text);
  ck_assert(!objectname_matches(&pattern, &name));
}
END_TEST

#define ADD_LOOP(tcase, test, cases)                                           \
  tcase_add_loop_test(tcase, test, 0, sizeof(cases) / sizeof(*(cases)))

int main(void) {
  Suite *suite = suite_create("objectname");
  TCase *tcase = tcase_create("objectname");
  ADD_LOOP(tcase, takes_what_java_takes, good);
  ADD_LOOP(tcase, refuses_with_reason_and_remedy, bad);
  tcase_add_test(tcase, refuses_a_nul_byte);
  tcase_add_test(tcase, takes_as_many_keys_as_it_says);
  tcase_add_test(tcase, reads_only_the_length_given);
  tcase_add_test(tcase, finds_a_property);
  ADD_LOOP(tcase, quotes_and_unquotes, names);
  tcase_add_test(tcase, quotes_300_bytes);
  tcase_add_test(tcase, quotes_no_more_than_the_buffer_takes);
  tcase_add_test(tcase, unquotes_into_what_there_is);
  ADD_LOOP(tcase, compares_without_order, pairs);
  tcase_add_test(tcase, hashes_tell_queues_apart);
  ADD_LOOP(tcase, matches_as_java_does, matches);
  tcase_add_test(tcase, matches_many_stars_fast);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
