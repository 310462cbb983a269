/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/translate.h"

#include "artemis/aside.h"
#include "base/clock.h"

#include <string.h>

int64_t translate_interval_ns(const struct node_settings *node,
                              int64_t default_interval_ns) {
  return node->interval_ns > 0 ? node->interval_ns : default_interval_ns;
}

static uint64_t share_of(uint64_t value, uint64_t instances) {
  uint64_t share = instances > 1 ? value / instances : value;
  return share > 0 ? share : 1;
}

/* Bytes may be saved up for 4 s: 8 MiB at the default of 2 MiB a second. */
#define BYTES_BURST_S 4

#define HANDLING_BURST_NS (2 * CLOCK_NS_PER_S)

static struct levels_rates rates_of(const struct ceiling_numbers *numbers,
                                    uint64_t instances) {
  uint64_t bytes = share_of(numbers->bytes_per_second, instances);
  /* In 10^-6: the default is 250 in 10^-3, and may be divided by 1,000. */
  uint64_t share = share_of(1000 * numbers->handling_share_milli, instances);
  return (struct levels_rates){
      .unit = {[UNIT_REQUESTS] = bucket_rate_of(
                   share_of(numbers->requests_per_second_milli, instances),
                   share_of(numbers->burst, instances)),
               [UNIT_CHANGES] = bucket_rate_of(
                   share_of(numbers->changes_per_second_milli, instances),
                   share_of(CEILING_OPERATIONS_PER_PERMIT, instances)),
               [UNIT_BYTES] =
                   bucket_rate_of_bytes(bytes, BYTES_BURST_S * bytes),
               [UNIT_HANDLING] = bucket_rate_of_handling(
                   share,
                   (int64_t)share_of((uint64_t)HANDLING_BURST_NS, instances))}};
}

static struct ceiling_settings ceiling_of(const struct ceiling_numbers *numbers,
                                          uint64_t instances,
                                          int64_t interval_ns) {
  struct ceiling_settings ceiling = ceiling_settings_default(interval_ns);
  ceiling.rates = rates_of(numbers, instances);
  ceiling.max_in_flight = numbers->max_in_flight;
  ceiling.max_waiting = numbers->max_waiting;
  return ceiling;
}

enum names_alphabet translate_names(const struct node_settings *node) {
  return node->names == NAME_STRICT ? NAMES_STRICT : NAMES_PLAIN;
}

static struct node_pem pem_of(const struct pem *pem) {
  return pem ? (struct node_pem){pem->bytes, pem->len} : (struct node_pem){0};
}

enum status translate_node(const struct settings *settings,
                           const struct node_settings *node,
                           int64_t default_interval_ns,
                           struct node_options *ret, struct error *error) {
  struct node_options options = {
      .name = node->name,
      .username = node->username,
      .password = node->password,
      .origin = node->origin,
      .ca_cert = pem_of(node->ca_cert),
      .client_cert = pem_of(node->client_cert),
      .client_key = pem_of(node->client_key),
      .verify_peer = node->verify_peer,
      .verify_host = node->verify_host,
      .connect_timeout_ns = node->connect_timeout_ns,
      .max_request_bytes = (size_t)node->ceiling.max_request_bytes,
      .max_response_bytes = (size_t)node->ceiling.max_response_bytes,
      .max_object_bytes = (size_t)node->ceiling.max_object_bytes,
      .too_large_ns =
          ASIDE_ROUNDS * translate_interval_ns(node, default_interval_ns),
      .ceiling = ceiling_of(&node->ceiling, settings->instances,
                            translate_interval_ns(node, default_interval_ns)),
  };
  enum status status = url_parse(node->url, &options.url, error);
  if (status)
    return status;
  *ret = options;
  return STATUS_OK;
}

enum status translate_check_url(const char *text, char *ret_key,
                                size_t key_size, bool *ret_is_plaintext,
                                struct error *error) {
  struct url url;
  enum status status = url_parse(text, &url, error);
  if (status)
    return status;
  size_t len = strlen(url.key);
  if (len >= key_size)
    return error_set(error, STATUS_INVALID, "the URL is longer than %zu bytes",
                     key_size - 1);
  memcpy(ret_key, url.key, len + 1);
  *ret_is_plaintext = !url.is_https && !url.is_loopback;
  return STATUS_OK;
}

static enum scrape_source source_of(enum queue_source source) {
  switch (source) {
  case SOURCE_LIST:
    return SCRAPE_LIST;
  case SOURCE_READ:
    return SCRAPE_READ;
  case SOURCE_AUTO:
    return SCRAPE_AUTO;
  }
  return SCRAPE_AUTO;
}

/* C has no implicit conversion from char ** to const char *const *. */
static const char *const *patterns_of(const struct pattern_list *list) {
  return (const char *const *)list->pattern;
}

static struct filter_texts texts_of(const struct pattern_list *include,
                                    const struct pattern_list *exclude,
                                    const struct pattern_list *keep) {
  return (struct filter_texts){.include = patterns_of(include),
                               .n_include = include->n,
                               .exclude = patterns_of(exclude),
                               .n_exclude = exclude->n,
                               .keep = patterns_of(keep),
                               .n_keep = keep->n};
}

struct scrape_settings translate_scrape(const struct node_settings *node,
                                        int64_t default_interval_ns) {
  const struct queue_settings *queues = &node->queues;
  const struct address_settings *addresses = &node->addresses;
  const struct pattern_list none = {.n = 0};
  return (struct scrape_settings){
      .host = node->name,
      .sets = node->ready_sets,
      .jmx_domain = node->jmx_domain,
      .source = source_of(queues->source),
      .queues = texts_of(&queues->include, &queues->exclude, &queues->keep),
      .queue_addresses =
          texts_of(&queues->include_address, &queues->exclude_address, &none),
      .addresses =
          texts_of(&addresses->include, &addresses->exclude, &addresses->keep),
      .max_queues = queues->max_queues,
      .max_addresses = addresses->max_addresses,
      .names = translate_names(node),
      .interval_ns = {[TIER_FAST] =
                          translate_interval_ns(node, default_interval_ns),
                      [TIER_ADDRESS] = node->address_interval_ns,
                      [TIER_SLOW] = node->slow_interval_ns},
  };
}
