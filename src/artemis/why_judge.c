/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/why_parts.h"

#include "base/clock.h"
#include "base/nearest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *why_name(enum why_reason reason) {
  static const char *const names[WHY_COUNT] = {
      [WHY_THERE] = "there",
      [WHY_NO_ATTRIBUTE] = "no_attribute",
      [WHY_OTHER_TYPE] = "other_type",
      [WHY_OLDER_VERSION] = "older_version",
      [WHY_NO_BROKER] = "no_broker",
      [WHY_NO_MBEAN] = "no_mbean",
      [WHY_HIDDEN_BY_ROLE] = "hidden_by_role",
      [WHY_REFUSED_BY_ROLE] = "refused_by_role",
      [WHY_REFUSED_BY_POLICY] = "refused_by_policy",
      [WHY_EXCLUDED] = "excluded",
      [WHY_OVER_CAP] = "over_cap",
      [WHY_NAME_TAKEN] = "name_taken",
      [WHY_BACKUP] = "backup",
      [WHY_NOT_STARTED] = "not_started",
      [WHY_NULL] = "null",
      [WHY_TEXT] = "text",
      [WHY_WRONG_TYPE] = "wrong_type",
      [WHY_NEGATIVE] = "negative",
      [WHY_UNKNOWN] = "unknown",
      [WHY_HELD_BACK] = "held_back",
      [WHY_NOT_DUE] = "not_due",
      [WHY_WRITE_QUEUE] = "write_queue",
      [WHY_FAULT] = "fault",
      [WHY_ITEM_FAILED] = "item_failed",
      [WHY_NODE_DOWN] = "node_down",
      [WHY_NODE_HELD] = "node_held",
      [WHY_LOGIN_HELD] = "login_held",
      [WHY_LOGIN_REFUSED] = "login_refused",
      [WHY_NO_PERMIT] = "no_permit",
      [WHY_NOT_ASKED] = "not_asked",
      [WHY_NO_NODE] = "no_node",
      [WHY_NO_SERIES] = "no_series",
  };
  return reason < WHY_COUNT ? names[reason] : "unknown";
}

void why_answer_set(struct why_answer *answer, enum why_reason reason,
                    const char *remedy, const char *format, ...) {
  va_list args;
  va_start(args, format);
  answer->reason = reason;
  if (vsnprintf(answer->text, sizeof answer->text, format, args) < 0)
    answer->text[0] = '\0';
  va_end(args);
  snprintf(answer->remedy, sizeof answer->remedy, "%s", remedy);
}

const struct attribute *why_attribute(enum object object, const char *name,
                                      size_t len,
                                      const struct attribute **ret_nearest) {
  char wanted[NEAREST_BYTES_MAX + 1];
  size_t n, best;
  const struct attribute *table = attributes(&n);
  snprintf(wanted, sizeof wanted, "%.*s", (int)(len < 127 ? len : 127), name);
  best = nearest_far(wanted);
  *ret_nearest = NULL;
  for (size_t i = 0; i < n; i++) {
    size_t distance;
    if (table[i].object != object)
      continue;
    if (strcmp(table[i].name, wanted) == 0)
      return &table[i];
    distance = nearest_distance(table[i].name, wanted);
    if (distance < best) {
      best = distance;
      *ret_nearest = &table[i];
    }
  }
  return NULL;
}

/* -- Names -- */

void why_near_add(struct why_near *near, const char *wanted, const char *name) {
  size_t distance = nearest_distance(wanted, name);
  size_t place = near->n;
  if (distance >= nearest_far(wanted))
    return;
  while (place > 0 && near->names[place - 1].distance > distance)
    place--;
  if (place == WHY_NEAR)
    return;
  if (near->n < WHY_NEAR)
    near->n++;
  memmove(&near->names[place + 1], &near->names[place],
          (near->n - 1 - place) * sizeof near->names[0]);
  near->names[place].distance = distance;
  snprintf(near->names[place].name, sizeof near->names[place].name, "%s", name);
}

