/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/why_mbean.h"

#include "artemis/chosen.h"
#include "artemis/why_mbean_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void why_mbean_set_value(struct why_mbean *why) {
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

bool why_mbean_keep_name(struct why_mbean *why, const char *text, size_t len) {
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
  why_mbean_set_value(why);
  if (!text && !place->item->is_pattern)
    text = place->item->pattern;
  if (!text) {
    memcpy(why->instance, why->question.instance,
           strlen(why->question.instance) + 1);
    return true;
  }
  return why_mbean_keep_name(why, text, strlen(text)) &&
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
