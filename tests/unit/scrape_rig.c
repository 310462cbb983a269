/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "scrape_rig.h"

#include "base/num.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX (1u << 20)

void rig_init(struct rig *rig) {
  memset(rig, 0, sizeof *rig);
  rig->settings.host = RIG_HOST;
  rig->settings.sets = SET_ARTEMIS;
  rig->settings.jmx_domain = RIG_DOMAIN;
  rig->settings.max_queues = 1000;
  rig->settings.max_addresses = 1000;
  rig->settings.interval_ns[TIER_FAST] = 10 * SECOND;
  rig->settings.interval_ns[TIER_ADDRESS] = 60 * SECOND;
  rig->settings.interval_ns[TIER_SLOW] = 300 * SECOND;
  buf_init(&rig->samples, TEXT_MAX);
  buf_init(&rig->body, TEXT_MAX);
}

void rig_fini(struct rig *rig) {
  scrape_free(rig->scrape);
  buf_fini(&rig->samples);
  buf_fini(&rig->body);
}

static void on_sample(void *cookie, const struct sample *sample) {
  struct rig *rig = cookie;
  char number[32];
  ck_assert_str_eq(sample->host, RIG_HOST);
  ck_assert_int_eq(sample->time_ns, rig->wall_ns);
  ck_assert_int_eq(sample->interval_ns, rig->settings.interval_ns[rig->tier]);
  num_format_real(number, sizeof number, sample->gauge);
  if (sample->is_derive)
    snprintf(number, sizeof number, "%lld", (long long)sample->derive);
  bool is_artemis = strcmp(sample->plugin, "artemis") == 0;
  buf_printf(&rig->samples, "%s%s%s/%s-%s %s", is_artemis ? "" : sample->plugin,
             is_artemis ? "" : "/", sample->plugin_instance, sample->type,
             sample->type_instance, number);
  for (size_t i = 0; i < sample->n_more; i++) {
    ck_assert(sample->is_derive);
    buf_printf(&rig->samples, ":%lld", (long long)sample->more_derive[i]);
  }
  buf_add_text(&rig->samples, "\n");
  ck_assert_int_eq(rig->samples.status, STATUS_OK);
  rig->n_samples++;
}

void rig_make(struct rig *rig) {
  struct sample_sink sink = {on_sample, rig};
  rig->scrape = scrape_new(&rig->settings, &sink);
  ck_assert_ptr_nonnull(rig->scrape);
}

void rig_begin(struct rig *rig, enum tier tier, int64_t seconds) {
  if (rig->scrape == NULL)
    rig_make(rig);
  buf_clear(&rig->samples);
  rig->n_samples = 0;
  rig->tier = tier;
  rig->wall_ns = seconds * SECOND;
  scrape_begin(rig->scrape, tier, rig->wall_ns);
}

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct rig *rig = cookie;
  scrape_row(rig->scrape, rig->tier, item, row);
  return true;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct rig *rig = cookie;
  scrape_item(rig->scrape, rig->tier, item, result);
}

/* The next request, and what there is of its reply; the reader's verdict. */
static enum status exchange(struct rig *rig, const char *json,
                            struct error *error) {
  struct reply_sink sink = {on_row, on_item, rig};
  struct scrape_request request;
  struct reply *reply;
  size_t consumed = 0;
  enum status status;
  ck_assert(scrape_next(rig->scrape, rig->tier, &request));
  rig->kind = request.kind;
  ck_assert_int_eq(
      request_build(&rig->body, request.operations, request.n, error),
      STATUS_OK);
  reply = reply_new(request.specs, request.n, 65536, &sink);
  ck_assert_ptr_nonnull(reply);
  status = reply_feed(reply, json, strlen(json), &consumed);
  if (status == STATUS_OK)
    status = reply_end(reply, error);
  reply_free(reply);
  return status;
}

void rig_reply(struct rig *rig, const char *json) {
  struct error error = {.kind = STATUS_OK, .text = ""};
  enum status status = exchange(rig, json, &error);
  ck_assert_msg(status == STATUS_OK, "%s: %s", status_name(status), error.text);
  scrape_done(rig->scrape, rig->tier, &error);
}

