/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/state.h"

#include "base/clock.h"
#include "base/log.h"
#include "client/certificate.h"
#include "config/settings.h"

#include <stdlib.h>
#include <string.h>

/* Timers that a node's user may have, besides our own. */
#define NODE_TIMERS 8

static bool is_plain(const char *text) {
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c < 0x20 || *c == 0x7f)
      return false;
  }
  return true;
}

static enum status check_login(const struct node_options *options,
                               struct error *error) {
  if (options->username && strchr(options->username, ':'))
    return error_set(error, STATUS_INVALID,
                     "Username \"%s\": a user name with a colon cannot be sent "
                     "as a Basic login: use another user",
                     options->username);
  if ((options->username && !is_plain(options->username)) ||
      (options->password && !is_plain(options->password)))
    return error_set(error, STATUS_INVALID,
                     "the user name or password has a control character: is "
                     "there a second line in the PasswordFile?");
  return STATUS_OK;
}

static enum status check(const struct node_options *options,
                         struct error *error) {
  if (options->origin && (!options->origin[0] || !is_plain(options->origin) ||
                          strlen(options->origin) >= URL_MAX))
    return error_set(error, STATUS_INVALID,
                     "Origin: give a scheme and a host, as "
                     "\"http://localhost\"");
  if (!options->max_request_bytes || !options->max_response_bytes ||
      !options->max_object_bytes || options->connect_timeout_ns <= 0)
    return error_set(error, STATUS_INVALID,
                     "a node's maxima and ConnectTimeout must be above 0");
  return check_login(options, error);
}

static enum status check_room(const struct client *client,
                              struct error *error) {
  if (client->is_closing)
    return error_set(error, STATUS_INVALID, "the client is closing");
  if (client->n_nodes >= SETTINGS_NODES_MAX)
    return error_set(error, STATUS_INVALID,
                     "more than %d nodes: leave some to another collectd",
                     SETTINGS_NODES_MAX);
  return STATUS_OK;
}

static void node_free(struct node *node) {
  http_target_fini(&node->target);
  credential_put(&node->client->credentials, node->credential);
  free(node->url);
  free(node->name);
  free(node);
}

static enum status copy_pem(struct buf *dst, const struct node_pem *pem) {
  if (pem->len == 0)
    return STATUS_OK;
  buf_init(dst, pem->len);
  return buf_add(dst, pem->bytes, pem->len);
}

static enum status copy_files(struct node *node,
                              const struct node_options *options) {
  const struct node_pem *key =
      options->client_key.len ? &options->client_key : &options->client_cert;
  enum status status = copy_pem(&node->target.ca_cert, &options->ca_cert);
  if (!status)
    status = copy_pem(&node->target.client_cert, &options->client_cert);
  if (!status)
    status = copy_pem(&node->target.client_key, key);
  return status;
}

/* NULL, and STATUS_OK: there is no login. */
static enum status get_login(struct node *node,
                             const struct node_options *options,
                             struct credential **ret) {
  *ret = NULL;
  if (!options->username)
    return STATUS_OK;
  *ret = credential_get(&node->client->credentials, options->username,
                        options->password ? options->password : "");
  return *ret ? STATUS_OK : STATUS_NO_MEMORY;
}

static void set_login(struct node *node, struct credential *credential) {
  node->credential = credential;
  node->target.user = credential ? credential->user : NULL;
  node->target.password = credential ? credential->password : NULL;
}

/* Whatever may change while its jobs go on. */
static void set_options(struct node *node, const struct node_options *options) {
  node->max_request_bytes = options->max_request_bytes;
  node->max_response_bytes = options->max_response_bytes;
  node->max_object_bytes = options->max_object_bytes;
  node->too_large_ns = options->too_large_ns;
  node->ceiling = options->ceiling;
  node->round_ns = options->round_ns;
  node->target.connect_timeout_ns = options->connect_timeout_ns;
}

