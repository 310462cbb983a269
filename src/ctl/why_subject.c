/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/why.h"

#include "artemis/objects.h"
#include "jolokia/objectname.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(struct why_answer *answer, const char *text) {
  why_answer_set(answer, WHY_NO_SERIES,
                 "write HOST/artemis-queue-NAME/gauge-MessageCount, a part of "
                 "that, or an object name or a pattern of them",
                 "%.200s is no series of a broker, an address, a queue or an "
                 "MBean, and no object name",
                 text);
  return false;
}

static enum object object_of(const struct names_part *instance) {
  if (instance->text[0] == 'q')
    return OBJECT_QUEUE;
  return instance->text[0] == 'a' ? OBJECT_ADDRESS : OBJECT_BROKER;
}

bool why_subject_attribute(struct why_subject *subject,
                           struct why_answer *answer) {
  static const char *const usual[] = {[OBJECT_BROKER] = "Active",
                                      [OBJECT_ADDRESS] = "AddressSize",
                                      [OBJECT_QUEUE] = "MessageCount"};
  const struct attribute *nearest;
  const char *text =
      subject->value[0] ? subject->value : usual[subject->object];
  size_t len = strlen(text);
  subject->attribute = why_attribute(subject->object, text, len, &nearest);
  if (!subject->attribute) {
    why_answer_set(answer, WHY_NO_ATTRIBUTE,
                   "collectd-jolokia(5) lists the attributes that are read; an "
                   "<MBean> block reads any other",
                   "of a %s no attribute %.*s is read%s%s",
                   object_name(subject->object), (int)(len < 128 ? len : 128),
                   text, nearest ? "; near to it is " : "",
                   nearest ? nearest->name : "");
    return false;
  }
  const char *type = subject->attribute->type;
  /* types.db of collectd 5.8 has no bool. */
  bool is_gauge =
      strcmp(type, "bool") == 0 && strcmp(subject->type, "gauge") == 0;
  if (!subject->type[0] || strcmp(subject->type, type) == 0 || is_gauge)
    return true;
  why_answer_set(answer, WHY_OTHER_TYPE, "look for that series",
                 "its type is %s: the series is %s-%s", type, type,
                 subject->attribute->name);
  return false;
}

/* A part of a series that is shorter than ${size}, with a 0 behind it. */
static bool take(const struct names_part *part, char *dst, size_t size) {
  if (part->len >= size)
    return false;
  memcpy(dst, part->text, part->len);
  dst[part->len] = '\0';
  return true;
}

static bool read_series(const struct names_series *series,
                        struct why_subject *ret, struct why_answer *answer) {
  *ret = (struct why_subject){.host = series->host, .value = ""};
  if (!take(&series->instance, ret->instance, sizeof(ret->instance)) ||
      !take(&series->type, ret->type, sizeof(ret->type)) ||
      !take(&series->plugin, ret->plugin, sizeof(ret->plugin)))
    return refuse(answer, "a name of more than 127 bytes");
  ret->object =
      series->plugin.len > 0 ? OBJECT_MBEAN : object_of(&series->instance);
  if (series->attribute.len > 0)
    ret->value = series->attribute.text; /* the last part */
  return ret->object == OBJECT_MBEAN || why_subject_attribute(ret, answer);
}

/* The length of an object name that /ATTRIBUTE may follow. */
static size_t object_name_length(const char *text) {
  bool is_quoted = false;
  size_t i = 0;
  for (; text[i] && (is_quoted || text[i] != '/'); i++)
    if (is_quoted && text[i] == '\\' && text[i + 1])
      i++;
    else if (text[i] == '"')
      is_quoted = !is_quoted;
  return i;
}

/* Of an object of the broker's. */
static bool take_name(const struct objectname *name, struct why_subject *ret) {
  const struct objectname_property *property =
      objectname_get(name, object_name(ret->object));
  size_t size = property->value.len + 1; /* the plain form is never longer */
  ret->name = malloc(size);
  if (!ret->name ||
      objectname_unquote(property, ret->name, size, &ret->name_len))
    return false;
  if (ret->object == OBJECT_BROKER)
    memcpy(ret->instance, "broker", sizeof("broker"));
  return true;
}

/* An object name: of ours, or of any other MBean. */
static bool read_object(const char *text, struct why_subject *ret,
                        struct why_answer *answer) {
  size_t len = object_name_length(text);
  struct objectname name;
  struct error error;
  enum object object = OBJECT_MBEAN;
  if (objectname_parse(text, len, &name, &error))
    return refuse(answer, text);
  bool is_own = !name.is_pattern && objects_of_mbean(&name, NULL, &object);
  *ret = (struct why_subject){.object = is_own ? object : OBJECT_MBEAN,
                              .value = text[len] ? text + len + 1 : "",
                              .mbean = strndup(text, len),
                              .is_pattern = name.is_pattern};
  return (ret->mbean && (!is_own || take_name(&name, ret))) ||
         refuse(answer, text);
}

bool why_subject_read(const char *text, struct why_subject *ret,
                      struct why_answer *answer) {
  struct names_series series;
  *ret = (struct why_subject){.value = ""};
  return names_series(text, &series) ? read_series(&series, ret, answer)
                                     : read_object(text, ret, answer);
}

void why_subject_fini(struct why_subject *subject) {
  free(subject->name);
  free(subject->mbean);
}
