/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/why.h"

#include "artemis/objects.h"
#include "artemis/restart.h"
#include "artemis/why_parts.h"
#include "base/clock.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum step { STEP_OVER, STEP_IDENTITY, STEP_ROUND, STEP_QUEUES, STEP_HIDDEN };

struct why {
  struct why_question question;
  struct scrape_settings settings;
  struct objects objects;
  struct identity_reader *reader;
  struct identity identity;
  struct aside aside; /* nothing is */
  struct plan plan;
  enum step step;
  struct error item; /* how the item that has the object ended */
  bool was_listed;
  bool is_active;
  int64_t uptime_ms; /* -1: unknown */
  bool is_found;
  bool is_elsewhere; /* a list of names has it that the login may not read */
  bool is_over_cap;
  uint64_t n_wanted; /* objects that are, of its kind */
  struct why_near near;
  struct why_answer answer;
};

struct why *why_new(const struct scrape_settings *settings,
                    const struct why_question *question) {
  struct why *why = calloc(1, sizeof *why);
  enum status status;
  if (why == NULL)
    return NULL;
  why->question = *question;
  why->settings = *settings;
  why->uptime_ms = -1;
  why->step = STEP_IDENTITY;
  status = objects_init(&why->objects, settings);
  why->reader = identity_reader_new(settings->jmx_domain);
  if (status != STATUS_OK || why->reader == NULL) {
    why_free(why);
    return NULL;
  }
  return why;
}

void why_free(struct why *why) {
  if (why == NULL)
    return;
  objects_fini(&why->objects);
  identity_reader_free(why->reader);
  free(why);
}

const struct why_answer *why_answer(const struct why *why) {
  return &why->answer;
}

/* -- What is asked -- */

/* A sum of the broker's is made of its queues. */
static enum object object_asked(const struct why *why) {
  return why->question.attribute->is_sum ? OBJECT_QUEUE : why->question.object;
}

static enum request_kind plan_round(struct why *why) {
  struct plan *plan = &why->plan;
  enum object object = object_asked(why);
  enum tier tier = why->question.attribute->tier;
  plan_begin(plan, &why->identity, why->settings.sets, &why->aside);
  plan->has_address = objects_has_address(&why->objects);
  plan_add_active(plan, PLAN_ACTIVE_BEFORE);
  plan_add_broker(plan, object == OBJECT_BROKER ? tier : TIER_FAST);
  if (object == OBJECT_BROKER)
    return KIND_BROKER;
  if (object == OBJECT_ADDRESS) {
    plan_add_addresses(plan, tier);
    return KIND_ADDRESSES;
  }
  why->was_listed = why->step == STEP_ROUND && tier == TIER_FAST &&
                    why->settings.source != SCRAPE_READ;
  if (why->was_listed)
    plan_add_listing(plan);
  else
    plan_add_queues(plan, tier);
  return KIND_LISTING;
}

bool why_next(struct why *why, struct scrape_request *ret) {
  if (why->step == STEP_OVER)
    return false;
  if (why->step == STEP_IDENTITY) {
    ret->kind = KIND_IDENTITY;
    ret->n = IDENTITY_ITEMS;
    identity_request(why->reader, &ret->operations, &ret->specs);
    return true;
  }
  why->item.kind = STATUS_OK;
  if (why->step == STEP_HIDDEN) {
    plan_begin(&why->plan, &why->identity, why->settings.sets, &why->aside);
    plan_add_names(&why->plan, why->question.object);
    ret->kind = KIND_LISTING;
  } else {
    ret->kind = plan_round(why);
  }
  ret->operations = why->plan.operations;
  ret->specs = why->plan.specs;
  ret->n = why->plan.n;
  return true;
}

/* -- What comes -- */

static void take_sample(void *cookie, const struct sample *sample) {
  struct why_answer *answer = cookie;
  answer->has_value = true;
  answer->is_derive = sample->is_derive;
  answer->derive = sample->derive;
  answer->gauge = sample->gauge;
}

/* The one value, as a scrape takes it; where it does not, the reason. */
static void take_value(struct why *why, const struct value *value) {
  const struct attribute *attribute = why->question.attribute;
  const struct sample_sink sink = {take_sample, &why->answer};
  struct values values = {.sink = &sink};
  if (values_dispatch(&values, why->question.instance, &attribute, value, 1) ==
      0)
    why_judge_value(&why->answer, attribute, value);
}

static const struct value *column_of(const struct why *why,
                                     const struct plan_item *item,
                                     const struct row *row) {
  for (size_t i = item->n_lead; i < item->n; i++)
    if (item->attributes[i] == why->question.attribute)
      return &row->columns[i];
  return NULL;
}

