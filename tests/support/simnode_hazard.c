/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <stdlib.h>
#include <string.h>

enum takes { NOTHING, NUMBER, OPTIONAL, TEXT, OPTIONAL_TEXT };

static const struct {
  const char *name;
  enum takes takes;
  int64_t usual; /* where no number is given */
  const char *help;
} table[H_COUNT] = {
    [H_NODE] = {"node", TEXT, 0,
                "no hazard: a name that makes the path another node"},
    [H_REFUSE] = {"refuse", NOTHING, 0,
                  "(port) bound, but refuses connections"},
    [H_HANG] = {"hang", NOTHING, 0, "reads requests, never answers"},
    [H_SLOW] = {"slow", NUMBER, 0, "ms before the first byte of a reply"},
    [H_SLOW_EXEC] = {"slow-exec", NUMBER, 0,
                     "the same, for each exec of the request"},
    [H_DRIP] = {"drip", NUMBER, 0, "sends so many bytes at a time"},
    [H_DRIP_MS] = {"drip-ms", NUMBER, 0, "ms between them [1]"},
    [H_STALL] = {"stall", NUMBER, 0,
                 "sends so many bytes of the body, then nothing"},
    [H_CUT] = {"cut", NUMBER, 0, "closes after so many bytes of the body"},
    [H_LENGTH] = {"length", NOTHING, 0, "Content-Length instead of chunks"},
    [H_CUT_HEAD] = {"cut-head", NUMBER, 0,
                    "closes after so many bytes of a perfect reply's header"},
    [H_LONG_HEAD] = {"long-head", NUMBER, 0,
                     "a header line that is so many bytes long"},
    [H_CODED] = {"coded", NOTHING, 0,
                 "says Transfer-Encoding: gzip over a plain body"},
    [H_IDLE_CLOSE] = {"idle-close", NUMBER, 0,
                      "closes a connection idle for so many ms [30000]"},
    [H_RESET_AFTER_READ] =
        {"reset-after-read", OPTIONAL, 2,
         "reads a connection's 2nd (or so maniest) request, then RST"},
    [H_FIN_AFTER_READ] = {"fin-after-read", OPTIONAL, 2, "the same, then FIN"},
    [H_STRAY_AFTER_READ] = {"stray-after-read", OPTIONAL, 2,
                            "the same, then three stray bytes and FIN"},
    [H_CLOSE_UNREAD] =
        {"close-unread", OPTIONAL, 1,
         "closes when a connection's first (or so maniest) request arrives, "
         "without reading it; by path from 2 on"},
    [H_REDIRECT] = {"redirect", NOTHING, 0,
                    "302 to /console/jolokia/ of the same port"},
    [H_401] = {"401", NOTHING, 0, "401 with a Basic challenge"},
    [H_403] = {"403", NOTHING, 0, "403, empty, Hawtio-Forbidden-Reason"},
    [H_429] = {"429", OPTIONAL, 1, "429, empty, Retry-After"},
    [H_503] = {"503", OPTIONAL, 0,
               "503, HTML, Retry-After where a number is given"},
    [H_404_HTML] = {"404-html", NOTHING, 0, "404 with HTML"},
    [H_413] = {"413", OPTIONAL, 0,
               "413 with HTML (to bodies longer than so many bytes)"},
    [H_400_TEXT] = {"400-text", NOTHING, 0,
                    "400 with text/plain, as Jolokia 2.2.3 on"},
    [H_STATUS] = {"status", NUMBER, 0, "this HTTP status over a perfect reply"},
    [H_HTML200] = {"html200", NOTHING, 0, "200 with the console's HTML"},
    [H_TEXT200] = {"text200", NOTHING, 0, "200 with prose"},
    [H_EMPTY] = {"empty", NOTHING, 0, "200 without a body"},
    [H_NUL_FIRST] = {"nul-first", NOTHING, 0, "a NUL before the reply"},
    [H_GARBAGE] = {"garbage", OPTIONAL, 4096, "200 with so many odd bytes"},
    [H_GARBAGE_HTTP] = {"garbage-http", NOTHING, 0,
                        "odd bytes where the status line is due, and FIN"},
    [H_ORIGIN] =
        {"origin", OPTIONAL_TEXT, 0,
         "200 with one 403 object unless an Origin (this one) is sent"},
    [H_AUTH] = {"auth", TEXT, 0,
                "user:password; wrong: 403 four times, from 2.40 on then 429"},
    [H_LONE_OBJECT] = {"lone-object", NOTHING, 0,
                       "an array's first item alone, no array"},
    [H_TOO_FEW] = {"too-few", NOTHING, 0, "the last item is missing"},
    [H_TOO_MANY] = {"too-many", NOTHING, 0, "an item more than asked"},
    [H_BIG] = {"big", NUMBER, 0, "so many bytes more in the first item"},
    [H_NOT_STARTED] = {"not-started", NOTHING, 0, "Broker is not started"},
    [H_BACKUP] = {"backup", NOTHING, 0,
                  "a passive backup: no queues, no addresses"},
    [H_NO_BROKER] = {"no-broker", NOTHING, 0,
                     "search finds nothing, reads are 404"},
    [H_TWO_BROKERS] = {"two-brokers", NOTHING, 0, "search finds two"},
    [H_FLAPPING] = {"flapping", NOTHING, 0,
                    "Active is true and false by turns"},
    [H_LONG_ROW] = {"long-row", NUMBER, 0,
                    "so many bytes more in the first queue's row"},
    [H_NPE_LISTING] =
        {"npe-listing", OPTIONAL, 1,
         "every (so maniest) listing fails: a queue was deleted meanwhile"},
    [H_COUNT_DIFFERS] = {"count-differs", NOTHING, 0,
                         "a listing's count is one more than its rows"},
    [H_DENIED_EXEC] = {"denied-exec", NOTHING, 0, "exec items are 403"},
    [H_DENIED_READ] = {"denied-read", OPTIONAL, 1,
                       "every (so maniest) read item is 403"},
    [H_VIEWER] = {"viewer", NOTHING, 0, "canInvoke says no to all but list..."},
    [H_FAULT] =
        {"fault", TEXT, 0,
         "this attribute: text for a fault (ignoreErrors up to Jolokia 2.4.1)"},
    [H_FAULT_OBJECT] = {"fault-object", TEXT, 0,
                        "this attribute: an object for a fault (from 2.4.2)"},
    [H_NEGATIVE] = {"negative", NOTHING, 0,
                    "the first queue's message count is -3"},
    [H_TEXT_NUMBER] = {"text-number", NOTHING, 0,
                       "the first queue's message count is text"},
    [H_NULLS] = {"nulls", NOTHING, 0, "the first queue's values are null"},
    [H_KEY_ORDER] =
        {"key-order", NOTHING, 0,
         "properties of object names in another order every 2nd reply"},
    [H_FOREIGN_ROW] = {"foreign-row", NOTHING, 0,
                       "an unknown object first in pattern reads"},
    [H_RESET_AFTER_EXEC] = {"reset-after-exec", OPTIONAL, 1,
                            "every (so maniest) request that changes messages "
                            "is executed, then RST"},
    [H_LATE_EXEC] = {"late-exec", NOTHING, 0,
                     "the first request that changes messages gets RST, and is "
                     "executed before the second"},
    [H_DENIED_CHANGE] = {"denied-change", NOTHING, 0,
                         "changes of messages are 403"},
    [H_REMADE_AFTER] = {"remade-after", NUMBER, 0,
                        "after N changes by id the queue is deleted, and made "
                        "again"},
    [H_GONE_AFTER] = {"gone-after", NUMBER, 0,
                      "the queue is deleted after so many changes"},
    [H_FULL_AFTER] = {"full-after", NUMBER, 0,
                      "the target is full after so many changes, and refuses"},
    [H_BUSY] = {"busy", NUMBER, 0, "every so maniest change is AMQ229245"},
    [H_FALSE_FIRST] = {"false-first", NUMBER, 0,
                       "every so maniest change is false the first time"},
    [H_HIDE] = {"hide", TEXT, 0,
                "no MBean of queues and addresses of this name, though lists "
                "name them"},
    [H_POLICY] = {"policy", TEXT, 0,
                  "Jolokia's policy refuses items of this type"},
};

