/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_MEMBERS_H
#define JOLOKIA_MEMBERS_H

/* What an object holds that is a row's value: composites, maps, tables with
 * one key. Read where it lies, a member at a time. */

#include "jolokia/reply.h"

struct members {
  const char *at; /* where the next member begins */
  const char *end;
  bool is_broken; /* the text is no object, from ${at} on */
  char *room;     /* for the next key or text with escapes */
  /* the last member */
  const char *key; /* unescaped; not 0-terminated */
  size_t key_len;
  struct value value; /* as a row's column would have it, faults too */
};

/* members_begin(members, object, room): the members of ${object}, a value of
 * type VALUE_OTHER. ${room} takes ${object->text_len} bytes: texts with
 * escapes are written there anew, and what is told points there or into the
 * object's own text. False, and no members, for anything that is no object, and
 * where ${room} is NULL: there was no memory for it. */
bool members_begin(struct members *members, const struct value *object,
                   char *room);

/* members_next(members): reads the next member; false at the end, or where the
 * text is broken, or without memory for a fault. */
bool members_next(struct members *members);

/* members_find(object, key, len, room, ret): the member of that name, the last
 * if there are two. False, and ${ret} VALUE_ABSENT, where there is none. */
bool members_find(const struct value *object, const char *key, size_t len,
                  char *room, struct value *ret);

#endif
