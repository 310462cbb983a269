/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/why_mbean_parts.h"

#include "artemis/chosen.h"
#include "base/hash.h"
#include "jolokia/members.h"

#include <stdlib.h>
#include <string.h>

/* -- The round -- */

static void take_sample(void *cookie, const struct sample *sample) {
  struct why_mbean *why = cookie;
  struct why_answer *answer = &why->answer;
  const struct mbean_reading *reading = why->place.reading;
  answer->round_values++;
  if (answer->has_value || !why->is_in_hand ||
      strcmp(sample->plugin, why->place.naming->plugin) != 0 ||
      strcmp(sample->plugin_instance, why->instance) != 0 ||
      (reading && strcmp(sample->type, reading->type) != 0) ||
      (why->type_instance &&
       strcmp(sample->type_instance, why->type_instance) != 0))
    return;
  answer->has_value = true;
  answer->is_derive = sample->is_derive;
  answer->derive = sample->derive;
  answer->gauge = sample->gauge;
}

/* What the place's attribute has under its keys, up to a '*'. */
static void judge_value(struct why_mbean *why, const struct value *columns,
                        const size_t *places) {
  const struct mbean_reading *reading = why->place.reading;
  const struct value_path *path = &reading->paths[0];
  const struct attribute attribute = {
      .name = path->n_keys > 0 ? reading->type_instance : path->attribute,
      .is_derive = reading->is_derive,
      .is_unknown_below_0 = reading->is_unknown_below_0};
  struct value value = columns[places[0]];
  struct buf room;
  buf_init(&room, TEXT_MAX);
  if (value.type == VALUE_OTHER &&
      buf_add(&room, value.text, value.text_len) == STATUS_OK)
    value_path_step(path, 0,
                    path->star < path->n_keys ? path->star : path->n_keys,
                    room.data, &value);
  else if (value.type != VALUE_OTHER)
    value_path_step(path, 0, path->n_keys, NULL, &value);
  why_judge_value(&why->answer, &attribute, &value);
  buf_fini(&room);
}

/* Whether the row is the one that is meant: of one asked for by its object name
 * that MBean's alone, as another may have the same series. */
static bool is_meant(struct why_mbean *why, const struct why_mbean_place *place,
                     const char *text, size_t len) {
  const char *wanted = why->question.name;
  char instance[SAMPLE_NAME_MAX];
  struct objectname name;
  struct objectname asked;
  struct error error;
  if (wanted &&
      (objectname_parse(wanted, strlen(wanted), &asked, &error) != STATUS_OK ||
       objectname_parse(text, len, &name, &error) != STATUS_OK ||
       !objectname_equal(&name, &asked)))
    return false;
  bool is_well = objectname_parse(text, len, &name, &error) == STATUS_OK &&
                 why_mbean_instance(why->mbeans, place->item, place->naming,
                                    &name, instance);
  return is_well && strcmp(instance, why->instance) == 0;
}

/* By its own block: another one of the pattern may want it. */
static void judge_choice(struct why_mbean *why, const struct mbean_item *item,
                         const char *text, size_t len) {
  struct objectname name;
  struct error error;
  why->answer.judgement.verdict = FILTER_IN;
  if (item->is_pattern &&
      objectname_parse(text, len, &name, &error) == STATUS_OK)
    why->answer.judgement = mbeans_judge(why->mbeans, why->place.naming, &name);
}

/* The scrape's code has chosen it, where there was room. */
static bool is_chosen(struct why_mbean *why, const struct mbean_item *item,
                      const char *instance) {
  return chosen_take(&why->mbeans->chosen[item->tier],
                     hash_bytes(instance, strlen(instance)));
}

/* What finds no room under the cap: the MBean once for each block. */
static void count_over(struct why_mbean *why, const struct mbean_item *item,
                       const char *text, size_t len) {
  struct objectname name;
  struct error error;
  if (!item->is_pattern ||
      objectname_parse(text, len, &name, &error) != STATUS_OK)
    return;
  for (size_t i = 0; i < item->n_namings; i++) {
    const struct mbean_naming *naming = &item->namings[i];
    char instance[SAMPLE_NAME_MAX];
    why->n_over +=
        mbeans_judge(why->mbeans, naming, &name).verdict == FILTER_IN &&
        why_mbean_instance(why->mbeans, item, naming, &name, instance) &&
        !is_chosen(why, item, instance);
  }
}

