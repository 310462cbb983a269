/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_OPTIONS_H
#define CONFIG_OPTIONS_H

/* The one table of options. The checker runs off it, and tests hold the sample
 * configuration and the manual page to it. */

#include <stdbool.h>
#include <stddef.h>

/* Where an option may stand. */
enum option_place {
  IN_PLUGIN = 1,
  IN_CLUSTER = 2,
  IN_NODE = 4,
  IN_CEILING = 8,
  IN_QUEUES = 16,
  IN_ADDRESSES = 32,
  IN_OPERATOR = 64,
  IN_SET = 128,
  IN_MBEAN = 256,
  IN_ATTRIBUTE = 512,
  IN_ALL = IN_PLUGIN | IN_CLUSTER | IN_NODE
};

/* The structure that an option's field is in. */
enum option_home {
  HOME_NODE,    /* struct node_settings */
  HOME_CLUSTER, /* struct cluster_settings */
  HOME_PLUGIN,  /* struct settings */
  HOME_MBEAN,   /* struct mbean_settings */
  HOME_VALUE    /* struct value_settings */
};

/* The most that the table may have. */
#define OPTIONS_MAX 256

enum option_type {
  OPTION_TEXT,
  OPTION_PEM,     /* an absolute path of a PEM file, read at once */
  OPTION_FOLDER,  /* an absolute path */
  OPTION_RATE,    /* a number, kept in thousandths */
  OPTION_COUNT,   /* a whole number */
  OPTION_REAL,    /* a number */
  OPTION_SECONDS, /* a number, three digits behind the point, kept in ns */
  OPTION_BOOL,
  OPTION_CHOICE,   /* kept as the number of the word; one of two as a bool */
  OPTION_PATTERNS, /* one value or more, on one line or more */
  OPTION_PASSWORD,
  OPTION_PASSWORD_FILE,
  OPTION_URL,
  OPTION_NODE_URL,
  OPTION_SECTION, /* <Ceiling>, <Queues>, <Addresses> and <Operator> */
  OPTION_CLUSTER,
  OPTION_NODE,
  OPTION_MBEAN, /* these three: mbean.c */
  OPTION_ATTRIBUTE,
  OPTION_MAP
};

struct option {
  const char *name;
  unsigned places; /* of enum option_place */
  enum option_type type;
  double min;           /* numbers: in the unit that they are written in */
  double max;           /* numbers; of text: bytes */
  const char *fallback; /* the default, as it would be written; NULL: none */
  const char *example;  /* where there is no default */
  const char *unit;
  const char *help;
  const char *const *choices; /* ends with NULL */
  /* What is wrong with a text or a pattern, and what to write instead; NULL:
   * nothing. */
  const char *(*check)(const char *text);
  enum option_home home;
  size_t offset; /* in its home */
  size_t size;   /* of a count: 4 or 8 bytes; of a choice: a bool's or 4 */
  enum option_place inside; /* of a section */
};

/* option_at(number): the whole table, from 0 on; NULL behind the last one.
 * option_number(option): the other way. */
const struct option *option_at(size_t number);
size_t option_number(const struct option *option);

/* option_find(name, place): without case; NULL if there is none of that name
 * there. */
const struct option *option_find(const char *name, enum option_place place);

/* option_nearest(name, place): the option whose name is most likely meant; NULL
 * if none is near. */
const struct option *option_nearest(const char *name, enum option_place place);

/* option_place_name(place): "<Plugin jolokia>", "<Cluster>". */
const char *option_place_name(enum option_place place);

/* option_is_text(option): whether its field is a string of its own. */
bool option_is_text(const struct option *option);

#endif
