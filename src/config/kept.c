/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/kept.h"

#include <stdlib.h>
#include <string.h>

struct kept_file {
  char *path;
  struct file_watch watch;
  struct file_text good; /* bytes NULL: none yet */
  struct error why;      /* STATUS_OK: ${good} is what the file has */
  bool is_read;          /* since kept_begin() */
  bool is_wanted;        /* since kept_begin() */
};

struct kept {
  struct kept_file *file; /* sorted by path */
  size_t n;
  int64_t now_ns; /* of kept_begin() */
};

struct kept *kept_new(void) {
  return calloc(1, sizeof(struct kept));
}

static void forget(struct kept_file *file) {
  file_fini(&file->good);
  free(file->path);
}

void kept_free(struct kept *kept) {
  if (!kept)
    return;
  for (size_t i = 0; i < kept->n; i++)
    forget(&kept->file[i]);
  free(kept->file);
  free(kept);
}

void kept_begin(struct kept *kept, int64_t now_ns) {
  kept->now_ns = now_ns;
  for (size_t i = 0; i < kept->n; i++)
    kept->file[i].is_read = kept->file[i].is_wanted = false;
}

void kept_end(struct kept *kept) {
  size_t n = 0;
  for (size_t i = 0; i < kept->n; i++)
    if (kept->file[i].is_wanted)
      kept->file[n++] = kept->file[i];
    else
      forget(&kept->file[i]);
  kept->n = n;
}

bool kept_is_due(struct kept *kept, int64_t now_ns, int64_t *ret_due_ns) {
  bool is_due = false;
  for (size_t i = 0; i < kept->n; i++)
    is_due |= file_watch_look(&kept->file[i].watch, kept->file[i].path, now_ns,
                              FILE_SETTLE_NS, ret_due_ns);
  return is_due;
}

const char *kept_path(const struct kept *kept, size_t i) {
  return i < kept->n ? kept->file[i].path : NULL;
}

/* The first whose path is not below ${path}. */
static size_t place_of(const struct kept *kept, const char *path) {
  size_t low = 0;
  size_t high = kept->n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (strcmp(kept->file[middle].path, path) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static struct kept_file *find(struct kept *kept, const char *path) {
  size_t at = place_of(kept, path);
  if (at < kept->n && strcmp(kept->file[at].path, path) == 0)
    return &kept->file[at];
  struct kept_file *file =
      reallocarray(kept->file, kept->n + 1, sizeof *kept->file);
  if (!file)
    return NULL;
  kept->file = file;
  char *copy = strdup(path);
  if (!copy)
    return NULL;
  memmove(&file[at + 1], &file[at], (kept->n - at) * sizeof *file);
  file[at] = (struct kept_file){.path = copy};
  kept->n++;
  return &file[at];
}

static enum status read_well(const char *path, size_t max, kept_check *check,
                             struct file_text *ret, struct error *why) {
  struct error cause;
  enum status status = file_read(path, max, ret, &cause);
  if (status)
    return error_set(why, status,
                     "%.128s; mend the path, the file or its permissions",
                     cause.text);
  const char *reason = check(ret);
  if (!reason)
    return STATUS_OK;
  file_fini(ret);
  return error_set(why, STATUS_INVALID, "%s", reason);
}

static enum status copy_text(const struct file_text *from,
                             struct file_text *ret) {
  *ret = *from;
  ret->bytes = malloc(from->len + 1);
  if (!ret->bytes)
    return STATUS_NO_MEMORY;
  memcpy(ret->bytes, from->bytes, from->len + 1);
  return STATUS_OK;
}

/* A file that was never good is read at once, as at the start. */
static enum status refresh(struct kept_file *file, int64_t now_ns, size_t max,
                           kept_check *check) {
  int64_t due_ns = now_ns + FILE_SETTLE_NS;
  struct file_text text;
  bool is_due = file_watch_look(&file->watch, file->path, now_ns,
                                FILE_SETTLE_NS, &due_ns);
  bool is_new = !file->good.bytes;
  if (!is_due && !is_new)
    return STATUS_OK;
  file->watch.read = file->watch.seen;
  file->why.kind = STATUS_OK;
  enum status status = read_well(file->path, max, check, &text, &file->why);
  if (status)
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
  file_fini(&file->good);
  file->good = text;
  return STATUS_OK;
}

enum status kept_read(struct kept *kept, const char *path, size_t max,
                      kept_check *check, struct file_text *ret,
                      struct error *why) {
  why->kind = STATUS_OK;
  if (!kept)
    return read_well(path, max, check, ret, why);
  struct kept_file *file = find(kept, path);
  if (!file)
    return error_set(why, STATUS_NO_MEMORY, "no memory");
  file->is_wanted = true;
  if (!file->is_read &&
      refresh(file, kept->now_ns, max, check) == STATUS_NO_MEMORY)
    return error_set(why, STATUS_NO_MEMORY, "no memory");
  file->is_read = true;
  *why = file->why;
  /* Another option may ask for other things of the same file. */
  const char *reason = file->good.bytes ? check(&file->good) : NULL;
  if (reason)
    return error_set(why, STATUS_INVALID, "%s", reason);
  if (!file->good.bytes)
    return STATUS_INVALID;
  if (copy_text(&file->good, ret))
    return error_set(why, STATUS_NO_MEMORY, "no memory");
  return STATUS_OK;
}
