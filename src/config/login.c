/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/login.h"

#include <sys/stat.h>

static const char *check_password(const struct file_text *file) {
  size_t len = file->len;
  if (file->mode & S_IWOTH)
    return "everybody may write it; chmod o-w, and change the password";
  if (len > 0 && file->bytes[len - 1] == '\n')
    len--;
  if (len == 0)
    return "it is empty; put the password in it";
  for (size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)file->bytes[i];
    if (c < 0x20 || c == 0x7f)
      return "it has a control byte or more than one line; put the password "
             "alone in it";
  }
  return NULL;
}

enum status login_read(struct kept *kept, const char *path, char **ret_password,
                       bool *ret_is_open, struct error *error) {
  struct file_text file;
  enum status status =
      kept_read(kept, path, LOGIN_FILE_MAX, check_password, &file, error);
  if (status)
    return status;
  if (file.bytes[file.len - 1] == '\n')
    file.bytes[--file.len] = 0;
  *ret_is_open = (file.mode & S_IROTH) != 0;
  *ret_password = file.bytes;
  return STATUS_OK;
}
