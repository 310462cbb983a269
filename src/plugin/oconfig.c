/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/oconfig.h"

static enum status add_value(struct config_item *item,
                             const oconfig_value_t *value) {
  switch (value->type) {
  case OCONFIG_TYPE_STRING:
    return config_add_text(item, value->value.string);
  case OCONFIG_TYPE_NUMBER:
    return config_add_number(item, value->value.number);
  default:
    return config_add_bool(item, value->value.boolean != 0);
  }
}

enum status oconfig_add(struct config_item *parent,
                        const oconfig_item_t *source) {
  struct config_item *item = config_add_item(parent, source->key);
  if (!item)
    return STATUS_NO_MEMORY;
  enum status status = STATUS_OK;
  for (int i = 0; i < source->values_num && !status; i++)
    status = add_value(item, &source->values[i]);
  for (int i = 0; i < source->children_num && !status; i++)
    status = oconfig_add(item, &source->children[i]);
  return status;
}
