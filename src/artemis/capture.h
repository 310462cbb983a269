/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_CAPTURE_H
#define ARTEMIS_CAPTURE_H

/* A capture: copies of what is sent to an address, in a bounded queue of their
 * own. A divert that leaves the messages their way, to an address with limits
 * and a ring queue. Two tables of steps: to install one, to remove one or what
 * is left of one. Pure.
 *
 * The capture NAME has the address and queue "jolokia.capture.NAME" and the
 * divert "jolokia.divert.NAME": queues and diverts share a name space. */

#include "artemis/step.h"
#include "base/buf.h"

#define CAPTURE_QUEUE_PREFIX "jolokia.capture."
#define CAPTURE_DIVERT_PREFIX "jolokia.divert."
#define CAPTURE_NAME_MAX 64

/* The steps before the question: they read alone. */
#define CAPTURE_LOOKS 2

/* A divert that is removed on an older one is there again after a restart
 * (ARTEMIS-4521). */
#define CAPTURE_DIVERT_ENDS_SINCE 2032

/* What is asked for. The strings must stay. */
struct capture_options {
  const char *name;
  const char *source; /* the address; NULL: not known (removing) */
  const char *filter; /* NULL: none */
  const char *role;   /* may consume and browse the copies; NULL: nobody */
  uint64_t ring;      /* messages that are kept */
  uint64_t max_bytes; /* of the broker's memory */
};

/* What is there. ..._fits: as the options have it. */
struct capture_found {
  bool has_settings, settings_fit;
  bool has_security, security_fits;
  bool has_address;
  bool has_queue, queue_fits;
  bool has_divert, divert_fits;
  int64_t n_messages;
};

struct capture {
  char *domain;     /* "DOMAIN:broker=*" */
  const char *word; /* removing: a name or an address */
  struct capture_options options;
  char name[CAPTURE_NAME_MAX + 1]; /* options.name, where it was found out */
  size_t n_named; /* removing: captures of the address ${word} */
  bool is_named;  /* removing: one has the name ${word} */
  bool has_source;
  struct capture_found found;
  unsigned version; /* of the broker, as identity has it */

  char queue[sizeof(CAPTURE_QUEUE_PREFIX) + CAPTURE_NAME_MAX];
  char divert[sizeof(CAPTURE_DIVERT_PREFIX) + CAPTURE_NAME_MAX];
  struct buf source_mbean, address_mbean, queue_mbean, divert_pattern;
  struct buf json; /* of a request */
  struct argument arguments[26];

  /* texts of the reply, own and of a name that has no settings of its own */
  struct buf settings, other_settings, roles, other_roles;
};

extern const struct step_table capture_install_table;
extern const struct step_table capture_remove_table;

/* capture_check(options, error): STATUS_INVALID, before anything is asked: a
 * name with something else than letters, digits, '.', '-' and '_', or that
 * begins with none of the first two, or longer than CAPTURE_NAME_MAX; an empty
 * source; a role with a comma. */
enum status capture_check(const struct capture_options *options,
                          struct error *error);

/* capture_is_name(text): whether a capture may be named so. */
bool capture_is_name(const char *text);

/* capture_init(capture, jmx_domain, options, error): for
 * capture_install_table. capture_init_removal(capture, jmx_domain, word,
 * error): for the other one; ${word} is the capture's name, or its address.
 * Both STATUS_NO_MEMORY; to be ended with capture_fini() in any outcome. */
enum status capture_init(struct capture *capture, const char *jmx_domain,
                         const struct capture_options *options,
                         struct error *error);
enum status capture_init_removal(struct capture *capture,
                                 const char *jmx_domain, const char *word,
                                 struct error *error);
void capture_fini(struct capture *capture);

/* capture_is_any(found): something of it is there. capture_is_whole(found): all
 * of it, and as it was asked for. */
bool capture_is_any(const struct capture_found *found);
bool capture_is_whole(const struct capture_found *found);

/* capture_is_kept(capture): it is to be installed, and is there and whole. */
bool capture_is_kept(const struct capture *capture);

/* capture_set_name(capture, name): names the capture and its parts. */
void capture_set_name(struct capture *capture, const char *name);

#endif
