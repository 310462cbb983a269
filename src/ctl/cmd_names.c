/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/directory.h"
#include "base/text.h"
#include "client/translate.h"
#include "ctl/ask.h"
#include "ctl/exit_code.h"
#include "ctl/output.h"
#include "ctl/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES (1u << 20)
#define KIND_WIDTH 7

/* "queue-ORDERS"; of another plugin than artemis with it: "jmx-pool-Eden". */
#define KEY_MAX (SAMPLE_NAME_MAX + 16)

/* A word of the command line: an object's name, a series, or both. */
struct wanted {
  const char *word;
  char key[KEY_MAX]; /* "" if it is no series */
  uint64_t hash;     /* of an object name; 0: it is none */
  bool is_found;
};

struct names {
  const struct ctl *ctl;
  const struct subject *subject;
  struct output output;
  struct buf line;
  struct wanted *wanted; /* sorted by word */
  struct wanted **by_key;
  struct wanted **by_hash;
  size_t n;
  const struct node_settings *node; /* in hand */
  struct scrape_settings settings;
  struct scrape *scrape;
  struct directory *directory;
};

/* -- What is wanted -- */

static int word_order(const void *a, const void *b) {
  return strcmp(((const struct wanted *)a)->word,
                ((const struct wanted *)b)->word);
}

static int key_order(const void *a, const void *b) {
  const struct wanted *const *x = a;
  const struct wanted *const *y = b;
  return strcmp((*x)->key, (*y)->key);
}

static int hash_order(const void *a, const void *b) {
  const struct wanted *const *x = a;
  const struct wanted *const *y = b;
  return ((*x)->hash > (*y)->hash) - ((*x)->hash < (*y)->hash);
}

static void write_key(char dst[KEY_MAX], const char *plugin, size_t plugin_len,
                      const char *instance, size_t len) {
  snprintf(dst, KEY_MAX, "%.*s%s%.*s", (int)plugin_len, plugin,
           plugin_len > 0 ? "-" : "", (int)len, instance);
}

static void set_wanted(struct wanted *wanted, const char *word) {
  struct names_series series;
  struct objectname name;
  struct error error;
  *wanted = (struct wanted){.word = word};
  if (names_series(word, &series) && series.instance.len < SAMPLE_NAME_MAX)
    write_key(wanted->key, series.plugin.text, series.plugin.len,
              series.instance.text, series.instance.len);
  if (!objectname_parse(word, strlen(word), &name, &error) && !name.is_pattern)
    wanted->hash = objectname_hash(&name);
}

static bool read_words(struct names *names) {
  names->n = names->ctl->n_args;
  names->wanted = calloc(names->n + 1, sizeof(*names->wanted));
  names->by_key = calloc(names->n + 1, sizeof(*names->by_key));
  names->by_hash = calloc(names->n + 1, sizeof(*names->by_hash));
  if (!names->wanted || !names->by_key || !names->by_hash)
    return false;
  for (size_t i = 0; i < names->n; i++)
    set_wanted(&names->wanted[i], names->ctl->args[i]);
  qsort(names->wanted, names->n, sizeof(*names->wanted), word_order);
  for (size_t i = 0; i < names->n; i++)
    names->by_key[i] = names->by_hash[i] = &names->wanted[i];
  qsort(names->by_key, names->n, sizeof(*names->by_key), key_order);
  qsort(names->by_hash, names->n, sizeof(*names->by_hash), hash_order);
  return true;
}

/* Marks all words that are ${name}; whether there is one. */
static bool find_word(struct names *names, const char *name) {
  const struct wanted key = {.word = name};
  struct wanted *found = bsearch(&key, names->wanted, names->n,
                                 sizeof(*names->wanted), word_order);
  const struct wanted *end = names->wanted + names->n;
  if (!found)
    return false;
  while (found > names->wanted && word_order(found - 1, &key) == 0)
    found--;
  for (; found < end && word_order(found, &key) == 0; found++)
    found->is_found = true;
  return true;
}

/* The same of all that are a series of the entry. */
static bool find_series(struct names *names,
                        const struct directory_entry *entry) {
  struct wanted key = {.word = ""};
  const struct wanted *key_at = &key;
  bool is_mbean = entry->object == OBJECT_MBEAN;
  write_key(key.key, entry->plugin, is_mbean ? strlen(entry->plugin) : 0,
            entry->instance, strlen(entry->instance));
  struct wanted **found = bsearch(&key_at, names->by_key, names->n,
                                  sizeof(*names->by_key), key_order);
  struct wanted **end = names->by_key + names->n;
  if (!found)
    return false;
  while (found > names->by_key && key_order(found - 1, &key_at) == 0)
    found--;
  for (; found < end && key_order(found, &key_at) == 0; found++)
    (*found)->is_found = true;
  return true;
}

