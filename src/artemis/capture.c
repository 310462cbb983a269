/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/capture.h"

#include "artemis/object_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 8192
#define JSON_MAX_BYTES 65536

/* -- What is asked for -- */

bool capture_is_name(const char *text) {
  static const char alphanumeric[] = "abcdefghijklmnopqrstuvwxyz"
                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  size_t len = strlen(text);
  if (len == 0 || len > CAPTURE_NAME_MAX || !strchr(alphanumeric, text[0]))
    return false;
  for (size_t i = 0; i < len; i++)
    if (!strchr(alphanumeric, text[i]) && !strchr(".-_", text[i]))
      return false;
  return true;
}

enum status capture_check(const struct capture_options *options,
                          struct error *error) {
  if (!capture_is_name(options->name))
    return error_set(error, STATUS_INVALID,
                     "\"%.128s\" cannot be a capture's name: give --name, of "
                     "at most %d letters, digits, dots, dashes and underscores",
                     options->name, CAPTURE_NAME_MAX);
  if (!*options->source)
    return error_set(error, STATUS_INVALID, "the address is empty");
  if (options->role && strchr(options->role, ','))
    return error_set(error, STATUS_INVALID,
                     "--role \"%.128s\": one role alone, without a comma",
                     options->role);
  return STATUS_OK;
}

/* -- The state -- */

void capture_set_name(struct capture *capture, const char *name) {
  snprintf(capture->name, sizeof(capture->name), "%s", name);
  capture->options.name = capture->name;
  snprintf(capture->queue, sizeof(capture->queue), CAPTURE_QUEUE_PREFIX "%s",
           capture->name);
  snprintf(capture->divert, sizeof(capture->divert), CAPTURE_DIVERT_PREFIX "%s",
           capture->name);
}

#define N_NAMES 4
#define N_TEXTS 5

/* Names, then texts. */
struct bufs {
  struct buf *all[N_NAMES + N_TEXTS];
};

static struct bufs bufs_of(struct capture *capture) {
  return (struct bufs){
      {&capture->source_mbean, &capture->address_mbean, &capture->queue_mbean,
       &capture->divert_pattern, &capture->json, &capture->settings,
       &capture->other_settings, &capture->roles, &capture->other_roles}};
}

static enum status init(struct capture *capture, const char *jmx_domain,
                        struct error *error) {
  struct bufs bufs = bufs_of(capture);
  for (size_t i = 0; i < N_NAMES + N_TEXTS; i++)
    buf_init(bufs.all[i], i < N_NAMES ? NAME_MAX_BYTES : JSON_MAX_BYTES);
  capture->domain = object_name_brokers(jmx_domain);
  if (capture->domain)
    return STATUS_OK;
  return error_set(error, STATUS_NO_MEMORY, "no memory for a name");
}

enum status capture_init(struct capture *capture, const char *jmx_domain,
                         const struct capture_options *options,
                         struct error *error) {
  *capture = (struct capture){.options = *options};
  capture_set_name(capture, options->name);
  return init(capture, jmx_domain, error);
}

enum status capture_init_removal(struct capture *capture,
                                 const char *jmx_domain, const char *word,
                                 struct error *error) {
  *capture = (struct capture){.word = word};
  return init(capture, jmx_domain, error);
}

void capture_fini(struct capture *capture) {
  struct bufs bufs = bufs_of(capture);
  for (size_t i = 0; i < N_NAMES + N_TEXTS; i++)
    buf_fini(bufs.all[i]);
  free(capture->domain);
}

bool capture_is_any(const struct capture_found *found) {
  return found->has_settings || found->has_security || found->has_address ||
         found->has_queue || found->has_divert;
}

bool capture_is_whole(const struct capture_found *found) {
  return found->has_settings && found->settings_fit && found->security_fits &&
         found->has_address && found->has_queue && found->queue_fits &&
         found->has_divert && found->divert_fits;
}

bool capture_is_kept(const struct capture *capture) {
  return !capture->word && capture_is_whole(&capture->found);
}