const char *why_near_list(const struct why_near *near, const char *prefix,
                          char list[WHY_NEAR_LIST]) {
  size_t len = 0;
  list[0] = '\0';
  for (size_t i = 0; i < near->n; i++) {
    int more = snprintf(list + len, WHY_NEAR_LIST - len, "%s%s%s",
                        i > 0 ? ", " : "", prefix, near->names[i].name);
    len += more > 0 ? (size_t)more : 0;
  }
  return list;
}

void why_near_tell(const struct why_near *near, struct why_answer *answer,
                   const char *wanted, const char *object) {
  char list[WHY_NEAR_LIST];
  char prefix[sizeof "address-"];
  snprintf(prefix, sizeof prefix, "%s-", object);
  why_near_list(near, prefix, list);
  why_answer_set(answer, WHY_NO_MBEAN,
                 "look at what there is with `jolokiactl names`",
                 "the broker has no %s of which the series is %s%s%s", object,
                 wanted, near->n > 0 ? "; near to it are " : "", list);
}

/* -- Errors -- */

static bool says(const char *text, size_t len, const char *words) {
  return text != NULL && memmem(text, len, words, strlen(words)) != NULL;
}

/* Jolokia's own words; a role is refused by the broker's guard: "User not
 * authorized to access attribute", "Insufficient roles/credentials for
 * operation". */
static bool is_policy(const char *text, size_t len) {
  return says(text, len, "forbidden") || says(text, len, "not allowed");
}

static bool is_denial(const char *text, size_t len) {
  return is_policy(text, len) || says(text, len, "not authorized") ||
         says(text, len, "nsufficient roles") ||
         says(text, len, "SecurityException");
}

static void judge_denial(struct why_answer *answer, const char *text,
                         size_t len) {
  if (is_policy(text, len))
    why_answer_set(answer, WHY_REFUSED_BY_POLICY,
                   "allow it in the broker's jolokia-access.xml",
                   "Jolokia's policy refuses it: %.*s", (int)len, text);
  else
    why_answer_set(answer, WHY_REFUSED_BY_ROLE,
                   "give the login a role that may read it (management.xml, or "
                   "view permissions in broker.xml)",
                   "the broker refuses it to this login: %.*s", (int)len, text);
}

static void judge_held(struct why_answer *answer, const char *text) {
  bool is_login = strstr(text, "login") != NULL;
  why_answer_set(answer, is_login ? WHY_LOGIN_HELD : WHY_NODE_HELD,
                 is_login ? "set the right password, then `jolokiactl check`"
                          : "end the hold with `jolokiactl release`",
                 "%s", is_login ? text : "the operator holds the node");
}

void why_judge_error(struct why_answer *answer, const struct error *error) {
  static const struct {
    enum why_reason reason;
    const char *remedy;
  } reasons[STATUS_COUNT] = {
      [STATUS_PERMIT_TIMEOUT] = {WHY_NO_PERMIT, "see `jolokiactl limits`"},
      [STATUS_PERMIT_QUEUE_FULL] = {WHY_NO_PERMIT, "see `jolokiactl limits`"},
      [STATUS_CANCELLED] = {WHY_NOT_ASKED, "ask again"},
      [STATUS_CLOSING] = {WHY_NOT_ASKED, "ask again"},
      [STATUS_NO_MEMORY] = {WHY_NOT_ASKED, "ask again"},
      [STATUS_AUTH] = {WHY_LOGIN_REFUSED,
                       "mend Username and PasswordFile, or the user's role"},
      [STATUS_DENIED] = {WHY_REFUSED_BY_POLICY,
                         "mend Origin, or the broker's jolokia-access.xml"},
      [STATUS_NOT_STARTED] = {WHY_NOT_STARTED, "wait"},
  };
  const char *kind = status_name(error->kind);
  size_t len = strlen(error->text);
  bool is_item = status_class_of(error->kind) == CLASS_ITEM;
  if (error->kind == STATUS_HELD)
    judge_held(answer, error->text);
  else if (error->kind == STATUS_ITEM_DENIED ||
           (is_item && is_denial(error->text, len)))
    judge_denial(answer, error->text, len);
  else if (reasons[error->kind].remedy != NULL)
    why_answer_set(answer, reasons[error->kind].reason,
                   reasons[error->kind].remedy, "%s", error->text);
  else if (is_item)
    why_answer_set(answer, WHY_ITEM_FAILED, "see the broker's log", "%s: %s",
                   kind, error->text);
  else
    why_answer_set(answer, WHY_NODE_DOWN,
                   "see what `jolokiactl check` says of the node", "%s: %s",
                   kind, error->text);
}