/* The same of all object names that are the entry's, in any order of keys. */
static bool find_object_name(struct names *names,
                             const struct directory_entry *entry) {
  struct objectname name;
  struct objectname word;
  struct error error;
  bool is_named = false;
  if (objectname_parse(entry->mbean, entry->mbean_len, &name, &error))
    return false;
  struct wanted key = {.hash = objectname_hash(&name)};
  const struct wanted *key_at = &key;
  struct wanted **found = bsearch(&key_at, names->by_hash, names->n,
                                  sizeof(*names->by_hash), hash_order);
  struct wanted **end = names->by_hash + names->n;
  if (!found)
    return false;
  while (found > names->by_hash && hash_order(found - 1, &key_at) == 0)
    found--;
  for (; found < end && hash_order(found, &key_at) == 0; found++)
    if (!objectname_parse((*found)->word, strlen((*found)->word), &word,
                          &error) &&
        objectname_equal(&name, &word))
      (*found)->is_found = is_named = true;
  return is_named;
}

/* Without any word all are wanted. */
static bool is_wanted(struct names *names,
                      const struct directory_entry *entry) {
  bool is_word = entry->object != OBJECT_MBEAN && find_word(names, entry->name);
  bool is_named = find_object_name(names, entry);
  bool is_series = find_series(names, entry);
  return names->n == 0 || is_word || is_named || is_series;
}

/* -- A line each -- */

static void entry_json(struct buf *out, const struct node_settings *node,
                       const struct directory_entry *entry) {
  char series[2 * SAMPLE_NAME_MAX + 16];
  snprintf(series, sizeof(series), "%s/%s-%s", node->name, entry->plugin,
           entry->instance);
  member_begin(out);
  member_text(out, "cluster", node->cluster);
  member_text(out, "node", node->name);
  member_text(out, "object", object_name(entry->object));
  member_text(out, "name", entry->name);
  member_text(out, "instance", entry->instance);
  member_text(out, "series", series);
  member_end(out);
}

/* The name as a JSON string: a line feed in it ends no line. */
static void entry_row(struct buf *out, const struct node_settings *node,
                      const struct directory_entry *entry) {
  buf_printf(out, "%-*s  ", KIND_WIDTH, object_name(entry->object));
  text_add_json(out, entry->name, entry->name_len);
  buf_printf(out, "  %s/%s-%s\n", node->name, entry->plugin, entry->instance);
}

static void tell(struct names *names, const struct directory_entry *entry) {
  if (names->ctl->is_json)
    entry_json(&names->line, names->node, entry);
  else
    entry_row(&names->line, names->node, entry);
  output_write(&names->output, &names->line);
}

/* -- Without the node: from the name to the series -- */

/* Whether it is an object name of which series are read. */
static bool tell_mbeans(struct names *names, const char *word) {
  struct directory_entry entry;
  bool is_told = directory_object(names->directory, word, &entry);
  if (is_told)
    tell(names, &entry);
  for (size_t i = 0; i < directory_mbeans(names->directory); i++)
    if (directory_mbean(names->directory, i, word, &entry)) {
      tell(names, &entry);
      is_told = true;
    }
  return is_told;
}

static bool tell_offline(struct names *names, const char *word) {
  static const enum object objects[] = {OBJECT_QUEUE, OBJECT_ADDRESS};
  if (tell_mbeans(names, word))
    return true;
  if (!directory_has_objects(names->directory))
    return false;
  for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
    struct directory_entry entry = {.object = objects[i],
                                    .name = word,
                                    .name_len = strlen(word),
                                    .plugin = "artemis"};
    names_instance(entry.instance, sizeof(entry.instance),
                   translate_names(names->node), object_name(entry.object),
                   word, entry.name_len);
    tell(names, &entry);
  }
  return true;
}

/* -- What a node's settings read -- */

static bool open_directory(struct names *names, size_t i) {
  const struct node_settings *node = &names->subject->selected.nodes[i];
  names->node = node;
  names->settings = translate_scrape(node, names->subject->interval_ns);
  names->scrape = ask_scrape(node, names->subject->interval_ns);
  names->directory = names->scrape ? directory_new(&names->settings,
                                                   scrape_mbeans(names->scrape))
                                   : NULL;
  if (!names->directory)
    fputs("jolokiactl: no memory for the names\n", stderr);
  return names->directory != NULL;
}