static void broker_row(struct why *why, const struct plan_item *item,
                       const struct row *row) {
  const struct value *value = column_of(why, item, row);
  why->answer.round_values += item->n;
  for (size_t i = item->n_lead; i < item->n; i++)
    if (strcmp(item->names[i], "UptimeMillis") == 0 &&
        row->columns[i].type == VALUE_INT)
      why->uptime_ms = row->columns[i].integer;
  if (value == NULL)
    return;
  why->is_found = true;
  take_value(why, value);
}

static void object_row(struct why *why, const struct plan_item *item,
                       const struct row *row) {
  struct objects_choice *choice = objects_choice(&why->objects, item->role);
  struct objectname_slice name;
  struct filter_judgement judgement;
  char instance[SAMPLE_NAME_MAX];
  size_t prefix = strlen(object_name(why->question.object)) + 1; /* "queue-" */
  bool is_over = false;
  if (!objects_name(&why->objects, item->role, row, &name))
    return;
  judgement = objects_judge(&why->objects, item, row, &name);
  if (judgement.verdict == FILTER_IN)
    is_over = !chosen_take(&choice->chosen, hash_bytes(name.text, name.len));
  why->n_wanted += judgement.verdict == FILTER_IN;
  if (judgement.verdict != FILTER_OUT && !is_over)
    why->answer.round_values += item->n - item->n_lead;
  if (judgement.verdict == FILTER_KEEP)
    kept_sums_add(&why->objects.kept, name.text, name.len, item, row);
  names_instance(instance, sizeof instance, why->settings.names,
                 object_name(why->question.object), name.text, name.len);
  if (strcmp(instance, why->question.instance) != 0) {
    why_near_add(&why->near, why->question.instance + prefix,
                 instance + prefix);
    return;
  }
  const struct value *value = column_of(why, item, row);
  if (value == NULL) /* it is in an item of its own */
    return;
  why->is_found = true;
  why->is_over_cap = is_over;
  why->answer.judgement = judgement;
  take_value(why, value);
}

/* Of a list of names, which knows more than the login may read. */
static void names_row(struct why *why, const struct row *row) {
  const struct value *value = &row->columns[0];
  char instance[SAMPLE_NAME_MAX];
  if (value->type != VALUE_TEXT && !value->was_text)
    return;
  names_instance(instance, sizeof instance, why->settings.names,
                 object_name(why->question.object), value->text,
                 value->text_len);
  if (strcmp(instance, why->question.instance) == 0)
    why->is_elsewhere = true;
}

void why_row(struct why *why, size_t item, const struct row *row) {
  const struct plan_item *plan_item;
  if (why->step == STEP_IDENTITY) {
    identity_row(why->reader, item, row);
    return;
  }
  if (item >= why->plan.n)
    return;
  plan_item = &why->plan.items[item];
  if (row->n_columns != plan_item->n)
    return;
  switch (plan_item->role) {
  case PLAN_ACTIVE_BEFORE:
    why->is_active =
        row->columns[0].type == VALUE_BOOL && row->columns[0].integer != 0;
    break;
  case PLAN_BROKER:
    broker_row(why, plan_item, row);
    break;
  case PLAN_LISTING:
  case PLAN_QUEUES:
  case PLAN_ADDRESSES:
    if (why->step == STEP_HIDDEN)
      names_row(why, row);
    else
      object_row(why, plan_item, row);
    break;
  case PLAN_ACTIVE_AFTER:
    break;
  }
}

static bool has_object(const struct why *why, enum plan_role role) {
  switch (object_asked(why)) {
  case OBJECT_BROKER:
    return role == PLAN_BROKER;
  case OBJECT_ADDRESS:
    return role == PLAN_ADDRESSES;
  case OBJECT_QUEUE:
    return role == PLAN_LISTING || role == PLAN_QUEUES;
  case OBJECT_MBEAN:
  case OBJECT_COUNT:
    break;
  }
  return false;
}

void why_item(struct why *why, size_t item, const struct item_result *result) {
  if (why->step == STEP_IDENTITY)
    identity_item(why->reader, item, result);
  else if (item < why->plan.n && result->status != STATUS_OK &&
           has_object(why, why->plan.items[item].role))
    error_set(&why->item, result->status, "%s", result->error);
}

/* -- What it comes to -- */

static void judge_identity(struct why *why) {
  struct why_answer *answer = &why->answer;
  const struct attribute *attribute = why->question.attribute;
  struct error error;
  enum status status = identity_take(why->reader, &why->identity, &error);
  unsigned version = why->identity.version_number;
  why->step = STEP_OVER;
  if (status != STATUS_OK) {
    why_judge_error(answer, &error);
    if (status == STATUS_NOT_FOUND)
      answer->reason = WHY_NO_BROKER;
  } else if ((attribute->set & why->settings.sets) == 0) {
    why_answer_set(answer, WHY_NO_ATTRIBUTE,
                   "name that set in the node's Set line, too",
                   "%s is of the set %s, which is not read of this node",
                   attribute->name, set_name(attribute->set));
  } else if (version > 0 && attribute->since > version) {
    why_answer_set(answer, WHY_OLDER_VERSION, "upgrade the broker",
                   "%s came with Artemis %u.%u, and this broker is %s",
                   attribute->name, attribute->since / 1000,
                   attribute->since % 1000, why->identity.version);
  } else if (why->question.object != OBJECT_BROKER &&
             !why->identity.is_active) {
    why_answer_set(answer, WHY_BACKUP,
                   "ask the node that is active: what is on it moves with it",
                   "the node is %s: it has no queues or addresses of its own",
                   why->identity.is_backup ? "a backup" : "not active");
  } else {
    why->step = STEP_ROUND;
  }
}

