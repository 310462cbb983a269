/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* The settings of clusters whose nodes are discovered, and the operator's
 * login. */
#include "settings_text.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define S INT64_C(1000000000)

static char folder[] = "/tmp/check_cluster.XXXXXX";

static void set_up(void) {
  memcpy(strchr(folder, '.') + 1, "XXXXXX", 6);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
  text_set_up();
}

static void tear_down(void) {
  text_tear_down();
  unlink("password");
  ck_assert_int_eq(rmdir(folder), 0);
}

static void write_file(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
  ck_assert_int_eq(chmod(name, 0600), 0);
}

#define A "Node \"a\" \"https://a.mgmt.example.net:8161/console/jolokia\"\n"
#define HOSTS "DiscoverHosts \"*.mgmt.example.net\"\n"
#define TEMPLATE "URLTemplate \"https://{host}:8161/console/jolokia\"\n"
#define LOGIN "Username \"u\"\nPassword \"s3cret\"\n"
#define IN(text) "<Cluster \"c\">\n" text "</Cluster>\n"

START_TEST(without_discovery) {
  load_text_well(IN(A));
  const struct cluster_settings *cluster = settings_cluster(&settings, "c");
  ck_assert_ptr_nonnull(cluster);
  ck_assert_ptr_null(settings_cluster(&settings, "d"));
  ck_assert_str_eq(cluster->name, "c");
  ck_assert(!cluster->discover && !cluster->partial_sums);
  ck_assert_uint_eq(cluster->discover_hosts.n, 0);
  ck_assert_ptr_null(cluster->url_template);
  ck_assert_uint_eq(cluster->n_node_urls, 0);
  ck_assert_str_eq(cluster->node_name, "{name}");
  ck_assert_int_eq(cluster->discover_interval_ns, 300 * S);
  ck_assert_int_eq(cluster->forget_after_ns, 600 * S);
  ck_assert_uint_eq(cluster->max_nodes, 64);
  ck_assert_uint_eq(settings_memory(&settings), 163840);
}
END_TEST

START_TEST(with_discovery) {
  ck_assert_int_eq(
      load_text("Timeout 4\n" IN(
          LOGIN
          "Discover true\n" HOSTS TEMPLATE
          "DiscoverHosts \"C.example.net\" \"[::1]\"\n"
          "NodeURL \"broker-c:61616\" \"https://c.example.net/x\"\n"
          "NodeURL \"[fe80::1]:61616\" \"https://d.mgmt.example.net/x\"\n"
          "NodeName \"{host}\"\nDiscoverInterval 30\nForgetAfter 60\n"
          "MaxNodes 5\nPartialSums true\nTimeout 5\n" A) "<Cluster "
                                                         "\"other\">\nNode "
                                                         "\"b\" "
                                                         "\"https://b/j\"\n</"
                                                         "Cluster>\n"),
      STATUS_OK);
  const struct cluster_settings *cluster = settings_cluster(&settings, "c");
  ck_assert(cluster->discover && cluster->partial_sums);
  ck_assert_uint_eq(cluster->discover_hosts.n, 3);
  ck_assert_str_eq(cluster->url_template,
                   "https://{host}:8161/console/jolokia");
  ck_assert_uint_eq(cluster->n_node_urls, 2);
  ck_assert_str_eq(cluster->node_urls[0].core, "broker-c:61616");
  ck_assert_str_eq(cluster->node_urls[0].url, "https://c.example.net/x");
  ck_assert_str_eq(cluster->node_urls[1].core, "[fe80::1]:61616");
  ck_assert_str_eq(cluster->node_name, "{host}");
  ck_assert_int_eq(cluster->discover_interval_ns, 30 * S);
  ck_assert_int_eq(cluster->forget_after_ns, 60 * S);
  ck_assert_uint_eq(cluster->max_nodes, 5);
  const struct node_settings *member = &cluster->member;
  ck_assert_str_eq(member->cluster, "c");
  ck_assert_str_eq(member->username, "u");
  ck_assert_str_eq(member->password, "s3cret");
  ck_assert_int_eq(member->timeout_ns, 5 * S);
  ck_assert_ptr_null(member->name);
  ck_assert_ptr_null(member->url);
  ck_assert_ptr_null(member->url_key);
  const struct cluster_settings *other = settings_cluster(&settings, "other");
  ck_assert(!other->discover);
  ck_assert_int_eq(other->member.timeout_ns, 4 * S);
  ck_assert_uint_eq(settings_memory(&settings), (5 + 1) * 163840);
}
END_TEST

