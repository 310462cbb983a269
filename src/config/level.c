/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/load.h"

#include "config/fields.h"
#include "config/value.h"

#include <string.h>

void load_refuse_unknown(struct loader *loader, const struct config_item *item,
                         enum option_place place) {
  static const enum option_place places[] = {
      IN_PLUGIN,    IN_CLUSTER,  IN_NODE, IN_CEILING, IN_QUEUES,
      IN_ADDRESSES, IN_OPERATOR, IN_SET,  IN_MBEAN,   IN_ATTRIBUTE};
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

/* Whether ${name} stands where ${option} may. */
static bool has_beside(const struct level *level, const char *name,
                       enum option_place place) {
  return level->has[option_number(option_find(name, place))];
}

static bool is_of_login(const struct option *option) {
  return option->type == OPTION_PASSWORD_FILE ||
         option->type == OPTION_PASSWORD ||
         strcmp(option->name, "Username") == 0;
}

static void *home_of(struct loader *loader, const struct level *level,
                     const struct option *option) {
  if (option->home == HOME_PLUGIN)
    return loader->settings;
  return option->home == HOME_CLUSTER ? (void *)level->cluster
                                      : (void *)level->node;
}

static void apply_option(struct loader *loader, struct level *level,
                         const struct config_item *item,
                         const struct option *option) {
  struct error error;
  enum status status;
  bool is_first = !level->has[option_number(option)];
  level->has[option_number(option)] = true;
  if (option->type == OPTION_PASSWORD_FILE)
    status = load_password_file(loader, level->node, option, item, &error);
  else if (option->type == OPTION_PASSWORD)
    status = load_password(loader, level->node, option, item, &error);
  else if (option->type == OPTION_PEM)
    status = load_pem(loader, level->node, option, item, &error);
  else
    status = value_apply(option, item, home_of(loader, level, option), is_first,
                         &error);
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
  if (!status && option->offset == offsetof(struct node_settings, sets) &&
      option->home == HOME_NODE)
    check_set_names(loader, item);
}

static void check_operator(struct loader *loader,
                           const struct config_item *item,
                           const struct operator_settings *login) {
  if (login->is_monitor && login->username)
    load_refuse(
        loader, item,
        "Operator: has a Username and Login \"same\"; remove one of them");
  else if (login->username && !login->password)
    load_refuse(loader, item,
                "Operator: its Username has no password; add PasswordFile "
                "\"/PATH\" beside it");
  else if (!login->username && login->password)
    load_refuse(loader, item,
                "Operator: its password has no user name; add Username "
                "\"NAME\" beside it");
}

/* A login is not pieced together from two blocks: each begins anew. */
static void apply_operator(struct loader *loader, struct level *level,
                           const struct config_item *item) {
  bool was_login_bad = loader->is_login_bad;
  loader->is_login_bad = item->is_broken;
  operator_fini(&level->node->operator);
  level_apply(loader, level, item, IN_OPERATOR);
  if (!loader->is_login_bad && !loader->status)
    check_operator(loader, item, &level->node->operator);
  loader->is_login_bad = was_login_bad;
}

static void apply_section(struct loader *loader, struct level *level,
                          const struct config_item *item,
                          const struct option *option) {
  if (item->n_values > 0)
    load_refuse(loader, item, "%s: is a block without a value; write <%s>",
                option->name, option->name);
  if (option->inside == IN_OPERATOR)
    apply_operator(loader, level, item);
  else
    level_apply(loader, level, item, option->inside);
}

static void refuse_both(struct loader *loader, const struct level *level,
                        const struct config_item *item,
                        enum option_place place) {
  if (has_beside(level, "Password", place) &&
      has_beside(level, "PasswordFile", place))
    load_refuse(loader, item,
                "Password and PasswordFile: only one of them may stand here; "
                "remove Password");
}

static bool is_for_others(const struct option *option) {
  return option->type == OPTION_CLUSTER || option->type == OPTION_NODE ||
         option->type == OPTION_URL || option->type == OPTION_NODE_URL;
}

/* A <Set "NAME"> block, where a Set line may stand. */
static bool is_set_block(const struct option *option,
                         const struct config_item *item) {
  return strcmp(option->name, "Set") == 0 && item->n_children > 0;
}

static void pass_set_block(struct loader *loader,
                           const struct config_item *item,
                           enum option_place place) {
  if (place != IN_PLUGIN)
    load_refuse(loader, item,
                "Set: a block stands in <Plugin jolokia>; move it there, and "
                "write Set \"NAME\" here");
}

void level_apply(struct loader *loader, struct level *level,
                 const struct config_item *item, enum option_place place) {
  for (size_t i = 0; i < item->n_children && !loader->status; i++) {
    const struct config_item *child = &item->children[i];
    const struct option *option = option_find(child->key, place);
    if (!option)
      load_refuse_unknown(loader, child, place);
    else if (option->type == OPTION_SECTION)
      apply_section(loader, level, child, option);
    else if (option->type == OPTION_MBEAN)
      load_mbean(loader, child, &level->node->mbeans);
    else if (is_set_block(option, child))
      pass_set_block(loader, child, place);
    else if (!is_for_others(option))
      apply_option(loader, level, child, option);
  }
  if (place == IN_CLUSTER || place == IN_NODE || place == IN_OPERATOR)
    refuse_both(loader, level, item, place);
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

static enum status apply_default(const struct option *option, void *base,
                                 struct problems *problems) {
  struct config_tree *tree = config_tree_new();
  if (!tree)
    return STATUS_NO_MEMORY;
  struct error error;
  enum status status = parse_default(option, tree, problems);
  if (!status)
    status = value_apply(option, config_tree_root(tree)->children, base, true,
                         &error);
  config_tree_free(tree);
  return status;
}

void level_defaults(struct loader *loader) {
  struct level level = {.node = &loader->defaults,
                        .cluster = &loader->cluster_defaults};
  const struct option *option;
  for (size_t i = 0; !loader->status && (option = option_at(i)); i++)
    if (option->fallback && option->home <= HOME_PLUGIN)
      loader->status = apply_default(option, home_of(loader, &level, option),
                                     loader->problems);
}

void load_mbean_defaults(struct loader *loader, struct mbean_settings *mbean) {
  const struct option *option;
  for (size_t i = 0; !loader->status && (option = option_at(i)); i++)
    if (option->fallback && option->home == HOME_MBEAN)
      loader->status = apply_default(option, mbean, loader->problems);
}
