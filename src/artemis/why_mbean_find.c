/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/why_mbean.h"

#include "artemis/mbean_instance.h"
#include "artemis/why_parts.h"

#include <stdlib.h>
#include <string.h>

bool why_mbean_instance(struct mbeans *mbeans, const struct mbean_item *item,
                        const struct mbean_naming *naming,
                        const struct objectname *name,
                        char ret[SAMPLE_NAME_MAX]) {
  struct objectname pattern;
  struct error error;
  return objectname_parse(item->pattern, strlen(item->pattern), &pattern,
                          &error) == STATUS_OK &&
         objectname_matches(&pattern, name) &&
         instance_write(&pattern, mbeans->alphabet, naming->prefix,
                        naming->instance, name, &mbeans->scratch, ret,
                        SAMPLE_NAME_MAX);
}

/* Whether the block has, or may have, the MBean. */
static bool has_mbean(struct mbeans *mbeans,
                      const struct why_mbean_question *question,
                      const struct mbean_item *item,
                      const struct mbean_naming *naming) {
  const char *text = question->name ? question->name : item->pattern;
  const char *prefix = naming->prefix ? naming->prefix : "";
  size_t len = strlen(prefix);
  char instance[SAMPLE_NAME_MAX];
  struct objectname name;
  struct error error;
  if (!question->name && strcmp(naming->plugin, question->plugin) != 0)
    return false;
  if (!question->name && item->is_pattern)
    return strncmp(question->instance, prefix, len) == 0 &&
           (len == 0 || question->instance[len] == '-');
  return objectname_parse(text, strlen(text), &name, &error) == STATUS_OK &&
         why_mbean_instance(mbeans, item, naming, &name, instance) &&
         (question->name || strcmp(instance, question->instance) == 0);
}

/* Takes ${part} from the front of *${text}. */
static bool takes(const char **text, const char *part) {
  size_t len = strlen(part);
  if (strncmp(*text, part, len) != 0)
    return false;
  *text += len;
  return true;
}

static bool is_path(const struct value_path *path, const char *text) {
  if (!takes(&text, path->attribute))
    return false;
  for (size_t i = 0; i < path->n_keys; i++)
    if (!takes(&text, "/") || !takes(&text, path->keys[i]))
      return false;
  return *text == '\0';
}

static bool has_star(const struct mbean_reading *reading) {
  return reading->paths[0].star < reading->paths[0].n_keys;
}

static bool is_value(const struct mbean_reading *reading, const char *text) {
  size_t len = strlen(reading->type_instance);
  return text[0] == '\0' || strcmp(text, reading->type_instance) == 0 ||
         is_path(&reading->paths[0], text) ||
         (has_star(reading) && text[len] == '-' &&
          strncmp(text, reading->type_instance, len) == 0);
}

/* The places in ${item}, one of each block, behind the ${n} of ${ret}. */
static size_t find_in(struct mbeans *mbeans,
                      const struct why_mbean_question *question,
                      struct mbean_item *item, struct why_mbean_place *ret,
                      size_t n) {
  size_t first = n;
  if (item->all_type && has_mbean(mbeans, question, item, &item->namings[0]))
    ret[n++] =
        (struct why_mbean_place){.item = item, .naming = &item->namings[0]};
  for (size_t i = 0; !item->all_type && i < item->n_readings; i++) {
    const struct mbean_reading *reading = &item->readings[i];
    const struct mbean_naming *naming = &item->namings[reading->naming];
    bool is_twin = false;
    for (size_t k = first; k < n; k++)
      is_twin |= ret[k].naming == naming;
    if (!is_twin &&
        (question->type[0] == '\0' ||
         strcmp(question->type, reading->type) == 0) &&
        is_value(reading, question->value) &&
        has_mbean(mbeans, question, item, naming))
      ret[n++] = (struct why_mbean_place){item, naming, reading};
  }
  return n;
}

bool why_mbean_find(struct mbeans *mbeans,
                    const struct why_mbean_question *question,
                    struct why_mbean_place **ret, size_t *ret_n) {
  struct why_mbean_place *places;
  size_t max = 0;
  size_t n = 0;
  for (size_t i = 0; i < mbeans->n; i++)
    max += mbeans->items[i].n_namings;
  *ret = NULL;
  *ret_n = 0;
  places = calloc(max + 1, sizeof *places);
  if (!places)
    return false;
  for (size_t i = 0; i < mbeans->n; i++)
    n = find_in(mbeans, question, &mbeans->items[i], places, n);
  if (n > 0)
    *ret = places;
  else
    free(places);
  *ret_n = n;
  return true;
}

bool why_mbean_blocks(struct mbeans *mbeans,
                      const struct why_mbean_question *question, size_t *ret) {
  struct why_mbean_place *places;
  bool is_well = why_mbean_find(mbeans, question, &places, ret);
  free(places);
  return is_well;
}

unsigned why_mbean_set(const char *plugin) {
  if (plugin && strcmp(plugin, "jvm") == 0)
    return SET_JVM;
  return plugin && strcmp(plugin, "activemq") == 0 ? SET_CLASSIC : 0;
}

/* -- No block has it -- */

/* What the blocks that have the MBean read of it. */
static bool add_near(struct mbeans *mbeans,
                     const struct why_mbean_question *question,
                     struct why_near *near, const char **ret_type,
                     unsigned *ret_set) {
  bool is_known = false;
  for (size_t i = 0; i < mbeans->n; i++)
    for (size_t k = 0; k < mbeans->items[i].n_readings; k++) {
      const struct mbean_item *item = &mbeans->items[i];
      const struct mbean_reading *reading = &item->readings[k];
      if (!has_mbean(mbeans, question, item, &item->namings[reading->naming]))
        continue;
      is_known = true;
      *ret_set = why_mbean_set(item->namings[reading->naming].plugin);
      if (is_value(reading, question->value))
        *ret_type = reading->type;
      why_near_add(near, question->value, reading->type_instance);
    }
  return is_known;
}

void why_mbean_nowhere(struct mbeans *mbeans, unsigned sets,
                       const struct why_mbean_question *question,
                       struct why_answer *answer) {
  unsigned set = why_mbean_set(question->plugin);
  const char *type = NULL;
  struct why_near near = {.n = 0};
  char list[WHY_NEAR_LIST];
  bool is_known = add_near(mbeans, question, &near, &type, &set);
  if (type)
    why_answer_set(answer, WHY_OTHER_TYPE, "look for that series",
                   "its type is %s: the series is %s-%s", type, type,
                   question->value);
  else if (is_known)
    why_answer_set(answer, WHY_NO_ATTRIBUTE,
                   set ? "write an <MBean> block that reads it"
                       : "name it in the MBean's block: Attribute \"NAME\"",
                   "of that MBean no attribute %.200s is read%s%s",
                   question->value, near.n > 0 ? "; near to it are " : "",
                   why_near_list(&near, "", list));
  else if (set != 0 && (sets & set) == 0)
    why_answer_set(answer, WHY_NO_ATTRIBUTE,
                   "name that set in the node's Set line, too",
                   "it is of the set %s, which is not read of this node",
                   set_name((enum set)set));
  else
    why_answer_set(answer, WHY_NO_SERIES,
                   "write an <MBean> block that names it, or a set that has it",
                   "no <MBean> block and no set of this node reads %.200s",
                   question->name ? question->name : question->instance);
}
