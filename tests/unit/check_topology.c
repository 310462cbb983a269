/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/topology.h"
#include "base/host.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* -- Core addresses -- */

static const struct {
  const char *text;
  const char *host; /* NULL: refused */
  unsigned port;
  bool is_ipv6;
} cores[] = {
    {"127.0.0.1:61616", "127.0.0.1", 61616, false},
    {"Broker-A.Example.NET.:61616", "broker-a.example.net", 61616, false},
    {"broker_a:1", "broker_a", 1, false},
    {"::1:61616", "::1", 61616, true},
    {"[::1]:61616", "::1", 61616, true},
    {"[2001:DB8:0:0::1]:65535", "2001:db8::1", 65535, true},
    {"null:null", NULL, 0, false},
    {"null:61616", NULL, 0, false},
    {"broker:null", NULL, 0, false},
    {"0.0.0.0:61616", NULL, 0, false},
    {"[::]:61616", NULL, 0, false},
    {"::61616", NULL, 0, false},
    {"broker", NULL, 0, false},
    {"", NULL, 0, false},
    {":", NULL, 0, false},
    {":61616", NULL, 0, false},
    {".:61616", NULL, 0, false},
    {"broker:", NULL, 0, false},
    {"broker:0", NULL, 0, false},
    {"broker:65536", NULL, 0, false},
    {"broker:+1", NULL, 0, false},
    {"broker:61616 ", NULL, 0, false},
    {"user@evil:61616", NULL, 0, false},
    {"evil/x:61616", NULL, 0, false},
    {"evil%2f:61616", NULL, 0, false},
    {"evil#x:61616", NULL, 0, false},
    {"evil x:61616", NULL, 0, false},
    {"evil\n:61616", NULL, 0, false},
    {"\xc3\xa9vil:61616", NULL, 0, false},
    {"[fe80::1%eth0]:61616", NULL, 0, false},
    {"[::1:61616", NULL, 0, false},
    {"[[::1]]:61616", NULL, 0, false},
    {"{host}:61616", NULL, 0, false},
};

START_TEST(core_addresses) {
  struct topology_core core = {.host = "kept"};
  struct error error;
  enum status status =
      topology_core(cores[_i].text, strlen(cores[_i].text), &core, &error);
  if (!cores[_i].host) {
    ck_assert_int_eq(status, STATUS_INVALID);
    ck_assert_str_eq(core.host, "kept");
    ck_assert_ptr_nonnull(strstr(error.text, "names no host"));
    return;
  }
  ck_assert_int_eq(status, STATUS_OK);
  ck_assert_str_eq(core.host, cores[_i].host);
  ck_assert_uint_eq(core.port, cores[_i].port);
  ck_assert_int_eq(core.is_ipv6, cores[_i].is_ipv6);
}
END_TEST

START_TEST(long_core_addresses) {
  char text[400];
  struct topology_core core;
  memset(text, 'a', sizeof(text));
  memcpy(text + 255, ":61616", 7);
  ck_assert_int_eq(topology_core(text, strlen(text), &core, NULL), STATUS_OK);
  ck_assert_uint_eq(strlen(core.host), 255);
  memset(text, 'a', sizeof(text));
  memcpy(text + 256, ":61616", 7);
  ck_assert_int_eq(topology_core(text, strlen(text), &core, NULL),
                   STATUS_INVALID);
  /* a NUL is no end */
  ck_assert_int_eq(topology_core("a\0b:1", 5, &core, NULL), STATUS_INVALID);
}
END_TEST

/* -- The reply -- */

static bool on_row(void *cookie, size_t item, const struct row *row) {
  ck_assert_uint_eq(item, 0);
  ck_assert_int_eq(topology_row(cookie, row), STATUS_OK);
  return true;
}
static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  (void)cookie;
  (void)item;
  ck_assert_int_eq(result->status, STATUS_OK);
}

