/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_PROBE_H
#define ARTEMIS_PROBE_H

/* What is behind a URL that nobody has used yet, and what this login may do
 * there: one bulk, one permit. The identity's items, and two questions to the
 * console's security MBean, which change nothing. Pure. */

#include "artemis/identity.h"

/* A stable name each (probe_conclusion_name()), for JSON and tests. */
enum probe_conclusion {
  PROBE_ODD,          /* none of the following: the text has it */
  PROBE_BROKER,       /* a broker answers, and may be scraped */
  PROBE_NOT_STARTED,  /* a broker that is not started yet */
  PROBE_BAD_LOGIN,    /* wrong user or password, or a user without the role */
  PROBE_NO_LOGIN,     /* none was sent and one is wanted */
  PROBE_THROTTLED,    /* logins, or the whole server: come back later */
  PROBE_INVALID_SNI,  /* the URL's host is none of the certificate's names */
  PROBE_WRONG_PATH,   /* a page, a redirect, 404: no Jolokia at this path */
  PROBE_ORIGIN,       /* the Origin is refused */
  PROBE_REMOTE,       /* this host's address is refused */
  PROBE_POST,         /* POST is refused */
  PROBE_POLICY,       /* the whole bulk is refused for another reason */
  PROBE_READ_REFUSED, /* the policy or the login's role: nothing can be read */
  PROBE_NO_BROKER,    /* Jolokia, but no broker in this JMX domain */
  PROBE_MANY_BROKERS, /* more than one in this JMX domain */
  PROBE_UNREACHABLE,  /* no connection, no TLS, no reply in time */
  PROBE_NOT_ASKED,    /* our own side kept it back: permits, a hold */
  PROBE_CONCLUSION_COUNT
};
const char *probe_conclusion_name(enum probe_conclusion conclusion);

/* What an answer has shown that this login may do. */
enum probe_may { PROBE_MAY_UNKNOWN, PROBE_MAY_NOT, PROBE_MAY };

struct probe {
  enum probe_conclusion conclusion;
  struct error why; /* kind STATUS_OK with PROBE_BROKER alone */
  struct identity identity;
  enum probe_may may_search;
  enum probe_may may_list;  /* exec of listQueues, listNetworkTopology */
  enum probe_may may_by_id; /* exec of removeMessage and its like */
};

#define PROBE_ITEMS (IDENTITY_ITEMS + 2)

struct probe_reader; /* collects one reply */

/* probe_reader_new(jmx_domain): as identity_reader_new(). */
struct probe_reader *probe_reader_new(const char *jmx_domain);
void probe_reader_free(struct probe_reader *reader); /* NULL is fine */

/* probe_request(reader, ret_operations, ret_specs): the bulk of PROBE_ITEMS;
 * both are kept in ${reader} and never change. */
void probe_request(struct probe_reader *reader,
                   const struct operation **ret_operations,
                   const struct item_spec **ret_specs);

/* probe_row(), probe_item(): as of struct reply_sink. */
void probe_row(struct probe_reader *reader, size_t item, const struct row *row);
void probe_item(struct probe_reader *reader, size_t item,
                const struct item_result *result);

/* probe_take(reader, error, http_status, has_login, ret): what it comes to,
 * where the request ended as ${error} (STATUS_OK: the bulk was answered) with
 * ${http_status} (0: none) and was sent with or without a login. Resets
 * ${reader}. */
void probe_take(struct probe_reader *reader, const struct error *error,
                int http_status, bool has_login, struct probe *ret);

#endif
