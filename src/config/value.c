/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/value.h"

#include "base/num.h"
#include "base/text.h"
#include "config/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What to write instead: "NAME EXAMPLE". */
static const char *example(const struct option *option) {
  return option->fallback ? option->fallback : option->example;
}

static bool has_control(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < 0x20 || *text == 0x7f)
      return true;
  return false;
}

const char *value_text_error(const char *text, size_t max) {
  if (!*text)
    return "is empty; give it a value or remove it";
  if (strchr(text, '\n'))
    return "has a line break; is a closing quote missing?";
  if (has_control(text))
    return "has a control byte; remove it";
  if (strlen(text) > max)
    return "is too long; shorten it";
  return NULL;
}

const char *value_text(const struct config_item *item, size_t max,
                       const char *sample, struct error *error) {
  if (item->n_values != 1) {
    error_set(error, STATUS_INVALID, "%s; write %s %s",
              item->n_values ? "has too many values" : "needs a value",
              item->key, sample);
    return NULL;
  }
  if (item->values[0].type != CONFIG_TEXT) {
    error_set(error, STATUS_INVALID,
              "needs a text; put the value in quotes: %s %s", item->key,
              sample);
    return NULL;
  }
  const char *reason = value_text_error(item->values[0].text, max);
  if (reason) {
    error_set(error, STATUS_INVALID, "%s", reason);
    return NULL;
  }
  return item->values[0].text;
}

/* collectd's own limit of a name is 127 bytes, and '/' parts them. */
const char *value_name_error(const char *name) {
  const char *reason = value_text_error(name, 127);
  if (!reason && strchr(name, '/'))
    reason = "has a '/'; use another character";
  if (!reason && text_utf8_length(name, strlen(name)) < strlen(name))
    reason = "is no UTF-8; write it so";
  return reason;
}

static enum status apply_text(const struct option *option,
                              const struct config_item *item, void *base,
                              struct error *error) {
  const char *text =
      value_text(item, (size_t)option->max, example(option), error);
  if (!text)
    return STATUS_INVALID;
  const char *reason = option->check ? option->check(text) : NULL;
  if (reason)
    return error_set(error, STATUS_INVALID, "%s", reason);
  if (option->type == OPTION_FOLDER && text[0] != '/')
    return error_set(error, STATUS_INVALID,
                     "is a relative path; write it from / on");
  return text_set(option_field(option, base), text);
}

/* A number in quotes is one too: collectd's grammar makes a text of 1e3. */
static bool number_of(const struct config_value *value, double *ret) {
  if (value->type == CONFIG_TEXT)
    return num_real(value->text, strlen(value->text), ret);
  if (value->type == CONFIG_NUMBER)
    *ret = value->number;
  return value->type == CONFIG_NUMBER;
}

static enum status refuse_number(const struct option *option, const char *value,
                                 const char *reason, struct error *error) {
  char min[32];
  char max[32];
  num_format_real(min, sizeof min, option->min);
  num_format_real(max, sizeof max, option->max);
  return error_set(error, STATUS_INVALID,
                   "%.40s %s; write %s to %s (%s), like %s %s", value, reason,
                   min, max, option->unit, option->name, example(option));
}

static enum status set_number(const struct option *option, double number,
                              const char *value, void *base,
                              struct error *error) {
  char text[32];
  uint64_t milli;
  if (option->type == OPTION_REAL) {
    *(double *)option_field(option, base) = number;
    return STATUS_OK;
  }
  if (option->type == OPTION_COUNT) {
    if (fabs(number - floor(number)) > 0)
      return refuse_number(option, value, "is not a whole number", error);
    if (option->size == sizeof(uint32_t))
      *(uint32_t *)option_field(option, base) = (uint32_t)number;
    else
      *(uint64_t *)option_field(option, base) = (uint64_t)number;
    return STATUS_OK;
  }
  size_t len = num_format_real(text, sizeof text, number);
  if (!num_milli(text, len, &milli))
    return refuse_number(option, value,
                         "has more than three digits behind the point", error);
  if (option->type == OPTION_SECONDS)
    *(int64_t *)option_field(option, base) = (int64_t)milli * 1000000;
  else
    *(uint64_t *)option_field(option, base) = milli;
  return STATUS_OK;
}

