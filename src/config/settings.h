/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_SETTINGS_H
#define CONFIG_SETTINGS_H

/* The checked settings. One checker for the plugin, jolokiactl and cluster
 * files. What may stand in Plugin, Cluster and Node is already resolved into
 * each node, the innermost winning: nobody looks a level up later. */

#include "config/parse.h"

struct kept;

#include <stdint.h>

/* What one client takes. */
#define SETTINGS_NODES_MAX 10000

enum queue_source { SOURCE_AUTO, SOURCE_LIST, SOURCE_READ };
enum name_alphabet { NAME_PLAIN, NAME_STRICT };
enum self_metrics { SELF_METRICS_BASIC, SELF_METRICS_FULL, SELF_METRICS_OFF };

/* A list of patterns; owned by the settings. */
struct pattern_list {
  char **pattern;
  char **place; /* of each: "FILE:LINE", NULL where collectd does not say */
  size_t n;
};

struct ceiling_numbers {
  uint64_t requests_per_second_milli; /* 1 .. 10^9; default 20,000 */
  uint64_t burst;                     /* 1 .. 1,000,000; default 1 */
  uint64_t changes_per_second_milli;  /* 1 .. 10^9; default 50,000 */
  uint64_t bytes_per_second;          /* 1 KiB .. 1 TiB; default 2 MiB */
  uint64_t handling_share_milli;      /* 1 .. 64,000; default 250 */
  uint32_t max_in_flight;             /* 1 .. 64; default 2 */
  uint32_t max_waiting;               /* 1 .. 10,000; default 64 */
  uint64_t max_request_bytes;         /* 1 KiB .. 64 MiB; default 1 MiB */
  uint64_t max_response_bytes;        /* 1 KiB .. 1 GiB; default 64 MiB */
  uint64_t max_object_bytes;          /* 1 KiB .. 16 MiB; default 64 KiB */
};

struct queue_settings {
  struct pattern_list include; /* empty: all */
  struct pattern_list exclude;
  struct pattern_list include_address; /* of their addresses; empty: all */
  struct pattern_list exclude_address;
  struct pattern_list
      keep;            /* never excluded or capped; default DLQ, ExpiryQueue */
  uint32_t max_queues; /* 1 .. 1,000,000; default 10,000 */
  enum queue_source source; /* default auto */
};

struct address_settings {
  struct pattern_list include; /* empty: all */
  struct pattern_list exclude;
  struct pattern_list
      keep; /* never excluded or capped; default DLQ, ExpiryQueue */
  uint32_t max_addresses; /* 1 .. 1,000,000; default 10,000 */
};

/* Map "STARTED" 1: a text, and the number that stands for it. */
struct text_number {
  char *text;
  double number;
};

/* A value of an MBean: Attribute "NAME[/KEY...]". */
struct value_settings {
  char **paths; /* as written, one for each data source of the type */
  size_t n_paths;
  char *type_instance; /* NULL: made from the first path */
  char *type;          /* of the stock types.db, with ${n_paths} data sources */
  double scale;        /* default 1; not 0 */
  struct text_number *map;
  size_t n_map;
};

enum mbean_tier { MBEAN_FAST, MBEAN_SLOW };

/* <MBean "PATTERN">; owned by the node or the set it stands in. */
struct mbean_settings {
  char *pattern;  /* an object name or a pattern of them; it parses */
  char *prefix;   /* NULL: none */
  char *instance; /* with %{KEY}; NULL: of the keys that tell them apart */
  char *type;     /* of ${all_attributes}; default "gauge" */
  enum mbean_tier tier;        /* every Interval or every SlowInterval */
  struct pattern_list include; /* "KEY=PATTERN"; of a key none: all */
  struct pattern_list exclude;
  bool all_attributes; /* then there are no values, and no pattern */
  struct value_settings *values;
  size_t n_values;
};

struct mbean_list {
  struct mbean_settings *mbean;
  size_t n;
};

/* <Set "NAME"> of MBean blocks. */
struct set_settings {
  char *name;
  struct mbean_list mbeans;
};

struct operator_settings { /* <Operator>: who may change things */
  char *username;          /* NULL: none given */
  char *password;          /* wiped when freed */
  char *password_file;     /* NULL if the password stands in the settings */
  bool is_monitor;         /* Login "same": the monitor's own login */
};

