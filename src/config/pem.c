/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/pem.h"

#include "config/file.h"

#include <stdlib.h>
#include <string.h>

static enum status refuse(const char *path, const char *why,
                          struct error *error) {
  return error_set(error, STATUS_INVALID,
                   "%.256s: %.128s; name a readable PEM file of at most 1 MiB",
                   path, why);
}

/* Takes the bytes of ${file} where it is well. */
static struct pem *pem_of(const char *path, struct file_text *file) {
  struct pem *pem = calloc(1, sizeof *pem);
  if (!pem)
    return NULL;
  pem->path = strdup(path);
  if (!pem->path) {
    free(pem);
    return NULL;
  }
  pem->bytes = file->bytes;
  pem->len = file->len;
  pem->n_users = 1;
  *file = (struct file_text){0};
  return pem;
}

enum status pem_read(const char *path, struct pem **ret, struct error *error) {
  struct file_text file;
  struct error cause;
  enum status status = file_read(path, PEM_MAX, &file, &cause);
  if (status == STATUS_NO_MEMORY)
    return error_set(error, status, "no memory for %.256s", path);
  if (status)
    return refuse(path, cause.text, error);
  if (!memmem(file.bytes, file.len, "-----BEGIN ", 11))
    status = refuse(path, "no PEM in it", error);
  else if (!(*ret = pem_of(path, &file)))
    status = error_set(error, STATUS_NO_MEMORY, "no memory for %.256s", path);
  file_fini(&file);
  return status;
}

struct pem *pem_share(struct pem *pem) {
  if (pem)
    pem->n_users++;
  return pem;
}

void pem_put(struct pem *pem) {
  if (!pem || --pem->n_users > 0)
    return;
  explicit_bzero(pem->bytes, pem->len);
  free(pem->bytes);
  free(pem->path);
  free(pem);
}

bool pem_is_same(const struct pem *a, const struct pem *b) {
  if (!a || !b)
    return a == b;
  return a->len == b->len && strcmp(a->path, b->path) == 0 &&
         memcmp(a->bytes, b->bytes, a->len) == 0;
}