/* ${document} as listNetworkTopology answers it: in a string. */
static void put(struct topology *topology, const char *document) {
  struct buf body;
  struct reply_sink sink = {on_row, on_item, topology};
  size_t consumed;
  buf_init(&body, 1 << 22);
  buf_add_text(&body, "[{\"value\":\"");
  for (const char *c = document; *c; c++) {
    if (*c == '"')
      buf_add_text(&body, "\\");
    buf_add(&body, c, 1);
  }
  ck_assert_int_eq(buf_add_text(&body, "\",\"status\":200}]"), STATUS_OK);
  struct reply *reply = reply_new(&topology_spec, 1, 65536, &sink);
  ck_assert_int_eq(reply_feed(reply, body.data, body.len, &consumed),
                   STATUS_OK);
  ck_assert_int_eq(reply_end(reply, NULL), STATUS_OK);
  reply_free(reply);
  buf_fini(&body);
}

static const struct {
  const char *document;
  const char *members; /* "ID HOST:PORT[ b];" each */
  size_t n_odd;
} topologies[] = {
    {"[]", "", 0},
    {"[{}]", "", 0},
    /* 2.28.0 and 2.40.0, as seen */
    {"[{\"nodeID\":\"n1\",\"live\":\"127.0.0.1:61616\","
     "\"backup\":\"127.0.0.1:61617\"},{\"nodeID\":\"n2\","
     "\"live\":\"127.0.0.1:61618\"}]",
     "n1 127.0.0.1:61616;n1 127.0.0.1:61617 b;n2 127.0.0.1:61618;", 0},
    {"[{\"nodeID\":\"n1\",\"live\":\"a:1\",\"primary\":\"a:1\"}]", "n1 a:1;",
     0},
    /* primary counts, live where it is missing or empty */
    {"[{\"nodeID\":\"n1\",\"live\":\"old:1\",\"primary\":\"new:1\"},"
     "{\"nodeID\":\"n2\",\"live\":\"b:1\",\"primary\":\"\"},"
     "{\"nodeID\":\"n3\",\"live\":\"c:1\",\"primary\":null}]",
     "n1 new:1;n2 b:1;n3 c:1;", 0},
    /* one run a cluster connection: twice the same */
    {"[{\"nodeID\":\"n1\",\"live\":\"a:1\",\"backup\":\"b:1\"},"
     "{\"nodeID\":\"n1\",\"live\":\"A.:1\",\"backup\":\"b:1\"},"
     "{\"nodeID\":\"n2\",\"live\":\"a:1\"}]",
     "n1 a:1;n1 b:1 b;n2 a:1;", 0},
    /* a backup whose primary is gone, an entry without a NodeID */
    {"[{\"nodeID\":\"n1\",\"backup\":\"b:1\"},{\"live\":\"c:1\"}]",
     "n1 b:1 b; c:1;", 0},
    {"[{\"nodeID\":\"n1\",\"live\":\"null:null\",\"primary\":\"null:null\"},"
     "{\"nodeID\":\"n2\",\"live\":\"0.0.0.0:61616\",\"backup\":\"b:1\"}]",
     "n2 b:1 b;", 2},
    /* values that are no text */
    {"[{\"nodeID\":7,\"live\":\"a:1\"},{\"nodeID\":{},\"live\":[\"b:1\"]},"
     "{\"nodeID\":\"12\",\"live\":true}]",
     " a:1;", 0},
    {"[{\"nodeID\":\"12\",\"live\":\"a:1\"}]", "12 a:1;", 0},
    {"[{\"nodeID\":"
     "\"0123456789012345678901234567890123456789012345678901234567890123456\","
     "\"live\":\"a:1\"}]",
     "012345678901234567890123456789012345678901234567890123456789012 a:1;", 0},
};

START_TEST(members) {
  struct topology topology;
  char told[512] = "";
  size_t len = 0;
  topology_init(&topology);
  put(&topology, topologies[_i].document);
  for (size_t i = 0; i < topology.n; i++) {
    const struct topology_member *member = &topology.members[i];
    len += (size_t)snprintf(told + len, sizeof(told) - len, "%s %s:%u%s;",
                            member->node_id, member->core.host,
                            member->core.port, member->is_backup ? " b" : "");
  }
  ck_assert_str_eq(told, topologies[_i].members);
  ck_assert_uint_eq(topology.n_odd, topologies[_i].n_odd);
  ck_assert_uint_eq(topology.n_over, 0);
  ck_assert_int_eq(topology.odd.kind != STATUS_OK, topology.n_odd > 0);
  topology_fini(&topology);
  ck_assert_uint_eq(topology.n, 0);
  ck_assert_ptr_null(topology.members);
}
END_TEST