/* A file of certificates or keys, read where the option stands; the nodes that
 * have it share it. */
struct pem {
  char *path;
  char *bytes; /* ${len} bytes and a 0; wiped when freed */
  size_t len;
  size_t n_users;
};

struct node_settings {
  char *name;              /* unique over all clusters; host of its samples */
  char *cluster;           /* name of its cluster */
  char *url;               /* as written; passed the url check */
  char *url_key;           /* canonical, as the url check gave it */
  char *username;          /* NULL: no login */
  char *password;          /* NULL with username NULL; wiped when freed */
  char *password_file;     /* NULL if the password stands in the settings */
  char *origin;            /* NULL: the URL's own */
  char *jmx_domain;        /* default "org.apache.activemq.artemis" */
  struct pem *ca_cert;     /* NULL: the system's */
  struct pem *client_cert; /* NULL: none */
  struct pem *client_key;  /* NULL: in the certificate's file */
  bool verify_peer;        /* default true */
  bool verify_host;        /* default true */
  bool allow_plaintext; /* default false; was asked for before this is read */
  int64_t interval_ns;  /* 0: collectd's own */
  int64_t address_interval_ns;    /* default 60 s */
  int64_t slow_interval_ns;       /* default 300 s */
  int64_t timeout_ns;             /* default 10 s */
  int64_t connect_timeout_ns;     /* default 3 s */
  int64_t change_timeout_ns;      /* default 120 s */
  enum self_metrics self_metrics; /* default basic */
  struct ceiling_numbers ceiling;
  enum name_alphabet names; /* default plain */
  struct queue_settings queues;
  struct address_settings addresses;
  struct operator_settings operator;
  struct pattern_list sets; /* names; default "artemis" */
  unsigned ready_sets; /* those of them that are ready-made: a bit for each,
                          as rules->find_set() gave it */
  struct mbean_list mbeans; /* of the cluster, the node and its other sets */
};

struct core_url { /* NodeURL */
  char *core;     /* "HOST:PORT", as a topology names it */
  char *url;      /* passed the url check */
};

struct cluster_settings {
  char *name;
  bool discover;                      /* default false */
  struct pattern_list discover_hosts; /* the only hosts that may be sent the
                                         login of a discovered node */
  char *url_template;                 /* NULL: NodeURL alone */
  struct core_url *node_urls;
  size_t n_node_urls;
  char *node_name;              /* default "{name}" */
  int64_t discover_interval_ns; /* default 300 s */
  int64_t forget_after_ns;      /* default 600 s */
  uint32_t max_nodes; /* 1 .. 10,000, configured and discovered; default 64 */
  bool partial_sums;  /* default false */
  struct node_settings member; /* what a discovered node has: all but name, url
                                  and url_key, which are NULL */
};

struct settings {
  struct node_settings *nodes; /* those of one cluster stand together */
  size_t n_nodes;
  struct cluster_settings *clusters; /* in the order of their nodes */
  size_t n_clusters;                 /* each has at least one node */
  size_t n_clusters_left_out;        /* for a mistake */
  struct pattern_list cluster_files; /* globs; read by whoever watches them */
  char *state_dir;                   /* default "/run/collectd-jolokia" */
  uint64_t instances;                /* default 1: divides every rate */
  uint64_t max_memory;               /* default 256 MiB */
  struct set_settings *sets;         /* those of the operator */
  size_t n_sets;
};

/* What settings cannot know by themselves. */
struct settings_rules {
  /* Checks a URL and writes its canonical key; STATUS_INVALID with a text. Also
   * says whether it is plain HTTP beyond loopback. */
  enum status (*check_url)(const char *text, char *ret_key, size_t key_size,
                           bool *ret_is_plaintext, struct error *error);
  /* The bit of a ready-made set; 0: there is none of that name. Their names,
   * for people: "\"artemis\", \"jvm\"". */
  unsigned (*find_set)(const char *name);
  const char *set_names;
  /* What is wrong with an MBean's name, with the Instance of one of that name,
   * with the path of a value, with a type of ${n} data sources: STATUS_INVALID
   * with a text. */
  enum status (*check_pattern)(const char *text, bool *ret_is_pattern,
                               struct error *error);
  enum status (*check_instance)(const char *pattern, const char *text,
                                struct error *error);
  /* STATUS_INVALID where several MBeans of the pattern may have one plugin
   * instance. */
  enum status (*check_apart)(const char *pattern, const char *text,
                             struct error *error);
  /* The plugin instance of the values of one MBean; ${prefix}, ${text} may be
   * NULL. "": not known, as of a pattern. Else STATUS_NO_MEMORY. */
  enum status (*write_instance)(const char *pattern, const char *prefix,
                                const char *text, char *dst, size_t size);
  enum status (*check_path)(const char *text, struct error *error);
  enum status (*check_type)(const char *type, size_t n, struct error *error);
};

