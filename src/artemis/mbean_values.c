/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/mbean.h"

#include "artemis/aside.h"
#include "artemis/chosen.h"
#include "artemis/mbean_instance.h"
#include "artemis/scrape.h"
#include "base/hash.h"
#include "jolokia/members.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum outcome { MADE, ABSENT, WRONG };

/* The row in hand. */
struct reading_row {
  struct mbeans *mbeans;
  const struct row *row;
  struct values *values;
  enum tier tier;
  bool is_counted; /* of a split item the first reading counts the MBean */
  uint64_t object; /* the MBean's, for claims.h */
  uint64_t errors;
  size_t made;
  bool is_taken; /* a series of it is another MBean's */
};

/* -- One value -- */

static bool mapped(const struct mbean_reading *reading,
                   const struct value *value, double *ret) {
  if (value->type != VALUE_TEXT && !value->was_text)
    return false;
  for (size_t i = 0; i < reading->n_map; i++)
    if (strlen(reading->map[i].text) == value->text_len &&
        memcmp(reading->map[i].text, value->text, value->text_len) == 0) {
      *ret = reading->map[i].number;
      return true;
    }
  return false;
}

/* A counter that is scaled: to the nearest whole number. */
static enum outcome make_derive(long double number, int64_t *ret) {
  if (!(number >= 0) || number + 0.5L >= 0x1p63L)
    return WRONG;
  *ret = (int64_t)(number + 0.5L);
  return MADE;
}

static bool is_whole(double number) {
  if (!(number >= 0 && number < 0x1p63))
    return false;
  return !((double)(int64_t)number < number);
}

static enum outcome derive_of(const struct mbean_reading *reading,
                              const struct value *value, int64_t *ret) {
  long double scale = (long double)reading->scale;
  if (value->type == VALUE_INT && reading->is_scaled)
    return make_derive((long double)value->integer * scale, ret);
  if (value->type == VALUE_INT) { /* exact */
    *ret = value->integer;
    return *ret < 0 ? WRONG : MADE;
  }
  if (value->type != VALUE_REAL)
    return WRONG;
  if (!reading->is_scaled && !is_whole(value->real))
    return WRONG;
  return make_derive((long double)value->real * scale, ret);
}

static enum outcome number_of(const struct mbean_reading *reading,
                              const struct value *value, double *gauge,
                              int64_t *derive) {
  double number;
  if (value->type == VALUE_ABSENT || value->type == VALUE_NULL)
    return ABSENT;
  if (mapped(reading, value, &number))
    *gauge = number;
  else if (value->type == VALUE_REAL)
    *gauge = number = value->real;
  else if (value->type == VALUE_INT ||
           (value->type == VALUE_BOOL && !reading->is_derive))
    *gauge = number = (double)value->integer;
  else
    return WRONG;
  if (reading->is_unknown_below_0 && number < 0)
    return ABSENT;
  if (!reading->is_derive) {
    *gauge = number * reading->scale;
    return MADE;
  }
  return derive_of(reading, value, derive);
}

static void set_source(struct sample *sample, size_t i, double gauge,
                       int64_t derive) {
  if (i == 0) {
    sample->gauge = gauge;
    sample->derive = derive;
    return;
  }
  sample->more_gauge[i - 1] = gauge;
  sample->more_derive[i - 1] = derive;
  sample->n_more = i;
}

static bool is_own_series(struct reading_row *at) {
  const struct sample *sample = &at->values->sample;
  const char *const parts[] = {sample->plugin_instance, sample->type,
                               sample->type_instance};
  uint64_t series = hash_text(sample->plugin);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    series = hash_more(series, parts[i], strlen(parts[i]) + 1);
  return claims_take(&at->mbeans->claims, at->tier, series, at->object);
}

static void count(struct reading_row *at, enum outcome outcome) {
  if (outcome == MADE && !is_own_series(at)) {
    at->is_taken = true;
    outcome = WRONG;
  }
  if (outcome == WRONG)
    at->errors++;
  if (outcome != MADE)
    return;
  struct values *values = at->values;
  struct sample *sample = &values->sample;
  at->made++;
  if (sample->is_derive && values->holds[OBJECT_MBEAN]) {
    values->held++;
    return;
  }
  values->has_counter[OBJECT_MBEAN] |= sample->is_derive;
  values->sink->dispatch(values->sink->cookie, sample);
  sample->is_of_last = true;
  sample->n_more = 0;
  values->samples++;
}

