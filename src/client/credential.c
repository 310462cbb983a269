/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/credential.h"

#include <stdlib.h>
#include <string.h>

bool login_may_send(const struct login *login, int64_t now_ns) {
  if (!login->is_held)
    return true;
  return !login->is_trying && now_ns >= login->next_ns;
}

bool login_try(struct login *login) {
  if (!login->is_held)
    return false;
  login->is_trying = true;
  return true;
}

static void hold(struct login *login, int64_t wait_ns, int64_t now_ns) {
  login->is_held = true;
  login->is_trying = false;
  login->wait_ns = wait_ns > LOGIN_WAIT_MAX_NS ? LOGIN_WAIT_MAX_NS : wait_ns;
  login->next_ns = now_ns + login->wait_ns;
  login->n_refused = 0;
}

bool login_refused(struct login *login, bool is_try, int64_t now_ns) {
  if (login->is_held) {
    if (is_try)
      hold(login, 2 * login->wait_ns, now_ns);
    return false;
  }
  if (login->n_refused == LOGIN_REFUSALS) {
    memmove(login->refused_ns, login->refused_ns + 1,
            (LOGIN_REFUSALS - 1) * sizeof(login->refused_ns[0]));
    login->n_refused--;
  }
  login->refused_ns[login->n_refused++] = now_ns;
  if (login->n_refused < LOGIN_REFUSALS ||
      now_ns - login->refused_ns[0] > LOGIN_WINDOW_NS)
    return false;
  hold(login, LOGIN_WINDOW_NS, now_ns);
  return true;
}

bool login_accepted(struct login *login) {
  bool was_held = login->is_held;
  *login = (struct login){.n_refused = 0};
  return was_held;
}

void login_untold(struct login *login) { login->is_trying = false; }

static void credential_free(struct credential *credential) {
  if (credential->password)
    explicit_bzero(credential->password, strlen(credential->password));
  free(credential->password);
  free(credential->user);
  free(credential);
}

struct credential *credential_get(struct credential **list, const char *user,
                                  const char *password) {
  for (struct credential *c = *list; c; c = c->next) {
    if (strcmp(c->user, user) == 0 && strcmp(c->password, password) == 0) {
      c->references++;
      return c;
    }
  }
  struct credential *credential = calloc(1, sizeof(*credential));
  if (!credential)
    return NULL;
  credential->user = strdup(user);
  credential->password = strdup(password);
  if (!credential->user || !credential->password) {
    credential_free(credential);
    return NULL;
  }
  credential->references = 1;
  credential->next = *list;
  *list = credential;
  return credential;
}

void credential_put(struct credential **list, struct credential *credential) {
  if (!credential || --credential->references > 0)
    return;
  for (struct credential **c = list; *c; c = &(*c)->next) {
    if (*c == credential) {
      *c = credential->next;
      break;
    }
  }
  credential_free(credential);
}