static enum status fill(struct node *node, const struct node_options *options,
                        struct error *error) {
  struct client *client = node->client;
  struct credential *credential = NULL;
  node->name = strdup(options->name ? options->name : options->url.key);
  node->url = malloc(sizeof(*node->url));
  if (!node->name || !node->url ||
      get_login(node, options, &credential) != STATUS_OK)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a node");
  *node->url = options->url;
  set_login(node, credential);
  set_options(node, options);
  node->target.url = node->url->text;
  node->target.is_address = node->url->is_address;
  node->target.user_agent = client->user_agent;
  node->target.verify_peer = options->verify_peer;
  node->target.verify_host = options->verify_host;
  node->target.connections = &client->connections;
  const char *origin = options->origin ? options->origin : node->url->origin;
  if (http_target_init(&node->target, origin) != STATUS_OK ||
      copy_files(node, options) != STATUS_OK)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a node");
  return STATUS_OK;
}

static void set_limits(struct client *client) {
  size_t total = connections_limit();
  client->max_total = total;
  if (client->n_nodes > total && !client->is_limit_told) {
    client->is_limit_told = true;
    log_write(LOG_LEVEL_WARNING,
              "the limit of open files allows %zu connections, fewer than "
              "there are nodes, which take turns: raise it (LimitNOFILE, "
              "ulimit -n)",
              total);
  }
  size_t kept = client->max_in_flight < total ? client->max_in_flight : total;
  loop_limit(client->loop, kept > 0 ? kept : 1, total);
}

enum status client_node_add(struct client *client,
                            const struct node_options *options,
                            struct node **ret, struct error *error) {
  enum status status = check_room(client, error);
  if (status == STATUS_OK)
    status = check(options, error);
  if (status != STATUS_OK)
    return status;
  struct node *node = calloc(1, sizeof(*node));
  if (!node)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a node");
  node->client = client;
  TAILQ_INIT(&node->jobs);
  status = fill(node, options, error);
  if (status != STATUS_OK)
    goto free_node;
  status = STATUS_NO_MEMORY;
  if (!loop_room(client->loop, NODE_TIMERS))
    goto no_memory;
  if (endpoint_join(node, node->url->key) != STATUS_OK)
    goto free_room;
  TAILQ_INSERT_TAIL(&client->nodes, node, all);
  client->n_nodes++;
  client->max_in_flight += node->ceiling.max_in_flight;
  set_limits(client);
  *ret = node;
  return STATUS_OK;

free_room:
  loop_room_back(client->loop, NODE_TIMERS);
no_memory:
  (void)error_set(error, STATUS_NO_MEMORY, "no memory for a node");
free_node:
  node_free(node);
  return status;
}

static void end_job(struct job *job) {
  job_end(job, STATUS_CLOSING, "the node is going away");
  job_finish(job);
}

static struct job *first_unsent(const struct node *node) {
  struct job *job;
  TAILQ_FOREACH(job, &node->jobs, all) {
    if (job->state == JOB_WAITING ||
        (job->state == JOB_SENDING && !job->transfer.is_sent))
      return job;
  }
  return NULL;
}

void client_node_close(struct node *node) {
  struct job *job;
  node->is_closing = true;
  while ((job = first_unsent(node)))
    end_job(job);
}

void client_node_remove(struct node *node) {
  struct client *client = node->client;
  struct job *job;
  node->is_closing = true;
  while ((job = TAILQ_FIRST(&node->jobs)))
    end_job(job);
  endpoint_leave(node);
  TAILQ_REMOVE(&client->nodes, node, all);
  client->n_nodes--;
  client->max_in_flight -= node->ceiling.max_in_flight;
  set_limits(client);
  loop_room_back(client->loop, NODE_TIMERS);
  node_free(node);
}

/* What is on its way with the old login says nothing of the new one. */
static void change_login(struct node *node, struct credential *credential) {
  struct job *job;
  TAILQ_FOREACH(job, &node->jobs, all) {
    job->has_old_login = job->state != JOB_WAITING;
    if (job->is_try)
      login_untold(&node->credential->login);
    job->is_try = false;
  }
  node->login = (struct login){.n_refused = 0};
  credential_put(&node->client->credentials, node->credential);
  set_login(node, credential);
}

