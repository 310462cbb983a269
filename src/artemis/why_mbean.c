/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/why_mbean.h"

#include "artemis/chosen.h"
#include "artemis/why_parts.h"
#include "base/hash.h"
#include "jolokia/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX (16u << 20) /* the largest MaxObjectBytes */

enum step { STEP_OVER, STEP_ROUND, STEP_NAMES, STEP_ALONE };

enum { ITEM_READ, ITEM_LIST, ITEMS };

struct why_mbean {
  struct why_mbean_question question;
  struct mbeans *mbeans;
  struct why_mbean_place *places; /* those that may have it */
  size_t n_places;
  struct why_mbean_place place; /* the one that it is looked for in */
  enum step step;
  char instance[SAMPLE_NAME_MAX]; /* "": not known yet */
  const char *type_instance;      /* NULL: whichever comes first */
  char *name;                     /* its object name; NULL: not known */
  struct buf text;                /* a pattern; a path */
  const struct mbean_round *round;
  struct operation *operations; /* ITEMS, or one of each place if more */
  struct item_spec *specs;
  struct error item; /* how the item that should have it ended */
  bool is_named;     /* a list of names has it */
  bool is_found;     /* its row came */
  bool is_over_cap;
  bool is_in_hand; /* the row that is read is its */
  bool has_list;
  bool is_in_list;
  struct why_near near;
  uint64_t n_over;
  struct why_answer answer;
};

/* A series that is known by its block's name for it, or by its key's. */
static void set_value(struct why_mbean *why) {
  const struct mbean_reading *reading = why->place.reading;
  const char *value = why->question.value;
  if (reading && reading->paths[0].star < reading->paths[0].n_keys)
    why->type_instance = strncmp(value, reading->type_instance,
                                 strlen(reading->type_instance)) == 0 &&
                                 strcmp(value, reading->type_instance) != 0
                             ? value
                             : NULL;
  else if (reading)
    why->type_instance = reading->type_instance;
  else
    why->type_instance = value[0] ? value : NULL;
}

static bool keep_name(struct why_mbean *why, const char *text, size_t len) {
  free(why->name);
  why->name = strndup(text, len);
  return why->name != NULL;
}

static bool set_place(struct why_mbean *why) {
  const struct why_mbean_place *place = &why->place;
  why->place = why->places[0];
  const char *text = why->question.name;
  struct objectname name;
  struct error error;
  set_value(why);
  if (!text && !place->item->is_pattern)
    text = place->item->pattern;
  if (!text) {
    memcpy(why->instance, why->question.instance,
           strlen(why->question.instance) + 1);
    return true;
  }
  return keep_name(why, text, strlen(text)) &&
         objectname_parse(text, strlen(text), &name, &error) == STATUS_OK &&
         why_mbean_instance(why->mbeans, place->item, place->naming, &name,
                            why->instance);
}

static bool begin(struct why_mbean *why) {
  bool is_by_name = why->question.name != NULL;
  if (is_by_name) {
    why->places[0] = why->places[why->question.block];
    why->n_places = 1;
  }
  size_t n = why->n_places > ITEMS ? why->n_places : ITEMS;
  why->operations = calloc(n, sizeof *why->operations);
  why->specs = calloc(n, sizeof *why->specs);
  why->step = why->n_places > 1 ? STEP_NAMES : STEP_ROUND;
  return why->operations && why->specs && set_place(why);
}

struct why_mbean *why_mbean_new(struct mbeans *mbeans, unsigned sets,
                                const struct why_mbean_question *question) {
  struct why_mbean *why = calloc(1, sizeof *why);
  if (!why)
    return NULL;
  why->question = *question;
  why->mbeans = mbeans;
  buf_init(&why->text, TEXT_MAX);
  bool is_well = why_mbean_find(mbeans, question, &why->places, &why->n_places);
  if (is_well && why->n_places == 0) {
    why_mbean_nowhere(mbeans, sets, question, &why->answer);
    return why;
  }
  if (is_well && begin(why))
    return why;
  why_mbean_free(why);
  return NULL;
}