/* -- Values -- */

static void judge_fault(struct why_answer *answer,
                        const struct attribute *attribute,
                        const struct value *value) {
  int len = (int)(value->text_len < 300 ? value->text_len : 300);
  if (identity_not_started(value->text, value->text_len))
    why_answer_set(answer, WHY_NOT_STARTED, "wait",
                   "the broker is not started yet");
  else if (is_denial(value->text, value->text_len))
    judge_denial(answer, value->text, (size_t)len);
  else if (says(value->text, value->text_len, "No such attribute"))
    why_answer_set(answer, WHY_NO_ATTRIBUTE, "",
                   "this broker's MBean has no attribute %s", attribute->name);
  else
    why_answer_set(answer, WHY_FAULT, "see the broker's log",
                   "the broker fails to read %s: %.*s", attribute->name, len,
                   value->text);
}

static void judge_number(struct why_answer *answer,
                         const struct attribute *attribute, double number) {
  if (attribute->is_derive && number < 0)
    why_answer_set(answer, WHY_NEGATIVE, "",
                   "%s is a counter, and the broker says %g", attribute->name,
                   number);
  else if ((attribute->is_unknown_below_0 || attribute->is_failed_below_0) &&
           number < 0)
    why_answer_set(answer, WHY_UNKNOWN, "",
                   "the broker says %g, which means that it does not know %s",
                   number, attribute->name);
  else
    why_answer_set(answer, WHY_WRONG_TYPE, "",
                   "%s is due as %s, and the broker says %g", attribute->name,
                   attribute->is_bool ? "true or false" : "a whole number",
                   number);
}

void why_judge_value(struct why_answer *answer,
                     const struct attribute *attribute,
                     const struct value *value) {
  switch (value != NULL ? value->type : VALUE_ABSENT) {
  case VALUE_ABSENT:
    why_answer_set(answer, WHY_NO_ATTRIBUTE, "",
                   "the broker's reply has no %s for it", attribute->name);
    break;
  case VALUE_NULL:
    why_answer_set(answer, WHY_NULL, "wait: it comes when the broker has one",
                   "the broker says null for %s: it has none now",
                   attribute->name);
    break;
  case VALUE_BOOL:
    why_answer_set(answer, WHY_WRONG_TYPE, "",
                   "%s is due as a number, and the broker says %s",
                   attribute->name, value->integer != 0 ? "true" : "false");
    break;
  case VALUE_INT:
    judge_number(answer, attribute, (double)value->integer);
    break;
  case VALUE_REAL:
    judge_number(answer, attribute, value->real);
    break;
  case VALUE_FAULT:
    judge_fault(answer, attribute, value);
    break;
  case VALUE_TEXT:
  case VALUE_OTHER:
    why_answer_set(answer, WHY_TEXT,
                   "give the text a number in an <MBean> block: Map \"TEXT\" 1",
                   "the broker says \"%.*s\" for %s, which is no number",
                   (int)(value->text_len < 300 ? value->text_len : 300),
                   value->text, attribute->name);
    break;
  }
}

/* -- Choices -- */

