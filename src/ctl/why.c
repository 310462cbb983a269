/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/why.h"

#include "artemis/objects.h"
#include "base/clock.h"
#include "client/limits.h"
#include "client/translate.h"
#include "ctl/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES (1u << 20) /* an argument has at most 128 KiB */

struct run {
  const struct ctl *ctl;
  const struct subject *subject;
  const struct why_subject *wanted;
  struct output output;
  struct buf line;
  size_t n_asked;
  bool is_there; /* of a node at least */
};

/* -- What the settings know of it, and collectd -- */

/* The option that left it out, and its patterns; NULL: none did. */
static const struct pattern_list *list_of(const struct node_settings *node,
                                          enum object object,
                                          enum filter_rule rule,
                                          const char **ret_option) {
  const struct queue_settings *queues = &node->queues;
  const struct address_settings *addresses = &node->addresses;
  bool is_queue = object == OBJECT_QUEUE;
  switch (rule) {
  case FILTER_BY_EXCLUDE:
    *ret_option = "Exclude";
    return is_queue ? &queues->exclude : &addresses->exclude;
  case FILTER_BY_INCLUDE:
    *ret_option = "Include";
    return is_queue ? &queues->include : &addresses->include;
  case FILTER_BY_EXCLUDE_ADDRESS:
    *ret_option = "ExcludeAddress";
    return &queues->exclude_address;
  case FILTER_BY_INCLUDE_ADDRESS:
    *ret_option = "IncludeAddress";
    return &queues->include_address;
  case FILTER_BY_NOTHING:
  case FILTER_BY_KEEP:
  case FILTER_BY_BROKER:
  case FILTER_BY_NAME:
  case FILTER_BY_KEYS:
    break;
  }
  return NULL;
}

/* The line that leaves it out. */
static void name_pattern(const struct node_settings *node, enum object object,
                         struct why_answer *answer) {
  enum filter_rule rule = answer->judgement.rule;
  const char *option = "";
  const struct pattern_list *list = list_of(node, object, rule, &option);
  bool is_exclude =
      rule == FILTER_BY_EXCLUDE || rule == FILTER_BY_EXCLUDE_ADDRESS;
  size_t i = is_exclude ? answer->judgement.pattern : 0;
  size_t len = strlen(answer->text);
  if (answer->reason != WHY_EXCLUDED || !list || i >= list->n)
    return;
  snprintf(answer->text + len, sizeof(answer->text) - len, ": %s \"%s\"%s%s%s",
           option, list->pattern[i], list->place[i] ? " (" : "",
           list->place[i] ? list->place[i] : "", list->place[i] ? ")" : "");
}

static struct why_due due_of(const struct limits *limits, enum tier tier,
                             int64_t interval_ns) {
  return (struct why_due){.tier = tier,
                          .interval_ns = interval_ns,
                          .ago_ns = limits->round_ago_ns[tier],
                          .about_ns = STAMP_STEP_NS,
                          .is_scraped =
                              limits->record.kind == STATUS_OK &&
                              limits->totals[OWNER_SCRAPE].requests > 0};
}

/* The node gives it: what may keep it from collectd all the same. */
static void judge_agent(const struct run *run, const struct node_settings *node,
                        int64_t interval_ns, enum tier tier,
                        struct why_answer *answer) {
  uint64_t limit = run->subject->queue_limit;
  struct limits limits;
  if (answer->reason != WHY_THERE)
    return;
  client_limits(&run->subject->selected, node, run->subject->interval_ns,
                clock_mono_ns(), &limits);
  if (limit > 0 && limit < answer->round_values) {
    why_answer_set(answer, WHY_WRITE_QUEUE,
                   "raise WriteQueueLimitHigh and WriteQueueLimitLow",
                   "collectd's WriteQueueLimitHigh is %" PRIu64
                   ", and a round of this node has %" PRIu64
                   " values: collectd drops some at random",
                   limit, answer->round_values);
    return;
  }
  const struct why_due due = due_of(&limits, tier, interval_ns);
  why_judge_due(answer, &due);
}

/* -- Asking a node -- */