START_TEST(hosts_that_are_allowed) {
  static const struct {
    const char *host;
    bool is_allowed;
  } cases[] = {
      {"a.mgmt.example.net", true},
      {"A.MGMT.Example.net", true},
      {"a.b.mgmt.example.net", true},
      {"mgmt.example.net", false},
      {"a.mgmt.example.net.evil", false},
      {"evil/a.mgmt.example.net@x", false},
      {"192.0.2.1", true},
      {"192.0.2.11", false},
      {"", false},
  };
  load_text_well(
      IN(A "Discover true\n" TEMPLATE HOSTS "DiscoverHosts \"192.0.2.1\"\n"));
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    ck_assert_msg(
        settings_host_is_allowed(&settings.clusters[0], cases[i].host) ==
            cases[i].is_allowed,
        "%s", cases[i].host);
}
END_TEST

/* ---- the operator ---- */

START_TEST(operators) {
  write_file("password", "0perate\n");
  char text[1000];
  snprintf(text, sizeof text,
           "<Operator>\nUsername \"p\"\nPassword \"s3cret\"\n</Operator>\n"
           "<Cluster \"c\">\n" LOGIN
           "<Operator>\nUsername \"op\"\nPasswordFile \"%s/password\"\n"
           "</Operator>\n" A "<Node \"b\" \"https://b/j\">\n<Operator>\n"
           "Login \"same\"\n</Operator>\n</Node>\n</Cluster>\n"
           "<Cluster \"d\">\nNode \"e\" \"https://e/j\"\n</Cluster>\n",
           folder);
  ck_assert_int_eq(load_text(text), STATUS_OK);
  ck_assert_uint_eq(settings.n_nodes, 3);
  const struct operator_settings *login = &settings.nodes[0].operator;
  ck_assert_str_eq(login->username, "op");
  ck_assert_str_eq(login->password, "0perate");
  ck_assert_ptr_nonnull(strstr(login->password_file, "/password"));
  ck_assert(!login->is_monitor);
  ck_assert_str_eq(settings.nodes[0].username, "u");
  ck_assert_str_eq(settings.nodes[0].password, "s3cret");
  ck_assert_ptr_null(settings.nodes[0].password_file);
  login = &settings.nodes[1].operator;
  ck_assert(login->is_monitor);
  ck_assert_ptr_null(login->username);
  ck_assert_ptr_null(login->password);
  ck_assert_ptr_null(login->password_file);
  login = &settings.nodes[2].operator;
  ck_assert_str_eq(login->username, "p");
  ck_assert_str_eq(login->password, "s3cret");
  ck_assert_str_eq(settings_cluster(&settings, "c")->member.operator.username,
                   "op");
}
END_TEST

/* ---- mistakes ---- */

