/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_SUBJECT_H
#define CTL_SUBJECT_H

/* What a command works on: the settings of FILE, and the nodes of them that
 * were asked for. */

#include "config/live.h"
#include "ctl/ctl.h"
#include "ctl/exit_code.h"

struct subject {
  struct settings settings; /* all of FILE */
  struct settings selected; /* its nodes are some of those above */
  struct problems problems; /* of all that was read */
  struct live *live;        /* what read it */
  bool is_collectd_conf;
  bool is_unreadable;   /* the file that --config names has lines that are */
  bool has_queue_limit; /* WriteQueueLimitHigh stands in it */
  uint64_t queue_limit; /* its number; 0: none */
  bool is_not_loaded;   /* it loads plugins, and not ours before our block */
  int64_t interval_ns;  /* collectd's Interval; 10 s where it is not set */
};

/* subject_load(ctl, ret, error): reads ctl->config and the cluster files that
 * it names, and selects ctl->target. STATUS_OK where the problems hold errors,
 * too: what is well is there. STATUS_INVALID: nothing has the target's name
 * (the text says what there is). STATUS_NO_MEMORY. ${ret} is to be freed in any
 * outcome. */
enum status subject_load(const struct ctl *ctl, struct subject *ret,
                         struct error *error);
void subject_fini(struct subject *subject);

/* subject_select(all, target, ret, error): those of ${all} that were asked for,
 * all without a ${target}; ${ret->nodes} is to be freed, and nothing else.
 * STATUS_INVALID, STATUS_NO_MEMORY. */
enum status subject_select(const struct settings *all, const char *target,
                           struct settings *ret, struct error *error);

/* subject_load_with(ctl, text, name, ret, error): the same, with ${text}, a
 * <Plugin jolokia> block, as if it stood in a file of that name behind all
 * others. */
enum status subject_load_with(const struct ctl *ctl, const char *text,
                              const char *name, struct subject *ret,
                              struct error *error);

/* subject_run(ctl, run): loads, tells the problems, and runs the command on the
 * nodes that were asked for; without any it says so. Returns the exit code. */
int subject_run(const struct ctl *ctl,
                enum exit_code (*run)(const struct subject *subject,
                                      const struct ctl *ctl));

/* subject_tell(subject): each problem as a line on standard error. */
void subject_tell(const struct subject *subject);

/* subject_node(subject, name): the place of a selected node, which is the
 * monitor's number of it; SIZE_MAX if there is none. ${*last} is where to look
 * first, and where it was found: values come node by node. */
size_t subject_node(const struct subject *subject, const char *name,
                    size_t *last);

#endif
