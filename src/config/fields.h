/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_FIELDS_H
#define CONFIG_FIELDS_H

/* The life of the fields that options set: copied, compared and freed by the
 * table. */

#include "config/options.h"
#include "config/settings.h"

/* option_field(option, base): where the option's field is in ${base}, a struct
 * of its home. */
void *option_field(const struct option *option, void *base);

/* text_set(field, text): a copy of ${text} (NULL: none) in place of what is
 * there, which is wiped. STATUS_NO_MEMORY: nothing has changed. */
enum status text_set(char **field, const char *text);

/* patterns_add(list, text, place): copies of both; ${place} may be NULL. */
enum status patterns_add(struct pattern_list *list, const char *text,
                         const char *place);
void patterns_fini(struct pattern_list *list);
enum status patterns_copy(struct pattern_list *dst,
                          const struct pattern_list *src);
bool patterns_are_same(const struct pattern_list *a,
                       const struct pattern_list *b);

/* node_copy(dst, src): ${dst} owns what it has; name, url and url_key are not
 * copied. STATUS_NO_MEMORY: ${dst} is to be freed too. node_fini(node): wipes
 * the passwords first. */
enum status node_copy(struct node_settings *dst,
                      const struct node_settings *src);
void node_fini(struct node_settings *node);

/* cluster_copy(dst, src): the fields of options alone; cluster_fini(): all. */
enum status cluster_copy(struct cluster_settings *dst,
                         const struct cluster_settings *src);
void cluster_fini(struct cluster_settings *cluster);

/* value_settings_..., mbean_settings_..., mbean_list_...: _add() makes one
 * more, empty, at the end (NULL, STATUS_NO_MEMORY), which stays until the next;
 * mbean_list_append() copies; mbean_list_cut() leaves the first ${n}. */
enum status value_settings_add_path(struct value_settings *value,
                                    const char *text);
enum status value_settings_add_text(struct value_settings *value,
                                    const char *text, double number);
struct value_settings *mbean_settings_add(struct mbean_settings *mbean);
struct mbean_settings *mbean_list_add(struct mbean_list *list);
enum status mbean_list_append(struct mbean_list *dst,
                              const struct mbean_list *src);
bool mbean_lists_are_same(const struct mbean_list *a,
                          const struct mbean_list *b);
void mbean_list_cut(struct mbean_list *list, size_t n);
void mbean_list_fini(struct mbean_list *list);

/* operator_fini(login): an empty one is left. */
void operator_fini(struct operator_settings *login);

#endif
