/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "client/limits.h"
#include "ctl/ctl.h"
#include "ctl/duration.h"
#include "ctl/exit_code.h"
#include "ctl/output.h"
#include "ctl/subject.h"

#include <poll.h>
#include <time.h>

#define LINE_MAX_BYTES 4096

/* Who has a record has it for some microseconds. */
#define TRY_FOR_NS (2 * CLOCK_NS_PER_S)
#define TRY_EVERY_MS 2

static enum status set_hold(const struct settings *settings,
                            const struct node_settings *node, int64_t for_ns,
                            struct error *error) {
  int64_t start_ns = clock_mono_ns();
  for (int64_t now_ns = start_ns;; now_ns = clock_mono_ns()) {
    int64_t until_ns = for_ns > 0 ? now_ns + for_ns : 0;
    enum status status = client_hold(settings, node, until_ns, now_ns, error);
    if (status != STATUS_BUSY || now_ns - start_ns > TRY_FOR_NS)
      return status;
    (void)poll(NULL, 0, TRY_EVERY_MS);
  }
}

static void tell(struct output *output, struct buf *out,
                 const struct node_settings *node, int64_t for_ns,
                 const struct error *error) {
  char length[DURATION_TEXT_SIZE], until[64] = "";
  time_t end_s = (time_t)((clock_wall_ns() + for_ns) / CLOCK_NS_PER_S);
  struct tm local;
  bool has_failed = error->kind != STATUS_OK;
  if (output->is_json) {
    bool is_held = for_ns > 0 && !has_failed;
    member_begin(out);
    member_text(out, "cluster", node->cluster);
    member_text(out, "node", node->name);
    member_bool(out, "held", is_held);
    if (is_held)
      member_int(out, "until", end_s);
    member_text(out, "error", has_failed ? status_name(error->kind) : NULL);
    member_text(out, "reason", has_failed ? error->text : NULL);
    member_end(out);
    return;
  }
  buf_printf(out, "%s/%s: ", node->cluster, node->name);
  if (has_failed) {
    buf_printf(out, "%s: %s\n", status_name(error->kind), error->text);
  } else if (for_ns == 0) {
    buf_add_text(out, "released\n");
  } else {
    duration_text(length, for_ns);
    if (localtime_r(&end_s, &local))
      strftime(until, sizeof(until), ", until %Y-%m-%d %H:%M:%S %Z", &local);
    buf_printf(out, "held for %s%s\n", length, until);
  }
}

static enum exit_code hold(const struct subject *subject,
                           const struct ctl *ctl) {
  const struct settings *selected = &subject->selected;
  struct output output = output_begin(ctl->is_json);
  struct exit_codes codes = {0};
  struct buf out;
  buf_init(&out, LINE_MAX_BYTES);
  for (size_t i = 0; i < selected->n_nodes; i++) {
    const struct node_settings *node = &selected->nodes[i];
    struct error error = {.kind = STATUS_OK};
    enum status status = set_hold(selected, node, ctl->hold_ns, &error);
    tell(&output, &out, node, ctl->hold_ns, &error);
    output_write(&output, &out);
    exit_codes_add(&codes, exit_code_of(status));
  }
  buf_fini(&out);
  return output_end(&output) ? exit_codes_all(&codes) : EXIT_CODE_SOME;
}

int hold_main(const struct ctl *ctl) { return subject_run(ctl, hold); }

int release_main(const struct ctl *ctl) {
  struct ctl released = *ctl;
  released.hold_ns = 0;
  return subject_run(&released, hold);
}