static void close_directory(struct names *names) {
  directory_free(names->directory);
  scrape_free(names->scrape);
}

static enum exit_code run_offline(struct names *names) {
  const struct settings *selected = &names->subject->selected;
  bool is_all_told = true;
  if (names->n == 0) {
    fputs("jolokiactl: names --offline: of which objects? Name them behind the "
          "node\n",
          stderr);
    return EXIT_CODE_USAGE;
  }
  for (size_t i = 0; i < selected->n_nodes; i++) {
    bool is_open = open_directory(names, i);
    for (size_t j = 0; is_open && j < names->n; j++)
      if (!tell_offline(names, names->ctl->args[j])) {
        is_all_told = false;
        fprintf(stderr,
                "jolokiactl: %s/%s: no set and no <MBean> block of it reads "
                "%.512s\n",
                names->node->cluster, names->node->name, names->ctl->args[j]);
      }
    close_directory(names);
  }
  return is_all_told ? EXIT_CODE_DONE : EXIT_CODE_SOME;
}

/* -- From the node: both ways -- */

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct names *names = cookie;
  struct directory_entry entry;
  if (directory_row(names->directory, item, row, &entry) &&
      is_wanted(names, &entry))
    tell(names, &entry);
  return true;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  const struct names *names = cookie;
  (void)item;
  if (result->status && result->status != STATUS_NOT_FOUND)
    output_note("jolokiactl: %s/%s: %s: %s", names->node->cluster,
                names->node->name, status_name(result->status), result->error);
}

static enum exit_code ask_one(struct names *names, struct ask *ask, size_t i) {
  struct scrape_request request;
  struct error error;
  const struct reply_sink sink = {
      .row = on_row, .item = on_item, .cookie = names};
  if (!open_directory(names, i)) {
    close_directory(names);
    return EXIT_CODE_SOME;
  }
  directory_request(names->directory, &request);
  ask_node(ask, i, &request, &sink, &error);
  close_directory(names);
  if (error.kind)
    fprintf(stderr, "jolokiactl: %s/%s: %s: %s\n", names->node->cluster,
            names->node->name, status_name(error.kind), error.text);
  return exit_code_of(error.kind);
}

/* What no node has. */
static bool tell_missing(const struct names *names) {
  bool has_any = false;
  for (size_t i = 0; i < names->n; i++) {
    const struct wanted *wanted = &names->wanted[i];
    bool is_twin = i > 0 && strcmp(wanted->word, wanted[-1].word) == 0;
    if (wanted->is_found || is_twin)
      continue;
    has_any = true;
    output_note("jolokiactl: no queue, address, MBean or series of them is "
                "named %.512s; "
                "`jolokiactl check --why` tells why a series is missing",
                wanted->word);
  }
  return has_any;
}

static enum exit_code run_asking(struct names *names) {
  struct ask ask;
  struct error error;
  struct exit_codes codes = {0};
  if (ask_open(names->subject, names->ctl, &ask, &error)) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return exit_code_of(error.kind);
  }
  for (size_t i = 0; i < names->subject->selected.n_nodes; i++)
    if (!session_is_stopped())
      exit_codes_add(&codes, ask_one(names, &ask, i));
  ask_close(&ask);
  if (session_is_stopped())
    return EXIT_CODE_INTERRUPTED;
  enum exit_code code = exit_codes_all(&codes);
  return tell_missing(names) && code == EXIT_CODE_DONE ? EXIT_CODE_SOME : code;
}

static enum exit_code run(const struct subject *subject,
                          const struct ctl *ctl) {
  struct names names = {
      .ctl = ctl, .subject = subject, .output = output_begin(ctl->is_json)};
  enum exit_code code = EXIT_CODE_SOME;
  buf_init(&names.line, LINE_MAX_BYTES);
  if (!read_words(&names))
    fputs("jolokiactl: no memory for the names\n", stderr);
  else
    code = ctl->is_offline ? run_offline(&names) : run_asking(&names);
  if (!output_end(&names.output))
    code = EXIT_CODE_SOME;
  buf_fini(&names.line);
  free(names.by_hash);
  free(names.by_key);
  free(names.wanted);
  return code;
}

int names_main(const struct ctl *ctl) {
  return ctl->why ? why_main(ctl) : subject_run(ctl, run);
}
