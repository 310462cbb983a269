/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_SAMPLE_H
#define ARTEMIS_SAMPLE_H

/* One value on its way to collectd: already named, typed and stamped. What the
 * module dispatches and `jolokiactl exec` prints is the same sample. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAMPLE_NAME_MAX                                                        \
  128 /* DATA_MAX_NAME_LEN of collectd 5.8 to 5.12, with                       \
         its 0 */

#define SAMPLE_MORE_MAX 3 /* data sources behind the first */

struct attribute;

struct sample {
  const char *host; /* the node's name; "" for the collectd's own host */
  const char *plugin;
  const char *plugin_instance;
  const char *type; /* of the stock types.db; a constant, which stays where it
                       is: it may be told by its address */
  const char *type_instance;
  const struct attribute *attribute; /* of the table; NULL: of none */
  bool is_derive;
  int64_t derive; /* where is_derive */
  double gauge;   /* else */
  size_t n_more;  /* values of the type's further data sources, which are
                     all of the same kind */
  int64_t more_derive[SAMPLE_MORE_MAX]; /* where is_derive */
  double more_gauge[SAMPLE_MORE_MAX];   /* else */
  int64_t time_ns;     /* CLOCK_REALTIME; one for all samples of a round */
  int64_t interval_ns; /* of its tier, as configured */
  bool is_of_last;     /* the sink's last sample had the same host, plugin,
                          plugin_instance, time and interval */
};

/* The other strings are valid during the call only. */
struct sample_sink {
  void (*dispatch)(void *cookie, const struct sample *sample);
  void *cookie;
};

#endif
