/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "ctl/duration.h"
#include "ctl/messages.h"
#include "ctl/output.h"
#include "limit/ceiling.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define LINE_NS (5 * CLOCK_NS_PER_S) /* between two in a pipe */
#define BAR_NS (CLOCK_NS_PER_S / 4)
#define BAR_WIDTH 20
#define ERASE_LINE "\r\033[K"
#define IDS_SHOWN 5 /* of each reason */
#define FLUSH_BYTES 32768

/* -- Before -- */

static double per_second(const struct ceiling_settings *ceiling,
                         enum unit unit) {
  return (double)ceiling->rates.unit[unit].rate * 1e9 / (double)BUCKET_PERMIT;
}

void messages_estimate(const struct messages *messages, size_t n,
                       struct buf *out) {
  const struct dialog *dialog = &messages->dialog;
  const struct ceiling_settings *ceiling =
      client_node_ceiling(dialog->change->nodes[dialog->node]);
  size_t batch = messages_batch(messages);
  size_t changes = (n + batch - 1) / batch;
  size_t looks = changes > 0 ? (changes - 1) / messages_pace(messages) : 0;
  size_t requests = changes + looks;
  double by_requests =
      (double)(requests - 1) / per_second(ceiling, UNIT_REQUESTS);
  double by_changes =
      (double)(n > batch ? n - batch : 0) / per_second(ceiling, UNIT_CHANGES);
  char time[DURATION_TEXT_SIZE];
  duration_text(
      time, (int64_t)((by_requests > by_changes ? by_requests : by_changes) *
                      (double)CLOCK_NS_PER_S));
  buf_printf(out, "%zu request%s", changes, changes == 1 ? "" : "s");
  if (looks > 0)
    buf_printf(out, " and %zu that look%s again", looks, looks == 1 ? "s" : "");
  buf_printf(out,
             ", %zu permit%s, %s at the ceiling, and longer where the broker "
             "takes its time",
             requests, requests == 1 ? "" : "s", time);
}

/* -- Meanwhile -- */

static size_t n_over(const struct resume *resume) {
  return resume->counts[ID_DONE] + resume->counts[ID_ABSENT] +
         resume->counts[ID_FAILED];
}

static void add_progress(struct buf *out, const struct messages *messages,
                         int64_t now_ns) {
  const struct resume *resume = &messages->resume;
  char waited[DURATION_TEXT_SIZE], left[DURATION_TEXT_SIZE];
  size_t n = n_over(resume);
  size_t n_now = n - messages->n_before;
  int64_t ns = now_ns - messages->begin_ns;
  double rate = ns > 0 ? (double)n_now * 1e9 / (double)ns : 0;
  duration_text(waited, messages->dialog.permit_wait_ns);
  buf_printf(out, "%zu of %zu ids, %.1f a second, %s waited for permits", n,
             resume->ids.n, rate, waited);
  if (rate > 0) {
    duration_text(left, (int64_t)((double)(resume->ids.n - n) / rate * 1e9));
    buf_printf(out, ", %s left", left);
  }
}

static void show_bar(struct messages *messages, const struct buf *text) {
  size_t filled =
      n_over(&messages->resume) * BAR_WIDTH / messages->resume.ids.n;
  fputs(ERASE_LINE "[", stderr);
  for (size_t i = 0; i < BAR_WIDTH; i++)
    fputc(i < filled ? '#' : '-', stderr);
  fprintf(stderr, "] %s", buf_text(text));
  fflush(stderr);
  messages->has_bar = true;
}

void messages_progress(void *cookie, int64_t now_ns) {
  struct messages *messages = cookie;
  struct buf text;
  if (!messages->begin_ns || now_ns < messages->next_ns)
    return;
  bool is_first = messages->next_ns == 0;
  messages->next_ns = now_ns + (messages->is_terminal ? BAR_NS : LINE_NS);
  if (is_first && !messages->is_terminal)
    return;
  buf_init(&text, 512);
  add_progress(&text, messages, now_ns);
  if (messages->is_terminal)
    show_bar(messages, &text);
  else
    fprintf(stderr, "%s\n", buf_text(&text));
  buf_fini(&text);
}

