/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_CTL_H
#define CTL_CTL_H

/* What the command line said, and the commands. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctl {
  const char *config;        /* --config */
  const char *target;        /* "CLUSTER[/NODE]", or NULL: all */
  const char *const *args;   /* the words behind the target */
  size_t n_args;             /* as many as the command takes */
  bool is_json;              /* --json */
  bool is_offline;           /* --offline */
  const char *why;           /* --why; NULL: nothing is asked so */
  bool is_unshared;          /* --unshared */
  int64_t timeout_ns;        /* --timeout; 0: by the settings' own timeouts */
  int64_t interval_ns;       /* --interval; 0: COLLECTD_INTERVAL, or 10 s */
  const char *types_db;      /* --types-db */
  bool is_watch;             /* --watch */
  int64_t hold_ns;           /* --for */
  const char *user;          /* --user */
  const char *password_file; /* --password-file; "-": standard input */
  bool is_yes;               /* --yes */
  bool is_dry_run;           /* --dry-run */
  bool with_consumers;       /* --consumers */
  bool with_messages;        /* --messages */
  const char *name;          /* --name; NULL: of the command's own making */
  uint64_t ring;             /* --ring */
  uint64_t max_bytes;        /* --max-bytes */
  const char *filter;        /* --filter; NULL: none */
  const char *role;          /* --role; NULL: none */
  const char *write;         /* --write; NULL: standard output */
  const char *allow_host;    /* --allow-host; NULL: none */
  const char *ids_file;      /* --ids-file; "-": standard input */
  const char *to;            /* --to: a queue */
  const char *resume;        /* --resume: a file */
  uint64_t max_ids;          /* --max */
  uint64_t browse_limit;     /* --browse-limit */
};

/* One file a command, or a few that belong together. Each returns the program's
 * exit code. */
int poll_main(const struct ctl *ctl);
int check_main(const struct ctl *ctl);
int exec_main(const struct ctl *ctl);
int limits_main(const struct ctl *ctl);
int hold_main(const struct ctl *ctl);
int release_main(const struct ctl *ctl);
int names_main(const struct ctl *ctl);
int register_main(const struct ctl *ctl);
int nodes_main(const struct ctl *ctl);
int queue_delete_main(const struct ctl *ctl);
int capture_install_main(const struct ctl *ctl);
int capture_remove_main(const struct ctl *ctl);
int capture_list_main(const struct ctl *ctl);
int messages_list_main(const struct ctl *ctl);
int messages_remove_main(const struct ctl *ctl);
int messages_move_main(const struct ctl *ctl);
int messages_expire_main(const struct ctl *ctl);
int messages_retry_main(const struct ctl *ctl);
int messages_dead_letter_main(const struct ctl *ctl);

#endif
