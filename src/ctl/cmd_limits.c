/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "ctl/ctl.h"
#include "ctl/limits_text.h"
#include "ctl/session.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define LINE_MAX_BYTES 65536

/* From one look to the next: rates are of this time. */
#define STEP_MS 1000

/* Puts a terminal's cursor at the top and empties it. */
#define REDRAW "\033[H\033[J"

struct watch {
  const struct subject *subject;
  struct limits *before;
  struct limits *now;
  struct output output;
  struct buf out;
  bool is_redrawn;
};

static void look(const struct watch *watch, struct limits *ret) {
  const struct settings *selected = &watch->subject->selected;
  for (size_t i = 0; i < selected->n_nodes; i++)
    client_limits(selected, &selected->nodes[i], watch->subject->interval_ns,
                  clock_mono_ns(), &ret[i]);
}

/* False: it was asked to stop. */
static bool wait_a_step(void) {
  int64_t until_ns = clock_mono_ns() + STEP_MS * CLOCK_NS_PER_MS;
  for (;;) {
    int64_t left_ns = until_ns - clock_mono_ns();
    if (session_is_stopped())
      return false;
    if (left_ns <= 0)
      return true;
    (void)poll(NULL, 0, (int)(left_ns / CLOCK_NS_PER_MS) + 1);
  }
}

static enum exit_code show(struct watch *watch) {
  const struct settings *selected = &watch->subject->selected;
  struct exit_codes codes = {0};
  if (watch->is_redrawn)
    fputs(REDRAW, stdout);
  for (size_t i = 0; i < selected->n_nodes; i++) {
    const struct limits_view view = {.node = &selected->nodes[i],
                                     .before = &watch->before[i],
                                     .now = &watch->now[i]};
    if (watch->output.is_json)
      limits_json(&watch->out, &view);
    else
      limits_table(&watch->output, &watch->out, &view);
    if (!watch->output.is_json && i + 1 < selected->n_nodes)
      buf_add_text(&watch->out, "\n");
    output_write(&watch->output, &watch->out);
    exit_codes_add(&codes, limits_code(&view));
  }
  return output_end(&watch->output) ? exit_codes_all(&codes) : EXIT_CODE_SOME;
}

static enum exit_code run(struct watch *watch, bool is_watch) {
  enum exit_code code;
  look(watch, watch->now);
  do {
    struct limits *last = watch->before;
    watch->before = watch->now;
    watch->now = last;
    if (!wait_a_step())
      return is_watch ? EXIT_CODE_DONE : EXIT_CODE_INTERRUPTED;
    look(watch, watch->now);
    code = show(watch);
    if (is_watch && !watch->is_redrawn && !watch->output.is_json)
      buf_add_text(&watch->out, "\n");
  } while (is_watch && !watch->output.is_broken);
  return code;
}

static enum exit_code watch_subject(const struct subject *subject,
                                    const struct ctl *ctl) {
  size_t n = subject->selected.n_nodes;
  struct watch watch = {.subject = subject,
                        .before = calloc(n, sizeof(*watch.before)),
                        .now = calloc(n, sizeof(*watch.now)),
                        .output = output_begin(ctl->is_json),
                        .is_redrawn = ctl->is_watch && !ctl->is_json &&
                                      isatty(STDOUT_FILENO) == 1};
  enum exit_code code = EXIT_CODE_SOME;
  buf_init(&watch.out, LINE_MAX_BYTES);
  session_catch_signals(NULL);
  if (watch.before && watch.now)
    code = run(&watch, ctl->is_watch);
  else
    fputs("jolokiactl: no memory for the nodes\n", stderr);
  buf_fini(&watch.out);
  free(watch.before);
  free(watch.now);
  return code;
}

int limits_main(const struct ctl *ctl) {
  return subject_run(ctl, watch_subject);
}