static const struct {
  const char *text;
  const char *place;
  const char *reason;
  const char *remedy;
  bool is_warning;
} mistakes[] = {
    {IN(A "Discover true\n" TEMPLATE), "f:3",
     "Discover: needs the hosts that may be sent the login",
     "add the line DiscoverHosts \"*.mgmt.example.net\"", false},
    {IN("Node \"a\" \"http://127.0.0.1/j\"\nDiscover true\n" TEMPLATE), "f:3",
     "Discover: needs the hosts", "add the line DiscoverHosts \"127.0.0.1\"",
     false},
    {IN("Node \"a\" \"https://[2001:db8::1]/j\"\nDiscover true\n" TEMPLATE),
     "f:3", "Discover: needs the hosts",
     "add the line DiscoverHosts \"2001:db8::1\"", false},
    {IN("Node \"a\" \"https://broker/j\"\nDiscover true\n" TEMPLATE), "f:3",
     "Discover: needs the hosts", "add the line DiscoverHosts \"broker\"",
     false},
    {IN(A "Discover true\n" HOSTS), "f:3", "the brokers name no URLs",
     "add the line URLTemplate \"https://{host}:8161", false},
    {IN("Discover true\n" HOSTS TEMPLATE), "f:1", "Cluster: has no node",
     "write Node", false},
    {IN(A "Discover true\n" HOSTS "URLTemplate \"https://a/console\"\n"), "f:5",
     "URLTemplate: has no {host}", "like \"https://{host}:8161", false},
    {IN(A "Discover true\n" HOSTS "URLTemplate \"https://a/{host}\"\n"), "f:5",
     "has {host} outside of the host", "where the host stands", false},
    {IN(A "Discover true\n" HOSTS "URLTemplate \"{host}://a/j\"\n"), "f:5",
     "has {host} outside of the host", "where the host stands", false},
    {IN(A "Discover true\n" HOSTS "URLTemplate \"https://{host}/{host}\"\n"),
     "f:5", "has {host} more than once", "where the host stands", false},
    {IN(A "Discover true\n" HOSTS "URLTemplate \"https://a:{host}/j\"\n"),
     "f:5", "URLTemplate: with a host in place of {host}: ", "port", false},
    {IN(A "Discover true\n" HOSTS "URLTemplate \"https://x@{host}/j\"\n"),
     "f:5", "URLTemplate: with a host in place of {host}: ", "Username", false},
    {IN(A "Discover true\n" HOSTS "URLTemplate \"ftp://{host}/j\"\n"), "f:5",
     "URLTemplate: with a host in place of {host}: ", "http", false},
    {IN(LOGIN A "Discover true\n" HOSTS "URLTemplate \"http://{host}/j\"\n"),
     "f:7", "URLTemplate: is http://", "\"AllowPlaintext true\"", false},
    {IN(A "Discover true\n" HOSTS "URLTemplate \"http://{host}/j\"\n"
          "<Operator>\nUsername \"o\"\nPassword \"s3cret\"\n</Operator>\n"),
     "f:5", "URLTemplate: is http://", "\"AllowPlaintext true\"", false},
    {IN(LOGIN A "Discover true\n" HOSTS
                "NodeURL \"c:61616\" \"http://c.mgmt.example.net/j\"\n"),
     "f:7", "NodeURL: is http://", "\"AllowPlaintext true\"", false},
    {IN(A "Discover true\n" HOSTS "NodeURL \"c:61616\" \"https://c.net/j\"\n"),
     "f:5", "no pattern of DiscoverHosts matches its host c.net",
     "add the line DiscoverHosts \"c.net\"", false},
    {IN(A "Discover true\n" HOSTS "NodeURL \"c:61616\" \"nonsense\"\n"), "f:5",
     "NodeURL: ", "http", false},
    {IN(A "Discover true\n" HOSTS "NodeURL \"c\" \"https://c.net/j\"\n"), "f:5",
     "NodeURL: its first value is no HOST:PORT", "like \"broker-c:61616\"",
     false},
    {IN(A "Discover true\n" HOSTS "NodeURL \":61616\" \"https://c.net/j\"\n"),
     "f:5", "is no HOST:PORT", "like \"broker-c:61616\"", false},
    {IN(A "Discover true\n" HOSTS "NodeURL \"c:0\" \"https://c.net/j\"\n"),
     "f:5", "no port of 1 to 65535", "like \"broker-c:61616\"", false},
    {IN(A "Discover true\n" HOSTS "NodeURL \"c:99999\" \"https://c.net/j\"\n"),
     "f:5", "no port of 1 to 65535", "like \"broker-c:61616\"", false},
    {IN(A "Discover true\n" HOSTS "NodeURL \"::1:5\" \"https://c.net/j\"\n"),
     "f:5", "has several colons; put an IPv6 address in brackets", "like",
     false},
    {IN(A "Discover true\n" HOSTS
          "NodeURL \"tcp://c:5\" \"https://c.mgmt.example.net/j\"\n"),
     "f:5", "is no HOST:PORT", "like", false},
    {IN(A "Discover true\n" HOSTS "NodeURL \"c:61616\"\n"), "f:5",
     "needs a Core address and a URL", "write NodeURL", false},
    {IN(A "Discover true\n" HOSTS TEMPLATE
          "NodeURL \"c:5\" \"https://c.mgmt.example.net/j\"\n"
          "NodeURL \"C:5\" \"https://d.mgmt.example.net/j\"\n"),
     "f:7", "C:5 has a URL already", "remove one of the lines", false},
    {IN(A "NodeName \"broker\"\n"), "f:3", "neither {name} nor {host}",
     "write \"{name}\"", false},
    {IN(A "MaxNodes 0\n"), "f:3", "MaxNodes: 0 is out of range", "1 to 10000",
     false},
    {IN(A "Node \"b\" \"https://b/j\"\nDiscover true\n" HOSTS TEMPLATE
          "MaxNodes 1\n"),
     "f:7", "MaxNodes: is 1, and there are 2 Node lines", "raise it", false},
    {IN(A HOSTS), "f:3", "DiscoverHosts: is without effect",
     "add the line \"Discover true\"", true},
    {IN("Node \"c\" \"https://a/j\"\n" A), "f:1",
     "its name is also that of the node at f:2", "another name", false},
    {IN("Node \"c\" \"https://a.mgmt.example.net/j\"\nDiscover true\n" HOSTS
            TEMPLATE),
     "f:1", "its name is also that of the node at f:2", "another name", false},
    {"<Cluster \"d\">\nNode \"c\" \"https://d/j\"\n</Cluster>\n" IN(
         A "Node \"b\" \"https://b/j\"\n"),
     "f:4", "its name is also that of the node at f:2", "another name", false},
    {"MaxMemory 1048576\n" IN(A "Discover true\n" HOSTS TEMPLATE), "f:2",
     "more than MaxMemory 1048576", "MaxNodes", false},
    {IN(A "<Operator>\nUsername \"o\"\n</Operator>\n"), "f:3",
     "Operator: its Username has no password", "add PasswordFile", false},
    {IN(A "<Operator>\nPassword \"s3cret\"\n</Operator>\n"), "f:3",
     "Operator: its password has no user name", "add Username", false},
    {IN(A "<Operator>\nLogin \"same\"\nUsername \"o\"\nPassword \"s3cret\"\n"
          "</Operator>\n"),
     "f:3", "has a Username and Login \"same\"", "remove one", false},
    {IN(A "<Operator>\nLogin \"other\"\n</Operator>\n"), "f:4",
     "Login: other is unknown", "\"own\" or \"same\"", false},
    {IN(A "<Operator>\nUsername \"o\"\nPassword \"s3cret\"\n"
          "PasswordFile \"/none\"\n</Operator>\n"),
     "f:3", "only one of them may stand here", "remove Password", false},
    {IN(A "<Operator>\nUsername \"o\"\nPasswordFile \"/none\"\n</Operator>\n"),
     "f:5", "/none: No such file", "mend", false},
    {IN(A "Login \"same\"\n"), "f:3", "cannot stand in <Cluster>",
     "move it to <Operator>", false},
    {IN("<Node \"b\" \"http://b/j\">\n<Operator>\nUsername \"o\"\n"
        "Password \"s3cret\"\n</Operator>\n</Node>\n"),
     "f:2", "would cross the network in the clear", "AllowPlaintext", false},
    {"Discover true\n" IN(A), "f:1", "cannot stand in <Plugin jolokia>",
     "move it to <Cluster>", false},
};