START_TEST(thousands_of_members) {
  struct topology topology;
  struct buf document;
  buf_init(&document, 1 << 20);
  for (unsigned i = 0; i < 3000; i++)
    buf_printf(&document, "%s{\"nodeID\":\"n%u\",\"live\":\"h%u:1\"}",
               i ? "," : "[", i, i);
  buf_add_text(&document, "]");
  topology_init(&topology);
  put(&topology, buf_text(&document));
  ck_assert_uint_eq(topology.n, TOPOLOGY_MAX);
  ck_assert_uint_eq(topology.n_over, 3000 - TOPOLOGY_MAX);
  ck_assert_str_eq(topology.members[TOPOLOGY_MAX - 1].core.host, "h1023");
  topology_fini(&topology);
  buf_fini(&document);
}
END_TEST

START_TEST(is_an_exec_of_nothing_else) {
  struct operation operation = topology_operation("d:broker=\"b\"");
  ck_assert_int_eq(operation_check(&operation, NULL), STATUS_OK);
  ck_assert(!operation_is_change(&operation));
}
END_TEST

/* -- URLs -- */

static const char *const hosts[] = {"*.example.net", "127.0.0.1", "::1",
                                    "Plain"};
static const struct topology_override overrides[] = {
    {"Broker-C:61616", "https://c.example.net/console/jolokia"},
    {"[::1]:7", "http://[::1]:8161/jolokia"},
    {"evil.org:1", "https://evil.org/console/jolokia"},
    {"no address", "https://never.example.net/"},
    {"plain:2", "ftp://plain/"},
};

#define TEMPLATE "https://{host}:8161/console/jolokia"

static const struct {
  const char *url_template;
  const char *core;
  enum status status;
  const char *text; /* the key, or a part of the error's text */
} urls[] = {
    {TEMPLATE, "a.example.net:61616", STATUS_OK,
     "https://a.example.net:8161/console/jolokia"},
    {TEMPLATE, "A.Example.Net.:1", STATUS_OK,
     "https://a.example.net:8161/console/jolokia"},
    {TEMPLATE, "127.0.0.1:61616", STATUS_OK,
     "https://127.0.0.1:8161/console/jolokia"},
    {TEMPLATE, "::1:61616", STATUS_OK, "https://[::1]:8161/console/jolokia"},
    {TEMPLATE, "[0:0:0:0:0:0:0:1]:61616", STATUS_OK,
     "https://[::1]:8161/console/jolokia"},
    {TEMPLATE, "PLAIN:1", STATUS_OK, "https://plain:8161/console/jolokia"},
    {"http://x-{host}.example.net/j", "b:1", STATUS_OK,
     "http://x-b.example.net:80/j"},
    {TEMPLATE, "broker-c:61616", STATUS_OK,
     "https://c.example.net:443/console/jolokia"},
    {NULL, "BROKER-C.:61616", STATUS_OK,
     "https://c.example.net:443/console/jolokia"},
    {NULL, "::1:7", STATUS_OK, "http://[::1]:8161/jolokia"},
    {NULL, "broker-c:61617", STATUS_NOT_FOUND,
     "NodeURL \"broker-c:61617\" \"URL\""},
    {NULL, "[2001:db8::1]:8", STATUS_NOT_FOUND, "NodeURL \"[2001:db8::1]:8\""},
    {TEMPLATE, "evil.org:61616", STATUS_DENIED, "DiscoverHosts \"evil.org\""},
    {TEMPLATE, "evil.example.net.attacker.org:1", STATUS_DENIED,
     "DiscoverHosts \"evil.example.net.attacker.org\""},
    /* who may be asked is a matter of the URL, an override's too */
    {TEMPLATE, "evil.org:1", STATUS_DENIED, "DiscoverHosts \"evil.org\""},
    {"https://{host}.attacker.org/j", "a.example.net:1", STATUS_DENIED,
     "DiscoverHosts \"a.example.net.attacker.org\""},
    {TEMPLATE, "plain:2", STATUS_INVALID, "http"},
    {TEMPLATE, "0x7f000001:1", STATUS_INVALID, ""},
};

