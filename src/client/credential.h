/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_CREDENTIAL_H
#define CLIENT_CREDENTIAL_H

/* Refused logins. A wrong login that is tried again and again locks its account
 * and throttles the operator out of the console, so it is held: after three
 * refusals in 15 minutes no request goes out with it. One request alone tries
 * again after 15 minutes, then after twice as long each time, at most 24 hours
 * apart; the first success ends it.
 *
 * Counted twice: for the credential over all nodes, and for each node, so that
 * one node that refuses what the others accept is held alone. Pure; time is an
 * argument. */

#include <stdbool.h>
#include <stdint.h>

#define LOGIN_REFUSALS 3
#define LOGIN_WINDOW_NS (INT64_C(900) * 1000000000)
#define LOGIN_WAIT_MAX_NS (INT64_C(86400) * 1000000000)

/* All zero: nothing refused. */
struct login {
  int64_t refused_ns[LOGIN_REFUSALS]; /* the last ones, oldest first */
  uint32_t n_refused;
  bool is_held;
  bool is_trying;  /* its one request is on its way */
  int64_t next_ns; /* while held: when one may try again */
  int64_t wait_ns; /* while held: how long it waited for that */
};

/* login_may_send(login, now_ns): not held, or its one try is due. */
bool login_may_send(const struct login *login, int64_t now_ns);

/* login_try(login): a request was let through. True where it is the one try of
 * a held login: it must be ended by one of the three below. */
bool login_try(struct login *login);

/* login_refused(login, is_try, now_ns), login_accepted(login): what the node
 * said. True where the login became held, or was held until now. A refusal
 * that was on its way when the hold began changes nothing.
 * login_untold(login): the try ended without a word about the login. */
bool login_refused(struct login *login, bool is_try, int64_t now_ns);
bool login_accepted(struct login *login);
void login_untold(struct login *login);

/* User and password, shared by all nodes that have the same ones. */
struct credential {
  struct credential *next;
  char *user;
  char *password;
  uint32_t references;
  struct login login;
};

/* credential_get(list, user, password): the one of that user and password
 * (copied), made if it is new. NULL without memory. credential_put(): gives it
 * back; the last one wipes the password. NULL is fine. */
struct credential *credential_get(struct credential **list, const char *user,
                                  const char *password);
void credential_put(struct credential **list, struct credential *credential);

#endif
