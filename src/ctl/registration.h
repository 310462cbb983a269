/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_REGISTRATION_H
#define CTL_REGISTRATION_H

/* What `jolokiactl register` has found, and the cluster file made of it. */

#include "ctl/operator.h"
#include "ctl/output.h"
#include "ctl/prospect.h"

#define REGISTRATION_NODES_MAX 64
#define REGISTRATION_LEFT_MAX 64

struct found {
  char name[128];
  struct url url;
  char node_id[64];
  bool is_backup;
};

struct left {
  char core[300];
  char why[512];
};

struct registration {
  const struct ctl *ctl;
  struct output output;
  struct buf line;
  struct prospect prospect;
  struct operator login;
  struct url url; /* the one that was given */
  struct found *found;
  size_t n_found;
  struct left *left;
  size_t n_left;
  struct buf text; /* of the file */
  char cluster[128];
};

void registration_fini(struct registration *registration);

/* registration_add(registration, url, identity): a node, named by its broker's
 * Name, where that can be a node's and is not taken, else by its host and port.
 * registration_leave(registration, core, why): a member that is none. Without
 * memory, or past the maximum, nothing happens. */
void registration_add(struct registration *registration, const struct url *url,
                      const struct identity *identity);
void registration_leave(struct registration *registration, const char *core,
                        const char *why);

bool registration_has_url(const struct registration *registration,
                          const struct url *url);

/* registration_write(registration): makes the text. Asks on a terminal for the
 * cluster's name, where --name does not give it. */
void registration_write(struct registration *registration);

/* registration_check(registration): tells what is wrong with the text beside
 * the other settings: the password's file, which is not there yet, mostly. */
void registration_check(const struct registration *registration);

/* registration_save(registration, error): the text as the new file that --write
 * names, mode 0640, there whole or not at all. STATUS_INVALID: there is such a
 * file, or it cannot be written. */
enum status registration_save(const struct registration *registration,
                              struct error *error);

/* registration_tell_next(registration): the one line that collectd.conf needs.
 */
void registration_tell_next(struct registration *registration);

#endif
