/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/values.h"

#include "artemis/identity.h"

enum outcome { MADE, ABSENT, WRONG };

static enum outcome make_derive(const struct value *value, struct sample *ret) {
  if (value->type != VALUE_INT || value->integer < 0)
    return WRONG;
  ret->is_derive = true;
  ret->derive = value->integer;
  return MADE;
}

static enum outcome make_gauge(const struct attribute *attribute, double number,
                               struct sample *ret) {
  if (attribute->is_unknown_below_0 && number < 0)
    return ABSENT;
  if (attribute->is_failed_below_0 && number < 0)
    return WRONG;
  ret->is_derive = false;
  ret->gauge = number * attribute->scale;
  return MADE;
}

static enum outcome make(const struct attribute *attribute,
                         const struct value *value, struct sample *ret) {
  switch (value->type) {
  case VALUE_ABSENT:
  case VALUE_NULL:
    return ABSENT;
  case VALUE_BOOL:
    return attribute->is_bool
               ? make_gauge(attribute, (double)value->integer, ret)
               : WRONG;
  case VALUE_INT:
    if (attribute->is_bool)
      return WRONG;
    return attribute->is_derive
               ? make_derive(value, ret)
               : make_gauge(attribute, (double)value->integer, ret);
  case VALUE_REAL:
    if (attribute->is_bool || attribute->is_derive)
      return WRONG;
    return make_gauge(attribute, value->real, ret);
  case VALUE_TEXT:
  case VALUE_FAULT:
  case VALUE_OTHER:
    break;
  }
  return WRONG;
}

static bool is_not_started(const struct value *value) {
  return value->type == VALUE_FAULT &&
         identity_not_started(value->text, value->text_len);
}

/* Held back where its object's counters are. */
static void hand_over(struct values *values,
                      const struct attribute *attribute) {
  struct sample *sample = &values->sample;
  if (attribute->is_derive && values->holds[attribute->object]) {
    values->held++;
    return;
  }
  values->has_counter[attribute->object] |= attribute->is_derive;
  sample->type = attribute->type;
  sample->type_instance = attribute->name;
  sample->attribute = attribute;
  values->sink->dispatch(values->sink->cookie, sample);
  sample->is_of_last = true;
  values->samples++;
}

size_t values_dispatch(struct values *values, const char *instance,
                       const struct attribute *const *attributes,
                       const struct value *columns, size_t n) {
  struct sample *sample = &values->sample;
  size_t made = 0;
  sample->plugin_instance = instance;
  sample->is_of_last = false;
  for (size_t i = 0; i < n; i++) {
    switch (make(attributes[i], &columns[i], sample)) {
    case MADE:
      hand_over(values, attributes[i]);
      made++;
      break;
    case ABSENT:
      break;
    case WRONG:
      if (is_not_started(&columns[i]))
        values->saw_not_started = true;
      else
        values->errors++;
      break;
    }
  }
  return made;
}
