/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/log.h"
#include "config/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void problems_init(struct problems *problems) {
  *problems = (struct problems){0};
}

void problems_fini(struct problems *problems) {
  free(problems->list);
  problems_init(problems);
}

static struct problem *next_problem(struct problems *problems) {
  if (problems->n == PROBLEMS_MAX)
    return NULL;
  if ((problems->n & (problems->n - 1)) == 0) {
    size_t capacity = problems->n ? 2 * problems->n : 1;
    struct problem *list = reallocarray(problems->list, capacity, sizeof *list);
    if (!list)
      return NULL;
    problems->list = list;
  }
  return &problems->list[problems->n++];
}

/* One line of printable text, cut at a whole character, as error_set() does. */
static void set_line(char *dst, size_t size, const char *text) {
  struct error line;
  error_set(&line, STATUS_INVALID, "%s", text);
  snprintf(dst, size, "%.*s", (int)size - 1, line.text);
}

__attribute__((format(printf, 5, 0))) static void
add(struct problems *problems, const char *place, const char *cluster,
    bool is_warning, const char *format, va_list args) {
  if (!is_warning)
    problems->n_errors++;
  struct problem *problem = next_problem(problems);
  if (!problem) {
    problems->n_dropped++;
    return;
  }
  char text[2 * sizeof problem->text];
  if (vsnprintf(text, sizeof text, format, args) < 0)
    text[0] = 0;
  set_line(problem->place, sizeof problem->place, place);
  set_line(problem->text, sizeof problem->text, text);
  set_line(problem->cluster, sizeof problem->cluster, cluster ? cluster : "");
  problem->is_warning = is_warning;
  problem->is_rejected = false;
  problem->source = problems->source;
}

/* Only names are shown: any other value may be a secret, and so may a URL in a
 * name's place ('/' stands in no name). */
static bool has_name(const struct config_item *item) {
  return item->n_values > 0 && item->values[0].type == CONFIG_TEXT &&
         !strchr(item->values[0].text, '/') &&
         (config_key_is(item, "Plugin") || config_key_is(item, "Cluster") ||
          config_key_is(item, "Node"));
}

static void add_step(char *path, size_t size, const struct config_item *item,
                     bool is_last) {
  bool is_block = !is_last || item->n_children > 0;
  size_t len = strlen(path);
  snprintf(path + len, size - len, "%s%s%s%s%s%s", len ? "/" : "",
           is_block ? "<" : "", item->key, has_name(item) ? " " : "",
           has_name(item) ? item->values[0].text : "", is_block ? ">" : "");
}

static void set_path(char *path, size_t size, const struct config_item *item) {
  enum { STEPS = 8 };
  const struct config_item *steps[STEPS];
  size_t n = 0;
  for (const struct config_item *step = item; step && step->parent;
       step = step->parent)
    if (n < STEPS)
      steps[n++] = step;
  bool is_whole = n > 0 && config_key_is(steps[n - 1], "Plugin");
  snprintf(path, size, "%s", is_whole ? "" : "<Plugin jolokia>");
  while (n > 0) {
    n--;
    add_step(path, size, steps[n], n == 0);
  }
}

void problems_add(struct problems *problems, const struct config_item *item,
                  const char *cluster, bool is_warning, const char *format,
                  ...) {
  char place[sizeof problems->list->place] = "";
  if (item && item->file)
    snprintf(place, sizeof place, "%s:%d", item->file, item->line);
  else if (item)
    set_path(place, sizeof place, item);
  va_list args;
  va_start(args, format);
  add(problems, place, cluster, is_warning, format, args);
  va_end(args);
}

void problems_vadd_at(struct problems *problems, const char *file, int line,
                      const char *cluster, bool is_warning, const char *format,
                      va_list args) {
  char place[sizeof problems->list->place];
  snprintf(place, sizeof place, "%s:%d", file, line);
  add(problems, place, cluster, is_warning, format, args);
}

void problems_add_at(struct problems *problems, const char *file, int line,
                     const char *cluster, bool is_warning, const char *format,
                     ...) {
  va_list args;
  va_start(args, format);
  problems_vadd_at(problems, file, line, cluster, is_warning, format, args);
  va_end(args);
}

void problems_append(struct problems *problems, const struct problems *from) {
  for (size_t i = 0; i < from->n; i++) {
    struct problem *problem = next_problem(problems);
    if (problem)
      *problem = from->list[i];
    else
      problems->n_dropped++;
  }
  problems->n_errors += from->n_errors;
  problems->n_dropped += from->n_dropped;
}

/* Lists of two reads are alike: ${*at} is where the last one was found. */
static bool has(const struct problems *problems, const struct problem *problem,
                size_t *at) {
  for (size_t i = 0; i < problems->n; i++) {
    const struct problem *one = &problems->list[(*at + i) % problems->n];
    if (one->is_rejected == problem->is_rejected &&
        strcmp(one->text, problem->text) == 0 &&
        strcmp(one->place, problem->place) == 0) {
      *at = (*at + i) % problems->n;
      return true;
    }
  }
  return false;
}

void problems_log(const struct problems *problems,
                  const struct problems *before) {
  size_t at = 0;
  for (size_t i = 0; i < problems->n; i++) {
    const struct problem *problem = &problems->list[i];
    bool costs_cluster =
        !problem->is_warning && problem->cluster[0] && !problem->is_rejected;
    if (before && has(before, problem, &at))
      continue;
    log_write(problem->is_warning ? LOG_LEVEL_WARNING : LOG_LEVEL_ERROR,
              "%s%s%s%s%s%s%s", problem->place, problem->place[0] ? ": " : "",
              problem->text, costs_cluster ? "; cluster " : "",
              costs_cluster ? problem->cluster : "",
              costs_cluster ? " is left out" : "",
              problem->is_rejected
                  ? "; the file is rejected, what was good of it stays"
                  : "");
  }
  if (problems->n_dropped && !(before && before->n_dropped))
    log_write(LOG_LEVEL_ERROR, "and %zu more mistakes in the settings",
              problems->n_dropped);
}