void why_mbean_free(struct why_mbean *why) {
  if (!why)
    return;
  buf_fini(&why->text);
  free(why->places);
  free(why->operations);
  free(why->specs);
  free(why->name);
  free(why);
}

const struct why_answer *why_mbean_answer(const struct why_mbean *why) {
  return &why->answer;
}

struct why_mbean_found why_mbean_found(const struct why_mbean *why) {
  const struct why_mbean_place *place = &why->place;
  struct why_mbean_found found = {.plugin = why->question.plugin,
                                  .instance = why->question.instance,
                                  .type = why->question.type,
                                  .value = why->question.value,
                                  .unit = ""};
  if (!place->item)
    return found;
  found.pattern = place->item->pattern;
  found.set = why_mbean_set(place->naming->plugin);
  found.plugin = place->naming->plugin;
  found.instance = why->instance;
  found.type = place->reading ? place->reading->type : place->item->all_type;
  found.tier = place->item->tier;
  if (why->type_instance)
    found.value = why->type_instance;
  if (place->reading && place->reading->attribute)
    found.unit = place->reading->attribute->unit;
  return found;
}

/* -- What is asked -- */

static void plan_search(struct why_mbean *why, size_t i, const char *pattern) {
  why->operations[i] =
      (struct operation){.type = OPERATION_SEARCH, .mbean = pattern};
  why->specs[i] = (struct item_spec){.form = FORM_NAMES};
}

/* All names of the pattern, or of the MBean's domain; of several blocks those
 * of each. */
static size_t plan_names(struct why_mbean *why) {
  const struct mbean_item *item = why->place.item;
  for (size_t i = 0; why->n_places > 1 && i < why->n_places; i++)
    plan_search(why, i, why->places[i].item->pattern);
  if (why->n_places > 1)
    return why->n_places;
  buf_clear(&why->text);
  buf_add(&why->text, item->pattern,
          item->is_pattern ? strlen(item->pattern)
                           : strcspn(item->pattern, ":"));
  buf_add_text(&why->text, item->is_pattern ? "" : ":*");
  plan_search(why, 0, buf_text(&why->text));
  return 1;
}

/* Its value, and what else it has. */
static size_t plan_alone(struct why_mbean *why) {
  const struct mbean_reading *reading = why->place.reading;
  why->operations[ITEM_READ] =
      (struct operation){.type = OPERATION_READ,
                         .mbean = why->name,
                         .attributes = reading->own,
                         .n_attributes = reading->n_own};
  why->specs[ITEM_READ] =
      (struct item_spec){FORM_MBEAN, reading->own, reading->n_own};
  if (request_list_path(&why->text, why->name) != STATUS_OK)
    return ITEM_LIST;
  why->operations[ITEM_LIST] = (struct operation){
      .type = OPERATION_LIST, .mbean = why->name, .name = buf_text(&why->text)};
  why->specs[ITEM_LIST] = (struct item_spec){.form = FORM_VALUE};
  return ITEMS;
}

bool why_mbean_next(struct why_mbean *why, struct scrape_request *ret) {
  if (why->step == STEP_OVER)
    return false;
  why->item.kind = STATUS_OK;
  ret->kind = KIND_MBEAN;
  ret->operations = why->operations;
  ret->specs = why->specs;
  if (why->step == STEP_NAMES) {
    ret->n = plan_names(why);
  } else if (why->step == STEP_ALONE) {
    ret->n = plan_alone(why);
  } else {
    why->round = mbeans_plan(why->mbeans, why->place.item->tier);
    if (!why->round) {
      why->step = STEP_OVER;
      why_answer_set(&why->answer, WHY_NOT_ASKED, "ask again", "no memory");
      return false;
    }
    ret->operations = why->round->operations;
    ret->specs = why->round->specs;
    ret->n = why->round->n;
  }
  return true;
}

/* -- What comes -- */

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
    (void)keep_name(why, row->name, row->name_len);
}

