/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/options.h"

#include "base/pattern.h"
#include "config/settings.h"

#include <string.h>
#include <strings.h>

static const char *const self_metrics_words[] = {"basic", "full", "off", NULL};
static const char *const source_words[] = {"auto", "list", "read", NULL};
static const char *const names_words[] = {"plain", "strict", NULL};
static const char *const login_words[] = {"own", "same", NULL};

static const char *check_origin(const char *text) {
  if (strncasecmp(text, "http://", 7) != 0 &&
      strncasecmp(text, "https://", 8) != 0)
    return "is no origin; write SCHEME://HOST, like \"http://localhost\"";
  return strchr(text, ' ') ? "has a space; remove it" : NULL;
}

static const char *check_domain(const char *text) {
  return strpbrk(text, ":*?")
             ? "has a ':', '*' or '?', which a JMX domain cannot have here; "
               "write it as the broker's broker.xml does"
             : NULL;
}

/* HTTP's Basic scheme ends the user name at the first colon. */
static const char *check_username(const char *text) {
  return strchr(text, ':') ? "has a ':', which no user name can have; put the "
                             "password in PasswordFile"
                           : NULL;
}

static const char *check_node_name(const char *text) {
  return strstr(text, "{name}") || strstr(text, "{host}")
             ? NULL
             : "has neither {name} nor {host}, so that all nodes would have "
               "one "
               "name; write \"{name}\", or \"{host}\" for the host of the URL";
}

#define MIB 1048576.0
#define NODE(member)                                                           \
  .offset = offsetof(struct node_settings, member),                            \
  .size = sizeof(((struct node_settings *)0)->member)
#define CLUSTER(member)                                                        \
  .home = HOME_CLUSTER, .offset = offsetof(struct cluster_settings, member),   \
  .size = sizeof(((struct cluster_settings *)0)->member)
#define PLUGIN(member)                                                         \
  .home = HOME_PLUGIN, .offset = offsetof(struct settings, member),            \
  .size = sizeof(((struct settings *)0)->member)

