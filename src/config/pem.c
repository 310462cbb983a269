/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/pem.h"

#include <stdlib.h>
#include <string.h>

static const char *check_pem(const struct file_text *file) {
  return memmem(file->bytes, file->len, "-----BEGIN ", 11)
             ? NULL
             : "no PEM in it; name a PEM file";
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

enum status pem_read(struct kept *kept, const char *path, struct pem **ret,
                     struct error *error) {
  struct file_text file;
  enum status status = kept_read(kept, path, PEM_MAX, check_pem, &file, error);
  if (status)
    return status;
  *ret = pem_of(path, &file);
  file_fini(&file);
  return *ret ? STATUS_OK
              : error_set(error, STATUS_NO_MEMORY, "no memory for a file");
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