/* The first that has it is where it is looked for. */
static void take_name(struct why_mbean *why,
                      const struct why_mbean_place *place,
                      const struct row *row) {
  if (why->is_found)
    return;
  why->place = *place;
  set_value(why);
  why->is_found = keep_name(why, row->name, row->name_len);
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

/* -- What it comes to -- */

/* "No matching attributes": a pattern's MBeans have none of those named. */
static bool is_missing(const struct why_mbean *why) {
  return why->item.kind == STATUS_OK || why->item.kind == STATUS_NOT_FOUND ||
         (why->item.kind == STATUS_ITEM_ERROR &&
          strstr(why->item.text, "o matching attributes") != NULL);
}

static void tell_hidden(struct why_mbean *why) {
  why_answer_set(&why->answer, WHY_HIDDEN_BY_ROLE,
                 "give the login the permission to view it (in broker.xml or "
                 "management.xml)",
                 "the JVM has that MBean, and does not show it to this login");
}

static void judge_cap(struct why_mbean *why) {
  const struct chosen *chosen = &why->mbeans->chosen[why->place.item->tier];
  bool is_short = why->answer.has_value && why->place.item->is_pattern &&
                  why->answer.judgement.verdict == FILTER_IN && why->n_over > 0;
  if (why->is_over_cap || is_short)
    why_judge_cap(&why->answer, OBJECT_QUEUE, chosen->n + why->n_over,
                  chosen->max, !why->is_over_cap);
}

static void judge_round(struct why_mbean *why) {
  bool has_name = why->name != NULL;
  judge_cap(why);
  if (why->answer.has_value || why->is_over_cap)
    return;
  if (why->is_found && why->answer.reason != WHY_NO_ATTRIBUTE)
    return;
  if ((why->is_found || (why->is_named && is_missing(why))) && has_name &&
      why->place.reading)
    why->step = STEP_ALONE;
  else if (why->is_named && is_missing(why))
    tell_hidden(why);
  else if (!why->is_found && is_missing(why))
    why->step = STEP_NAMES;
  else if (!why->is_found)
    why_judge_error(&why->answer, &why->item);
}

static void tell_none(struct why_mbean *why) {
  char list[WHY_NEAR_LIST];
  char others[64] = "";
  if (why->n_places > 1)
    snprintf(others, sizeof others, " and of %zu other blocks",
             why->n_places - 1);
  why_answer_set(&why->answer, WHY_NO_MBEAN,
                 "mend the MBean line, or see whether the login may view it",
                 "the JVM has no MBean of %.300s%s of which the series is "
                 "%s%s%s",
                 why->place.item->pattern, others, why->instance,
                 why->near.n > 0 ? "; near to it are " : "",
                 why_near_list(&why->near, "", list));
}

static void judge_names(struct why_mbean *why) {
  if (why->is_found && !why->round)
    why->step = STEP_ROUND;
  else if (why->is_found && why->place.reading)
    why->step = STEP_ALONE;
  else if (why->is_found)
    tell_hidden(why);
  else if (why->item.kind != STATUS_OK)
    why_judge_error(&why->answer, &why->item);
  else
    tell_none(why);
  why->is_named = why->is_found;
  why->is_found = false;
  why->near.n = 0;
}

static void judge_alone(struct why_mbean *why) {
  char list[WHY_NEAR_LIST];
  if (why->item.kind == STATUS_NOT_FOUND)
    tell_hidden(why);
  else if (why->has_list && !why->is_in_list)
    why_answer_set(&why->answer, WHY_NO_ATTRIBUTE,
                   "name one that it has in the MBean's block",
                   "the MBean %.300s has no attribute %.100s%s%s", why->name,
                   why->place.reading->paths[0].attribute,
                   why->near.n > 0 ? "; near to it are " : "",
                   why_near_list(&why->near, "", list));
  else if (why->item.kind != STATUS_OK)
    why_judge_error(&why->answer, &why->item);
}

void why_mbean_done(struct why_mbean *why, const struct error *error) {
  enum step step = why->step;
  why->step = STEP_OVER;
  if (error->kind != STATUS_OK)
    why_judge_error(&why->answer, error);
  else if (step == STEP_ROUND)
    judge_round(why);
  else if (step == STEP_NAMES)
    judge_names(why);
  else
    judge_alone(why);
}