static void judge_absence(struct why *why) {
  struct why_answer *answer = &why->answer;
  const char *object = object_name(why->question.object);
  if (why->is_elsewhere)
    why_answer_set(
        answer, WHY_HIDDEN_BY_ROLE,
        "give the login the permission to view it (in broker.xml or "
        "management.xml)",
        "the broker has that %s, and does not show its MBean to this login",
        object);
  else
    why_near_tell(&why->near, answer, why->question.instance, object);
}

static uint32_t max_objects(const struct why *why) {
  return why->question.object == OBJECT_QUEUE ? why->settings.max_queues
                                              : why->settings.max_addresses;
}

/* All is well with it but that others may have taken its room. */
static bool is_cap_short(const struct why *why) {
  return why->question.object != OBJECT_BROKER && why->answer.has_value &&
         why->answer.judgement.verdict == FILTER_IN &&
         why->n_wanted > max_objects(why);
}

static void judge_found(struct why *why) {
  struct why_answer *answer = &why->answer;
  const struct attribute *attribute = why->question.attribute;
  int64_t held_ms = RESTART_INTERVALS * why->settings.interval_ns[TIER_FAST] /
                    CLOCK_NS_PER_MS;
  if (why->question.object != OBJECT_BROKER &&
      answer->judgement.verdict == FILTER_OUT)
    why_judge_filter(answer, object_name(why->question.object));
  else if (why->is_over_cap || is_cap_short(why))
    why_judge_cap(answer, why->question.object, why->n_wanted, max_objects(why),
                  !why->is_over_cap);
  else if (answer->has_value && attribute->is_derive && why->uptime_ms >= 0 &&
           why->uptime_ms < held_ms)
    why_answer_set(answer, WHY_HELD_BACK, "wait: it comes by itself",
                   "the broker started %.1f s ago: after a restart collectd "
                   "gets no counter for %d intervals, so that it has forgotten "
                   "the old one",
                   (double)why->uptime_ms / 1000, RESTART_INTERVALS);
}

/* The node's Keep names none of the queues that it sums up. */
static void judge_sum(struct why *why) {
  const struct attribute *attribute = why->question.attribute;
  const struct sample_sink sink = {take_sample, &why->answer};
  struct values values = {.sink = &sink};
  for (unsigned sum = 0; sum < KEPT_SUMS; sum++)
    if (kept_sums_attribute(sum) != attribute)
      why->objects.kept.has[sum] = false;
  kept_sums_dispatch(&why->objects.kept, &values);
  if (!why->answer.has_value)
    why_answer_set(&why->answer, WHY_NO_MBEAN, "name such queues in Keep",
                   "Keep names no queue that the broker has of those that "
                   "%s sums up",
                   attribute->name);
}

static void judge_round(struct why *why) {
  enum object object = why->question.object;
  bool is_denied = why->item.kind == STATUS_ITEM_DENIED;
  bool may_read = why->settings.source == SCRAPE_AUTO;
  bool is_missing =
      why->item.kind == STATUS_OK ||
      (object != OBJECT_BROKER && why->item.kind == STATUS_NOT_FOUND);
  enum step step = why->step;
  why->step = STEP_OVER;
  if (why->question.attribute->is_sum && why->item.kind == STATUS_OK)
    judge_sum(why);
  else if (why->is_found)
    judge_found(why);
  else if (step == STEP_HIDDEN)
    judge_absence(why);
  else if (is_denied && why->was_listed && may_read)
    why->step = STEP_QUEUES;
  else if (!is_missing)
    why_judge_error(&why->answer, &why->item);
  else if (object != OBJECT_BROKER && !why->is_active)
    why_answer_set(&why->answer, WHY_BACKUP, "ask again",
                   "the broker was not active when it was asked");
  else if (object != OBJECT_BROKER && !why->was_listed)
    why->step = STEP_HIDDEN;
  else
    judge_absence(why);
}

void why_done(struct why *why, const struct error *error) {
  if (error->kind != STATUS_OK) {
    why->step = STEP_OVER;
    why_judge_error(&why->answer, error);
  } else if (why->step == STEP_IDENTITY) {
    judge_identity(why);
  } else {
    judge_round(why);
  }
}