/* Room for the texts with escapes of one value. */
static char *room_of(struct mbeans *mbeans, const struct value *value) {
  struct buf *room = &mbeans->room;
  if (value->type != VALUE_OTHER)
    return NULL;
  buf_clear(room);
  return buf_add(room, value->text, value->text_len) == STATUS_OK ? room->data
                                                                  : NULL;
}

static void prepare(struct sample *sample, const struct mbean_reading *reading,
                    const char *type_instance) {
  sample->type = reading->type;
  sample->type_instance = type_instance;
  sample->attribute = reading->attribute;
  sample->is_derive = reading->is_derive;
  sample->n_more = 0;
}

static void read_plain(struct reading_row *at,
                       const struct mbean_reading *reading,
                       const size_t *columns) {
  struct sample *sample = &at->values->sample;
  enum outcome outcome = MADE;
  prepare(sample, reading, reading->type_instance);
  for (size_t i = 0; i < reading->n_paths && outcome == MADE; i++) {
    const struct value_path *path = &reading->paths[i];
    struct value value = at->row->columns[columns[i]];
    double gauge = (double)NAN;
    int64_t derive = 0;
    if (path->n_keys > 0)
      value_path_step(path, 0, path->n_keys, room_of(at->mbeans, &value),
                      &value);
    outcome = number_of(reading, &value, &gauge, &derive);
    set_source(sample, i, gauge, derive);
  }
  count(at, outcome);
}

/* A value for each key of a map. */
static void read_each(struct reading_row *at,
                      const struct mbean_reading *reading, size_t column) {
  struct sample *sample = &at->values->sample;
  const struct value_path *path = &reading->paths[0];
  struct value map = at->row->columns[column];
  struct members members;
  char *room = room_of(at->mbeans, &map);
  value_path_step(path, 0, path->star, room, &map);
  if (!members_begin(&members, &map, room)) {
    at->errors += map.type != VALUE_ABSENT && map.type != VALUE_NULL;
    return;
  }
  for (size_t n = 0; n < MBEAN_KEYS_MAX && members_next(&members); n++) {
    char instance[SAMPLE_NAME_MAX];
    double gauge = (double)NAN;
    int64_t derive = 0;
    names_instance(instance, sizeof instance, at->mbeans->alphabet,
                   reading->type_instance, members.key, members.key_len);
    prepare(sample, reading, instance);
    value_path_step(path, path->star + 1, path->n_keys, members.room,
                    &members.value);
    enum outcome outcome = number_of(reading, &members.value, &gauge, &derive);
    set_source(sample, 0, gauge, derive);
    count(at, outcome);
  }
  at->errors += members_next(&members) || members.is_broken;
}

/* Every number and truth of an MBean whose attributes nobody named: what is
 * none of these is no error. */
static void read_all(struct reading_row *at, const struct mbean_item *item) {
  const struct mbean_reading reading = {
      .type = item->all_type, .is_derive = item->all_is_derive, .scale = 1};
  const struct value *object = &at->row->columns[0];
  struct members members;
  members_begin(&members, object, room_of(at->mbeans, object));
  for (size_t n = 0; n < MBEAN_KEYS_MAX && members_next(&members); n++) {
    char instance[SAMPLE_NAME_MAX];
    double gauge = (double)NAN;
    int64_t derive = 0;
    if (number_of(&reading, &members.value, &gauge, &derive) != MADE)
      continue;
    names_instance(instance, sizeof instance, at->mbeans->alphabet, "",
                   members.key, members.key_len);
    prepare(&at->values->sample, &reading, instance);
    set_source(&at->values->sample, 0, gauge, derive);
    count(at, MADE);
  }
  at->errors += members_next(&members);
}

/* -- One MBean -- */

