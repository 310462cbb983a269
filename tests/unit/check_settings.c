/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/file.h"
#include "settings_text.h"

#include <math.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/check_settings.XXXXXX";

static const char *path_of(const char *name) {
  static char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void write_bytes(const char *name, const char *bytes, size_t len,
                        mode_t mode) {
  FILE *file = fopen(path_of(name), "w");
  ck_assert_ptr_nonnull(file);
  fwrite(bytes, 1, len, file);
  fclose(file);
  ck_assert_int_eq(chmod(path_of(name), mode), 0);
}

static void write_text(const char *name, const char *text, mode_t mode) {
  write_bytes(name, text, strlen(text), mode);
}

static void set_up(void) {
  memcpy(strstr(folder, "check_settings.") + 15, "XXXXXX", 6);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  write_text("password", "s3cret\n", 0600);
  write_text("pem", "-----BEGIN X-----\n", 0600);
  text_set_up();
}

static void tear_down(void) {
  text_tear_down();
  char command[100];
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
}

/* In ${text}: {dir} our folder; {A} and {B} nodes that are well, on one line.
 */
static char *expand(const char *text) {
  static const char *const words[][2] = {
      {"{dir}", folder},
      {"{A}", "Node \"a\" \"http://127.0.0.1/jolokia\"\n"},
      {"{B}", "Node \"b\" \"https://b.example.net:8161/jolokia\"\n"},
      {"{login}", "Username \"u\"\nPassword \"s3cret\"\n"}};
  static char out[100000];
  size_t len = 0;
  while (*text) {
    bool is_word = false;
    for (size_t i = 0; i < 4 && !is_word; i++)
      if (strncmp(text, words[i][0], strlen(words[i][0])) == 0) {
        len += (size_t)snprintf(out + len, sizeof out - len, "%s", words[i][1]);
        text += strlen(words[i][0]);
        is_word = true;
      }
    if (!is_word)
      out[len++] = *text++;
    ck_assert_uint_lt(len, sizeof out);
  }
  out[len] = 0;
  return out;
}

static enum status load(const char *text) {
  char *expanded = expand(text);
  config_parse_text(tree, expanded, strlen(expanded), "f", &problems);
  return load_tree(tree, &settings);
}

static void load_well(const char *text) {
  enum status status = load(text);
  ck_assert_msg(status == STATUS_OK, "%s: %s: %s", text,
                problems.n ? problems.list[0].place : "",
                problems.n ? problems.list[0].text : "");
}

/* ---- what is well ---- */

START_TEST(nothing) {
  load_well("");
  ck_assert_uint_eq(settings.n_nodes, 0);
  ck_assert_uint_eq(settings.n_clusters, 0);
  ck_assert_str_eq(settings.state_dir, "/run/collectd-jolokia");
  ck_assert_uint_eq(settings.instances, 1);
  ck_assert_uint_eq(settings.max_memory, 256 * 1024 * 1024);
  ck_assert_uint_eq(settings.cluster_files.n, 1);
  ck_assert_str_eq(settings.cluster_files.pattern[0],
                   "/etc/collectd/jolokia.d/*.conf");
}
END_TEST

START_TEST(defaults) {
  load_well("<Cluster \"c\">\n{B}</Cluster>\n");
  ck_assert_uint_eq(problems.n, 0);
  ck_assert_uint_eq(settings.n_clusters, 1);
  ck_assert_uint_eq(settings.n_clusters_left_out, 0);
  ck_assert_uint_eq(settings.n_nodes, 1);
  const struct node_settings *node = &settings.nodes[0];
  ck_assert_str_eq(node->name, "b");
  ck_assert_str_eq(node->cluster, "c");
  ck_assert_str_eq(node->url, "https://b.example.net:8161/jolokia");
  ck_assert_str_eq(node->url_key, "https://b.example.net:8161/jolokia");
  ck_assert_ptr_null(node->username);
  ck_assert_ptr_null(node->password);
  ck_assert_ptr_null(node->password_file);
  ck_assert_ptr_null(node->origin);
  ck_assert_str_eq(node->jmx_domain, "org.apache.activemq.artemis");
  ck_assert_ptr_null(node->ca_cert);
  ck_assert_ptr_null(node->client_cert);
  ck_assert_ptr_null(node->client_key);
  ck_assert(node->verify_peer && node->verify_host && !node->allow_plaintext);
  ck_assert_int_eq(node->interval_ns, 0);
  ck_assert_int_eq(node->address_interval_ns, 60 * INT64_C(1000000000));
  ck_assert_int_eq(node->slow_interval_ns, 300 * INT64_C(1000000000));
  ck_assert_int_eq(node->timeout_ns, 10 * INT64_C(1000000000));
  ck_assert_int_eq(node->connect_timeout_ns, 3 * INT64_C(1000000000));
  ck_assert_int_eq(node->change_timeout_ns, 120 * INT64_C(1000000000));
  ck_assert_int_eq((int)node->self_metrics, SELF_METRICS_BASIC);
  ck_assert_uint_eq(node->ceiling.requests_per_second_milli, 20000);
  ck_assert_uint_eq(node->ceiling.burst, 1);
  ck_assert_uint_eq(node->ceiling.max_in_flight, 2);
  ck_assert_uint_eq(node->ceiling.max_waiting, 64);
  ck_assert_uint_eq(node->ceiling.max_request_bytes, 1024 * 1024);
  ck_assert_uint_eq(node->ceiling.max_response_bytes, 64 * 1024 * 1024);
  ck_assert_uint_eq(node->ceiling.max_object_bytes, 64 * 1024);
  ck_assert_uint_eq(node->queues.include.n, 0);
  ck_assert_uint_eq(node->queues.exclude.n, 0);
  ck_assert_uint_eq(node->queues.keep.n, 2);
  ck_assert_str_eq(node->queues.keep.pattern[0], "DLQ");
  ck_assert_str_eq(node->queues.keep.pattern[1], "ExpiryQueue");
  ck_assert_uint_eq(node->queues.max_queues, 10000);
  ck_assert_int_eq((int)node->queues.source, SOURCE_AUTO);
  ck_assert_uint_eq(node->ceiling.changes_per_second_milli, 50000);
  ck_assert_uint_eq(node->ceiling.bytes_per_second, 2097152);
  ck_assert_uint_eq(node->ceiling.handling_share_milli, 250);
  ck_assert_uint_eq(settings_memory(&settings), 2 * (16384 + 65536));
  ck_assert_uint_eq(settings_broker_memory(&settings, node),
                    UINT64_C(2) * 67108864);
  settings.instances = 3;
  ck_assert_uint_eq(settings_broker_memory(&settings, node),
                    UINT64_C(6) * 67108864);
}
END_TEST

START_TEST(the_innermost_wins) {
  load_well("Timeout 4\nInterval 1\nOrigin \"http://o\"\n"
            "<Ceiling>\nBurst 2\nMaxWaiting 5\nRequestsPerSecond 3\n"
            "</Ceiling>\n"
            "<Queues>\nExclude \"p\"\nKeep \"k\"\n</Queues>\n"
            "<Cluster \"c\">\nTimeout 5\n<Ceiling>\nBurst 3\n</Ceiling>\n"
            "<Queues>\nExclude \"c1\" \"c2\"\nExclude \"c3\"\n</Queues>\n{A}"
            "<Node \"b\">\nURL \"http://localhost:1/b\"\nTimeout 6\n"
            "<Ceiling>\nBurst 4\n</Ceiling>\n"
            "<Queues>\nExclude \"n\"\nMaxQueues 7\n</Queues>\n</Node>\n"
            "</Cluster>\n"
            "<Cluster \"d\">\nNode \"e\" \"http://localhost:1/e\"\n"
            "</Cluster>\n");
  ck_assert_uint_eq(settings.n_nodes, 3);
  static const struct {
    int timeout_s;
    unsigned burst;
    size_t n_exclude;
    const char *exclude;
    unsigned max_queues;
  } expected[] = {
      {5, 3, 3, "c1", 10000}, {6, 4, 1, "n", 7}, {4, 2, 1, "p", 10000}};
  for (size_t i = 0; i < 3; i++) {
    const struct node_settings *node = &settings.nodes[i];
    ck_assert_int_eq(node->interval_ns, 1000000000);
    ck_assert_int_eq(node->timeout_ns,
                     expected[i].timeout_s * INT64_C(1000000000));
    ck_assert_uint_eq(node->ceiling.burst, expected[i].burst);
    ck_assert_uint_eq(node->ceiling.max_waiting, 5);
    ck_assert_uint_eq(node->ceiling.requests_per_second_milli, 3000);
    ck_assert_uint_eq(node->queues.exclude.n, expected[i].n_exclude);
    ck_assert_str_eq(node->queues.exclude.pattern[0], expected[i].exclude);
    ck_assert_ptr_nonnull(strchr(node->queues.exclude.place[0], ':'));
    ck_assert_uint_eq(node->queues.keep.n, 1);
    ck_assert_uint_eq(node->queues.max_queues, expected[i].max_queues);
    ck_assert_str_eq(node->origin, "http://o");
  }
}
END_TEST

START_TEST(blocks_of_collectd_conf_merge) {
  load_well(
      "Hostname \"x\"\nInterval 7\n"
      "<Plugin other>\nNonsense 1\n</Plugin>\n"
      "<Plugin jolokia>\n<Cluster \"c\">\n{A}</Cluster>\nTimeout 4\n"
      "</Plugin>\n"
      "<Plugin \"Jolokia\">\n<Cluster \"d\">\n{B}</Cluster>\nInstances 3\n"
      "ClusterFiles \"/a\" \"/b\"\nClusterFiles \"/c\"\n</Plugin>\n");
  ck_assert_uint_eq(settings.n_nodes, 2);
  ck_assert_int_eq(settings.nodes[0].timeout_ns, INT64_C(4000000000));
  ck_assert_int_eq(settings.nodes[1].timeout_ns, INT64_C(4000000000));
  ck_assert_int_eq(settings.nodes[0].interval_ns, 0);
  ck_assert_uint_eq(settings.instances, 3);
  ck_assert_uint_eq(settings.cluster_files.n, 3);
}
END_TEST

static const struct {
  const char *line;
  size_t offset;
  int size; /* 1: bool, 4, 8 */
  uint64_t value;
} values[] = {
#define AT(member) offsetof(struct node_settings, member)
    {"Interval 0.1", AT(interval_ns), 8, 100000000},
    {"interval 86400", AT(interval_ns), 8, 86400000000000},
    {"Interval 1.234", AT(interval_ns), 8, 1234000000},
    {"Timeout \"7\"", AT(timeout_ns), 8, 7000000000},
    {"Timeout 1e2", AT(timeout_ns), 8, 100000000000},
    {"Timeout 1.0e+2", AT(timeout_ns), 8, 100000000000},
    {"Timeout 0x10", AT(timeout_ns), 8, 16000000000},
    {"VerifyPeer false", AT(verify_peer), 1, 0},
    {"VerifyPeer \"no\"", AT(verify_peer), 1, 0},
    {"VerifyHost Off", AT(verify_host), 1, 0},
    {"AllowPlaintext yes", AT(allow_plaintext), 1, 1},
    {"AllowPlaintext \"TRUE\"", AT(allow_plaintext), 1, 1},
    {"SelfMetrics \"full\"", AT(self_metrics), 4, SELF_METRICS_FULL},
    {"SelfMetrics Basic", AT(self_metrics), 4, SELF_METRICS_BASIC},
    {"SelfMetrics off", AT(self_metrics), 4, SELF_METRICS_OFF},
    {"SelfMetrics \"off\"", AT(self_metrics), 4, SELF_METRICS_OFF},
    {"<Ceiling>\nRequestsPerSecond 0.001\n</Ceiling>",
     AT(ceiling.requests_per_second_milli), 8, 1},
    {"<Ceiling>\nRequestsPerSecond 1000000\n</Ceiling>",
     AT(ceiling.requests_per_second_milli), 8, 1000000000},
    {"<Ceiling>\nRequestsPerSecond 1e3\n</Ceiling>",
     AT(ceiling.requests_per_second_milli), 8, 1000000},
    {"<Ceiling>\nBurst 1000000\n</Ceiling>", AT(ceiling.burst), 8, 1000000},
    {"<Ceiling>\nChangesPerSecond 0.001\n</Ceiling>",
     AT(ceiling.changes_per_second_milli), 8, 1},
    {"<Ceiling>\nChangesPerSecond 1000000\n</Ceiling>",
     AT(ceiling.changes_per_second_milli), 8, 1000000000},
    {"<Ceiling>\nBytesPerSecond 1024\n</Ceiling>", AT(ceiling.bytes_per_second),
     8, 1024},
    {"<Ceiling>\nBytesPerSecond 1099511627776\n</Ceiling>",
     AT(ceiling.bytes_per_second), 8, 1099511627776},
    {"<Ceiling>\nHandlingShare 0.001\n</Ceiling>",
     AT(ceiling.handling_share_milli), 8, 1},
    {"<Ceiling>\nHandlingShare 64\n</Ceiling>",
     AT(ceiling.handling_share_milli), 8, 64000},
    {"<Ceiling>\nMaxInFlight 64\n</Ceiling>", AT(ceiling.max_in_flight), 4, 64},
    {"<Ceiling>\nMaxWaiting 10000\n</Ceiling>", AT(ceiling.max_waiting), 4,
     10000},
    {"<Ceiling>\nMaxResponseBytes 1073741824\n</Ceiling>",
     AT(ceiling.max_response_bytes), 8, 1073741824},
    {"<Queues>\nSource \"read\"\n</Queues>", AT(queues.source), 4, SOURCE_READ},
    {"<Queues>\nSource list\n</Queues>", AT(queues.source), 4, SOURCE_LIST},
    {"<Queues>\nMaxQueues 1\n</Queues>", AT(queues.max_queues), 4, 1},
    {"<Addresses>\nMaxAddresses 9\n</Addresses>", AT(addresses.max_addresses),
     4, 9},
    {"Names \"strict\"", AT(names), 4, NAME_STRICT},
};

START_TEST(takes_values) {
  char text[300];
  snprintf(text, sizeof text, "<Cluster \"c\">\n%s\n{B}</Cluster>\n",
           values[_i].line);
  load_well(text);
  const char *at = (const char *)&settings.nodes[0] + values[_i].offset;
  uint64_t value = 0;
  uint32_t small = 0;
  if (values[_i].size == 8)
    memcpy(&value, at, sizeof value);
  else if (values[_i].size == 4)
    memcpy(&small, at, sizeof small);
  else
    value = *(const bool *)at;
  ck_assert_uint_eq(value + small, values[_i].value);
}
END_TEST

START_TEST(logins) {
  load_well("<Cluster \"c\">\nUsername \"u\"\nPasswordFile \"{dir}/password\"\n"
            "{B}"
            "<Node \"n\">\nURL \"https://n/j\"\nUsername \"v\"\n"
            "Password \"other\"\n</Node>\n"
            "<Node \"m\" \"https://m/j\">\nUsername \"w\"\n</Node>\n"
            "</Cluster>\n");
  ck_assert_uint_eq(settings.n_nodes, 3);
  ck_assert_str_eq(settings.nodes[0].username, "u");
  ck_assert_str_eq(settings.nodes[0].password, "s3cret");
  ck_assert_str_eq(settings.nodes[0].password_file, path_of("password"));
  ck_assert_str_eq(settings.nodes[1].username, "v");
  ck_assert_str_eq(settings.nodes[1].password, "other");
  ck_assert_ptr_null(settings.nodes[1].password_file);
  ck_assert_str_eq(settings.nodes[2].username, "w");
  ck_assert_str_eq(settings.nodes[2].password, "s3cret");
}
END_TEST

static const struct {
  const char *name;
  const char *content;
  const char *password;
} password_files[] = {
    {"one line", "s3cret\n", "s3cret"},
    {"no line break", "s3cret", "s3cret"},
    {"spaces are kept", " s3 cret \n", " s3 cret "},
    {"not ASCII", "s\xc3\xa9\xff\n", "s\xc3\xa9\xff"},
};

START_TEST(password_file) {
  write_text("p", password_files[_i].content, 0600);
  load_well("<Cluster \"c\">\nUsername \"u\"\nPasswordFile \"{dir}/p\"\n{B}"
            "</Cluster>\n");
  ck_assert_str_eq(settings.nodes[0].password, password_files[_i].password);
}
END_TEST

START_TEST(password_file_through_links) {
  ck_assert_int_eq(symlink("password", path_of("link")), 0);
  load_well("<Cluster \"c\">\nUsername \"u\"\nPasswordFile \"{dir}/link\"\n{B}"
            "</Cluster>\n");
  ck_assert_str_eq(settings.nodes[0].password, "s3cret");
  ck_assert_uint_eq(problems.n, 0);
}
END_TEST

START_TEST(a_password_of_4096_bytes) {
  char bytes[4098];
  memset(bytes, 'x', sizeof bytes);
  write_bytes("p", bytes, 4096, 0600);
  load_well("<Cluster \"c\">\nUsername \"u\"\nPasswordFile \"{dir}/p\"\n{B}"
            "</Cluster>\n");
  ck_assert_uint_eq(strlen(settings.nodes[0].password), 4096);
}
END_TEST

/* ---- mistakes ---- */

#define LONG_NAME                                                              \
  "12345678901234567890123456789012345678901234567890123456789012345678901234" \
  "567890123456789012345678901234567890123456789012345678"
#define IN(text) "<Cluster \"c\">\n" text "{A}</Cluster>\n"

static const struct {
  const char *text;
  const char *place;
  const char *reason; /* both stand in the problem's text */
  const char *remedy;
  const char
      *cluster; /* left out; NULL: a warning; "": at the plugin's level */
} mistakes[] = {
    /* unknown and misplaced */
    {"Intervall 1\n", "f:1", "Intervall: unknown option",
     "did you mean Interval?", ""},
    {"Colour \"red\"\n", "f:1", "Colour: unknown option",
     "collectd-jolokia(5) lists", ""},
    {IN("Timout 1\n"), "f:2", "unknown option", "did you mean Timeout?", "c"},
    {IN("<Ceiling>\nRequestPerSecond 1\n</Ceiling>\n"), "f:3",
     "RequestPerSecond: unknown", "did you mean RequestsPerSecond?", "c"},
    {"Sets \"a\"\n", "f:1", "Sets: unknown option", "Set", ""},
    {"Set \"a\"\n", "f:1", "no set a", "\"artemis\", \"artemis-detail\"", ""},
    {IN("StateDir \"/x\"\n"), "f:2", "StateDir: cannot stand in <Cluster>",
     "move it to <Plugin jolokia>", "c"},
    {"Username \"x\"\n", "f:1", "cannot stand in <Plugin jolokia>",
     "move it to <Cluster>", ""},
    {IN("Burst 2\n"), "f:2", "cannot stand in <Cluster>",
     "move it to <Ceiling>", "c"},
    {"Include \"/x\"\n<Cluster \"c\">\n</Cluster>\n", "f:1", "Include",
     "remove", NULL},
    {IN("Include \"/x\"\n"), "f:2", "Include: cannot stand in <Cluster>",
     "outside of all blocks", "c"},
    /* shape */
    {IN("<Timeout>\nx 1\n</Timeout>\n"), "f:2", "is an option, not a block",
     "write Timeout 10", "c"},
    {IN("Timeout 1 2\n"), "f:2", "Timeout: has too many values",
     "write Timeout 10", "c"},
    {IN("<Ceiling \"x\">\nBurst 2\n</Ceiling>\n"), "f:2",
     "Ceiling: is a block without a value", "write <Ceiling>", "c"},
    {IN("Timeout 1\nTimeout 2\n"), "f:3", "stands here more than once",
     "remove the others", NULL},
    /* types */
    {IN("Timeout \"ten\"\n"), "f:2", "ten is no number",
     "write 0.1 to 3600 (seconds), like Timeout 10", "c"},
    {IN("Timeout true\n"), "f:2", "true is no number", "like Timeout 10", "c"},
    {IN("Timeout \"nan\"\n"), "f:2", "nan is no number", "like Timeout 10",
     "c"},
    {IN("Timeout 1.2.3.4\n"), "f:2", "1.2.3.4 is no number", "Timeout 10", "c"},
    {IN("VerifyPeer 1\n"), "f:2", "1 is neither true nor false",
     "write VerifyPeer true", "c"},
    {IN("VerifyPeer maybe\n"), "f:2", "maybe is neither true nor false",
     "write VerifyPeer true", "c"},
    {IN("SelfMetrics \"some\"\n"), "f:2", "some is unknown",
     "\"basic\", \"full\" or \"off\"", "c"},
    {IN("SelfMetrics on\n"), "f:2", "on is unknown", "\"basic\"", "c"},
    {IN("JMXDomain 5\n"), "f:2", "JMXDomain: needs a text",
     "quotes: JMXDomain \"org.", "c"},
    {IN("<Queues>\nExclude \"a\" \"/(/\"\n</Queues>\n"), "f:3",
     "value 2 stands between slashes and is no extended regular expression",
     "mend it", "c"},
    {IN("<Addresses>\nExclude \"/(a)\\\\1/\"\n</Addresses>\n"), "f:3",
     "has a back-reference", "write it without", "c"},
    {IN("<Addresses>\nMaxQueues 5\n</Addresses>\n"), "f:3",
     "cannot stand in <Addresses>", "move it to <Queues>", "c"},
    {IN("<Queues>\nExclude \"a\" 5\n</Queues>\n"), "f:3", "value 2 is no text",
     "put it in quotes", "c"},
    {IN("Username 5\nPassword \"s3cret\"\n"), "f:2", "Username: needs a text",
     "quotes", "c"},
    {IN("Username \"u\"\nPassword 12345\n"), "f:3", "Password: needs a text",
     "put the value in quotes", "c"},
    /* numbers */
    {IN("Timeout 0\n"), "f:2", "0 is out of range", "0.1 to 3600", "c"},
    {IN("Timeout -1\n"), "f:2", "-1 is out of range", "0.1 to 3600", "c"},
    {IN("Timeout 3600.1\n"), "f:2", "out of range", "0.1 to 3600", "c"},
    {IN("Timeout 1.0e+999\n"), "f:2", "1.0e+999 is out of range", "3600", "c"},
    {IN("Timeout \"1e999\"\n"), "f:2", "1e999 is no number", "3600", "c"},
    {IN("Timeout 1.2345\n"), "f:2", "more than three digits behind the point",
     "like Timeout 10", "c"},
    {IN("<Ceiling>\nRequestsPerSecond 0\n</Ceiling>\n"), "f:3",
     "RequestsPerSecond: 0 is out of range",
     "0.001 to 1000000 (requests a second), like RequestsPerSecond 20", "c"},
    {IN("<Ceiling>\nRequestsPerSecond -20\n</Ceiling>\n"), "f:3",
     "out of range", "RequestsPerSecond 20", "c"},
    {IN("<Ceiling>\nRequestsPerSecond 0.0005\n</Ceiling>\n"), "f:3",
     "out of range", "RequestsPerSecond 20", "c"},
    {IN("<Ceiling>\nRequestsPerSecond 1000000.1\n</Ceiling>\n"), "f:3",
     "out of range", "RequestsPerSecond 20", "c"},
    {IN("<Ceiling>\nRequestsPerSecond nan\n</Ceiling>\n"), "f:3",
     "is no number", "RequestsPerSecond 20", "c"},
    {IN("<Ceiling>\nBurst 0\n</Ceiling>\n"), "f:3", "out of range",
     "like Burst 1", "c"},
    {IN("<Ceiling>\nBurst 0.5\n</Ceiling>\n"), "f:3", "out of range",
     "like Burst 1", "c"},
    {IN("<Ceiling>\nChangesPerSecond 0\n</Ceiling>\n"), "f:3",
     "ChangesPerSecond: 0 is out of range",
     "0.001 to 1000000 (changes a second), like ChangesPerSecond 50", "c"},
    {IN("<Ceiling>\nChangesPerSecond -1\n</Ceiling>\n"), "f:3", "out of range",
     "ChangesPerSecond 50", "c"},
    {IN("<Ceiling>\nChangesPerSecond 1000001\n</Ceiling>\n"), "f:3",
     "out of range", "ChangesPerSecond 50", "c"},
    {IN("<Ceiling>\nChangesPerSecond nan\n</Ceiling>\n"), "f:3", "is no number",
     "ChangesPerSecond 50", "c"},
    {IN("<Ceiling>\nBytesPerSecond 0\n</Ceiling>\n"), "f:3",
     "BytesPerSecond: 0 is out of range",
     "1024 to 1099511627776 (bytes a second), like BytesPerSecond 2097152",
     "c"},
    {IN("<Ceiling>\nBytesPerSecond 1099511627777\n</Ceiling>\n"), "f:3",
     "out of range", "BytesPerSecond 2097152", "c"},
    {IN("<Ceiling>\nBytesPerSecond \"inf\"\n</Ceiling>\n"), "f:3",
     "is no number", "BytesPerSecond 2097152", "c"},
    {IN("<Ceiling>\nHandlingShare 0\n</Ceiling>\n"), "f:3",
     "HandlingShare: 0 is out of range",
     "0.001 to 64 (seconds a second), like HandlingShare 0.25", "c"},
    {IN("<Ceiling>\nHandlingShare -0.25\n</Ceiling>\n"), "f:3", "out of range",
     "HandlingShare 0.25", "c"},
    {IN("<Ceiling>\nHandlingShare 65\n</Ceiling>\n"), "f:3", "out of range",
     "HandlingShare 0.25", "c"},
    {IN("<Ceiling>\nHandlingShare \"nan\"\n</Ceiling>\n"), "f:3",
     "is no number", "HandlingShare 0.25", "c"},
    {"Instances 1000\n<Cluster \"c\">\n{A}<Ceiling>\n"
     "RequestsPerSecond 0.999\n</Ceiling>\n</Cluster>\n",
     "f:3", "RequestsPerSecond: divided by Instances 1000 it is below 0.001",
     "raise it, or lower Instances", "c"},
    {"Instances 1000\n<Cluster \"c\">\n{A}<Ceiling>\n"
     "ChangesPerSecond 0.999\n</Ceiling>\n</Cluster>\n",
     "f:3", "ChangesPerSecond: divided by Instances 1000 it is below 0.001",
     "raise it, or lower Instances", "c"},
    {IN("<Ceiling>\nBurst 1.5\n</Ceiling>\n"), "f:3", "is not a whole number",
     "like Burst 1", "c"},
    {IN("<Ceiling>\nMaxInFlight 65\n</Ceiling>\n"), "f:3", "out of range",
     "1 to 64", "c"},
    {IN("<Ceiling>\nMaxWaiting 4294967297\n</Ceiling>\n"), "f:3",
     "out of range", "1 to 10000", "c"},
    {IN("<Ceiling>\nMaxObjectBytes 100\n</Ceiling>\n"), "f:3", "out of range",
     "1024 to 16777216 (bytes)", "c"},
    {"Timeout -1\n", "f:1", "Timeout: -1 is out of range", "Timeout 10", ""},
    {"Instances 0\n", "f:1", "Instances: 0 is out of range", "1 to 1000", ""},
    /* texts */
    {IN("Username \"\"\nPassword \"s3cret\"\n"), "f:2", "is empty",
     "give it a value or remove it", "c"},
    {IN("Username \"a\tb\"\nPassword \"s3cret\"\n"), "f:2",
     "has a control byte", "remove it", "c"},
    {IN("Username \"a:b\"\nPassword \"s3cret\"\n"), "f:2", "has a ':'",
     "put the password in PasswordFile", "c"},
    {IN("Username \"u\"\nPassword \"s3cret\nx\"\n"), "f:3",
     "Password: has a line break", "is a closing quote missing?", "c"},
    {IN("Origin \"localhost\"\n"), "f:2", "Origin: is no origin",
     "like \"http://localhost\"", "c"},
    {IN("JMXDomain \"a:*\"\n"), "f:2", "a ':', '*' or '?'", "broker.xml", "c"},
    {"StateDir \"run\"\n", "f:1", "StateDir: is a relative path", "from / on",
     ""},
    /* clusters */
    {"<Cluster \"c\">\n</Cluster>\n", "f:1", "Cluster: has no node",
     "write Node \"NAME\" \"URL\" in it", "c"},
    {"<Cluster \"c\">\nTimeout 1\n</Cluster>\n", "f:1", "Cluster: has no node",
     "write Node", "c"},
    {"<Cluster>\n{A}</Cluster>\n", "f:1", "Cluster: needs one name",
     "<Cluster \"NAME\">", ""},
    {"<Cluster \"c\" \"d\">\n{A}</Cluster>\n", "f:1", "needs one name",
     "<Cluster \"NAME\">", ""},
    {"<Cluster 5>\n{A}</Cluster>\n", "f:1", "needs one name", "in quotes", ""},
    {"<Cluster \"a/b\">\n{A}</Cluster>\n", "f:1", "its name has a '/'",
     "use another character", ""},
    {"<Cluster \"a\xc3\x28\">\n{A}</Cluster>\n", "f:1", "its name is no UTF-8",
     "write it so", ""},
    {"<Cluster \"\">\n{A}</Cluster>\n", "f:1", "its name is empty",
     "give it a value", ""},
    {"<Cluster \"" LONG_NAME "\">\n{A}</Cluster>\n", "f:1", "is too long",
     "shorten it", ""},
    {"<Cluster \"c\">\n{A}</Cluster>\n<Cluster \"c\">\n{B}</Cluster>\n", "f:4",
     "its name stands twice, also at f:1", "give it another name", "c"},
    {"<Cluster \"c\">\nx\n{A}</Cluster>\n", "f:2", "needs a value",
     "on its line", "c"},
    /* nodes */
    {"<Cluster \"c\">\n{A}Node \"a\" \"https://x/y\"\n</Cluster>\n", "f:3",
     "its name stands twice, also at f:2", "give it another name", "c"},
    {"<Cluster \"c\">\n{A}</Cluster>\n"
     "<Cluster \"d\">\nNode \"a\" \"https://x/y\"\n</Cluster>\n",
     "f:5", "its name stands twice, also at f:2", "another name", "d"},
    {"<Cluster \"c\">\n{A}Node \"x\" \"http://127.0.0.1:80/jolokia/\"\n"
     "</Cluster>\n",
     "f:3", "its URL is the one of the node at f:2", "remove one", "c"},
    {"<Cluster \"c\">\n{A}</Cluster>\n"
     "<Cluster \"d\">\nNode \"x\" \"HTTP://127.0.0.1/jolokia\"\n</Cluster>\n",
     "f:5", "its URL is the one of the node at f:2", "share one ceiling", NULL},
    {IN("Node \"x\"\n"), "f:2", "Node: needs one URL",
     "write Node \"NAME\" \"URL\"", "c"},
    {IN("Node \"x\" 5\n"), "f:2", "needs one URL", "both in quotes", "c"},
    {IN("Node 5 \"https://x/y\"\n"), "f:2", "needs a name and a URL",
     "both in quotes", "c"},
    {IN("Node \"x\" \"https://x/y\" \"z\"\n"), "f:2", "needs a name and a URL",
     "write Node", "c"},
    {IN("<Node \"x\">\nTimeout 1\n</Node>\n"), "f:2", "needs one URL", "write",
     "c"},
    {IN("<Node \"x\" \"https://x/y\">\nURL \"https://x/y\"\n</Node>\n"), "f:2",
     "more than one URL", "leave one", "c"},
    {IN("Node \"a/b\" \"https://x/y\"\n"), "f:2", "its name has a '/'",
     "use another character", "c"},
    {IN("Node \"a\x01\" \"https://x/y\"\n"), "f:2", "a control byte",
     "remove it", "c"},
    {IN("Node \"" LONG_NAME "8\" \"https://x/y\"\n"), "f:2", "is too long",
     "shorten it", "c"},
    {IN("Node \"x\" \"ftp://x/y\"\n"), "f:2", "Node: URL", "http", "c"},
    {IN("Node \"x\" \"http://u:s3cret@x/y\"\n"), "f:2", "user name or password",
     "use Username and PasswordFile", "c"},
    {IN("Node \"x\" \"https://x:99999/y\"\n"), "f:2", "Node: URL", "port", "c"},
    /* logins */
    {IN("Username \"u\"\n"), "f:3", "Username: has no password",
     "add PasswordFile", "c"},
    {IN("Password \"s3cret\"\n"), "f:3", "Password: has no user name",
     "add Username", "c"},
    {IN("{login}"), "f:3", "Password: stands where many can read it",
     "name that in PasswordFile", NULL},
    {IN("{login}PasswordFile \"{dir}/password\"\n"), "f:1",
     "only one of them may stand here", "remove Password", "c"},
    {IN("Username \"u\"\nPasswordFile \"{dir}/none\"\n"), "f:3",
     "/none: No such file", "mend the path", "c"},
    {IN("Username \"u\"\nPasswordFile \"password\"\n"), "f:3",
     "a relative path", "from / on", "c"},
    {IN("Username \"u\"\nPasswordFile \"{dir}\"\n"), "f:3",
     "not a regular file", "mend", "c"},
    {IN("Username \"u\"\nPasswordFile \"{dir}/password/x\"\n"), "f:3",
     "Not a directory", "mend", "c"},
    {IN("Username \"u\"\nPasswordFile 5\n"), "f:3", "needs a text", "quotes",
     "c"},
    {"<Cluster \"c\">\n{login}Node \"x\" \"http://192.0.2.1/j\"\n</Cluster>\n",
     "f:4", "the password would cross the network in the clear",
     "add the line \"AllowPlaintext true\"", "c"},
    /* TLS */
    {IN("ClientKey \"{dir}/pem\"\n"), "f:3", "ClientKey: has no certificate",
     "add ClientCert", "c"},
    {IN("CACert \"{dir}/none\"\n"), "f:2", "CACert: /tmp/check_settings",
     "No such file", "c"},
    {IN("CACert \"none\"\n"), "f:2", "CACert: is a relative path", "from / on",
     "c"},
    {IN("ClientCert \"{dir}\"\n"), "f:2", "not a regular file", "mend the path",
     "c"},
    {IN("CACert \"{dir}/password\"\n"), "f:2", "password: no PEM in it",
     "name a PEM file", "c"},
    {IN("VerifyPeer false\n"), "f:3", "without effect on an http:// URL",
     "or use https://", NULL},
    /* memory */
    {"MaxMemory 1048576\n<Ceiling>\nMaxObjectBytes 300000\n</Ceiling>\n"
     "<Cluster \"c\">\n{A}</Cluster>\n<Cluster \"d\">\n{B}</Cluster>\n",
     "f:8", "reserve 632768 bytes, with those before it 1265536",
     "raise MaxMemory", "d"},
    {"MaxMemory 1048576\n<Cluster \"c\">\n{A}</Cluster>\n"
     "<Cluster \"d\">\n<Ceiling>\nMaxObjectBytes 1048576\n</Ceiling>\n{B}"
     "</Cluster>\n",
     "f:5",
     "reserve 2129920 bytes, with those before it 2293760, more than MaxMemory "
     "1048576",
     "raise MaxMemory", "d"},
};

static const struct problem *find_problem(const char *place,
                                          const char *reason) {
  for (size_t i = 0; i < problems.n; i++)
    if (strcmp(problems.list[i].place, place) == 0 &&
        strstr(problems.list[i].text, reason))
      return &problems.list[i];
  return NULL;
}

static void no_secret(void) {
  for (size_t i = 0; i < problems.n; i++) {
    ck_assert_ptr_null(strstr(problems.list[i].text, "s3cret"));
    ck_assert_ptr_null(strstr(problems.list[i].place, "s3cret"));
    ck_assert_ptr_null(strstr(problems.list[i].text, "12345"));
  }
}

START_TEST(mistake) {
  enum status status = load(mistakes[_i].text);
  const struct problem *problem =
      find_problem(mistakes[_i].place, mistakes[_i].reason);
  ck_assert_msg(problem != NULL, "%s: told is: %s: %s", mistakes[_i].text,
                problems.n ? problems.list[0].place : "",
                problems.n ? problems.list[0].text : "nothing");
  ck_assert_msg(strstr(problem->text, mistakes[_i].remedy) != NULL, "%s",
                problem->text);
  no_secret();
  if (!mistakes[_i].cluster) {
    ck_assert(problem->is_warning || strstr(problem->text, "Include"));
    return;
  }
  ck_assert_int_eq(status == STATUS_OK && problems.n_errors == 0, 0);
  ck_assert(!problem->is_warning);
  ck_assert_str_eq(problem->cluster, mistakes[_i].cluster);
  if (*mistakes[_i].cluster) {
    ck_assert_uint_eq(settings.n_clusters_left_out, 1);
    for (size_t i = 0; i < settings.n_nodes; i++)
      ck_assert(strcmp(settings.nodes[i].cluster, mistakes[_i].cluster) != 0 ||
                strstr(problem->text, "name stands twice"));
  }
}
END_TEST

/* What a refused option or an unread line leaves open is no second mistake. */
static const struct {
  const char *text;
  size_t n_errors;
} single[] = {
    {IN("Username \"u\"\nPasswordFile \"{dir}/none\"\n"), 1},
    {IN("Username 5\nPassword \"s3cret\"\n"), 1},
    {IN("Username \"u\"\nPasswordFile /none\n"), 1},
    {IN("Username \"u\nPassword \"s3cret\"\n"), 1},
    {"<Cluster \"c\">\nNode x-y \"https://x/y\"\n</Cluster>\n", 1},
    {"<Cluster \"c\">\nNode x-2 \"https://x/y\"\n</Cluster>\n", 1},
    {"<Cluster \"c\">\n<Node>\nInterval 5\n</Node>\n</Cluster>\n", 1},
    {"<Cluster \"c\">\nNode \"x\"\n</Cluster>\n", 1},
    {"<Cluster \"c\">\nUsername \"u\"\n<Node \"m\">\nURL \"https://x/y\"\n"
     "PasswordFile \"{dir}/none\"\n</Node>\nNode \"n\" \"https://x/z\"\n"
     "</Cluster>\n",
     2},
};

START_TEST(one_cause_one_mistake) {
  load(single[_i].text);
  ck_assert_msg(problems.n_errors == single[_i].n_errors, "%s: %zu errors",
                single[_i].text, problems.n_errors);
}
END_TEST

START_TEST(a_mistake_costs_its_cluster_alone) {
  load("Timeout 0\n<Ceiling>\nBurst 5\nMaxWaiting 0\n</Ceiling>\n"
       "<Cluster \"bad\">\nFoo 1\nBar 2\nNode \"x\" \"y\"\n</Cluster>\n"
       "<Cluster \"good\">\n{A}{B}</Cluster>\n<Cluster "
       "\"worse\">\n</Cluster>\n");
  ck_assert_uint_eq(settings.n_clusters, 1);
  ck_assert_uint_eq(settings.n_clusters_left_out, 2);
  ck_assert_uint_eq(settings.n_nodes, 2);
  ck_assert_str_eq(settings.nodes[0].cluster, "good");
  ck_assert_int_eq(settings.nodes[0].timeout_ns, INT64_C(10000000000));
  ck_assert_uint_eq(settings.nodes[0].ceiling.burst, 5);
  ck_assert_uint_eq(settings.nodes[0].ceiling.max_waiting, 64);
  static const char *const places[] = {"f:1", "f:4", "f:7",
                                       "f:8", "f:9", "f:15"};
  ck_assert_uint_eq(problems.n, 6);
  ck_assert_uint_eq(problems.n_errors, 6);
  for (size_t i = 0; i < 6; i++)
    ck_assert_str_eq(problems.list[i].place, places[i]);
}
END_TEST

static const struct {
  mode_t mode;
  const char *content;
  const char *reason;
  bool is_warning;
} bad_files[] = {
    {0602, "s3cret\n", "everybody may write it", false},
    {0606, "s3cret\n", "everybody may write it", false},
    {0604, "s3cret\n", "everybody may read", true},
    {0600, "", "it is empty", false},
    {0600, "\n", "it is empty", false},
    {0600, "s3cret\nx\n", "more than one line", false},
    {0600, "s3cret\r\n", "a control byte", false},
};

START_TEST(bad_password_file) {
  write_text("p", bad_files[_i].content, bad_files[_i].mode);
  load("<Cluster \"c\">\nUsername \"u\"\nPasswordFile \"{dir}/p\"\n{B}"
       "</Cluster>\n");
  const struct problem *problem = find_problem("f:3", bad_files[_i].reason);
  ck_assert_ptr_nonnull(problem);
  ck_assert_ptr_nonnull(strstr(problem->text, "/p"));
  ck_assert_int_eq(problem->is_warning, bad_files[_i].is_warning);
  ck_assert_uint_eq(settings.n_nodes, bad_files[_i].is_warning ? 1 : 0);
  no_secret();
}
END_TEST

START_TEST(a_password_file_too_long) {
  char bytes[4097];
  memset(bytes, 'x', sizeof bytes);
  write_bytes("p", bytes, sizeof bytes, 0600);
  load("<Cluster \"c\">\nUsername \"u\"\nPasswordFile \"{dir}/p\"\n{B}"
       "</Cluster>\n");
  ck_assert_ptr_nonnull(find_problem("f:3", "longer than the 4096 bytes"));
  ck_assert_uint_eq(settings.n_nodes, 0);
}
END_TEST

START_TEST(a_password_file_with_a_nul) {
  write_bytes("p", "s3\0cret", 7, 0600);
  load("<Cluster \"c\">\nUsername \"u\"\nPasswordFile \"{dir}/p\"\n{B}"
       "</Cluster>\n");
  ck_assert_ptr_nonnull(find_problem("f:3", "a control byte"));
}
END_TEST

START_TEST(a_pipe_as_password_file) {
  ck_assert_int_eq(mkfifo(path_of("pipe"), 0600), 0);
  load("<Cluster \"c\">\nUsername \"u\"\nPasswordFile \"{dir}/pipe\"\n{B}"
       "</Cluster>\n");
  ck_assert_ptr_nonnull(find_problem("f:3", "not a regular file"));
}
END_TEST

/* One line mends it for all: it is told once. */
START_TEST(a_thousand_nodes_one_mistake) {
  char *text = expand("<Cluster \"c\">\n{login}");
  size_t len = strlen(text);
  for (int i = 0; i < 1000; i++)
    len +=
        (size_t)snprintf(text + len, 100000 - len,
                         "Node \"n%d\" \"http://192.0.2.1:%d/j\"\n", i, i + 1);
  snprintf(text + len, 100000 - len, "</Cluster>\n");
  config_parse_text(tree, text, strlen(text), "f", &problems);
  load_tree(tree, &settings);
  ck_assert_uint_eq(problems.n_errors, 1);
}
END_TEST

START_TEST(plaintext_where_it_is_allowed) {
  load_well("<Cluster \"c\">\n{login}AllowPlaintext true\n"
            "Node \"x\" \"http://192.0.2.1/j\"\n</Cluster>\n"
            "<Cluster \"d\">\n{login}{A}</Cluster>\n");
  ck_assert_uint_eq(settings.n_nodes, 2);
}
END_TEST

START_TEST(names_of_127_bytes) {
  char text[400];
  snprintf(text, sizeof text,
           "<Cluster \"%s\">\nNode \"%s\" \"https://x/y\"\n</Cluster>\n",
           &LONG_NAME[1], &(LONG_NAME "8")[2]);
  load_well(text);
}
END_TEST

/* ---- a tree that has no lines, as the plugin builds it ---- */

START_TEST(places_without_lines) {
  struct config_item *cluster =
      config_add_item(config_tree_root(tree), "Cluster");
  config_add_text(cluster, "orders");
  config_add_text(config_add_item(cluster, "Password"), "s3cret");
  config_add_number(config_add_item(cluster, "Timeout"), (double)NAN);
  config_add_item(cluster, "Interval");
  struct config_item *node = config_add_item(cluster, "Node");
  config_add_text(node, "n");
  config_add_text(config_add_item(node, "URL"), "https://x/y");
  config_add_number(config_add_item(node, "Timeout"), HUGE_VAL);
  ck_assert_int_eq(load_tree(tree, &settings), STATUS_INVALID);
  ck_assert_ptr_nonnull(find_problem(
      "<Plugin jolokia>/<Cluster orders>/Timeout", "nan is no number"));
  ck_assert_ptr_nonnull(find_problem(
      "<Plugin jolokia>/<Cluster orders>/Interval", "needs a value"));
  ck_assert_ptr_nonnull(find_problem(
      "<Plugin jolokia>/<Cluster orders>/<Node n>/Timeout", "out of range"));
  ck_assert_ptr_nonnull(find_problem(
      "<Plugin jolokia>/<Cluster orders>/<Node n>", "has no user name"));
  no_secret();
  ck_assert_uint_eq(settings.n_nodes, 0);
}
END_TEST

START_TEST(many_clusters) {
  for (int i = 0; i < 1500; i++) {
    char name[100];
    struct config_item *cluster =
        config_add_item(config_tree_root(tree), "Cluster");
    snprintf(name, sizeof name, "c%d", i);
    config_add_text(cluster, name);
    struct config_item *node = config_add_item(cluster, "Node");
    config_add_text(node, name);
    snprintf(name, sizeof name, "https://h%d/j", i);
    config_add_text(node, name);
  }
  ck_assert_int_eq(load_tree(tree, &settings), STATUS_OK);
  ck_assert_uint_eq(settings.n_nodes, 1500);
  ck_assert_uint_eq(settings_memory(&settings), UINT64_C(1500) * 163840);
}
END_TEST

static void add_cluster(const char *name, int n_nodes) {
  struct config_item *cluster =
      config_add_item(config_tree_root(tree), "Cluster");
  config_add_text(cluster, name);
  for (int i = 0; i < n_nodes; i++) {
    char text[100];
    struct config_item *node = config_add_item(cluster, "Node");
    snprintf(text, sizeof text, "%s%d", name, i);
    config_add_text(node, text);
    snprintf(text, sizeof text, "https://%s/%d", name, i);
    config_add_text(node, text);
  }
}

/* The one that is too much is left out, not all. */
START_TEST(more_nodes_than_the_client_takes) {
  config_add_number(config_add_item(config_tree_root(tree), "MaxMemory"), 1e12);
  add_cluster("a", 9998);
  add_cluster("b", 3);
  add_cluster("c", 2);
  add_cluster("d", 1);
  ck_assert_int_eq(load_tree(tree, &settings), STATUS_INVALID);
  ck_assert_uint_eq(settings.n_nodes, SETTINGS_NODES_MAX);
  ck_assert_str_eq(settings.nodes[9999].cluster, "c");
  ck_assert_uint_eq(problems.n_errors, 2);
  ck_assert_str_eq(problems.list[0].cluster, "b");
  ck_assert_ptr_nonnull(
      strstr(problems.list[0].text,
             "its nodes are up to 3, with those before it 10001"));
  ck_assert_ptr_nonnull(strstr(problems.list[0].text, "another collectd"));
  ck_assert_str_eq(problems.list[1].cluster, "d");
}
END_TEST

/* To open a watchdog, a tape or a FIFO does something already. */
START_TEST(what_is_no_file_is_not_even_opened) {
  char *fifo = strdup(expand("{dir}/fifo"));
  ck_assert_int_eq(mkfifo(fifo, 0600), 0);
  int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ck_assert_int_ge(inotify_add_watch(watch, fifo, IN_OPEN), 0);
  struct file_text file;
  struct error error;
  ck_assert_int_eq(file_read(fifo, 100, &file, &error), STATUS_INVALID);
  ck_assert_str_eq(error.text, "not a regular file");
  char event[1024];
  ck_assert_int_lt(read(watch, event, sizeof event), 0);
  close(watch);
  free(fifo);
}
END_TEST

#define N(table) (sizeof table / sizeof table[0])

static Suite *suite(void) {
  Suite *suite = suite_create("settings");
  TCase *well = tcase_create("well");
  tcase_add_checked_fixture(well, set_up, tear_down);
  tcase_add_test(well, nothing);
  tcase_add_test(well, defaults);
  tcase_add_test(well, the_innermost_wins);
  tcase_add_test(well, blocks_of_collectd_conf_merge);
  tcase_add_loop_test(well, takes_values, 0, N(values));
  tcase_add_test(well, logins);
  tcase_add_loop_test(well, password_file, 0, N(password_files));
  tcase_add_test(well, password_file_through_links);
  tcase_add_test(well, a_password_of_4096_bytes);
  tcase_add_test(well, plaintext_where_it_is_allowed);
  tcase_add_test(well, names_of_127_bytes);
  tcase_add_test(well, many_clusters);
  tcase_add_test(well, more_nodes_than_the_client_takes);
  suite_add_tcase(suite, well);
  TCase *wrong = tcase_create("mistakes");
  tcase_add_checked_fixture(wrong, set_up, tear_down);
  tcase_add_loop_test(wrong, mistake, 0, N(mistakes));
  tcase_add_loop_test(wrong, one_cause_one_mistake, 0, N(single));
  tcase_add_test(wrong, a_mistake_costs_its_cluster_alone);
  tcase_add_loop_test(wrong, bad_password_file, 0, N(bad_files));
  tcase_add_test(wrong, a_password_file_too_long);
  tcase_add_test(wrong, a_password_file_with_a_nul);
  tcase_add_test(wrong, a_pipe_as_password_file);
  tcase_add_test(wrong, a_thousand_nodes_one_mistake);
  tcase_add_test(wrong, places_without_lines);
  suite_add_tcase(suite, wrong);
  TCase *files = tcase_create("files");
  tcase_add_checked_fixture(files, set_up, tear_down);
  tcase_add_test(files, what_is_no_file_is_not_even_opened);
  suite_add_tcase(suite, files);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