static const struct option table[] = {
    {.name = "ClusterFiles",
     .places = IN_PLUGIN,
     .type = OPTION_PATTERNS,
     .max = 1024,
     .fallback = "\"/etc/collectd/jolokia.d/*.conf\"",
     .unit = "file patterns",
     .help = "files with further Cluster blocks",
     PLUGIN(cluster_files)},
    {.name = "StateDir",
     .places = IN_PLUGIN,
     .type = OPTION_FOLDER,
     .max = 1024,
     .fallback = "\"/run/collectd-jolokia\"",
     .unit = "folder",
     .help = "where the processes of this host are to keep what they share",
     PLUGIN(state_dir)},
    {.name = "Instances",
     .places = IN_PLUGIN,
     .type = OPTION_COUNT,
     .min = 1,
     .max = 1000,
     .fallback = "1",
     .unit = "collectds",
     .help = "the most programs, on all hosts, that ask these nodes at once: "
             "divides every rate",
     PLUGIN(instances)},
    {.name = "MaxMemory",
     .places = IN_PLUGIN,
     .type = OPTION_COUNT,
     .min = MIB,
     .max = 1048576 * MIB,
     .fallback = "268435456",
     .unit = "bytes",
     .help = "the most that the size limits of all nodes may reserve",
     PLUGIN(max_memory)},
    {.name = "Cluster",
     .places = IN_PLUGIN,
     .type = OPTION_CLUSTER,
     .max = 127,
     .example = "\"orders\"",
     .unit = "name",
     .help = "a block: a group of nodes"},
    {.name = "Node",
     .places = IN_CLUSTER,
     .type = OPTION_NODE,
     .max = 127,
     .example = "\"broker-a\" \"https://broker-a.example.net:8161/console/"
                "jolokia\"",
     .unit = "name and URL",
     .help = "a broker, on one line or as a block"},
    {.name = "URL",
     .places = IN_NODE,
     .type = OPTION_URL,
     .example = "\"https://broker-b.example.net:8161/console/jolokia\"",
     .unit = "URL",
     .help = "where the broker's Jolokia answers"},
    {.name = "Username",
     .places = IN_CLUSTER | IN_NODE,
     .type = OPTION_TEXT,
     .max = 255,
     .example = "\"monitor\"",
     .unit = "name",
     .help = "the login; one that may only read",
     .check = check_username,
     NODE(username)},
    {.name = "PasswordFile",
     .places = IN_CLUSTER | IN_NODE,
     .type = OPTION_PASSWORD_FILE,
     .max = 1024,
     .example = "\"/etc/collectd/orders.password\"",
     .unit = "file",
     .help = "its password: the first and only line",
     NODE(password_file)},
    {.name = "Password",
     .places = IN_CLUSTER | IN_NODE,
     .type = OPTION_PASSWORD,
     .max = 4096,
     .example = "\"...\"",
     .unit = "text",
     .help = "its password; PasswordFile keeps it out of here",
     NODE(password)},
    {.name = "Discover",
     .places = IN_CLUSTER,
     .type = OPTION_BOOL,
     .fallback = "false",
     .unit = "true or false",
     .help = "ask the nodes for the other members of their cluster",
     CLUSTER(discover)},
    {.name = "DiscoverHosts",
     .places = IN_CLUSTER,
     .type = OPTION_PATTERNS,
     .max = 255,
     .example = "\"*.mgmt.example.net\"",
     .unit = "shell patterns",
     .help = "the only hosts that a discovered node may have",
     CLUSTER(discover_hosts)},
    {.name = "URLTemplate",
     .places = IN_CLUSTER,
     .type = OPTION_TEXT,
     .max = 1024,
     .example = "\"https://{host}:8161/console/jolokia\"",
     .unit = "URL",
     .help = "of a discovered node; {host} is what the topology names",
     CLUSTER(url_template)},
    {.name = "NodeURL",
     .places = IN_CLUSTER,
     .type = OPTION_NODE_URL,
     .max = 300,
     .example = "\"broker-c:61616\" \"https://c.mgmt.example.net/console/"
                "jolokia\"",
     .unit = "HOST:PORT and URL",
     .help = "the URL of the one member that the topology names so"},
    {.name = "NodeName",
     .places = IN_CLUSTER,
     .type = OPTION_TEXT,
     .max = 127,
     .fallback = "\"{name}\"",
     .unit = "text",
     .help = "the name of a discovered node: {name} the broker's, {host} that "
             "of its URL",
     .check = check_node_name,
     CLUSTER(node_name)},
    {.name = "DiscoverInterval",
     .places = IN_CLUSTER,
     .type = OPTION_SECONDS,
     .min = 1,
     .max = 86400,
     .fallback = "300",
     .unit = "seconds",
     .help = "between two looks at the topology",
     CLUSTER(discover_interval_ns)},
    {.name = "ForgetAfter",
     .places = IN_CLUSTER,
     .type = OPTION_SECONDS,
     .min = 1,
     .max = 604800,
     .fallback = "600",
     .unit = "seconds",
     .help = "until a discovered node is dropped that no topology names and "
             "that does not answer",
     CLUSTER(forget_after_ns)},
    {.name = "MaxNodes",
     .places = IN_CLUSTER,
     .type = OPTION_COUNT,
     .min = 1,
     .max = SETTINGS_NODES_MAX,
     .fallback = "64",
     .unit = "nodes",
     .help = "of a cluster with Discover, configured and discovered, at most",
     CLUSTER(max_nodes)},
    {.name = "PartialSums",
     .places = IN_CLUSTER,
     .type = OPTION_BOOL,
     .fallback = "false",
     .unit = "true or false",
     .help = "sums over the cluster also when a node has not answered",
     CLUSTER(partial_sums)},
    {.name = "Interval",
     .places = IN_ALL,
     .type = OPTION_SECONDS,
     .min = 0.1,
     .max = 86400,
     .example = "10",
     .unit = "seconds",
     .help =
         "between two scrapes of broker and queues; collectd's own Interval "
         "if not given",
     NODE(interval_ns)},
    {.name = "AddressInterval",
     .places = IN_ALL,
     .type = OPTION_SECONDS,
     .min = 0.1,
     .max = 86400,
     .fallback = "60",
     .unit = "seconds",
     .help = "between two scrapes of addresses",
     NODE(address_interval_ns)},
    {.name = "SlowInterval",
     .places = IN_ALL,
     .type = OPTION_SECONDS,
     .min = 0.1,
     .max = 86400,
     .fallback = "300",
     .unit = "seconds",
     .help = "between two scrapes of what rarely changes",
     NODE(slow_interval_ns)},
    {.name = "Timeout",
     .places = IN_ALL,
     .type = OPTION_SECONDS,
     .min = 0.1,
     .max = 3600,
     .fallback = "10",
     .unit = "seconds",
     .help = "from sending a request to its whole reply",
     NODE(timeout_ns)},
    {.name = "ConnectTimeout",
     .places = IN_ALL,
     .type = OPTION_SECONDS,
     .min = 0.1,
     .max = 300,
     .fallback = "3",
     .unit = "seconds",
     .help = "for name, connection and TLS",
     NODE(connect_timeout_ns)},
    {.name = "ChangeTimeout",
     .places = IN_ALL,
     .type = OPTION_SECONDS,
     .min = 1,
     .max = 3600,
     .fallback = "120",
     .unit = "seconds",
     .help = "as Timeout, for requests that change something",
     NODE(change_timeout_ns)},
    {.name = "Origin",
     .places = IN_ALL,
     .type = OPTION_TEXT,
     .max = 1024,
     .example = "\"http://localhost\"",
     .unit = "origin",
     .help = "the Origin header; scheme and host of the URL if not given",
     .check = check_origin,
     NODE(origin)},
    {.name = "JMXDomain",
     .places = IN_ALL,
     .type = OPTION_TEXT,
     .max = 255,
     .fallback = "\"org.apache.activemq.artemis\"",
     .unit = "domain",
     .help = "the broker's jmx-domain",
     .check = check_domain,
     NODE(jmx_domain)},
    {.name = "CACert",
     .places = IN_ALL,
     .type = OPTION_PEM,
     .max = 1024,
     .example = "\"/etc/ssl/certs/ca-certificates.crt\"",
     .unit = "file",
     .help = "authorities to trust (PEM); the system's if not given",
     NODE(ca_cert)},
    {.name = "ClientCert",
     .places = IN_ALL,
     .type = OPTION_PEM,
     .max = 1024,
     .example = "\"/etc/collectd/client.pem\"",
     .unit = "file",
     .help = "our own certificate (PEM)",
     NODE(client_cert)},
    {.name = "ClientKey",
     .places = IN_ALL,
     .type = OPTION_PEM,
     .max = 1024,
     .example = "\"/etc/collectd/client.key\"",
     .unit = "file",
     .help = "its key (PEM); in ClientCert's file if not given",
     NODE(client_key)},
    {.name = "VerifyPeer",
     .places = IN_ALL,
     .type = OPTION_BOOL,
     .fallback = "true",
     .unit = "true or false",
     .help = "check the server's certificate",
     NODE(verify_peer)},
    {.name = "VerifyHost",
     .places = IN_ALL,
     .type = OPTION_BOOL,
     .fallback = "true",
     .unit = "true or false",
     .help = "check that it is that host's",
     NODE(verify_host)},
    {.name = "AllowPlaintext",
     .places = IN_ALL,
     .type = OPTION_BOOL,
     .fallback = "false",
     .unit = "true or false",
     .help = "send a password over http:// to another host",
     NODE(allow_plaintext)},
    {.name = "SelfMetrics",
     .places = IN_ALL,
     .type = OPTION_CHOICE,
     .fallback = "\"basic\"",
     .unit = "\"basic\", \"full\" or \"off\"",
     .help = "how much to report about our own requests and waits",
     .choices = self_metrics_words,
     NODE(self_metrics)},
    {.name = "Ceiling",
     .places = IN_ALL,
     .type = OPTION_SECTION,
     .help = "a block: what a node is held to",
     .inside = IN_CEILING},
    {.name = "RequestsPerSecond",
     .places = IN_CEILING,
     .type = OPTION_RATE,
     .min = 0.001,
     .max = 1000000,
     .fallback = "20",
     .unit = "requests a second",
     .help = "HTTP requests to one node",
     NODE(ceiling.requests_per_second_milli)},
    {.name = "Burst",
     .places = IN_CEILING,
     .type = OPTION_COUNT,
     .min = 1,
     .max = 1000000,
     .fallback = "1",
     .unit = "requests",
     .help = "that may be saved up and then go out at once",
     NODE(ceiling.burst)},
    {.name = "ChangesPerSecond",
     .places = IN_CEILING,
     .type = OPTION_RATE,
     .min = 0.001,
     .max = 1000000,
     .fallback = "50",
     .unit = "changes a second",
     .help = "operations that change something; 50 may go out at once",
     NODE(ceiling.changes_per_second_milli)},
    {.name = "BytesPerSecond",
     .places = IN_CEILING,
     .type = OPTION_COUNT,
     .min = 1024,
     .max = 1048576 * MIB,
     .fallback = "2097152",
     .unit = "bytes a second",
     .help = "of replies; four seconds' worth may be saved up",
     NODE(ceiling.bytes_per_second)},
    {.name = "HandlingShare",
     .places = IN_CEILING,
     .type = OPTION_RATE,
     .min = 0.001,
     .max = 64,
     .fallback = "0.25",
     .unit = "seconds a second",
     .help = "of the broker's time that may go into our requests",
     NODE(ceiling.handling_share_milli)},
    {.name = "MaxInFlight",
     .places = IN_CEILING,
     .type = OPTION_COUNT,
     .min = 1,
     .max = 64,
     .fallback = "2",
     .unit = "requests",
     .help = "sent and not answered yet, to one node",
     NODE(ceiling.max_in_flight)},
    {.name = "MaxWaiting",
     .places = IN_CEILING,
     .type = OPTION_COUNT,
     .min = 1,
     .max = 10000,
     .fallback = "64",
     .unit = "requests",
     .help = "that may wait for a permit; one more is refused at once",
     NODE(ceiling.max_waiting)},
    {.name = "MaxRequestBytes",
     .places = IN_CEILING,
     .type = OPTION_COUNT,
     .min = 1024,
     .max = 64 * MIB,
     .fallback = "1048576",
     .unit = "bytes",
     .help = "of one request",
     NODE(ceiling.max_request_bytes)},
    {.name = "MaxResponseBytes",
     .places = IN_CEILING,
     .type = OPTION_COUNT,
     .min = 1024,
     .max = 1024 * MIB,
     .fallback = "67108864",
     .unit = "bytes",
     .help = "of one reply; a listing of 10,000 queues has 8.7 MB",
     NODE(ceiling.max_response_bytes)},
    {.name = "MaxObjectBytes",
     .places = IN_CEILING,
     .type = OPTION_COUNT,
     .min = 1024,
     .max = 16 * MIB,
     .fallback = "65536",
     .unit = "bytes",
     .help = "of one queue's or MBean's part of a reply",
     NODE(ceiling.max_object_bytes)},
    {.name = "Names",
     .places = IN_ALL,
     .type = OPTION_CHOICE,
     .fallback = "\"plain\"",
     .unit = "\"plain\" or \"strict\"",
     .help = "which names stay as they are: those that collectd leaves alone, "
             "or those of letters, digits, '_' and '-', for write_graphite",
     .choices = names_words,
     NODE(names)},
    {.name = "Queues",
     .places = IN_ALL,
     .type = OPTION_SECTION,
     .help = "a block: which queues are reported",
     .inside = IN_QUEUES},
    {.name = "Include",
     .places = IN_QUEUES,
     .type = OPTION_PATTERNS,
     .max = 1024,
     .example = "\"orders.*\"",
     .unit = "patterns",
     .help = "the only queues to report; all if not given",
     .check = pattern_error,
     NODE(queues.include)},
    {.name = "Exclude",
     .places = IN_QUEUES,
     .type = OPTION_PATTERNS,
     .max = 1024,
     .example = "\"batch.*\"",
     .unit = "patterns",
     .help = "queues to leave out",
     .check = pattern_error,
     NODE(queues.exclude)},
    {.name = "Keep",
     .places = IN_QUEUES,
     .type = OPTION_PATTERNS,
     .max = 1024,
     .fallback = "\"DLQ\" \"ExpiryQueue\"",
     .unit = "patterns",
     .help = "queues that are never left out",
     .check = pattern_error,
     NODE(queues.keep)},
    {.name = "MaxQueues",
     .places = IN_QUEUES,
     .type = OPTION_COUNT,
     .min = 1,
     .max = 1000000,
     .fallback = "10000",
     .unit = "queues",
     .help = "to report at most",
     NODE(queues.max_queues)},
    {.name = "Source",
     .places = IN_QUEUES,
     .type = OPTION_CHOICE,
     .fallback = "\"auto\"",
     .unit = "\"auto\", \"list\" or \"read\"",
     .help = "by listQueues, by reading MBeans, or the first while it works",
     .choices = source_words,
     NODE(queues.source)},
    {.name = "Addresses",
     .places = IN_ALL,
     .type = OPTION_SECTION,
     .help = "a block: which addresses are reported",
     .inside = IN_ADDRESSES},
    {.name = "Include",
     .places = IN_ADDRESSES,
     .type = OPTION_PATTERNS,
     .max = 1024,
     .example = "\"orders.*\"",
     .unit = "patterns",
     .help = "the only addresses to report; all if not given",
     .check = pattern_error,
     NODE(addresses.include)},
    {.name = "Exclude",
     .places = IN_ADDRESSES,
     .type = OPTION_PATTERNS,
     .max = 1024,
     .example = "\"batch.*\"",
     .unit = "patterns",
     .help = "addresses to leave out",
     .check = pattern_error,
     NODE(addresses.exclude)},
    {.name = "Keep",
     .places = IN_ADDRESSES,
     .type = OPTION_PATTERNS,
     .max = 1024,
     .fallback = "\"DLQ\" \"ExpiryQueue\"",
     .unit = "patterns",
     .help = "addresses that are never left out",
     .check = pattern_error,
     NODE(addresses.keep)},
    {.name = "MaxAddresses",
     .places = IN_ADDRESSES,
     .type = OPTION_COUNT,
     .min = 1,
     .max = 1000000,
     .fallback = "10000",
     .unit = "addresses",
     .help = "to report at most",
     NODE(addresses.max_addresses)},
    {.name = "Operator",
     .places = IN_ALL,
     .type = OPTION_SECTION,
     .help = "a block: the login that jolokiactl changes things with",
     .inside = IN_OPERATOR},
    {.name = "Username",
     .places = IN_OPERATOR,
     .type = OPTION_TEXT,
     .max = 255,
     .example = "\"operator\"",
     .unit = "name",
     .help = "the operator's login",
     .check = check_username,
     NODE(operator.username)},
    {.name = "PasswordFile",
     .places = IN_OPERATOR,
     .type = OPTION_PASSWORD_FILE,
     .max = 1024,
     .example = "\"/etc/collectd/orders-operator.password\"",
     .unit = "file",
     .help = "its password: the first and only line",
     NODE(operator.password_file)},
    {.name = "Password",
     .places = IN_OPERATOR,
     .type = OPTION_PASSWORD,
     .max = 4096,
     .example = "\"...\"",
     .unit = "text",
     .help = "its password; PasswordFile keeps it out of here",
     NODE(operator.password)},
    {.name = "Login",
     .places = IN_OPERATOR,
     .type = OPTION_CHOICE,
     .fallback = "\"own\"",
     .unit = "\"own\" or \"same\"",
     .help = "\"same\": changes are made with the monitor's login",
     .choices = login_words,
     NODE(operator.is_monitor)},
};