static void read_naming(struct reading_row *at, const struct mbean_slot *slot,
                        size_t naming) {
  const struct mbean_item *item = slot->item;
  bool is_split = slot->reading < item->n_readings;
  if (item->all_type)
    read_all(at, item);
  for (size_t i = 0; i < item->n_readings; i++) {
    const struct mbean_reading *reading = &item->readings[i];
    if (reading->naming != naming || (is_split && i != slot->reading))
      continue;
    const size_t *columns = is_split ? reading->own_columns : reading->columns;
    if (reading->paths[0].star < reading->paths[0].n_keys)
      read_each(at, reading, columns[0]);
    else
      read_plain(at, reading, columns);
  }
}

/* By the plain value of a key. */
static struct filter_judgement judge_key(struct mbeans *mbeans,
                                         struct filter *filter,
                                         const struct objectname *name,
                                         const char *key) {
  const struct objectname_property *property = objectname_get(name, key);
  struct buf *scratch = &mbeans->scratch;
  size_t len = 0;
  if (!property)
    return filter_judge(filter, "", 0, false);
  buf_clear(scratch);
  if (buf_add(scratch, property->value.text, property->value.len) ||
      buf_add(scratch, "", 1) ||
      objectname_unquote(property, scratch->data, scratch->len, &len))
    return (struct filter_judgement){.verdict = FILTER_OUT};
  return filter_judge(filter, scratch->data, len, false);
}

struct filter_judgement mbeans_judge(struct mbeans *mbeans,
                                     const struct mbean_naming *naming,
                                     const struct objectname *name) {
  for (size_t i = 0; i < naming->n_keys; i++) {
    struct mbean_key *key = &naming->keys[i];
    if (judge_key(mbeans, &key->filter, name, key->key).verdict == FILTER_OUT)
      return (struct filter_judgement){FILTER_OUT, FILTER_BY_KEYS, 0};
  }
  if (!naming->filter_key || !objectname_get(name, naming->filter_key))
    return (struct filter_judgement){.verdict = FILTER_IN};
  return judge_key(mbeans, mbeans->filter, name, naming->filter_key);
}

/* Where the MBean of a pattern is counted, as far as its name tells. */
static uint64_t *place_of(struct reading_row *at,
                          const struct mbean_naming *naming,
                          const struct objectname *name, const char *instance,
                          struct scrape_counts *counts) {
  struct mbeans *mbeans = at->mbeans;
  enum filter_verdict verdict = mbeans_judge(mbeans, naming, name).verdict;
  uint64_t hash = hash_bytes(instance, strlen(instance));
  if (verdict == FILTER_OUT)
    return &counts->excluded;
  if (verdict != FILTER_IN || chosen_take(&mbeans->chosen[at->tier], hash))
    return &counts->dispatched;
  char *place =
      at->is_counted ? left_out_add(&mbeans->left_out[at->tier].over) : NULL;
  if (place)
    snprintf(place, SAMPLE_NAME_MAX, "%s", instance);
  return &counts->over_cap;
}

static void tell_taken(struct reading_row *at, struct mbean_naming *naming,
                       const char *text, size_t len) {
  const struct sample *sample = &at->values->sample;
  char *place = at->is_counted
                    ? left_out_add(&at->mbeans->left_out[at->tier].taken)
                    : NULL;
  int shown = (int)(len < SAMPLE_NAME_MAX ? len : SAMPLE_NAME_MAX - 1);
  if (place)
    snprintf(place, SAMPLE_NAME_MAX, "%.*s", shown, text);
  if (naming->is_taken_told || !sample->host) /* asked about alone */
    return;
  naming->is_taken_told = true;
  log_write(LOG_LEVEL_WARNING,
            "%s: MBean %.*s: name_taken: another MBean has its name %.127s, "
            "and it is left out; write in its block an Instance that tells its "
            "MBeans apart, or a Prefix of its own",
            sample->host, shown, text, sample->plugin_instance);
}

