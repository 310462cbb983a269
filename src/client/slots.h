/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_SLOTS_H
#define CLIENT_SLOTS_H

/* Who may look up a name or connect: at most 16 nodes at once, and each node
 * one connection at a time. A node that has a slot and gives up while its name
 * is being looked up keeps it for 30 s: libcurl's resolver runs in a thread
 * that cannot be stopped, and 5 s x 2 attempts x 3 servers is its own worst
 * case (resolv.conf(5)). Pure; time is an argument. */

#include <stdbool.h>
#include <stdint.h>

/* A node starts while fewer are held than its record allows: dead names cannot
 * keep out the nodes that are well. */
#define SLOTS_GOOD 16
#define SLOTS_UNTRIED 12
#define SLOTS_FAILED 8
#define SLOTS_LOOKUP_NS (INT64_C(30) * 1000000000)

enum slot_record { SLOT_UNTRIED, SLOT_FAILED, SLOT_GOOD };

struct slots {
  uint32_t held;
};

/* One node's. All zero: untried. */
struct slot {
  enum slot_record record;
  bool is_held;
  int64_t lookup_until_ns; /* a look-up that was given up may run until then; 0:
                              none does */
};

/* slot_may_take(slots, slot): it holds none, and one is free for its record. */
bool slot_may_take(const struct slots *slots, const struct slot *slot);

/* slot_take(slots, slot): a connect begins, whatever slot_may_take() says.
 * slot_connected(), slot_failed(): how it ended; nothing without a take.
 * slot_failed() with ${is_looking_up}: given up in the middle of the look-up;
 * slot_expire() frees it when that is over. True where a slot became free. */
void slot_take(struct slots *slots, struct slot *slot);
bool slot_connected(struct slots *slots, struct slot *slot);
bool slot_failed(struct slots *slots, struct slot *slot, bool is_looking_up,
                 int64_t now_ns);
bool slot_expire(struct slots *slots, struct slot *slot, int64_t now_ns);

/* slot_cancelled(slots, slot, is_looking_up, now_ns): our own side gave up; as
 * slot_failed(), but tells nothing of the node. */
bool slot_cancelled(struct slots *slots, struct slot *slot, bool is_looking_up,
                    int64_t now_ns);

#endif