enum { N_OPTIONS = sizeof table / sizeof table[0] };
_Static_assert(N_OPTIONS <= OPTIONS_MAX, "struct level has a place for each");

const struct option *options(size_t *ret_n) {
  *ret_n = N_OPTIONS;
  return table;
}

const struct option *option_find(const char *name, enum option_place place) {
  for (size_t i = 0; i < N_OPTIONS; i++)
    if ((table[i].places & place) && strcasecmp(table[i].name, name) == 0)
      return &table[i];
  return NULL;
}

enum { NAME_MAX_BYTES = 40 };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Levenshtein's distance, without case. Both at most NAME_MAX_BYTES long. */
static size_t distance(const char *a, const char *b) {
  size_t row[NAME_MAX_BYTES + 1];
  size_t n = strlen(b);
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 0; a[i]; i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < n; j++) {
      size_t change = diagonal + (lower(a[i]) != lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = least(change, least(row[j], row[j + 1]) + 1);
    }
  }
  return row[n];
}

const struct option *option_nearest(const char *name, enum option_place place) {
  size_t len = strlen(name);
  if (len > NAME_MAX_BYTES)
    return NULL;
  size_t best = len / 4 + 2;
  const struct option *nearest = NULL;
  for (size_t i = 0; i < N_OPTIONS; i++) {
    if (!(table[i].places & place))
      continue;
    size_t here = distance(name, table[i].name);
    if (here < best) {
      best = here;
      nearest = &table[i];
    }
  }
  return nearest;
}

const char *option_place_name(enum option_place place) {
  switch (place) {
  case IN_CLUSTER:
    return "<Cluster>";
  case IN_NODE:
    return "<Node>";
  case IN_CEILING:
    return "<Ceiling>";
  case IN_QUEUES:
    return "<Queues>";
  case IN_ADDRESSES:
    return "<Addresses>";
  case IN_OPERATOR:
    return "<Operator>";
  case IN_PLUGIN:
  case IN_ALL:
  default:
    return "<Plugin jolokia>";
  }
}

bool option_is_text(const struct option *option) {
  return option->type == OPTION_TEXT || option->type == OPTION_FOLDER ||
         option->type == OPTION_PASSWORD ||
         option->type == OPTION_PASSWORD_FILE;
}