void rig_break(struct rig *rig, const char *json, enum status kind) {
  struct error error = {.kind = STATUS_OK, .text = ""};
  ck_assert_int_ne(exchange(rig, json ? json : "", &error), STATUS_OK);
  error_set(&error, kind, "broken");
  scrape_done(rig->scrape, rig->tier, &error);
}

void rig_over(struct rig *rig, enum status outcome) {
  const struct scrape_counts *counts = scrape_counts(rig->scrape);
  const struct error *error = scrape_outcome(rig->scrape, rig->tier);
  struct scrape_request request;
  ck_assert(!scrape_next(rig->scrape, rig->tier, &request));
  ck_assert_msg(error->kind == outcome, "%s: %s", status_name(error->kind),
                error->text);
  ck_assert_int_eq(error->text[0] != '\0', outcome != STATUS_OK);
  ck_assert_uint_eq(counts->received, counts->dispatched + counts->excluded +
                                          counts->over_cap + counts->invalid);
}

bool rig_sample(const struct rig *rig, const char *line) {
  size_t len = strlen(line);
  const char *at = buf_text(&rig->samples);
  for (; *at != '\0'; at = strchr(at, '\n') + 1)
    if (strncmp(at, line, len) == 0 && at[len] == '\n')
      return true;
  return false;
}

size_t rig_count(const struct rig *rig, const char *part) {
  size_t n = 0;
  const char *at = buf_text(&rig->samples);
  while ((at = strstr(at, part)) != NULL) {
    n++;
    at = strchr(at, '\n');
  }
  return n;
}

const char *rig_identity(const char *version, bool is_active) {
  static char text[1024];
  snprintf(text, sizeof text,
           "[{\"status\":200,\"value\":{\"agent\":\"2.1.1\"}},"
           "{\"status\":200,\"value\":[\"" RIG_BROKER "\"]},"
           "{\"status\":200,\"value\":{\"" RIG_BROKER "\":{\"Version\":\"%s\","
           "\"Name\":\"b\",\"NodeID\":\"id-1\",\"Active\":%s,\"Backup\":%s,"
           "\"Started\":true,\"HAPolicy\":\"Primary Only\"}}}]",
           version, is_active ? "true" : "false", is_active ? "false" : "true");
  return text;
}

#define ACTIVE "{\"status\":200,\"value\":{\"Active\":%s}}"

const char *rig_fast(const char *before, const char *objects,
                     const char *after) {
  static char text[65536];
  static const char broker[] =
      "{\"status\":200,\"value\":{\"Active\":true,\"ConnectionCount\":3,"
      "\"UptimeMillis\":60000}},"
      "{\"status\":200,\"value\":{\"DiskStoreUsage\":0.25}}";
  int n;
  if (objects == NULL)
    n = snprintf(text, sizeof text, "[" ACTIVE ",%s]", before, broker);
  else
    n = snprintf(text, sizeof text, "[" ACTIVE ",%s,%s," ACTIVE "]", before,
                 broker, objects, after);
  ck_assert_int_lt(n, (int)sizeof text);
  return text;
}

const char *rig_again(const char *objects) {
  static char text[65536];
  int n = snprintf(text, sizeof text, "[" ACTIVE ",%s," ACTIVE "]", "true",
                   objects, "true");
  ck_assert_int_lt(n, (int)sizeof text);
  return text;
}

char *rig_fixture(const char *version, const char *name) {
  const char *top = getenv("top_srcdir");
  char path[1024];
  char *text = calloc(1, TEXT_MAX);
  FILE *file;
  snprintf(path, sizeof path, "%s/tests/fixtures/%s/%s", top ? top : "..",
           version, name);
  file = fopen(path, "r");
  ck_assert_msg(file != NULL, "no %s", path);
  ck_assert_ptr_nonnull(text);
  ck_assert_uint_gt(fread(text, 1, TEXT_MAX - 1, file), 0);
  fclose(file);
  return text;
}