static void tell(struct run *run, const struct why_told *told,
                 const struct why_answer *answer) {
  if (run->output.is_json)
    why_tell_json(&run->line, told, answer);
  else
    why_tell_text(&run->line, told, answer);
  output_write(&run->output, &run->line);
  run->is_there |= answer->reason == WHY_THERE;
  run->n_asked++;
}

static void tell_no_memory(void) {
  fputs("jolokiactl: no memory for the question\n", stderr);
}

static uint64_t requests_of(const struct ask *ask, size_t i) {
  return client_node_stats(ask->asked.nodes[i])->requests[OWNER_COMMAND];
}

static void ask_object(struct run *run, struct ask *ask, size_t i,
                       const struct why_subject *wanted) {
  const struct node_settings *node = &run->subject->selected.nodes[i];
  struct scrape_settings scrape =
      translate_scrape(node, run->subject->interval_ns);
  uint64_t before = requests_of(ask, i);
  char instance[SAMPLE_NAME_MAX];
  memcpy(instance, wanted->instance, sizeof(instance));
  if (!instance[0])
    names_instance(instance, sizeof(instance), scrape.names,
                   object_name(wanted->object), wanted->name, wanted->name_len);
  const struct why_question question = {.object = wanted->object,
                                        .instance = instance,
                                        .attribute = wanted->attribute};
  struct why *why = why_new(&scrape, &question);
  if (!why) {
    tell_no_memory();
    return;
  }
  why_ask(ask, i, why);
  struct why_answer answer = *why_answer(why);
  why_free(why);
  enum tier tier = wanted->attribute->tier;
  name_pattern(node, wanted->object, &answer);
  judge_agent(run, node, scrape.interval_ns[tier], tier, &answer);
  char series[3 * SAMPLE_NAME_MAX];
  snprintf(series, sizeof(series), "artemis-%s/%s-%s", instance,
           wanted->attribute->type, wanted->attribute->name);
  char source[32];
  snprintf(source, sizeof(source), "Set \"%s\"",
           set_name(wanted->attribute->set));
  tell(run,
       &(struct why_told){.node = node,
                          .series = series,
                          .source = source,
                          .unit = wanted->attribute->unit,
                          .requests = requests_of(ask, i) - before},
       &answer);
}

/* -- MBeans -- */

/* "jmx-INSTANCE/TYPE-VALUE", as far as it is known. */
static void write_series(const struct why_mbean_found *found,
                         const struct why_subject *wanted, char *dst,
                         size_t size) {
  if (!found->type[0] && wanted->mbean)
    snprintf(dst, size, "%s%s%s", wanted->mbean, found->value[0] ? "/" : "",
             found->value);
  else
    snprintf(dst, size, "%s-%s/%s%s%s", found->plugin, found->instance,
             found->type, found->value[0] ? "-" : "", found->value);
}

static void write_source(const struct why_mbean_found *found, char *dst,
                         size_t size) {
  if (!found->pattern)
    snprintf(dst, size, "%s", "");
  else if (found->set)
    snprintf(dst, size, "Set \"%s\"", set_name(found->set));
  else
    snprintf(dst, size, "<MBean \"%s\">", found->pattern);
}

static void tell_mbean(struct run *run, struct ask *ask, size_t i,
                       const struct why_subject *wanted,
                       const struct scrape_settings *scrape,
                       struct why_mbean *why) {
  const struct node_settings *node = &run->subject->selected.nodes[i];
  uint64_t before = requests_of(ask, i);
  why_ask_mbean(ask, i, why);
  struct why_answer answer = *why_mbean_answer(why);
  const struct why_mbean_found found = why_mbean_found(why);
  char series[8 * SAMPLE_NAME_MAX];
  char source[8 * SAMPLE_NAME_MAX];
  write_series(&found, wanted, series, sizeof(series));
  write_source(&found, source, sizeof(source));
  name_pattern(node, OBJECT_QUEUE, &answer);
  judge_agent(run, node, scrape->interval_ns[found.tier], found.tier, &answer);
  tell(run,
       &(struct why_told){.node = node,
                          .series = series,
                          .source = source,
                          .unit = found.unit,
                          .requests = requests_of(ask, i) - before},
       &answer);
}