static const struct problem *find_problem(const char *place,
                                          const char *reason) {
  for (size_t i = 0; i < problems.n; i++)
    if (strcmp(problems.list[i].place, place) == 0 &&
        strstr(problems.list[i].text, reason))
      return &problems.list[i];
  return NULL;
}

START_TEST(mistake) {
  load_text(mistakes[_i].text);
  const struct problem *problem =
      find_problem(mistakes[_i].place, mistakes[_i].reason);
  ck_assert_msg(problem != NULL, "%s: told is: %s: %s", mistakes[_i].text,
                problems.n ? problems.list[0].place : "",
                problems.n ? problems.list[0].text : "nothing");
  ck_assert_msg(strstr(problem->text, mistakes[_i].remedy) != NULL, "%s",
                problem->text);
  ck_assert_int_eq(problem->is_warning, mistakes[_i].is_warning);
  for (size_t i = 0; i < problems.n; i++)
    ck_assert_ptr_null(strstr(problems.list[i].text, "s3cret"));
  if (*problem->cluster && !problem->is_warning)
    ck_assert_ptr_null(settings_cluster(&settings, "c"));
}
END_TEST

/* ---- what has changed ---- */

static const struct {
  const char *text;
  unsigned changes;
} changes[] = {
    {"", 0},
    {"# a comment\nTimeout 10\n", 0},
    {"Username \"v\"\n", CHANGED_LOGIN},
    {"<Ceiling>\nBurst 2\n</Ceiling>\n", CHANGED_CEILING},
    {"<Queues>\nExclude \"x\"\n</Queues>\n", CHANGED_FILTERS},
    {"<Queues>\nKeep \"DLQ\"\n</Queues>\n", CHANGED_FILTERS},
    {"<Queues>\nSource \"read\"\n</Queues>\n", CHANGED_FILTERS},
    {"<Operator>\nLogin \"same\"\n</Operator>\n", CHANGED_OPERATOR},
    {"Interval 5\n", CHANGED_TIMES},
    {"Timeout 5\n", CHANGED_TIMES},
    {"VerifyPeer false\n", CHANGED_OTHER},
    {"JMXDomain \"x\"\n", CHANGED_OTHER},
    {"PartialSums true\n", 0},
};

