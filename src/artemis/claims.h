/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_CLAIMS_H
#define ARTEMIS_CLAIMS_H

/* Which object has a series that several would have: the first that was seen
 * with it keeps it while it exists, so that no series jumps from one to the
 * other. Series and objects stand as 64-bit hashes. */

#include "artemis/attributes.h"

#include <stdint.h>

#define CLAIMS_ROUNDS                                                          \
  3 /* unseen for so many whole rounds of its tier: free                       \
     */
#define CLAIMS_MAX (1u << 20) /* series beyond are not looked at */

struct claim {
  uint64_t series; /* 0: an empty slot */
  uint64_t object;
  uint32_t round; /* of its tier, in which it was last seen */
  enum tier tier;
};

struct claims {
  struct claim *slots; /* by series */
  size_t size;         /* a power of two, or 0 */
  size_t n;
  uint32_t rounds[TIER_COUNT];
};

/* claims_init(claims): none; allocates nothing. */
void claims_init(struct claims *claims);
void claims_fini(struct claims *claims);

/* claims_take(claims, tier, series, object): whether the series is, or now
 * becomes, that object's; also where nothing more can be remembered. */
bool claims_take(struct claims *claims, enum tier tier, uint64_t series,
                 uint64_t object);

/* claims_round_over(claims, tier): every object of the tier was seen. Not to be
 * called after a round that failed. */
void claims_round_over(struct claims *claims, enum tier tier);

#endif