static bool set(struct hazards *hazards, size_t h, const char *value) {
  char *end = NULL;

  if (value != NULL && table[h].takes == NOTHING)
    return false;
  if (value == NULL && (table[h].takes == NUMBER || table[h].takes == TEXT))
    return false;
  hazards->value[h] = table[h].usual;
  if (value != NULL &&
      (table[h].takes == NUMBER || table[h].takes == OPTIONAL)) {
    hazards->value[h] = strtoll(value, &end, 10);
    if (end == value || *end != '\0' || hazards->value[h] < 0)
      return false;
  } else if (value != NULL) {
    free(hazards->text[h]);
    hazards->text[h] = strdup(value);
  }
  hazards->on[h] = true;
  return true;
}

bool hazards_add(struct hazards *hazards, const char *word) {
  const char *equals = strchr(word, '=');
  size_t len = equals != NULL ? (size_t)(equals - word) : strlen(word);

  for (size_t h = 0; h < H_COUNT; h++)
    if (strlen(table[h].name) == len && memcmp(table[h].name, word, len) == 0)
      return set(hazards, h, equals != NULL ? equals + 1 : NULL);
  return false;
}

void hazards_add_path(struct hazards *hazards, const char *path) {
  size_t len = path[0] == '/' ? strcspn(path + 1, "/?") : 0;
  char *words = strndup(path + 1, len);
  char *rest = words;
  const char *word;

  while ((word = strsep(&rest, "+")) != NULL)
    hazards_add(hazards, word);
  free(words);
}

void hazards_copy(struct hazards *to, const struct hazards *from) {
  *to = *from;
  for (size_t h = 0; h < H_COUNT; h++)
    if (from->text[h] != NULL)
      to->text[h] = strdup(from->text[h]);
}

void hazards_free(struct hazards *hazards) {
  for (size_t h = 0; h < H_COUNT; h++)
    free(hazards->text[h]);
  *hazards = (struct hazards){0};
}

void hazards_help(FILE *out) {
  static const char *const values[] = {[NOTHING] = "",
                                       [NUMBER] = "=N",
                                       [OPTIONAL] = "[=N]",
                                       [TEXT] = "=TEXT",
                                       [OPTIONAL_TEXT] = "[=TEXT]"};

  for (size_t h = 0; h < H_COUNT; h++) {
    char word[64];

    snprintf(word, sizeof word, "%s%s", table[h].name, values[table[h].takes]);
    fprintf(out, "  %-22s %s\n", word, table[h].help);
  }
}
