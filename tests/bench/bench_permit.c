/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "client/share.h"
#include "jolokia/url.h"
#include "limit/registry.h"

#include "../support/prng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a permit costs: ns per operation, the best of many short rounds (one of
 * them has a busy machine's processor to itself), beside a floor that is
 * measured in the same run. Fails where a target is missed. */

#define ROUNDS 200
#define OPERATIONS 4000
#define NODES 1000
#define WAITERS 64
#define URL "https://Broker-A.mgmt.example.net:8161/console/jolokia/"

static volatile uint64_t sink;
static struct registry *registry;
static struct registry_entry *entries[NODES];
static struct waiter waiters[NODES][WAITERS];
static uint16_t order[OPERATIONS];
static int64_t now_ns;

static struct ceiling_settings settings;

static void nothing(uint64_t i) { sink = i; }

static void copy(uint64_t i) {
  static char text[sizeof(URL)];
  memcpy(text, URL, sizeof(URL));
  sink = (unsigned char)text[i % sizeof(URL)];
}

/* Who is granted, whatever the reason, is over and comes back at once. */
static void serve(struct ceiling *ceiling) {
  enum status status;
  struct waiter *waiter = ceiling_next(ceiling, now_ns, &status);
  if (!waiter || status != STATUS_OK)
    abort();
  ceiling_release(ceiling, waiter);
  sink = waiter->cost;
}

static void permit(uint64_t i) {
  static struct waiter waiter;
  struct ceiling *ceiling = &entries[0]->ceiling;
  now_ns += CLOCK_NS_PER_S;
  if (ceiling_enter(ceiling, &waiter, (enum owner)(i % OWNER_COUNT), 1, 0,
                    CLOCK_NEVER, now_ns))
    abort();
  serve(ceiling);
}

/* One that is taken from the record, and told to it when it is over. */
static struct {
  struct sharing sharing;
  struct share share;
  struct ceiling ceiling;
  struct waiter waiter;
  char folder[64];
} shared;

static void share_permit(uint64_t i) {
  enum status status;
  now_ns += CLOCK_NS_PER_S;
  if (ceiling_enter(&shared.ceiling, &shared.waiter,
                    (enum owner)(i % OWNER_COUNT), 1, 0, CLOCK_NEVER, now_ns))
    abort();
  share_serve(&shared.share, true, now_ns);
  struct waiter *waiter = ceiling_next(&shared.ceiling, now_ns, &status);
  if (!waiter || status != STATUS_OK)
    abort();
  shared.share.used[waiter->owner].requests++;
  shared.share.is_dirty = true;
  ceiling_release(&shared.ceiling, waiter);
}

/* On a tmpfs, as /run is. */
static void set_up_shared(void) {
  snprintf(shared.folder, sizeof(shared.folder), "%s/bench_permit.XXXXXX",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  if (!mkdtemp(shared.folder) ||
      sharing_init(&shared.sharing, shared.folder, true, false))
    abort();
  ceiling_init(&shared.ceiling, &settings, now_ns);
  share_init(&shared.share, &shared.sharing, &shared.ceiling, URL);
}

static void tear_down_shared(void) {
  char path[sizeof(shared.folder) + 32];
  snprintf(path, sizeof(path), "%s/%s", shared.folder,
           shared.share.record.name);
  (void)unlink(path);
  (void)rmdir(shared.folder);
  sharing_fini(&shared.sharing);
}

static void find_bucket(uint64_t i) {
  struct url url;
  struct error error;
  if (url_parse(URL, &url, &error))
    abort();
  struct registry_entry *entry =
      registry_get(registry, url.key, &settings, now_ns);
  registry_put(registry, entry);
  sink = (uint64_t)(uintptr_t)entry + i;
}

static void saturated(uint64_t i) {
  struct ceiling *ceiling = &entries[order[i]]->ceiling;
  enum status status;
  now_ns += CLOCK_NS_PER_S;
  struct waiter *waiter = ceiling_next(ceiling, now_ns, &status);
  if (!waiter || status != STATUS_OK)
    abort();
  ceiling_release(ceiling, waiter);
  if (ceiling_enter(ceiling, waiter, waiter->owner, 1, 0, CLOCK_NEVER, now_ns))
    abort();
  sink = (uint64_t)ceiling_wake_ns(ceiling, now_ns);
}

/* Through a pointer, so that no operation is folded into its loop. */
static double measure(void (*volatile operation)(uint64_t i)) {
  double best = 1e18;
  for (int round = 0; round < ROUNDS; round++) {
    int64_t start_ns = clock_mono_ns();
    for (uint64_t i = 0; i < OPERATIONS; i++)
      operation(i);
    double ns = (double)(clock_mono_ns() - start_ns) / OPERATIONS;
    best = ns < best ? ns : best;
  }
  return best;
}

static void set_up(void) {
  struct prng prng = prng_seeded(1);
  registry = registry_new();
  settings = ceiling_settings_default(10 * CLOCK_NS_PER_S);
  for (int i = 0; i < OWNER_COUNT; i++)
    settings.permit_timeout_ns[i] = INT64_MAX;
  for (int i = 0; i < NODES; i++) {
    char key[128];
    snprintf(key, sizeof(key), "https://broker-%d.example.net:8161/jolokia", i);
    entries[i] = registry_get(registry, key, &settings, 0);
    if (!entries[i])
      abort();
  }
  for (int i = 0; i < OPERATIONS; i++)
    order[i] = (uint16_t)prng_below(&prng, NODES);
}

static void fill_rooms(void) {
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < WAITERS; j++)
      if (ceiling_enter(&entries[i]->ceiling, &waiters[i][j],
                        (enum owner)(j % OWNER_COUNT), 1, 0, CLOCK_NEVER,
                        now_ns))
        abort();
}

static bool report(const char *name, double ns, const char *floor_name,
                   double floor_ns, double target_ns) {
  bool is_met = ns <= target_ns;
  printf("%-46s %8.1f ns  %6.1f x %s (%.1f ns)  target %.0f ns: %s\n", name, ns,
         ns / floor_ns, floor_name, floor_ns, target_ns,
         is_met ? "met" : "MISSED");
  return is_met;
}

int main(void) {
  set_up();
  double call_ns = measure(nothing);
  double copy_ns = measure(copy);
  bool is_met = report("an uncontended permit", measure(permit),
                       "an empty call", call_ns, 100);
  is_met &= report("URL text to bucket, among 1,000", measure(find_bucket),
                   "a copy of the text", copy_ns, 1000);
  set_up_shared();
  is_met &= report("a permit taken from the record", measure(share_permit),
                   "an empty call", call_ns, 10000);
  tear_down_shared();
  fill_rooms();
  is_met &= report("a grant, 1,000 nodes with 64 waiting each",
                   measure(saturated), "an empty call", call_ns, 1000);
  registry_free(registry);
  return is_met ? EXIT_SUCCESS : EXIT_FAILURE;
}