/* Of an object name each block that reads it has its own series. Where none
 * does, the answer is that, but for ${is_other}: something else may read it.
 * Returns how many do. */
static size_t ask_blocks(struct run *run, struct ask *ask, size_t i,
                         const struct why_subject *wanted, bool is_other) {
  const struct node_settings *node = &run->subject->selected.nodes[i];
  const struct scrape_settings settings =
      translate_scrape(node, run->subject->interval_ns);
  struct why_mbean_question question = {.name = wanted->mbean,
                                        .plugin = wanted->plugin,
                                        .instance = wanted->instance,
                                        .type = wanted->type,
                                        .value = wanted->value};
  struct scrape *scrape = ask_scrape(node, run->subject->interval_ns);
  struct mbeans *mbeans = scrape ? scrape_mbeans(scrape) : NULL;
  size_t n = 0;
  bool is_well = mbeans && why_mbean_blocks(mbeans, &question, &n);
  size_t n_asked = wanted->mbean && n > 0 ? n : n > 0 || !is_other;
  for (; is_well && question.block < n_asked && !session_is_stopped();
       question.block++) {
    struct why_mbean *why = why_mbean_new(mbeans, settings.sets, &question);
    is_well = why != NULL;
    if (why)
      tell_mbean(run, ask, i, wanted, &settings, why);
    why_mbean_free(why);
  }
  if (!is_well)
    tell_no_memory();
  scrape_free(scrape);
  return n;
}

/* -- An object name: all that read it -- */

static bool is_own(const struct why_subject *wanted, const char *jmx_domain) {
  struct objectname name;
  struct error error;
  enum object object;
  return wanted->object != OBJECT_MBEAN &&
         !objectname_parse(wanted->mbean, strlen(wanted->mbean), &name,
                           &error) &&
         objects_of_mbean(&name, jmx_domain, &object);
}

static void ask_object_name(struct run *run, struct ask *ask, size_t i,
                            const struct why_subject *wanted) {
  const struct node_settings *node = &run->subject->selected.nodes[i];
  const struct scrape_settings settings =
      translate_scrape(node, run->subject->interval_ns);
  struct why_subject own = *wanted;
  struct why_answer answer = {.reason = WHY_THERE};
  if (!is_own(wanted, settings.jmx_domain)) {
    ask_blocks(run, ask, i, wanted, false);
    return;
  }
  bool is_known = why_subject_attribute(&own, &answer);
  bool is_read = is_known && (own.attribute->set & settings.sets) != 0;
  if (is_read)
    ask_object(run, ask, i, &own);
  if (ask_blocks(run, ask, i, wanted, true) > 0 || is_read)
    return;
  if (is_known)
    ask_object(run, ask, i, &own);
  else
    tell(run,
         &(struct why_told){
             .node = node, .series = wanted->mbean, .source = "", .unit = ""},
         &answer);
}

/* -- A pattern: each MBean of it -- */

static void ask_one(struct run *run, struct ask *ask, size_t i,
                    const struct why_subject *wanted);

static void ask_named(struct run *run, struct ask *ask, size_t i,
                      const char *name, const char *attribute) {
  struct why_answer answer = {.reason = WHY_NO_SERIES};
  struct why_subject subject;
  size_t size = strlen(name) + 1 + strlen(attribute) + 1;
  char *text = malloc(size);
  if (!text) {
    tell_no_memory();
    return;
  }
  snprintf(text, size, "%s%s%s", name, attribute[0] ? "/" : "", attribute);
  const struct why_told told = {.node = &run->subject->selected.nodes[i],
                                .series = text,
                                .source = "",
                                .unit = ""};
  if (!why_subject_read(text, &subject, &answer))
    tell(run, &told, &answer);
  else if (!subject.is_pattern)
    ask_one(run, ask, i, &subject);
  why_subject_fini(&subject);
  free(text);
}