void why_judge_filter(struct why_answer *answer, const char *object) {
  static const struct {
    const char *remedy;
    const char *text; /* behind "that queue" */
  } rules[] = {
      [FILTER_BY_NOTHING] = {"", "is left out"},
      [FILTER_BY_KEEP] = {"", "is left out"},
      [FILTER_BY_BROKER] = {"name it in Keep",
                            "is internal or temporary, the broker says"},
      [FILTER_BY_NAME] = {"name it in Keep",
                          "has a name that nobody chose (the broker's own, or "
                          "a UUID)"},
      [FILTER_BY_EXCLUDE] = {"remove that pattern, or name it in Keep",
                             "is left out by a pattern"},
      [FILTER_BY_INCLUDE] = {"add a pattern to Include",
                             "is matched by no pattern of Include"},
      [FILTER_BY_KEYS] = {"change those lines",
                          "is left out by Include or Exclude of its block"},
      [FILTER_BY_EXCLUDE_ADDRESS] = {"remove that pattern, or name it in Keep",
                                     "is left out by its address"},
      [FILTER_BY_INCLUDE_ADDRESS] = {"add a pattern to IncludeAddress",
                                     "has an address that no pattern of "
                                     "IncludeAddress matches"},
  };
  why_answer_set(answer, WHY_EXCLUDED, rules[answer->judgement.rule].remedy,
                 "that %s %s", object, rules[answer->judgement.rule].text);
}

void why_judge_cap(struct why_answer *answer, enum object object,
                   uint64_t n_wanted, uint64_t max, bool is_taken) {
  bool is_queue = object == OBJECT_QUEUE;
  why_answer_set(answer, WHY_OVER_CAP,
                 is_queue ? "raise MaxQueues, or name it in Keep"
                          : "raise MaxAddresses, or name it in Keep",
                 "%s is %" PRIu64 ", and %" PRIu64
                 " are wanted: a collectd that starts now %s; one that runs "
                 "keeps the names that it knew before%s",
                 is_queue ? "MaxQueues" : "MaxAddresses", max, n_wanted,
                 is_taken ? "would take this one" : "would leave this one out",
                 is_taken ? ", and may leave it out" : "");
}

/* -- When -- */

static const char *interval_option(enum tier tier) {
  static const char *const options[] = {[TIER_FAST] = "Interval",
                                        [TIER_ADDRESS] = "AddressInterval",
                                        [TIER_SLOW] = "SlowInterval"};
  return options[tier];
}

static double seconds(int64_t ns) { return (double)ns / CLOCK_NS_PER_S; }

static void tell_not_due(struct why_answer *answer, const struct why_due *due) {
  double interval_s = seconds(due->interval_ns);
  char since[64] = "yet";
  char remedy[128];
  if (due->ago_ns >= 0)
    snprintf(since, sizeof since, "for about %.0f s", seconds(due->ago_ns));
  snprintf(remedy, sizeof remedy,
           "wait, or shorten %s, or see whether collectd runs",
           interval_option(due->tier));
  why_answer_set(answer, WHY_NOT_DUE, remedy,
                 "it is read every %.3g s, and no program of this host has "
                 "done so %s: a collectd that runs does so within %.3g s",
                 interval_s, since, interval_s);
}

void why_judge_due(struct why_answer *answer, const struct why_due *due) {
  double interval_s = seconds(due->interval_ns);
  int64_t left_ns = due->interval_ns - due->ago_ns;
  if (!due->is_scraped)
    why_answer_set(answer, WHY_THERE, "",
                   "the node gives it; it is read every %.3g s, and no program "
                   "of this host has done so yet",
                   interval_s);
  else if (due->tier == TIER_FAST)
    why_answer_set(answer, WHY_THERE, "",
                   "the node gives it; it is read every %.3g s", interval_s);
  else if (due->ago_ns < 0 || left_ns < -2 * due->about_ns)
    tell_not_due(answer, due);
  else
    why_answer_set(answer, WHY_THERE, "",
                   "the node gives it; it is read every %.3g s, the last time "
                   "about %.0f s ago: again in about %.0f s",
                   interval_s, seconds(due->ago_ns),
                   left_ns > 0 ? seconds(left_ns) : 0);
}