START_TEST(urls_of_members) {
  struct topology_rules rules = {.url_template = urls[_i].url_template,
                                 .overrides = overrides,
                                 .n_overrides = N(overrides),
                                 .hosts = hosts,
                                 .n_hosts = N(hosts)};
  struct topology_core core;
  struct url url = {.key = "kept"};
  struct error error;
  const char *text = urls[_i].core;
  ck_assert_int_eq(topology_core(text, strlen(text), &core, NULL), STATUS_OK);
  enum status status = topology_url(&rules, &core, &url, &error);
  ck_assert_int_eq(status, urls[_i].status);
  if (status == STATUS_OK) {
    ck_assert_str_eq(url.key, urls[_i].text);
    return;
  }
  ck_assert_str_eq(url.key, "kept");
  ck_assert_msg(strstr(error.text, urls[_i].text) != NULL, "%s", error.text);
}
END_TEST

START_TEST(too_long_a_url) {
  char template[URL_MAX + 100];
  int n = snprintf(template, sizeof(template), "https://{host}/");
  memset(template + n, 'a', sizeof(template) - (size_t)n);
  template[sizeof(template) - 1] = 0;
  struct topology_rules rules = {
      .url_template = template, .hosts = hosts, .n_hosts = N(hosts)};
  struct topology_core core = {.host = "plain", .port = 1};
  struct url url;
  ck_assert_int_eq(topology_url(&rules, &core, &url, NULL), STATUS_INVALID);
}
END_TEST

static const struct {
  const char *pattern;
  const char *host;
  bool is_allowed;
} allowed[] = {
    {"*.example.net", "a.example.net", true},
    {"*.example.net", "a.b.example.net", true},
    {"*.example.net", "A.EXAMPLE.net", true},
    {"*.EXAMPLE.net", "a.example.net", true},
    {"*.example.net", "a.example.net.", true},
    {"*.example.net.", "a.example.net", true},
    {"*.example.net", "example.net", false},
    {"*.example.net", "evil.example.net.attacker.org", false},
    {"*.example.net", "evilexample.net", false},
    {"*.example.net", "a.example.netx", false},
    {"example.net", "example.net", true},
    {"example.net", "a.example.net", false},
    {"example.net", "exampleXnet", false},
    {"example.net", "xexample.net", false},
    {"broker-[ab]", "broker-a", true},
    {"broker-[ab]", "broker-c", false},
    {"broker-?", "broker-1", true},
    {"broker-?", "broker-12", false},
    {"10.1.2.*", "10.1.2.3", true},
    {"10.1.2.*", "10.1.20.3", false},
    {"::1", "::1", true},
    {"*", "anything", true},
    {"*", "", false},
    {"", "a", false},
    {".", "a", false},
};

START_TEST(hosts_allowed) {
  const char *const patterns[] = {"nothing.like.it", allowed[_i].pattern};
  ck_assert_int_eq(host_matches(patterns, 2, allowed[_i].host),
                   allowed[_i].is_allowed);
  ck_assert(!host_matches(patterns, 1, allowed[_i].host));
  ck_assert(!host_matches(NULL, 0, allowed[_i].host));
}
END_TEST

START_TEST(long_hosts) {
  const char *const patterns[] = {"*"};
  char host[300];
  memset(host, 'a', sizeof(host));
  host[255] = 0;
  ck_assert(host_matches(patterns, 1, host));
  host[255] = 'a';
  host[256] = 0;
  ck_assert(!host_matches(patterns, 1, host));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("topology");
  TCase *tcase = tcase_create("topology");
  tcase_add_loop_test(tcase, core_addresses, 0, N(cores));
  tcase_add_test(tcase, long_core_addresses);
  tcase_add_loop_test(tcase, members, 0, N(topologies));
  tcase_add_test(tcase, thousands_of_members);
  tcase_add_test(tcase, is_an_exec_of_nothing_else);
  tcase_add_loop_test(tcase, urls_of_members, 0, N(urls));
  tcase_add_test(tcase, too_long_a_url);
  tcase_add_loop_test(tcase, hosts_allowed, 0, N(allowed));
  tcase_add_test(tcase, long_hosts);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
