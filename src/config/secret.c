/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/load.h"

#include "config/fields.h"
#include "config/login.h"
#include "config/pem.h"
#include "config/value.h"

#include <stdlib.h>
#include <string.h>

/* The fields of a login. */
struct login_fields {
  char **password;
  char **file;
};

static struct login_fields login_of(struct node_settings *node,
                                    const struct option *option) {
  struct operator_settings *login = &node->operator;
  if (option->places == IN_OPERATOR)
    return (struct login_fields){&login->password, &login->password_file};
  return (struct login_fields){&node->password, &node->password_file};
}

static const char *path_of(const struct option *option,
                           const struct config_item *item,
                           struct error *error) {
  const char *path =
      value_text(item, (size_t)option->max, option->example, error);
  if (!path || path[0] == '/')
    return path;
  error_set(error, STATUS_INVALID, "is a relative path; write it from / on");
  return NULL;
}

static void tell_spoilt(struct loader *loader, const struct option *option,
                        const struct config_item *item, const char *path,
                        const struct error *why) {
  if (why->kind == STATUS_INVALID)
    load_spoilt(loader, item,
                "%s: %.256s: %.200s; until then what it had before is used",
                option->name, path, why->text);
}

enum status load_password_file(struct loader *loader,
                               struct node_settings *node,
                               const struct option *option,
                               const struct config_item *item,
                               struct error *error) {
  const char *path = path_of(option, item, error);
  if (!path)
    return STATUS_INVALID;
  struct login_fields to = login_of(node, option);
  char *password;
  bool is_open;
  struct error why;
  enum status status =
      login_read(loader->sources->kept, path, &password, &is_open, &why);
  if (status)
    return error_set(error, status, "%.256s: %.200s", path, why.text);
  tell_spoilt(loader, option, item, path, &why);
  if (is_open)
    load_warn(loader, item,
              "PasswordFile: everybody may read %.256s; chmod o-r it", path);
  status = text_set(to.password, password);
  explicit_bzero(password, strlen(password));
  free(password);
  return status ? status : text_set(to.file, path);
}

enum status load_password(struct loader *loader, struct node_settings *node,
                          const struct option *option,
                          const struct config_item *item, struct error *error) {
  enum status status = value_apply(option, item, node, true, error);
  if (status)
    return status;
  load_warn(loader, item,
            "Password: stands where many can read it; put it in a file of its "
            "own and name that in PasswordFile");
  return text_set(login_of(node, option).file, NULL);
}

enum status load_pem(struct loader *loader, struct node_settings *node,
                     const struct option *option,
                     const struct config_item *item, struct error *error) {
  const char *path = path_of(option, item, error);
  if (!path)
    return STATUS_INVALID;
  struct pem **pem = option_field(option, node);
  struct pem *read;
  struct error why;
  enum status status = pem_read(loader->sources->kept, path, &read, &why);
  if (status)
    return error_set(error, status, "%.256s: %.200s", path, why.text);
  tell_spoilt(loader, option, item, path, &why);
  pem_put(*pem);
  *pem = read;
  return STATUS_OK;
}