static enum status apply_number(const struct option *option,
                                const struct config_item *item, void *base,
                                struct error *error) {
  const struct config_value *value = &item->values[0];
  double number;
  if (!number_of(value, &number))
    return refuse_number(option, value->text, "is no number", error);
  if (isnan(number))
    return refuse_number(option, value->text, "is no number", error);
  if (number < option->min || number > option->max)
    return refuse_number(option, value->text, "is out of range", error);
  return set_number(option, number, value->text, base, error);
}

static enum status apply_bool(const struct option *option,
                              const struct config_item *item, void *base,
                              struct error *error) {
  static const char *const words[][2] = {
      {"false", "true"}, {"no", "yes"}, {"off", "on"}};
  const struct config_value *value = &item->values[0];
  bool *flag = option_field(option, base);
  if (value->type == CONFIG_BOOL) {
    *flag = value->number > 0;
    return STATUS_OK;
  }
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    for (size_t j = 0; j < 2; j++)
      if (value->type == CONFIG_TEXT &&
          strcasecmp(value->text, words[i][j]) == 0) {
        *flag = j == 1;
        return STATUS_OK;
      }
  return error_set(error, STATUS_INVALID,
                   "%.40s is neither true nor false; write %s %s", value->text,
                   option->name, example(option));
}

/* An unquoted off is a boolean to collectd's grammar. */
static enum status apply_choice(const struct option *option,
                                const struct config_item *item, void *base,
                                struct error *error) {
  const struct config_value *value = &item->values[0];
  bool is_off = value->type == CONFIG_BOOL && !(value->number > 0);
  const char *word = is_off ? "off" : value->text;
  for (unsigned i = 0; option->choices[i]; i++)
    if (strcasecmp(option->choices[i], word) == 0) {
      if (option->size == sizeof(bool))
        *(bool *)option_field(option, base) = i == 1;
      else
        *(unsigned *)option_field(option, base) = i;
      return STATUS_OK;
    }
  return error_set(error, STATUS_INVALID, "%.40s is unknown; write %s", word,
                   option->unit);
}

static enum status apply_patterns(const struct option *option,
                                  const struct config_item *item, void *base,
                                  bool is_first, struct error *error) {
  for (size_t i = 0; i < item->n_values; i++) {
    const struct config_value *value = &item->values[i];
    const char *reason =
        value->type == CONFIG_TEXT
            ? value_text_error(value->text, (size_t)option->max)
            : "is no text; put it in quotes";
    if (!reason && option->check)
      reason = option->check(value->text);
    if (reason)
      return error_set(error, STATUS_INVALID, "value %zu %s", i + 1, reason);
  }
  struct pattern_list *list = option_field(option, base);
  char place[512];
  snprintf(place, sizeof place, "%.480s:%d", item->file ? item->file : "",
           item->line);
  if (is_first)
    patterns_fini(list);
  for (size_t i = 0; i < item->n_values; i++)
    if (patterns_add(list, item->values[i].text, item->file ? place : NULL))
      return STATUS_NO_MEMORY;
  return STATUS_OK;
}

enum status value_apply(const struct option *option,
                        const struct config_item *item, void *base,
                        bool is_first, struct error *error) {
  if (item->n_children > 0)
    return error_set(error, STATUS_INVALID,
                     "is an option, not a block; write %s %s", option->name,
                     example(option));
  if (item->n_values == 0 ||
      (item->n_values > 1 && option->type != OPTION_PATTERNS))
    return error_set(error, STATUS_INVALID, "%s; write %s %s",
                     item->n_values ? "has too many values" : "needs a value",
                     option->name, example(option));
  switch (option->type) {
  case OPTION_TEXT:
  case OPTION_FOLDER:
  case OPTION_PASSWORD:
    return apply_text(option, item, base, error);
  case OPTION_RATE:
  case OPTION_COUNT:
  case OPTION_REAL:
  case OPTION_SECONDS:
    return apply_number(option, item, base, error);
  case OPTION_BOOL:
    return apply_bool(option, item, base, error);
  case OPTION_CHOICE:
    return apply_choice(option, item, base, error);
  case OPTION_PATTERNS:
    return apply_patterns(option, item, base, is_first, error);
  case OPTION_PEM:
  case OPTION_PASSWORD_FILE:
  case OPTION_URL:
  case OPTION_NODE_URL:
  case OPTION_SECTION:
  case OPTION_CLUSTER:
  case OPTION_NODE:
  case OPTION_MBEAN:
  case OPTION_ATTRIBUTE:
  case OPTION_MAP:
  default:
    return error_set(error, STATUS_INVALID, "cannot stand here");
  }
}
