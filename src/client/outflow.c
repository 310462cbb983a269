/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/monitor_state.h"

#include "base/clock.h"

static void set_refill(struct outflow *outflow, int64_t now_ns) {
  int64_t at_ns =
      budget_next_ns(&outflow->budget, outflow->paused_first != NULL, now_ns);
  if (at_ns != CLOCK_NEVER)
    client_timer_set(outflow->client, &outflow->refill, at_ns);
}

static void on_refill(void *cookie, int64_t now_ns) {
  struct outflow *outflow = cookie;
  budget_refill(&outflow->budget, now_ns);
  outflow_resume(outflow);
  set_refill(outflow, now_ns);
}

void outflow_init(struct outflow *outflow, struct client *client,
                  const struct sample_sink *sink) {
  *outflow = (struct outflow){.client = client,
                              .sink = *sink,
                              .refill = {.fire = on_refill, .cookie = outflow}};
  budget_init(&outflow->budget);
}

void outflow_fini(struct outflow *outflow) {
  client_timer_clear(outflow->client, &outflow->refill);
}

void outflow_dispatch(void *cookie, const struct sample *sample) {
  struct outflow *outflow = cookie;
  if (budget_is_idle(&outflow->budget)) {
    int64_t now_ns = clock_mono_ns();
    budget_begin(&outflow->budget, now_ns);
    set_refill(outflow, now_ns);
  }
  budget_spend(&outflow->budget);
  outflow->sink.dispatch(outflow->sink.cookie, sample);
}

void outflow_row(struct outflow *outflow) {
  budget_turn(&outflow->budget, client_turns(outflow->client));
}

static void pause_round(struct outflow *outflow, struct round *round) {
  if (round->is_paused)
    return;
  round->is_paused = true;
  round->next_paused = NULL;
  if (outflow->paused_last)
    outflow->paused_last->next_paused = round;
  else
    outflow->paused_first = round;
  outflow->paused_last = round;
  set_refill(outflow, clock_mono_ns());
}

bool outflow_is_spent(struct outflow *outflow, struct round *round) {
  if (!budget_is_spent(&outflow->budget))
    return false;
  pause_round(outflow, round);
  return true;
}

void outflow_leave(struct outflow *outflow, struct round *round) {
  if (!round->is_paused)
    return;
  struct round *before = NULL;
  for (struct round *r = outflow->paused_first; r != round; r = r->next_paused)
    before = r;
  if (before)
    before->next_paused = round->next_paused;
  else
    outflow->paused_first = round->next_paused;
  if (outflow->paused_last == round)
    outflow->paused_last = before;
  round->is_paused = false;
}

/* One at a time: each may spend what is left. */
void outflow_resume(struct outflow *outflow) {
  struct round *round = outflow->paused_first;
  if (!round || budget_is_spent(&outflow->budget))
    return;
  outflow_leave(outflow, round);
  client_resume(round->job);
}
