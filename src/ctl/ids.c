/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/ids.h"

#include "base/num.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRONG_MAX_BYTES 16384
#define LINE_BYTES_MAX 1024 /* a longer one is no list of ids */
#define BLOCK_BYTES 65536
#define WHAT                                                                   \
  "a message id is a whole number from 0 to 9223372036854775807, as "          \
  "`jolokiactl messages list` shows them"

void ids_init(struct ids *ids) {
  *ids = (struct ids){0};
  buf_init(&ids->wrong, WRONG_MAX_BYTES);
}

void ids_fini(struct ids *ids) {
  free(ids->list);
  buf_fini(&ids->wrong);
}

enum status ids_add(struct ids *ids, int64_t id, struct error *error) {
  if (ids->n == IDS_GIVEN_MAX)
    return error_set(error, STATUS_INVALID,
                     "more than %d ids; a run has at most %d: split the list",
                     IDS_GIVEN_MAX, IDS_MAX);
  if (ids->n == ids->size) {
    size_t size = ids->size ? 2 * ids->size : 1024;
    int64_t *list = realloc(ids->list, size * sizeof(*list));
    if (!list)
      return error_set(error, STATUS_NO_MEMORY, "no memory for the ids");
    ids->list = list;
    ids->size = size;
  }
  ids->list[ids->n++] = id;
  return STATUS_OK;
}

static void add_wrong(struct ids *ids, const char *place, size_t line,
                      const char *text, size_t len) {
  char at[24] = "";
  struct error shown; /* cuts, and takes control bytes out */
  if (ids->n_wrong++ >= IDS_WRONG_TOLD)
    return;
  if (line)
    snprintf(at, sizeof(at), ":%zu", line);
  error_set(&shown, STATUS_INVALID, "%.200s%s: \"%.*s\": " WHAT, place, at,
            (int)(len < 40 ? len : 40), text);
  buf_printf(&ids->wrong, "%s\n", shown.text);
}

static bool read_id(const char *text, size_t len, int64_t *ret) {
  int64_t id;
  if (!num_int64(text, len, &id) || id < 0)
    return false;
  *ret = id;
  return true;
}

enum status ids_add_argument(struct ids *ids, const char *text,
                             struct error *error) {
  int64_t id;
  if (read_id(text, strlen(text), &id))
    return ids_add(ids, id, error);
  add_wrong(ids, "argument", 0, text, strlen(text));
  return STATUS_OK;
}

/* -- A file -- */

struct reading {
  struct ids *ids;
  const char *name;
  size_t line;
  size_t len;
  char text[LINE_BYTES_MAX];
};

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static enum status end_line(struct reading *reading, struct error *error) {
  const char *text = reading->text;
  const char *comment = memchr(text, '#', reading->len);
  size_t len = comment ? (size_t)(comment - text) : reading->len;
  int64_t id;
  reading->line++;
  reading->len = 0;
  while (len && is_space(*text)) {
    text++;
    len--;
  }
  while (len && is_space(text[len - 1]))
    len--;
  if (len == 0)
    return STATUS_OK;
  if (read_id(text, len, &id))
    return ids_add(reading->ids, id, error);
  add_wrong(reading->ids, reading->name, reading->line, text, len);
  return STATUS_OK;
}

static enum status refuse(const struct reading *reading, struct error *error,
                          const char *why) {
  return error_set(error, STATUS_INVALID,
                   "%.200s:%zu: %s; give a text file with one message id a "
                   "line",
                   reading->name, reading->line + 1, why);
}

static enum status read_block(struct reading *reading, const char *block,
                              size_t len, struct error *error) {
  for (size_t i = 0; i < len; i++) {
    enum status status = STATUS_OK;
    char c = block[i];
    if (c == '\n')
      status = end_line(reading, error);
    else if (c == 127 || (c >= 0 && c < ' ' && !is_space(c)))
      status = refuse(reading, error, "it is binary");
    else if (reading->len == sizeof(reading->text))
      status = refuse(reading, error, "the line is too long");
    else
      reading->text[reading->len++] = c;
    if (status)
      return status;
  }
  return STATUS_OK;
}

static enum status too_long(const char *name, struct error *error) {
  return error_set(error, STATUS_INVALID,
                   "%.200s is longer than %d MiB, which %d ids never are; "
                   "split it",
                   name, IDS_FILE_MAX >> 20, IDS_MAX);
}

static enum status no_file(const char *name, const char *what,
                           struct error *error) {
  char reason[128];
  return error_set(error, STATUS_INVALID, "%.200s cannot be %s: %s", name, what,
                   strerror_r(errno, reason, sizeof(reason)));
}

static enum status read_all(struct reading *reading, int fd, char *block,
                            struct error *error) {
  size_t total = 0;
  for (;;) {
    ssize_t got = read(fd, block, BLOCK_BYTES);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return no_file(reading->name, "read", error);
    if (got == 0)
      return reading->len ? end_line(reading, error) : STATUS_OK;
    total += (size_t)got;
    if (total > IDS_FILE_MAX)
      return too_long(reading->name, error);
    enum status status = read_block(reading, block, (size_t)got, error);
    if (status)
      return status;
  }
}

enum status ids_read(struct ids *ids, const char *path, struct error *error) {
  bool is_stdin = strcmp(path, "-") == 0;
  struct reading reading = {.ids = ids,
                            .name = is_stdin ? "standard input" : path};
  struct stat info;
  int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &info) != 0)
    return no_file(path, "opened", error);
  char *block = malloc(BLOCK_BYTES);
  enum status status;
  if (!block)
    status = error_set(error, STATUS_NO_MEMORY, "no memory for the ids");
  else if (S_ISREG(info.st_mode) && info.st_size > IDS_FILE_MAX)
    status = too_long(reading.name, error);
  else
    status = read_all(&reading, fd, block, error);
  free(block);
  if (!is_stdin)
    close(fd);
  return status;
}

/* -- In order -- */

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a;
  int64_t y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

enum status ids_finish(struct ids *ids, struct error *error) {
  size_t n = 0;
  if (ids->n_wrong)
    return error_set(error, STATUS_INVALID,
                     "%zu of what should be message ids %s not; nothing was "
                     "changed",
                     ids->n_wrong, ids->n_wrong == 1 ? "is" : "are");
  if (ids->n == 0)
    return error_set(error, STATUS_INVALID,
                     "there is no message id: name some, or give --ids-file "
                     "or --filter");
  qsort(ids->list, ids->n, sizeof(*ids->list), compare);
  for (size_t i = 0; i < ids->n; i++)
    if (n == 0 || ids->list[i] != ids->list[n - 1])
      ids->list[n++] = ids->list[i];
  ids->n_duplicates += ids->n - n;
  ids->n = n;
  return STATUS_OK;
}

size_t ids_find(const struct ids *ids, int64_t id) {
  const int64_t *found =
      ids->n ? bsearch(&id, ids->list, ids->n, sizeof(id), compare) : NULL;
  return found ? (size_t)(found - ids->list) : SIZE_MAX;
}
