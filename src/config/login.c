/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/login.h"

#include "config/file.h"

#include <string.h>
#include <sys/stat.h>

static enum status check_password(const struct file_text *file,
                                  struct error *error) {
  if (file->mode & S_IWOTH)
    return error_set(error, STATUS_INVALID,
                     "everybody may write it; chmod o-w, and change the "
                     "password");
  if (file->len == 0)
    return error_set(error, STATUS_INVALID,
                     "it is empty; put the password in it");
  for (size_t i = 0; i < file->len; i++) {
    unsigned char c = (unsigned char)file->bytes[i];
    if (c < 0x20 || c == 0x7f)
      return error_set(error, STATUS_INVALID,
                       "it has a control byte or more than one line; put the "
                       "password alone in it");
  }
  return STATUS_OK;
}

enum status login_read(const char *path, char **ret_password, bool *ret_is_open,
                       struct error *error) {
  struct file_text file;
  struct error cause;
  enum status status = file_read(path, LOGIN_FILE_MAX, &file, &cause);
  if (status)
    return error_set(error, status,
                     "%.128s; mend the path, the file or its permissions",
                     cause.text);
  if (file.len > 0 && file.bytes[file.len - 1] == '\n')
    file.bytes[--file.len] = 0;
  status = check_password(&file, error);
  if (status) {
    file_fini(&file);
    return status;
  }
  *ret_is_open = (file.mode & S_IROTH) != 0;
  *ret_password = file.bytes;
  return STATUS_OK;
}
