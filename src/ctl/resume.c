/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/resume_parts.h"

#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A line of 200 bytes for each id, at the very worst. */
#define PENDING_MAX_BYTES (200 * (size_t)IDS_MAX)

#define SEEN 0x80 /* beside the state */
#define MAY_BE_DONE 0x40
#define SEEN_LETTER 's'

static const char letters[ID_STATE_COUNT] = {
    [ID_TODO] = 't',   [ID_IN_FLIGHT] = 'f', [ID_DONE] = 'd',
    [ID_ABSENT] = 'a', [ID_FAILED] = 'x',    [ID_UNKNOWN] = 'u'};

const char *id_state_name(enum id_state state) {
  static const char *const names[ID_STATE_COUNT] = {
      [ID_TODO] = "todo",     [ID_IN_FLIGHT] = "in_flight",
      [ID_DONE] = "done",     [ID_ABSENT] = "absent",
      [ID_FAILED] = "failed", [ID_UNKNOWN] = "unknown"};
  return names[state];
}

enum status resume_cannot(const struct resume *resume, const char *what,
                          struct error *error) {
  char reason[128];
  return error_set(error, STATUS_INVALID,
                   "the resume file %.256s cannot be %s: %s", resume->path,
                   what, strerror_r(errno, reason, sizeof(reason)));
}

/* -- In memory -- */

static uint8_t reason_number(struct resume *resume, const char *text) {
  for (size_t i = 0; i < resume->n_reasons; i++)
    if (strcmp(resume->reason_text[i], text) == 0)
      return (uint8_t)i;
  if (resume->n_reasons == RESUME_REASONS)
    return RESUME_REASONS - 1;
  char *copy = strdup(text);
  if (!copy)
    return resume->n_reasons ? (uint8_t)(resume->n_reasons - 1) : 0;
  resume->reason_text[resume->n_reasons] = copy;
  return (uint8_t)resume->n_reasons++;
}

bool resume_is_letter(char letter) {
  return letter == SEEN_LETTER ||
         (letter && memchr(letters, letter, sizeof(letters)));
}

enum id_state resume_state(const struct resume *resume, size_t i) {
  return (enum id_state)(resume->states[i] & ~(SEEN | MAY_BE_DONE));
}

bool resume_is_seen(const struct resume *resume, size_t i) {
  return resume->states[i] & SEEN;
}

bool resume_may_be_done(const struct resume *resume, size_t i) {
  return resume->states[i] & MAY_BE_DONE;
}

void resume_set(struct resume *resume, size_t i, char letter,
                const char *reason) {
  if (letter == SEEN_LETTER) {
    resume->states[i] |= SEEN;
    return;
  }
  const char *found = memchr(letters, letter, sizeof(letters));
  enum id_state state = (enum id_state)(found - letters);
  resume->counts[resume_state(resume, i)]--;
  resume->counts[state]++;
  resume->states[i] =
      (uint8_t)(state | (resume->states[i] & (SEEN | MAY_BE_DONE)) |
                (state == ID_UNKNOWN ? MAY_BE_DONE : 0));
  if (state == ID_FAILED)
    resume->reasons[i] = reason_number(resume, reason);
}

const char *resume_reason(const struct resume *resume, size_t i) {
  return resume_state(resume, i) == ID_FAILED &&
                 resume->reasons[i] < resume->n_reasons
             ? resume->reason_text[resume->reasons[i]]
             : "";
}

enum status resume_make_states(struct resume *resume, struct error *error) {
  resume->states = calloc(resume->ids.n + 1, 1);
  resume->reasons = calloc(resume->ids.n + 1, 1);
  resume->counts[ID_TODO] = resume->ids.n;
  return resume->states && resume->reasons
             ? STATUS_OK
             : error_set(error, STATUS_NO_MEMORY, "no memory for the ids");
}

void resume_begin(struct resume *resume) {
  *resume = (struct resume){.fd = -1};
  ids_init(&resume->ids);
  buf_init(&resume->pending, PENDING_MAX_BYTES);
}

void resume_fini(struct resume *resume) {
  if (resume->fd >= 0)
    close(resume->fd);
  for (size_t i = 0; i < resume->n_reasons; i++)
    free(resume->reason_text[i]);
  free(resume->states);
  free(resume->reasons);
  buf_fini(&resume->pending);
  ids_fini(&resume->ids);
}

/* -- Lines -- */

/* "x 7 9 the reason" and the check of all before and of this. */
void resume_close_line(struct buf *out, size_t from, uint64_t *check) {
  *check = hash_more(*check, out->data + from, out->len - from);
  buf_printf(out, " #%016" PRIx64 "\n", *check);
}

static void flush_range(struct resume *resume) {
  struct buf *out = &resume->pending;
  size_t from = out->len;
  size_t last = resume->range_from + resume->range_n - 1;
  if (resume->range_n == 0)
    return;
  buf_printf(out, "%c %zu %zu", resume->range_letter, resume->range_from, last);
  if (resume->range_letter == letters[ID_FAILED])
    buf_printf(out, " %s", resume_reason(resume, last));
  resume_close_line(out, from, &resume->check);
  resume->range_n = 0;
}

static void mark(struct resume *resume, size_t i, char letter,
                 const char *reason) {
  size_t next = resume->range_from + resume->range_n;
  bool goes_on = resume->range_n > 0 && i == next &&
                 resume->range_letter == letter &&
                 (letter != letters[ID_FAILED] ||
                  strcmp(resume_reason(resume, next - 1), reason) == 0);
  if (!goes_on)
    flush_range(resume);
  resume_set(resume, i, letter, reason);
  if (!goes_on)
    resume->range_from = i;
  resume->range_letter = letter;
  resume->range_n++;
}

void resume_mark(struct resume *resume, size_t i, enum id_state state,
                 const char *reason) {
  mark(resume, i, letters[state], reason);
}

void resume_mark_seen(struct resume *resume, size_t i) {
  if (!resume_is_seen(resume, i))
    mark(resume, i, SEEN_LETTER, "");
}

bool resume_write(int fd, const char *bytes, size_t len, uint64_t at) {
  while (len) {
    ssize_t done = pwrite(fd, bytes, len, (off_t)at);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return false;
    bytes += done;
    len -= (size_t)done;
    at += (uint64_t)done;
  }
  return true;
}

void resume_first_line(char dst[static RESUME_FIRST_LEN + 1], uint64_t len) {
  char number[21];
  snprintf(number, sizeof(number), "%20" PRIu64, len);
  snprintf(dst, RESUME_FIRST_LEN + 1, RESUME_FIRST "%s #%016" PRIx64 "\n",
           number, hash_text(number));
}

/* Twice synced: the first line must never claim what is not there. */
enum status resume_commit(struct resume *resume, struct error *error) {
  char line[RESUME_FIRST_LEN + 1];
  flush_range(resume);
  if (resume->pending.status)
    return error_set(error, resume->pending.status,
                     "no memory for the resume file");
  size_t len = resume->pending.len;
  bool is_written =
      resume_write(resume->fd, buf_text(&resume->pending), len, resume->len) &&
      fdatasync(resume->fd) == 0;
  if (!is_written)
    return resume_cannot(resume, "written", error);
  buf_clear(&resume->pending);
  resume->len += len;
  resume_first_line(line, resume->len);
  if (!resume_write(resume->fd, line, RESUME_FIRST_LEN, 0) ||
      fdatasync(resume->fd) != 0)
    return resume_cannot(resume, "written", error);
  return STATUS_OK;
}
