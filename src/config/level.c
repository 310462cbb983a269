/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/load.h"

#include "config/login.h"
#include "config/value.h"

#include <stdlib.h>
#include <string.h>

static void refuse_unknown(struct loader *loader,
                           const struct config_item *item,
                           enum option_place place) {
  static const enum option_place places[] = {
      IN_PLUGIN, IN_CLUSTER, IN_NODE, IN_CEILING, IN_QUEUES, IN_ADDRESSES};
  const char *here = option_place_name(place);
  if (config_key_is(item, "Include")) {
    load_refuse(loader, item,
                "Include: cannot stand in %s; of queues it stands in <Queues>, "
                "of addresses in <Addresses>, of files outside of all blocks",
                here);
    return;
  }
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    if (option_find(item->key, places[i])) {
      load_refuse(loader, item, "%s: cannot stand in %s; move it to %s",
                  item->key, here, option_place_name(places[i]));
      return;
    }
  const struct option *nearest = option_nearest(item->key, place);
  if (nearest)
    load_refuse(loader, item, "%s: unknown option; did you mean %s?", item->key,
                nearest->name);
  else
    load_refuse(loader, item,
                "%s: unknown option; collectd-jolokia(5) lists those that may "
                "stand in %s",
                item->key, here);
}

static uint64_t bit_of(const struct option *option) {
  size_t n;
  return UINT64_C(1) << (option - options(&n));
}

static const struct option *option_named(const char *name) {
  return option_find(name, IN_CLUSTER);
}

static enum status apply_password_file(struct loader *loader,
                                       const struct level *level,
                                       const struct option *option,
                                       const struct config_item *item,
                                       struct error *error) {
  const char *path =
      value_text(item, (size_t)option->max, option->example, error);
  if (!path)
    return STATUS_INVALID;
  if (path[0] != '/')
    return error_set(error, STATUS_INVALID,
                     "is a relative path; write it from / on");
  char *password;
  bool is_open;
  struct error cause;
  enum status status = login_read(path, &password, &is_open, &cause);
  if (status)
    return error_set(error, status, "%.256s: %.200s", path, cause.text);
  if (is_open)
    load_warn(loader, item,
              "PasswordFile: everybody may read %.256s; chmod o-r it", path);
  status = text_set(&level->node->password, password);
  explicit_bzero(password, strlen(password));
  free(password);
  if (!status)
    status = text_set(&level->node->password_file, path);
  return status;
}

static enum status apply_password(struct loader *loader,
                                  const struct level *level,
                                  const struct option *option,
                                  const struct config_item *item,
                                  struct error *error) {
  enum status status = value_apply(option, item, level->node, true, error);
  if (status)
    return status;
  load_warn(loader, item,
            "Password: stands where many can read it; put it in a file of its "
            "own and name that in PasswordFile");
  return text_set(&level->node->password_file, NULL);
}

static bool is_of_login(const struct option *option) {
  return option->type == OPTION_PASSWORD_FILE ||
         option->type == OPTION_PASSWORD || option == option_named("Username");
}

static void apply_option(struct loader *loader, struct level *level,
                         const struct config_item *item,
                         const struct option *option) {
  struct error error;
  enum status status;
  bool is_first = (level->seen & bit_of(option)) == 0;
  level->seen |= bit_of(option);
  if (option->type == OPTION_PASSWORD_FILE)
    status = apply_password_file(loader, level, option, item, &error);
  else if (option->type == OPTION_PASSWORD)
    status = apply_password(loader, level, option, item, &error);
  else if (option_in_settings(option))
    status = value_apply(option, item, loader->settings, is_first, &error);
  else
    status = value_apply(option, item, level->node, is_first, &error);
  if (status == STATUS_NO_MEMORY)
    loader->status = status;
  else if (status) {
    load_refuse(loader, item, "%s: %s", option->name, error.text);
    loader->is_login_bad |= is_of_login(option);
  } else if (!is_first && option->type != OPTION_PATTERNS)
    load_warn(loader, item,
              "%s: stands here more than once; the last counts: remove the "
              "others",
              option->name);
}

static void apply_section(struct loader *loader, struct level *level,
                          const struct config_item *item,
                          const struct option *option) {
  if (item->n_values > 0)
    load_refuse(loader, item, "%s: is a block without a value; write <%s>",
                option->name, option->name);
  level_apply(loader, level, item, option->inside);
}

static void refuse_both(struct loader *loader, const struct level *level,
                        const struct config_item *item) {
  uint64_t both =
      bit_of(option_named("Password")) | bit_of(option_named("PasswordFile"));
  if ((level->seen & both) == both)
    load_refuse(loader, item,
                "Password and PasswordFile: only one of them may stand here; "
                "remove Password");
}

void level_apply(struct loader *loader, struct level *level,
                 const struct config_item *item, enum option_place place) {
  for (size_t i = 0; i < item->n_children && !loader->status; i++) {
    const struct config_item *child = &item->children[i];
    const struct option *option = option_find(child->key, place);
    if (!option)
      refuse_unknown(loader, child, place);
    else if (option->type == OPTION_SECTION)
      apply_section(loader, level, child, option);
    else if (option->type != OPTION_CLUSTER && option->type != OPTION_NODE &&
             option->type != OPTION_URL)
      apply_option(loader, level, child, option);
  }
  if (place == IN_CLUSTER || place == IN_NODE)
    refuse_both(loader, level, item);
}

static enum status parse_default(const struct option *option,
                                 struct config_tree *tree,
                                 struct problems *problems) {
  char line[256];
  size_t len = strlen(option->name) + strlen(option->fallback) + 2;
  if (len >= sizeof line)
    return STATUS_INVALID;
  memcpy(line, option->name, strlen(option->name));
  line[strlen(option->name)] = ' ';
  memcpy(line + strlen(option->name) + 1, option->fallback,
         strlen(option->fallback));
  line[len - 1] = '\n';
  return config_parse_text(tree, line, len, "default", problems);
}

static enum status apply_default(struct loader *loader,
                                 const struct option *option,
                                 struct problems *problems) {
  struct config_tree *tree = config_tree_new();
  if (!tree)
    return STATUS_NO_MEMORY;
  struct error error;
  enum status status = parse_default(option, tree, problems);
  if (!status && option_in_settings(option))
    status = value_apply(option, config_tree_root(tree)->children,
                         loader->settings, true, &error);
  else if (!status)
    status = value_apply(option, config_tree_root(tree)->children,
                         &loader->defaults, true, &error);
  config_tree_free(tree);
  return status;
}

void level_defaults(struct loader *loader) {
  size_t n;
  const struct option *option = options(&n);
  for (size_t i = 0; i < n && !loader->status; i++)
    if (option[i].fallback)
      loader->status = apply_default(loader, &option[i], loader->problems);
}