/* What is wrong with a source: itself, or beside others only (a name that one
 * of them has, no room). */
enum fault { FAULT_NONE, FAULT_BESIDE, FAULT_OWN };

/* Where the settings come from: the base, and cluster files beside it, which
 * have Cluster blocks alone, bare or in Plugin blocks. */
struct settings_sources {
  const struct config_item *base; /* the root */
  const struct config_item **files;
  size_t n_files;
  enum fault *fault; /* ${n_files} + 1, the base first: set where that source
                        has one; may be NULL */
  struct kept *kept; /* of the files that options name; NULL: none is kept */
};

/* settings_load(sources, rules, ret, problems): checks all trees, in their
 * order, and resolves them.
 * The base has <Plugin jolokia> blocks at its root (a collectd.conf: it has a
 * Plugin or LoadPlugin; other items are skipped; several blocks merge), or, for
 * a cluster file and in the tree that the plugin builds, the plugin's own items
 * (Cluster, options) directly. Password files are read here (links followed; at
 * most 4 KiB; one final newline dropped; refused if others may write it, warned
 * of if others may read it). Every mistake is added to ${problems}, with the
 * number of its source: 0 the base, then the files. A mistake in a cluster
 * leaves that cluster out, one at the plugin's level leaves its own option at
 * the default; of two clusters that cannot both be, the later one is left out,
 * and so are clusters that MaxMemory has no room for, the later ones first.
 * Always fills ${ret} with what is well; STATUS_NO_MEMORY alone is returned as
 * a failure. STATUS_INVALID is returned where anything was wrong. */
enum status settings_load(const struct settings_sources *sources,
                          const struct settings_rules *rules,
                          struct settings *ret, struct problems *problems);

/* settings_fini(settings): frees all, passwords wiped first. */
void settings_fini(struct settings *settings);

/* settings_cluster(settings, name): the cluster of that name; NULL if there is
 * none. */
const struct cluster_settings *settings_cluster(const struct settings *settings,
                                                const char *name);

/* settings_host_is_allowed(cluster, host): whether DiscoverHosts has a pattern
 * that ${host} matches, without regard to case. */
bool settings_host_is_allowed(const struct cluster_settings *cluster,
                              const char *host);

/* settings_node_changes(a, b): in what two nodes of one name differ; 0: in
 * nothing. Contents of password and certificate files count. */
enum node_change {
  CHANGED_URL = 1,
  CHANGED_LOGIN = 2,   /* Username, Password, PasswordFile */
  CHANGED_CEILING = 4, /* of the Ceiling block */
  CHANGED_FILTERS = 8, /* of the Queues and Addresses blocks */
  CHANGED_OPERATOR = 16,
  CHANGED_TIMES = 32, /* intervals and timeouts */
  CHANGED_OTHER = 64
};
unsigned settings_node_changes(const struct node_settings *a,
                               const struct node_settings *b);

/* settings_discovery_is_same(a, b): whether discovery of two clusters of one
 * name differs in nothing that their blocks say; their nodes do not count. */
bool settings_discovery_is_same(const struct cluster_settings *a,
                                const struct cluster_settings *b);

/* settings_memory(settings): bytes that the size limits reserve: the
 * sum over nodes of (16 KiB + MaxObjectBytes) x MaxInFlight, with those that
 * may be discovered. */
uint64_t settings_memory(const struct settings *settings);

/* settings_broker_memory(settings, node): bytes that our requests may make that
 * node's broker hold at once: MaxResponseBytes x MaxInFlight x Instances. */
uint64_t settings_broker_memory(const struct settings *settings,
                                const struct node_settings *node);

/* settings_empty_remedy(has_mistakes): what to do where no node came of it. */
const char *settings_empty_remedy(bool has_mistakes);

#endif
