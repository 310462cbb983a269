/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/proposal.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct proposal_node nodes[] = {
    {"broker-a", "https://a.example.net:8161/console/jolokia"},
    {"odd \"b\\", "http://[::1]:8161/console/jolokia"}};
static const struct proposal_left left[] = {
    {"c.example.net:61616", "first line\nExec \"evil\"\x7f"}};

START_TEST(whole) {
  const struct proposal proposal = {
      .cluster = "orders",
      .username = "monitor",
      .password_file = "/etc/collectd/orders.password",
      .origin = "http://localhost",
      .nodes = nodes,
      .n_nodes = 2,
      .left = left,
      .n_left = 1,
      .url_template = "https://{host}:8161/console/jolokia",
      .host = "*.example.net"};
  struct buf out;
  buf_init(&out, 65536);
  proposal_write(&proposal, &out);
  ck_assert_str_eq(
      buf_text(&out),
      "<Cluster \"orders\">\n"
      "  Username \"monitor\"\n"
      "  PasswordFile \"/etc/collectd/orders.password\"\n"
      "  Origin \"http://localhost\"\n"
      "  Node \"broker-a\" \"https://a.example.net:8161/console/jolokia\"\n"
      "  Node \"odd \\\"b\\\\\" \"http://[::1]:8161/console/jolokia\"\n"
      "  # not in here: c.example.net:61616: first line?Exec \"evil\"?\n"
      "  # To watch members that join later, too:\n"
      "  # Discover true\n"
      "  # DiscoverHosts \"*.example.net\"\n"
      "  # URLTemplate \"https://{host}:8161/console/jolokia\"\n"
      "</Cluster>\n");
  buf_fini(&out);
}
END_TEST

START_TEST(without_login) {
  const struct proposal proposal = {.cluster = "c",
                                    .nodes = nodes,
                                    .n_nodes = 1,
                                    .url_template = "http://{host}/j",
                                    .host = "h"};
  struct buf out;
  buf_init(&out, 65536);
  proposal_write(&proposal, &out);
  ck_assert_ptr_null(strstr(buf_text(&out), "Username"));
  ck_assert_ptr_null(strstr(buf_text(&out), "PasswordFile"));
  ck_assert_ptr_null(strstr(buf_text(&out), "Origin"));
  buf_fini(&out);
}
END_TEST

static const struct {
  const char *url;
  const char *url_template;
} templates[] = {
    {"https://a.example.net:8161/console/jolokia",
     "https://{host}:8161/console/jolokia"},
    {"https://a.example.net/console/jolokia", "https://{host}/console/jolokia"},
    {"http://[::1]:8161/console/jolokia", "http://{host}:8161/console/jolokia"},
    {"http://127.0.0.1/a.b/127.0.0.1", "http://{host}/a.b/127.0.0.1"},
};

START_TEST(url_templates) {
  struct url url;
  char text[URL_MAX + 8];
  ck_assert_int_eq(url_parse(templates[_i].url, &url, NULL), STATUS_OK);
  proposal_template(&url, text);
  ck_assert_str_eq(text, templates[_i].url_template);
}
END_TEST

static const struct {
  const char *host;
  const char *pattern;
} hosts[] = {{"broker-a.mgmt.example.net", "*.mgmt.example.net"},
             {"localhost", "localhost"},
             {"10.1.2.3", "10.1.2.3"},
             {"::1", "::1"},
             {"::ffff:10.1.2.3", "::ffff:10.1.2.3"}};

START_TEST(host_patterns) {
  char text[260];
  proposal_hosts(hosts[_i].host, text);
  ck_assert_str_eq(text, hosts[_i].pattern);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("proposal");
  TCase *tcase = tcase_create("proposal");
  tcase_add_test(tcase, whole);
  tcase_add_test(tcase, without_login);
  tcase_add_loop_test(tcase, url_templates, 0, 4);
  tcase_add_loop_test(tcase, host_patterns, 0, 5);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