static void tell_names(struct run *run, size_t i, const struct why_names *names,
                       const struct error *error) {
  struct why_answer answer = {.reason = WHY_THERE};
  if (error->kind)
    why_judge_error(&answer, error);
  else
    why_answer_set(&answer, WHY_NO_MBEAN, "mend the pattern",
                   "the node has no MBean of that pattern");
  if (names->n == 0)
    tell(run,
         &(struct why_told){.node = &run->subject->selected.nodes[i],
                            .series = run->ctl->why,
                            .source = "",
                            .unit = "",
                            .requests = 1},
         &answer);
  if (names->n < names->total)
    fprintf(stderr,
            "jolokiactl: %s: %" PRIu64
            " MBeans are of that pattern; of the first %zu it is told\n",
            run->subject->selected.nodes[i].name, names->total, names->n);
}

static void ask_pattern(struct run *run, struct ask *ask, size_t i,
                        const struct why_subject *wanted) {
  struct why_names names;
  struct error error;
  why_ask_names(ask, i, wanted->mbean, &names, &error);
  tell_names(run, i, &names, &error);
  for (size_t k = 0; k < names.n && !session_is_stopped(); k++)
    ask_named(run, ask, i, names.names[k], wanted->value);
  why_names_fini(&names);
}

static void ask_one(struct run *run, struct ask *ask, size_t i,
                    const struct why_subject *wanted) {
  if (wanted->is_pattern)
    ask_pattern(run, ask, i, wanted);
  else if (wanted->mbean)
    ask_object_name(run, ask, i, wanted);
  else if (wanted->object == OBJECT_MBEAN)
    ask_blocks(run, ask, i, wanted, false);
  else
    ask_object(run, ask, i, wanted);
}

static bool is_asked(const struct why_subject *wanted, const char *node) {
  return wanted->host.len == 0 ||
         (strlen(node) == wanted->host.len &&
          memcmp(node, wanted->host.text, wanted->host.len) == 0);
}

static void ask_all(struct run *run, struct ask *ask) {
  const struct settings *selected = &run->subject->selected;
  struct why_answer answer = {.reason = WHY_NO_NODE};
  for (size_t i = 0; i < selected->n_nodes && !session_is_stopped(); i++)
    if (is_asked(run->wanted, selected->nodes[i].name))
      ask_one(run, ask, i, run->wanted);
  if (run->n_asked > 0 || session_is_stopped())
    return;
  why_answer_set(&answer, WHY_NO_NODE,
                 "the host of a series is the node's name in the settings; "
                 "mistakes told above leave clusters out",
                 "no node of the settings is named %.*s",
                 (int)run->wanted->host.len, run->wanted->host.text);
  tell(run,
       &(struct why_told){.series = run->ctl->why, .source = "", .unit = ""},
       &answer);
}

static enum exit_code ask_nodes(struct run *run) {
  struct ask ask;
  struct error error;
  if (ask_open(run->subject, run->ctl, &ask, &error)) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return exit_code_of(error.kind);
  }
  ask_all(run, &ask);
  ask_close(&ask);
  if (session_is_stopped())
    return EXIT_CODE_INTERRUPTED;
  return run->is_there ? EXIT_CODE_DONE : EXIT_CODE_SOME;
}

static enum exit_code run_why(const struct subject *subject,
                              const struct ctl *ctl) {
  struct why_subject wanted;
  struct why_answer answer = {.reason = WHY_NO_SERIES};
  struct run run = {.ctl = ctl,
                    .subject = subject,
                    .wanted = &wanted,
                    .output = output_begin(ctl->is_json)};
  enum exit_code code = EXIT_CODE_SOME;
  buf_init(&run.line, LINE_MAX_BYTES);
  if (why_subject_read(ctl->why, &wanted, &answer))
    code = ask_nodes(&run);
  else
    tell(&run, &(struct why_told){.series = ctl->why, .source = "", .unit = ""},
         &answer);
  if (!output_end(&run.output))
    code = EXIT_CODE_SOME;
  buf_fini(&run.line);
  why_subject_fini(&wanted);
  return code;
}

int why_main(const struct ctl *ctl) { return subject_run(ctl, run_why); }
