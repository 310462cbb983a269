/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/why.h"

#include "base/num.h"
#include "ctl/output.h"

#include <inttypes.h>

void why_tell_json(struct buf *out, const struct why_told *told,
                   const struct why_answer *answer) {
  bool is_there = answer->reason == WHY_THERE;
  member_begin(out);
  member_text(out, "cluster", told->node ? told->node->cluster : NULL);
  member_text(out, "node", told->node ? told->node->name : NULL);
  member_text(out, "series", told->series);
  member_text(out, "source", *told->source ? told->source : NULL);
  member_text(out, "reason", is_there ? NULL : why_name(answer->reason));
  member_text(out, "text", answer->text);
  member_text(out, "remedy", *answer->remedy ? answer->remedy : NULL);
  if (!answer->has_value)
    member_text(out, "value", NULL);
  else if (answer->is_derive)
    member_int(out, "value", answer->derive);
  else
    member_real(out, "value", answer->gauge);
  member_text(out, "unit", told->unit);
  member_int(out, "requests", (int64_t)told->requests);
  member_end(out);
}

static void add_value(struct buf *out, const struct why_told *told,
                      const struct why_answer *answer) {
  char number[32];
  if (answer->is_derive)
    snprintf(number, sizeof(number), "%" PRId64, answer->derive);
  else
    num_format_real(number, sizeof(number), answer->gauge);
  buf_printf(out, "  value    %s %s\n", number, told->unit);
}

void why_tell_text(struct buf *out, const struct why_told *told,
                   const struct why_answer *answer) {
  if (told->node)
    buf_printf(out, "%s/%s ", told->node->cluster, told->node->name);
  buf_printf(out, "%s\n", told->series);
  if (*told->source)
    buf_printf(out, "  source   %s\n", told->source);
  if (answer->has_value)
    add_value(out, told, answer);
  buf_printf(out, "  %s   %s%s%s\n",
             answer->reason == WHY_THERE ? "well  " : "reason",
             answer->reason == WHY_THERE ? "" : why_name(answer->reason),
             answer->reason == WHY_THERE ? "" : ": ", answer->text);
  if (*answer->remedy)
    buf_printf(out, "  remedy   %s\n", answer->remedy);
}