/* By the code of a scrape. */
static void round_row(struct why_mbean *why, size_t index,
                      const struct row *row) {
  const struct sample_sink sink = {take_sample, why};
  struct values values = {.sink = &sink};
  struct scrape_counts counts = {0};
  struct mbean_item *item = why->round->slots[index].item;
  const char *text = item->is_pattern ? row->name : item->pattern;
  size_t len = item->is_pattern ? row->name_len : strlen(text);
  const struct left_out *taken = &why->mbeans->left_out[item->tier].taken;
  uint64_t n_taken = taken->n;
  why->is_in_hand =
      item == why->place.item && is_meant(why, &why->place, text, len);
  mbeans_row(why->mbeans, item->tier, index, row, false, &values, &counts);
  count_over(why, item, text, len);
  if (!why->is_in_hand)
    return;
  why->is_found = true;
  judge_choice(why, item, text, len);
  why->is_over_cap = item->is_pattern &&
                     why->answer.judgement.verdict == FILTER_IN &&
                     !is_chosen(why, item, why->instance);
  if (why->answer.has_value)
    return;
  if (why->answer.judgement.verdict == FILTER_OUT) {
    why_judge_filter(&why->answer, "MBean");
  } else if (taken->n > n_taken) {
    why_answer_set(&why->answer, WHY_NAME_TAKEN,
                   "write in its block an Instance that tells its MBeans "
                   "apart, or a Prefix of its own",
                   "another MBean has the name %s already", why->instance);
  } else if (why->place.reading) {
    judge_value(why, row->columns, why->place.reading->columns);
  } else {
    why_answer_set(&why->answer, WHY_NO_ATTRIBUTE, "",
                   "the MBean has no number of that name");
  }
  if (item->is_pattern && !why->name)
    (void)why_mbean_keep_name(why, row->name, row->name_len);
}

/* -- Names, and the list of what one has -- */

/* The first that has it is where it is looked for. */
static void take_name(struct why_mbean *why,
                      const struct why_mbean_place *place,
                      const struct row *row) {
  if (why->is_found)
    return;
  why->place = *place;
  why_mbean_set_value(why);
  why->is_found = why_mbean_keep_name(why, row->name, row->name_len);
}

static void names_row(struct why_mbean *why, size_t i, const struct row *row) {
  const struct why_mbean_place *place =
      why->n_places > 1 ? &why->places[i] : &why->place;
  const struct mbean_item *item = place->item;
  char instance[SAMPLE_NAME_MAX];
  char text[SAMPLE_NAME_MAX];
  struct objectname name;
  struct error error;
  if (row->name_len == 0 ||
      objectname_parse(row->name, row->name_len, &name, &error) != STATUS_OK)
    return;
  if (is_meant(why, place, row->name, row->name_len)) {
    take_name(why, place, row);
  } else if (item->is_pattern) {
    if (why_mbean_instance(why->mbeans, item, place->naming, &name, instance))
      why_near_add(&why->near, why->instance, instance);
  } else if (row->name_len < sizeof text) {
    memcpy(text, row->name, row->name_len);
    text[row->name_len] = '\0';
    why_near_add(&why->near, item->pattern, text);
  }
}

/* The keys of the list. */
static void list_row(struct why_mbean *why, const struct value *list) {
  const char *wanted = why->place.reading->paths[0].attribute;
  struct members members;
  struct buf room;
  buf_init(&room, TEXT_MAX);
  why->has_list = list->type == VALUE_OTHER &&
                  buf_add(&room, list->text, list->text_len) == STATUS_OK &&
                  members_begin(&members, list, room.data);
  while (why->has_list && members_next(&members)) {
    char name[SAMPLE_NAME_MAX];
    if (members.key_len >= sizeof name)
      continue;
    memcpy(name, members.key, members.key_len);
    name[members.key_len] = '\0';
    if (strcmp(name, wanted) == 0)
      why->is_in_list = true;
    else
      why_near_add(&why->near, wanted, name);
  }
  buf_fini(&room);
}

void why_mbean_row(struct why_mbean *why, size_t item, const struct row *row) {
  if (why->step == STEP_NAMES)
    names_row(why, item, row);
  else if (why->step == STEP_ALONE && item == ITEM_LIST)
    list_row(why, &row->columns[0]);
  else if (why->step == STEP_ALONE)
    judge_value(why, row->columns, why->place.reading->own_columns);
  else if (why->step == STEP_ROUND && item < why->round->n)
    round_row(why, item, row);
}

void why_mbean_item(struct why_mbean *why, size_t item,
                    const struct item_result *result) {
  bool is_its = why->step == STEP_NAMES ||
                (why->step == STEP_ALONE && item == ITEM_READ) ||
                (why->step == STEP_ROUND && item < why->round->n &&
                 why->round->slots[item].item == why->place.item);
  if (is_its && result->status != STATUS_OK)
    error_set(&why->item, result->status, "%s", result->error);
}
