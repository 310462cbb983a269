/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/subject.h"

#include "base/clock.h"
#include "client/translate.h"
#include "config/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define INTERVAL_DEFAULT_NS (10 * CLOCK_NS_PER_S) /* collectd's own */

/* -- collectd's own options -- */

/* collectd reads from top to bottom, and passes over the block of a plugin that
 * is not loaded yet. A file that loads none is a part of another. */
static bool is_not_loaded(const struct config_item *root) {
  bool is_loaded = false, loads_any = false, is_passed_over = false;
  for (size_t i = 0; i < root->n_children; i++) {
    const struct config_item *item = &root->children[i];
    if (config_key_is(item, "AutoLoadPlugin") && item->n_values == 1 &&
        item->values[0].type == CONFIG_BOOL)
      is_loaded |= item->values[0].number > 0;
    if (config_key_is(item, "LoadPlugin")) {
      loads_any = true;
      is_loaded |= config_first_text_is(item, "jolokia");
    }
    if (config_is_plugin_block(item) && !is_loaded)
      is_passed_over = true;
  }
  return loads_any && is_passed_over;
}

/* A number as collectd takes one, without its rest; 0: it is none. */
static uint64_t count_of(const struct config_item *item) {
  bool is_number = item->n_values == 1 &&
                   item->values[0].type == CONFIG_NUMBER &&
                   item->values[0].number > 0 && item->values[0].number < 1e15;
  return is_number ? (uint64_t)item->values[0].number : 0;
}

static void read_globals(struct subject *subject,
                         const struct config_item *root) {
  subject->is_not_loaded = is_not_loaded(root);
  for (size_t i = 0; i < root->n_children; i++) {
    const struct config_item *item = &root->children[i];
    if (config_key_is(item, "WriteQueueLimitHigh")) {
      subject->has_queue_limit = true;
      subject->queue_limit = count_of(item);
    }
    if (config_key_is(item, "Interval") && item->n_values == 1 &&
        item->values[0].type == CONFIG_NUMBER && item->values[0].number > 0 &&
        item->values[0].number < 1e6)
      subject->interval_ns =
          (int64_t)(item->values[0].number * (double)CLOCK_NS_PER_S);
  }
}

/* -- Files that others may change or should not read -- */

static void check_writable(struct problems *problems,
                           const struct config_item *item) {
  struct stat info;
  if (stat(item->file, &info) == 0 && (info.st_mode & S_IWOTH))
    problems_add(problems, item, NULL, true,
                 "everybody may write this file, and so send the logins "
                 "elsewhere; chmod o-w %.256s",
                 item->file);
}

/* ${*last} is the file that was looked at last: names are shared. */
static void check_files(struct problems *problems,
                        const struct config_item *item, const char **last) {
  if (item->file && item->file != *last) {
    *last = item->file;
    check_writable(problems, item);
  }
  for (size_t i = 0; i < item->n_children; i++)
    check_files(problems, &item->children[i], last);
}

static void check_keys(struct problems *problems,
                       const struct settings *settings) {
  const char *last = "";
  for (size_t i = 0; i < settings->n_nodes; i++) {
    const struct node_settings *node = &settings->nodes[i];
    const struct pem *pem =
        node->client_key ? node->client_key : node->client_cert;
    const char *key = pem ? pem->path : NULL;
    struct stat info;
    if (!key || strcmp(key, last) == 0)
      continue;
    last = key;
    if (stat(key, &info) == 0 && (info.st_mode & (S_IROTH | S_IWOTH)))
      problems_add(problems, NULL, NULL, true,
                   "node %s: everybody may read or write the key %.256s; chmod "
                   "o-rw it",
                   node->name, key);
  }
}

/* -- The target -- */

static bool is_target(const char *target, const struct node_settings *node) {
  size_t len = strlen(node->cluster);
  if (strncmp(target, node->cluster, len) != 0)
    return false;
  return target[len] == '\0' ||
         (target[len] == '/' && strcmp(target + len + 1, node->name) == 0);
}

/* The cluster that ${target} begins with; NULL if there is none of its name. */
static const char *cluster_of(const struct settings *settings,
                              const char *target) {
  size_t len = strcspn(target, "/");
  for (size_t i = 0; i < settings->n_nodes; i++) {
    const char *cluster = settings->nodes[i].cluster;
    if (strlen(cluster) == len && strncmp(cluster, target, len) == 0)
      return cluster;
  }
  return NULL;
}

static enum status no_such_target(const struct settings *settings,
                                  const char *target, struct error *error) {
  const char *within = cluster_of(settings, target);
  char known[256] = "";
  const char *last = "";
  size_t len = 0;
  for (size_t i = 0; i < settings->n_nodes; i++) {
    const char *cluster = settings->nodes[i].cluster;
    if (within ? strcmp(cluster, within) != 0 : strcmp(cluster, last) == 0)
      continue;
    int more =
        snprintf(known + len, sizeof(known) - len, "%s%s", len ? ", " : "",
                 within ? settings->nodes[i].name : cluster);
    if (more < 0 || len + (size_t)more >= sizeof(known)) {
      known[len] = '\0';
      break;
    }
    len += (size_t)more;
    last = cluster;
  }
  return error_set(error, STATUS_INVALID,
                   "nothing is named %.128s; write CLUSTER or CLUSTER/NODE "
                   "(%s%s: %s)",
                   target, within ? "nodes of " : "clusters",
                   within ? within : "", len ? known : "none");
}