enum status client_node_reconfigure(struct node *node,
                                    const struct node_options *options,
                                    struct error *error) {
  struct client *client = node->client;
  struct credential *credential;
  enum status status = check(options, error);
  if (status != STATUS_OK)
    return status;
  if (get_login(node, options, &credential) != STATUS_OK)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a login");
  if (credential != node->credential)
    change_login(node, credential);
  else
    credential_put(&client->credentials, credential);
  client->max_in_flight -= node->ceiling.max_in_flight;
  client->max_in_flight += options->ceiling.max_in_flight;
  set_options(node, options);
  endpoint_configure(node->endpoint);
  set_limits(client);
  return STATUS_OK;
}

enum status client_node_share_ceiling(struct node *node, struct node *first) {
  const char *key =
      first ? registry_key(first->endpoint->entry) : node->url->key;
  if (strcmp(key, registry_key(node->endpoint->entry)) == 0)
    return STATUS_OK;
  if (!TAILQ_EMPTY(&node->jobs))
    return STATUS_INVALID;
  return endpoint_move(node, key);
}

const struct node_stats *client_node_stats(struct node *node) {
  const struct ceiling *ceiling = &node->endpoint->entry->ceiling;
  int64_t now_ns = clock_mono_ns();
  node->stats.connections = node->endpoint->connections.n;
  memcpy(node->stats.blocked, ceiling->blocked, sizeof(node->stats.blocked));
  node->stats.forgiven = ceiling->forgiven;
  for (enum unit unit = UNIT_REQUESTS; unit < UNIT_BUCKETS; unit++)
    node->stats.debt_ns[unit] = ceiling_debt_ns(ceiling, unit, now_ns);
  return &node->stats;
}

size_t client_node_batch(const struct node *node) {
  return ceiling_batch(client_node_ceiling(node));
}

const struct ceiling_settings *client_node_ceiling(const struct node *node) {
  return &node->endpoint->share.whole;
}

void client_node_host(struct node *node, struct host_totals *ret) {
  share_host(&node->endpoint->share, clock_mono_ns(), ret);
}

void client_node_stats_reset_max(struct node *node) {
  node->stats.permit_wait_max_ns = 0;
}

bool client_node_held(const struct node *node) {
  return ceiling_is_held_by_operator(&node->endpoint->entry->ceiling,
                                     clock_mono_ns());
}

void client_node_round_over(struct node *node, enum tier tier) {
  share_round_over(&node->endpoint->share, (unsigned)tier - TIER_FAST - 1);
  endpoint_touch(node->endpoint);
}

bool client_node_login_held(const struct node *node) {
  return node->credential &&
         (node->login.is_held || node->credential->login.is_held);
}

int64_t client_node_certificate_left_ns(const struct node *node,
                                        int64_t wall_ns) {
  if (node->certificate_end_s == 0)
    return CLOCK_NEVER;
  return certificate_left_ns(node->certificate_end_s, wall_ns);
}

static void hold_all(const struct node *held, bool is_everywhere) {
  struct node *node;
  TAILQ_FOREACH(node, &held->client->nodes, all) {
    if (node == held || (is_everywhere && node->credential == held->credential))
      job_hold_waiting(node);
  }
  log_write(LOG_LEVEL_WARNING,
            "node %s: the login of user \"%s\" was refused three times; it "
            "is held %s, and tried once in 15 minutes and then ever more "
            "rarely: set the right password",
            held->name, held->credential->user,
            is_everywhere ? "on every node that uses it" : "on this node");
}

void node_login_told(struct job *job, enum status kind, int http_status,
                     int64_t now_ns) {
  struct node *node = job->node;
  if (!node->credential || job->has_old_login)
    return;
  struct login *all = &node->credential->login;
  if (http_status == 200) {
    bool was_held = login_accepted(&node->login);
    was_held |= login_accepted(all);
    if (was_held)
      log_write(LOG_LEVEL_NOTICE,
                "node %s: the login of user \"%s\" is accepted again",
                node->name, node->credential->user);
  } else if (kind == STATUS_AUTH) {
    /* Not 429: a broker that throttles a user answers so to the right password
     * too, and so may whatever stands in front of it. */
    bool is_held_here = login_refused(&node->login, job->is_try, now_ns);
    bool is_held_everywhere = login_refused(all, job->is_try, now_ns);
    if (is_held_here || is_held_everywhere)
      hold_all(node, is_held_everywhere);
  } else {
    return;
  }
  job->is_try = false;
}
