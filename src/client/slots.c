/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/slots.h"

bool slot_may_take(const struct slots *slots, const struct slot *slot) {
  static const uint32_t limit[] = {[SLOT_UNTRIED] = SLOTS_UNTRIED,
                                   [SLOT_FAILED] = SLOTS_FAILED,
                                   [SLOT_GOOD] = SLOTS_GOOD};
  return !slot->is_held && slots->held < limit[slot->record];
}

void slot_take(struct slots *slots, struct slot *slot) {
  if (slot->is_held)
    return;
  slot->is_held = true;
  slots->held++;
}

static bool release(struct slots *slots, struct slot *slot) {
  if (!slot->is_held)
    return false;
  slot->is_held = false;
  slot->lookup_until_ns = 0;
  slots->held--;
  return true;
}

bool slot_connected(struct slots *slots, struct slot *slot) {
  slot->record = SLOT_GOOD;
  return release(slots, slot);
}

bool slot_failed(struct slots *slots, struct slot *slot, bool is_looking_up,
                 int64_t now_ns) {
  slot->record = SLOT_FAILED;
  return slot_cancelled(slots, slot, is_looking_up, now_ns);
}

bool slot_cancelled(struct slots *slots, struct slot *slot, bool is_looking_up,
                    int64_t now_ns) {
  if (!slot->is_held || !is_looking_up)
    return release(slots, slot);
  slot->lookup_until_ns = now_ns + SLOTS_LOOKUP_NS;
  return false;
}

bool slot_expire(struct slots *slots, struct slot *slot, int64_t now_ns) {
  if (slot->lookup_until_ns == 0 || now_ns < slot->lookup_until_ns)
    return false;
  return release(slots, slot);
}
