/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_CTL_H
#define CTL_CTL_H

/* What the command line said, and the commands. */

#include <stdbool.h>
#include <stdint.h>

struct ctl {
  const char *config;   /* --config */
  const char *target;   /* "CLUSTER[/NODE]", or NULL: all */
  bool is_json;         /* --json */
  bool is_offline;      /* --offline */
  bool is_unshared;     /* --unshared */
  int64_t timeout_ns;   /* --timeout; 0: by the settings' own timeouts alone */
  int64_t interval_ns;  /* --interval; 0: COLLECTD_INTERVAL, or 10 s */
  const char *types_db; /* --types-db */
  bool is_watch;        /* --watch */
  int64_t hold_ns;      /* --for */
};

/* One file a command. Each returns the program's exit code. */
int poll_main(const struct ctl *ctl);
int check_main(const struct ctl *ctl);
int exec_main(const struct ctl *ctl);
int limits_main(const struct ctl *ctl);
int hold_main(const struct ctl *ctl);
int release_main(const struct ctl *ctl);

#endif