void messages_progress_end(struct messages *messages) {
  if (messages->has_bar)
    fputs(ERASE_LINE, stderr);
  messages->has_bar = false;
}

/* -- Afterwards -- */

struct counts {
  size_t done, absent, failed, unknown, not_sent;
};

static struct counts count(const struct resume *resume) {
  size_t not_sent = resume->counts[ID_TODO];
  return (struct counts){.done = resume->counts[ID_DONE],
                         .absent = resume->counts[ID_ABSENT],
                         .failed = resume->counts[ID_FAILED] + not_sent,
                         .unknown = resume->counts[ID_UNKNOWN],
                         .not_sent = not_sent};
}

static const char *unknown_why(const struct messages *messages) {
  return messages->is_other_queue
             ? "sent, and the queue was deleted and made again since"
             : "sent, and no answer tells what became of it";
}

static void add_id_json(struct buf *out, const struct messages *messages,
                        size_t i) {
  const struct resume *resume = &messages->resume;
  enum id_state state = resume_state(resume, i);
  member_begin(out);
  member_int(out, "id", resume->ids.list[i]);
  member_text(out, "state",
              id_state_name(state == ID_TODO ? ID_FAILED : state));
  if (state == ID_TODO)
    member_text(out, "reason", "not sent");
  else if (state == ID_FAILED)
    member_text(out, "reason", resume_reason(resume, i));
  else if (state == ID_UNKNOWN)
    member_text(out, "reason", unknown_why(messages));
  member_end(out);
}

static void show_json(struct output *output, struct buf *out,
                      const struct messages *messages) {
  const struct resume *resume = &messages->resume;
  struct counts counts = count(resume);
  for (size_t i = 0; i < resume->ids.n; i++) {
    add_id_json(out, messages, i);
    if (out->len >= FLUSH_BYTES)
      output_write(output, out);
  }
  member_begin(out);
  member_int(out, "done", (int64_t)counts.done);
  member_int(out, "absent", (int64_t)counts.absent);
  member_int(out, "failed", (int64_t)counts.failed);
  member_int(out, "unknown", (int64_t)counts.unknown);
  member_int(out, "not_sent", (int64_t)counts.not_sent);
  member_end(out);
}

/* The ids of one state, and of a failure one reason (NULL: any): how many, and
 * the first of them. */
static void add_some(struct buf *out, const struct resume *resume,
                     enum id_state state, const char *reason,
                     const char *text) {
  size_t n = 0;
  for (size_t i = 0; i < resume->ids.n; i++) {
    if (resume_state(resume, i) != state ||
        (reason && strcmp(resume_reason(resume, i), reason) != 0))
      continue;
    if (n == 0)
      buf_printf(out, "  %s (", text);
    if (n < IDS_SHOWN)
      buf_printf(out, "%s%" PRId64, n ? ", " : "", resume->ids.list[i]);
    n++;
  }
  if (n > IDS_SHOWN)
    buf_printf(out, " and %zu more", n - IDS_SHOWN);
  if (n)
    buf_add_text(out, ")\n");
}

static void show_text(struct buf *out, const struct messages *messages) {
  const struct resume *resume = &messages->resume;
  struct counts counts = count(resume);
  char unknown[128];
  buf_printf(out, "done %zu, absent %zu, failed %zu, unknown %zu\n",
             counts.done, counts.absent, counts.failed, counts.unknown);
  for (size_t i = 0; i < resume->n_reasons; i++)
    add_some(out, resume, ID_FAILED, resume->reason_text[i],
             resume->reason_text[i]);
  add_some(out, resume, ID_TODO, NULL, "failed: not sent");
  add_some(out, resume, ID_ABSENT, NULL,
           "absent: not in the queue, or with a consumer");
  snprintf(unknown, sizeof(unknown), "unknown: %s", unknown_why(messages));
  add_some(out, resume, ID_UNKNOWN, NULL, unknown);
}

bool messages_summary(const struct messages *messages) {
  struct output output = output_begin(messages->ctl->is_json);
  struct buf out;
  buf_init(&out, 1 << 20);
  if (output.is_json)
    show_json(&output, &out, messages);
  else
    show_text(&out, messages);
  output_write(&output, &out);
  buf_fini(&out);
  return output_end(&output);
}