/* One block's values of the row: where the MBean is counted for it. */
static uint64_t *read_block(struct reading_row *at,
                            const struct mbean_slot *slot, size_t number,
                            bool is_held_back, struct scrape_counts *counts) {
  const struct mbean_item *item = slot->item;
  struct mbean_naming *naming = &item->namings[number];
  const char *text = item->is_pattern ? at->row->name : item->pattern;
  size_t len = item->is_pattern ? at->row->name_len : strlen(text);
  struct objectname pattern;
  struct objectname name;
  struct error error;
  char instance[SAMPLE_NAME_MAX];
  if (objectname_parse(item->pattern, strlen(item->pattern), &pattern,
                       &error) ||
      objectname_parse(text, len, &name, &error) ||
      !instance_write(&pattern, at->mbeans->alphabet, naming->prefix,
                      naming->instance, &name, &at->mbeans->scratch, instance,
                      sizeof instance))
    return &counts->invalid;
  uint64_t *place = &counts->dispatched;
  if (item->is_pattern)
    place = place_of(at, naming, &name, instance, counts);
  if (place != &counts->dispatched)
    return place;
  if (is_held_back)
    return &counts->excluded;
  struct sample *sample = &at->values->sample;
  size_t made = at->made;
  sample->plugin = naming->plugin;
  sample->plugin_instance = instance;
  sample->is_of_last = false;
  at->object = objectname_hash(&name);
  at->is_taken = false;
  read_naming(at, slot, number);
  if (at->is_taken)
    tell_taken(at, naming, text, len);
  return at->made > made ? place : &counts->invalid;
}

bool mbeans_row(struct mbeans *mbeans, enum tier tier, size_t index,
                const struct row *row, bool is_held_back, struct values *values,
                struct scrape_counts *counts) {
  const struct mbean_round *round = &mbeans->rounds[tier];
  if (index >= round->n ||
      row->n_columns != (round->slots[index].item->all_type
                             ? 1
                             : round->specs[index].n_columns))
    return false;
  const struct mbean_slot *slot = &round->slots[index];
  struct reading_row at = {.mbeans = mbeans,
                           .row = row,
                           .values = values,
                           .tier = tier,
                           .is_counted =
                               slot->reading == 0 ||
                               slot->reading == slot->item->n_readings};
  const char *plugin = values->sample.plugin;
  uint64_t *place = &counts->invalid;
  for (size_t i = 0; i < slot->item->n_namings; i++) {
    uint64_t *here = read_block(&at, slot, i, is_held_back, counts);
    if (i == 0 || here == &counts->dispatched)
      place = here;
  }
  values->sample.plugin = plugin;
  values->sample.attribute = NULL;
  values->errors += at.errors;
  if (!at.is_counted)
    return at.made > 0;
  counts->received++;
  (*place)++;
  counts->clock_step += is_held_back && place == &counts->excluded;
  return at.made > 0;
}

/* -- How its operation ended -- */

static void put_aside(struct mbean_item *item, const char *host,
                      const char *text) {
  if (item->aside == 0)
    log_write(LOG_LEVEL_WARNING,
              "%s: MBean %.200s: set aside for %d rounds: %s", host,
              item->pattern, ASIDE_ROUNDS, text);
  item->aside = ASIDE_ROUNDS + 1;
}

static void tell_bad(struct mbean_item *item, const char *host, int64_t now_ns,
                     const struct item_result *result) {
  if (item->is_bad_told || !log_repeat_due(&item->repeat, now_ns))
    return;
  item->is_bad_told = true;
  log_write(LOG_LEVEL_NOTICE, "%s: MBean %.200s: %s: %s", host, item->pattern,
            status_name(result->status), result->error);
}

void mbeans_item(struct mbeans *mbeans, enum tier tier, size_t index,
                 const struct item_result *result, const char *host,
                 int64_t now_ns, struct scrape_counts *counts) {
  struct mbean_round *round = &mbeans->rounds[tier];
  if (index >= round->n)
    return;
  struct mbean_item *item = round->slots[index].item;
  counts->received += result->rows_invalid;
  counts->invalid += result->rows_invalid;
  if (result->status == STATUS_OK) {
    item->is_bad_told = false;
    return;
  }
  round->has_failed = true;
  counts->value_errors++;
  if (aside_is_for(result->status))
    put_aside(item, host, result->error);
  else
    tell_bad(item, host, now_ns, result);
  if (result->status == STATUS_ITEM_ERROR && item->n_readings > 1)
    item->split = SPLIT_ROUNDS + 1;
}