START_TEST(what_has_changed) {
  char text[1000];
  snprintf(text, sizeof text,
           "<Cluster \"c\">\n" LOGIN A "</Cluster>\n"
           "<Cluster \"d\">\n" LOGIN "Node \"b\" "
           "\"https://a.mgmt.example.net:8161/console/jolokia\"\n%s"
           "</Cluster>\n",
           changes[_i].text);
  ck_assert_int_eq(load_text(text), STATUS_OK);
  ck_assert_uint_eq(settings.n_nodes, 2);
  ck_assert_uint_eq(
      settings_node_changes(&settings.nodes[0], &settings.nodes[1]),
      changes[_i].changes);
  ck_assert_uint_eq(
      settings_node_changes(&settings.nodes[1], &settings.nodes[0]),
      changes[_i].changes);
}
END_TEST

/* Against a cluster that discovers with one NodeURL. */
#define URL_C "NodeURL \"c:1\" \"https://c.mgmt.example.net/x\"\n"
static const struct {
  const char *text;
  bool is_same;
} discoveries[] = {
    {LOGIN HOSTS URL_C, true},
    {LOGIN HOSTS URL_C "Node \"more\" \"https://more/x\"\n", true},
    {LOGIN HOSTS URL_C "MaxNodes 5\n", false},
    {LOGIN HOSTS URL_C "PartialSums true\n", false},
    {LOGIN HOSTS URL_C TEMPLATE, false},
    {LOGIN HOSTS URL_C "Timeout 5\n", false},
    {LOGIN "DiscoverHosts \"c.mgmt.example.net\"\n" URL_C, false},
    {"Username \"u\"\nPassword \"another\"\n" HOSTS URL_C, false},
    {LOGIN HOSTS "NodeURL \"c:2\" \"https://c.mgmt.example.net/x\"\n", false},
    {LOGIN HOSTS "NodeURL \"c:1\" \"https://c.mgmt.example.net/y\"\n", false},
    {LOGIN HOSTS URL_C "NodeURL \"d:1\" \"https://d.mgmt.example.net/x\"\n",
     false},
};

START_TEST(discovery_that_has_changed) {
  char text[1000];
  snprintf(text, sizeof text,
           "<Cluster \"c\">\nDiscover true\n" LOGIN HOSTS URL_C A "</Cluster>\n"
           "<Cluster \"d\">\nDiscover true\n%s"
           "Node \"b\" \"https://b/x\"\n</Cluster>\n",
           discoveries[_i].text);
  ck_assert_int_eq(load_text(text), STATUS_OK);
  ck_assert_uint_eq(settings.n_clusters, 2);
  const struct cluster_settings *clusters = settings.clusters;
  ck_assert(settings_discovery_is_same(&clusters[0], &clusters[1]) ==
            discoveries[_i].is_same);
  ck_assert(settings_discovery_is_same(&clusters[1], &clusters[0]) ==
            discoveries[_i].is_same);
}
END_TEST

static void load_with_file(struct settings *ret, const char *option) {
  char text[1000];
  int len = snprintf(
      text, sizeof text, IN(A "Username \"u\"\n%s \"%s/password\"\n%s"), option,
      folder, strcmp(option, "CACert") ? "" : "Password \"x\"\n");
  struct config_tree *one = config_tree_new();
  config_parse_text(one, text, (size_t)len, "f", &problems);
  ck_assert_int_eq(load_tree(one, ret), STATUS_OK);
  config_tree_free(one);
}

/* The names are the same, the contents are not. */
START_TEST(files_that_have_changed) {
  static const char *const options[] = {"PasswordFile", "CACert"};
  static const unsigned expected[] = {CHANGED_LOGIN, CHANGED_OTHER};
  struct settings before;
  struct settings after;
  write_file("password", "-----BEGIN A");
  load_with_file(&before, options[_i]);
  load_with_file(&after, options[_i]);
  ck_assert_uint_eq(settings_node_changes(&before.nodes[0], &after.nodes[0]),
                    0);
  settings_fini(&after);
  write_file("password", "-----BEGIN B");
  load_with_file(&after, options[_i]);
  ck_assert_uint_eq(settings_node_changes(&before.nodes[0], &after.nodes[0]),
                    expected[_i]);
  settings_fini(&after);
  settings_fini(&before);
}
END_TEST

#define N(table) (sizeof table / sizeof table[0])

static Suite *suite(void) {
  Suite *suite = suite_create("cluster settings");
  TCase *tcase = tcase_create("clusters");
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_test(tcase, without_discovery);
  tcase_add_test(tcase, with_discovery);
  tcase_add_test(tcase, hosts_that_are_allowed);
  tcase_add_test(tcase, operators);
  tcase_add_loop_test(tcase, mistake, 0, N(mistakes));
  tcase_add_loop_test(tcase, what_has_changed, 0, N(changes));
  tcase_add_loop_test(tcase, discovery_that_has_changed, 0, N(discoveries));
  tcase_add_loop_test(tcase, files_that_have_changed, 0, 2);
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