enum status subject_select(const struct settings *all, const char *target,
                           struct settings *ret, struct error *error) {
  *ret = *all;
  ret->n_nodes = 0;
  ret->nodes = malloc((all->n_nodes + 1) * sizeof(*ret->nodes));
  if (!ret->nodes)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the nodes");
  for (size_t i = 0; i < all->n_nodes; i++)
    if (!target || is_target(target, &all->nodes[i]))
      ret->nodes[ret->n_nodes++] = all->nodes[i];
  if (target && ret->n_nodes == 0)
    return no_such_target(all, target, error);
  return STATUS_OK;
}

/* -- All of it -- */

/* What stands in no file yet. */
struct unsaved {
  const char *text; /* NULL: nothing */
  const char *name;
};

/* ${tree} is gone in any outcome. A file with Cluster blocks alone, or a part
 * of ours, is followed itself. */
static enum status read_all(const struct ctl *ctl, struct subject *subject,
                            struct config_tree *tree) {
  struct live_result result;
  const struct live_options options = {
      .base = tree,
      .base_path = subject->is_collectd_conf ? NULL : ctl->config,
      .base_problems = &subject->problems,
      .use_default = subject->is_collectd_conf,
      .rules = &translate_rules};
  enum status status = live_new(&options, &subject->live);
  if (!status)
    status = live_read(subject->live, clock_mono_ns(), &result);
  if (status)
    return status;
  subject->settings = *result.settings;
  free(result.settings);
  problems_fini(&subject->problems);
  subject->problems = result.problems;
  return STATUS_OK;
}

static enum status load_tree(const struct ctl *ctl,
                             const struct unsaved *unsaved,
                             struct subject *subject,
                             struct config_tree *tree) {
  const struct config_item *root = config_tree_root(tree);
  const char *last = NULL;
  enum status status = config_parse_file(tree, ctl->config, &subject->problems);
  if (status == STATUS_NO_MEMORY) {
    config_tree_free(tree);
    return status;
  }
  subject->is_unreadable = status != STATUS_OK;
  if (unsaved->text &&
      config_parse_text(tree, unsaved->text, strlen(unsaved->text),
                        unsaved->name,
                        &subject->problems) == STATUS_NO_MEMORY) {
    config_tree_free(tree);
    return STATUS_NO_MEMORY;
  }
  subject->is_collectd_conf = config_is_collectd_conf(root);
  read_globals(subject, root);
  status = read_all(ctl, subject, tree);
  for (size_t i = 0; !status && (root = live_root(subject->live, i)); i++)
    check_files(&subject->problems, root, &last);
  return status;
}

static enum status load(const struct ctl *ctl, const struct unsaved *unsaved,
                        struct subject *ret, struct error *error) {
  *ret = (struct subject){.interval_ns = INTERVAL_DEFAULT_NS};
  problems_init(&ret->problems);
  struct config_tree *tree = config_tree_new();
  enum status status =
      tree ? load_tree(ctl, unsaved, ret, tree) : STATUS_NO_MEMORY;
  if (status)
    return error_set(error, status, "no memory for the settings");
  check_keys(&ret->problems, &ret->settings);
  return subject_select(&ret->settings, ctl->target, &ret->selected, error);
}

enum status subject_load(const struct ctl *ctl, struct subject *ret,
                         struct error *error) {
  static const struct unsaved nothing = {.text = NULL};
  return load(ctl, &nothing, ret, error);
}

enum status subject_load_with(const struct ctl *ctl, const char *text,
                              const char *name, struct subject *ret,
                              struct error *error) {
  const struct unsaved unsaved = {.text = text, .name = name};
  return load(ctl, &unsaved, ret, error);
}

void subject_fini(struct subject *subject) {
  free(subject->selected.nodes);
  settings_fini(&subject->settings);
  live_free(subject->live);
  problems_fini(&subject->problems);
}

void subject_tell(const struct subject *subject) {
  const struct problems *problems = &subject->problems;
  for (size_t i = 0; i < problems->n; i++) {
    const struct problem *problem = &problems->list[i];
    fprintf(stderr, "jolokiactl: %s%s%s%s\n", problem->place,
            problem->place[0] ? ": " : "",
            problem->is_warning ? "warning: " : "", problem->text);
  }
  if (problems->n_dropped)
    fprintf(stderr, "jolokiactl: and %zu more mistakes in the settings\n",
            problems->n_dropped);
}

size_t subject_node(const struct subject *subject, const char *name,
                    size_t *last) {
  const struct settings *selected = &subject->selected;
  for (size_t i = 0; i < selected->n_nodes; i++) {
    size_t at = (*last + i) % selected->n_nodes;
    if (strcmp(selected->nodes[at].name, name) != 0)
      continue;
    *last = at;
    return at;
  }
  return SIZE_MAX;
}

int subject_run(const struct ctl *ctl,
                enum exit_code (*run)(const struct subject *subject,
                                      const struct ctl *ctl)) {
  struct subject subject;
  struct error error;
  enum exit_code code = EXIT_CODE_USAGE;
  enum status status = subject_load(ctl, &subject, &error);
  subject_tell(&subject);
  if (status) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    code = exit_code_of(status);
  } else if (subject.selected.n_nodes == 0) {
    fprintf(stderr, "jolokiactl: %s leaves no node to ask: %s\n", ctl->config,
            settings_empty_remedy(subject.problems.n_errors > 0));
  } else {
    code = run(&subject, ctl);
    /* Who names a target does not ask about the rest. */
    if (code == EXIT_CODE_DONE && subject.problems.n_errors && !ctl->target)
      code = EXIT_CODE_USAGE;
  }
  subject_fini(&subject);
  return (int)code;
}
