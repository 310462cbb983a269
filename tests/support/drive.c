/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* Drives the client without anything above it: jobs at URLs, and what became of
 * them, for the tests of the count law, of the ceiling and of bad input. */

#include "drive_beside.h"
#include "drive_plan.h"

#include "base/clock.h"
#include "base/num.h"
#include "client/client.h"
#include "config/pem.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TARGETS_MAX 64
#define OPERATIONS_MAX PLAN_MAX

static const char usage[] =
    "drive: sends jobs with the Jolokia client and tells what became of them.\n"
    "\n"
    "  drive [OPTION...] URL...\n"
    "\n"
    "  --jobs N             at each URL [1]\n"
    "  --at-once N          of them at a time, at each URL [1]\n"
    "  --every MS           from the start of one to that of the next [0]\n"
    "  --saturate           the URLs after the first: 64 jobs at a time until "
    "the\n"
    "                       first has had its own\n"
    "  --operations N       of each job [1]\n"
    "  --bad N              the Nth of them is of an MBean that does not "
    "exist\n"
    "  --change             they change something\n"
    "  --listing            they list the queues\n"
    "  --remove             they remove a message each, by its id\n"
    "  --scrape-every MS    beside that, at the first URL, a scrape of eight\n"
    "                       requests so often\n"
    "  --scrape-requests N  instead of eight\n"
    "  --owner NAME         [scrape]\n"
    "  --rate N             requests a second, in thousandths [20000]\n"
    "  --burst N            [1]\n"
    "  --changes N          a second, in thousandths [50000]\n"
    "  --bytes N            a second [2097152]\n"
    "  --share N            seconds of handling a second, in thousandths "
    "[250]\n"
    "  --in-flight N        [2]\n"
    "  --max-waiting N      [64]\n"
    "  --permit-timeout MS  [60000]\n"
    "  --timeout MS         [20000]\n"
    "  --connect-timeout MS [10000]\n"
    "  --max-response N     bytes [67108864]\n"
    "  --max-object N       bytes [65536]\n"
    "  --user NAME          with the password in $DRIVE_PASSWORD\n"
    "  --origin TEXT        [of the URL]\n"
    "  --ca FILE            authorities\n"
    "  --cert FILE          our certificate, and its key, where --key names no "
    "other\n"
    "  --key FILE\n"
    "  --no-verify          neither the server's certificate nor its name\n"
    "  --pause N            rows until the reader pauses, each time for 20 ms\n"
    "  --grants FILE        NANOSECONDS OWNER COST URL of each grant\n"
    "  --latencies FILE     NANOSECONDS INDEX END of each job\n"
    "  --state DIR          ceilings are shared through it\n"
    "  --daemon             without a record: half a ceiling, not a tenth\n"
    "  --unshared           changes go out without one\n"
    "  --seconds N          ends after so long [60]\n"
    "\n"
    "A line a URL: requests=N, then jobs, rows, bytes, retries, connects, "
    "wait_ms,\n"
    "and KIND=N for each way in which jobs (item.KIND: items) ended. Then\n"
    "granted=N permits of all URLs, elapsed_ms=N from the start to the last "
    "reply.\n";

struct target {
  struct node *node;
  size_t index;
  size_t submitted;
  size_t ended;
  size_t running;
  uint64_t rows;
  uint64_t items[STATUS_COUNT];
  uint64_t jobs[STATUS_COUNT];
  int64_t next_ns;
  char text[512]; /* of the last failure */
};

struct ride {
  struct target *target;
  struct job *job;
  struct timer resume;
  int64_t since_ns;
  uint64_t rows;
};

static struct {
  struct client *client;
  struct target targets[TARGETS_MAX];
  size_t n_targets;
  uint64_t jobs, at_once, every_ms, operations, bad, pause;
  uint64_t timeout_ms;
  bool is_change, is_listing, is_remove, is_saturated;
  enum owner owner;
  uint64_t granted;
  struct beside beside;
  FILE *grants, *latencies;
} drive = {.jobs = 1, .at_once = 1, .operations = 1, .timeout_ms = 20000};

static struct operation operations[OPERATIONS_MAX];
static struct item_spec specs[OPERATIONS_MAX];

static void resume(void *cookie, int64_t now_ns) {
  (void)now_ns;
  struct ride *ride = cookie;
  client_resume(ride->job);
}

static bool on_row(void *cookie, size_t item, const struct row *row) {
  (void)item, (void)row;
  struct ride *ride = cookie;
  ride->target->rows++;
  if (drive.pause == 0 || ++ride->rows % drive.pause != 0)
    return true;
  client_timer_set(drive.client, &ride->resume,
                   clock_mono_ns() + 20 * CLOCK_NS_PER_MS);
  return false;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  (void)item;
  struct ride *ride = cookie;
  ride->target->items[result->status]++;
  if (result->status != STATUS_OK)
    snprintf(ride->target->text, sizeof(ride->target->text), "%s",
             result->error);
}

static void on_done(void *cookie, const struct job_result *result) {
  struct ride *ride = cookie;
  struct target *target = ride->target;
  client_timer_clear(drive.client, &ride->resume);
  target->jobs[result->error.kind]++;
  if (result->error.kind != STATUS_OK)
    snprintf(target->text, sizeof(target->text), "%s", result->error.text);
  target->ended++;
  target->running--;
  int64_t now_ns = clock_mono_ns();
  if (drive.latencies)
    fprintf(drive.latencies, "%" PRId64 " %zu %" PRId64 "\n",
            now_ns - ride->since_ns, target->index, now_ns);
  free(ride);
}

static void on_grant(void *cookie, const char *url_key, enum owner owner,
                     uint32_t cost, int64_t now_ns) {
  (void)cookie;
  drive.granted++;
  if (!drive.grants)
    return;
  fprintf(drive.grants, "%" PRId64 " %s %" PRIu32 " %s\n", now_ns,
          owner_name(owner), cost, url_key);
  fflush(drive.grants); /* before we are killed */
}

static void submit(struct target *target) {
  struct ride *ride = calloc(1, sizeof(*ride));
  if (!ride)
    exit(3);
  ride->target = target;
  ride->since_ns = clock_mono_ns();
  ride->resume = (struct timer){.fire = resume, .cookie = ride};
  struct job_options options = {
      .owner = drive.owner,
      .kind = drive.is_change || drive.is_remove ? KIND_CHANGE
              : drive.is_listing                 ? KIND_LISTING
                                                 : KIND_BROKER,
      .operations = operations,
      .specs = specs,
      .n = drive.operations,
      .timeout_ns = (int64_t)drive.timeout_ms * CLOCK_NS_PER_MS,
      .deadline_ns = CLOCK_NEVER,
      .sink = {.row = on_row, .item = on_item, .cookie = ride},
      .done = on_done,
      .cookie = ride};
  struct error error = {.kind = STATUS_OK};
  target->submitted++;
  enum status status =
      client_submit(target->node, &options, &ride->job, &error);
  if (status == STATUS_OK) {
    target->running++;
    return;
  }
  target->jobs[status]++;
  target->ended++;
  snprintf(target->text, sizeof(target->text), "%s", error.text);
  free(ride);
}

static bool is_background(const struct target *target) {
  return drive.is_saturated && target->index > 0;
}

static int64_t feed(struct target *target, int64_t now_ns) {
  if (is_background(target)) {
    while (target->running < 64)
      submit(target);
    return CLOCK_NEVER;
  }
  while (target->submitted < drive.jobs && target->running < drive.at_once) {
    if (now_ns < target->next_ns)
      return target->next_ns;
    target->next_ns = now_ns + (int64_t)drive.every_ms * CLOCK_NS_PER_MS;
    submit(target);
  }
  return CLOCK_NEVER;
}

static bool run(int64_t end_ns) {
  for (;;) {
    int64_t now_ns = clock_mono_ns();
    int64_t until_ns = end_ns;
    bool is_over = true;
    for (size_t i = 0; i < drive.n_targets; i++) {
      struct target *target = &drive.targets[i];
      int64_t next_ns = feed(target, now_ns);
      if (next_ns < until_ns)
        until_ns = next_ns;
      is_over &= is_background(target) || target->ended == drive.jobs;
    }
    if (drive.beside.every_ns > 0 && !is_over) {
      int64_t next_ns = beside_feed(&drive.beside, now_ns);
      if (next_ns < until_ns)
        until_ns = next_ns;
    }
    if (is_over)
      return true;
    if (now_ns >= end_ns)
      return false;
    client_turn(drive.client, until_ns);
  }
}

static void report(struct target *target) {
  const struct node_stats *stats = client_node_stats(target->node);
  uint64_t requests = 0, wait_ns = 0, bytes = 0;
  for (int owner = 0; owner < OWNER_COUNT; owner++) {
    requests += stats->requests[owner];
    wait_ns += stats->permit_wait_ns[owner];
    bytes += stats->bytes[owner];
  }
  printf("requests=%" PRIu64 " jobs=%zu rows=%" PRIu64 " bytes=%" PRIu64
         " retries=%" PRIu64 " connects=%" PRIu64 " wait_ms=%" PRIu64,
         requests, target->ended, target->rows, bytes, stats->retries,
         stats->connects, wait_ns / 1000000);
  for (int kind = 0; kind < STATUS_COUNT; kind++) {
    if (target->jobs[kind])
      printf(" %s=%" PRIu64, status_name((enum status)kind),
             target->jobs[kind]);
    if (target->items[kind])
      printf(" item.%s=%" PRIu64, status_name((enum status)kind),
             target->items[kind]);
  }
  int64_t left_ns =
      client_node_certificate_left_ns(target->node, clock_wall_ns());
  if (left_ns != CLOCK_NEVER)
    printf(" certificate_days=%" PRId64, left_ns / CLOCK_NS_PER_S / 86400);
  printf(" text=\"%s\"\n", target->text);
}

static uint64_t number(const char *text) {
  uint64_t value;
  if (!num_uint64(text, strlen(text), &value)) {
    fprintf(stderr, "drive: \"%s\" is no number\n", text);
    exit(2);
  }
  return value;
}

static enum owner owner_of(const char *name) {
  for (int owner = 0; owner < OWNER_COUNT; owner++) {
    if (strcmp(owner_name((enum owner)owner), name) == 0)
      return (enum owner)owner;
  }
  fprintf(stderr, "drive: \"%s\" is no owner\n", name);
  exit(2);
}

static FILE *open_log(const char *path) {
  FILE *file = fopen(path, "we");
  if (!file) {
    perror(path);
    exit(2);
  }
  return file;
}

static void plan(void) {
  if (drive.operations < 1 || drive.operations > OPERATIONS_MAX)
    exit(2);
  enum plan_of of = drive.is_listing  ? PLAN_LISTINGS
                    : drive.is_remove ? PLAN_REMOVALS
                    : drive.is_change ? PLAN_CHANGES
                                      : PLAN_READS;
  for (size_t i = 0; i < drive.operations; i++)
    plan_operation(of, i, i + 1 == drive.bad, &operations[i], &specs[i]);
}

enum {
  OPTION_HELP = 1,
  OPTION_JOBS,
  OPTION_AT_ONCE,
  OPTION_EVERY,
  OPTION_SATURATE,
  OPTION_OPERATIONS,
  OPTION_BAD,
  OPTION_CHANGE,
  OPTION_LISTING,
  OPTION_REMOVE,
  OPTION_SCRAPE_EVERY,
  OPTION_SCRAPE_REQUESTS,
  OPTION_OWNER,
  OPTION_RATE,
  OPTION_BURST,
  OPTION_CHANGES,
  OPTION_BYTES,
  OPTION_SHARE,
  OPTION_IN_FLIGHT,
  OPTION_MAX_WAITING,
  OPTION_PERMIT_TIMEOUT,
  OPTION_TIMEOUT,
  OPTION_CONNECT_TIMEOUT,
  OPTION_MAX_RESPONSE,
  OPTION_MAX_OBJECT,
  OPTION_USER,
  OPTION_ORIGIN,
  OPTION_CA,
  OPTION_CERT,
  OPTION_KEY,
  OPTION_NO_VERIFY,
  OPTION_PAUSE,
  OPTION_GRANTS,
  OPTION_LATENCIES,
  OPTION_STATE,
  OPTION_DAEMON,
  OPTION_UNSHARED,
  OPTION_SECONDS
};

static const struct option long_options[] = {
    {"help", no_argument, NULL, OPTION_HELP},
    {"jobs", required_argument, NULL, OPTION_JOBS},
    {"at-once", required_argument, NULL, OPTION_AT_ONCE},
    {"every", required_argument, NULL, OPTION_EVERY},
    {"saturate", no_argument, NULL, OPTION_SATURATE},
    {"operations", required_argument, NULL, OPTION_OPERATIONS},
    {"bad", required_argument, NULL, OPTION_BAD},
    {"change", no_argument, NULL, OPTION_CHANGE},
    {"listing", no_argument, NULL, OPTION_LISTING},
    {"remove", no_argument, NULL, OPTION_REMOVE},
    {"scrape-every", required_argument, NULL, OPTION_SCRAPE_EVERY},
    {"scrape-requests", required_argument, NULL, OPTION_SCRAPE_REQUESTS},
    {"owner", required_argument, NULL, OPTION_OWNER},
    {"rate", required_argument, NULL, OPTION_RATE},
    {"burst", required_argument, NULL, OPTION_BURST},
    {"changes", required_argument, NULL, OPTION_CHANGES},
    {"bytes", required_argument, NULL, OPTION_BYTES},
    {"share", required_argument, NULL, OPTION_SHARE},
    {"in-flight", required_argument, NULL, OPTION_IN_FLIGHT},
    {"max-waiting", required_argument, NULL, OPTION_MAX_WAITING},
    {"permit-timeout", required_argument, NULL, OPTION_PERMIT_TIMEOUT},
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"connect-timeout", required_argument, NULL, OPTION_CONNECT_TIMEOUT},
    {"max-response", required_argument, NULL, OPTION_MAX_RESPONSE},
    {"max-object", required_argument, NULL, OPTION_MAX_OBJECT},
    {"user", required_argument, NULL, OPTION_USER},
    {"origin", required_argument, NULL, OPTION_ORIGIN},
    {"ca", required_argument, NULL, OPTION_CA},
    {"cert", required_argument, NULL, OPTION_CERT},
    {"key", required_argument, NULL, OPTION_KEY},
    {"no-verify", no_argument, NULL, OPTION_NO_VERIFY},
    {"pause", required_argument, NULL, OPTION_PAUSE},
    {"grants", required_argument, NULL, OPTION_GRANTS},
    {"latencies", required_argument, NULL, OPTION_LATENCIES},
    {"state", required_argument, NULL, OPTION_STATE},
    {"daemon", no_argument, NULL, OPTION_DAEMON},
    {"unshared", no_argument, NULL, OPTION_UNSHARED},
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {NULL, 0, NULL, 0}};

struct rate_numbers {
  uint64_t rate_milli, burst, changes_milli, bytes, share_milli;
  uint64_t permit_timeout_ms;
};

/* Of the program alone. */
static bool set_work(int option, const char *value) {
  switch (option) {
  case OPTION_JOBS:
    drive.jobs = number(value);
    return true;
  case OPTION_AT_ONCE:
    drive.at_once = number(value);
    return true;
  case OPTION_EVERY:
    drive.every_ms = number(value);
    return true;
  case OPTION_SATURATE:
    drive.is_saturated = true;
    return true;
  case OPTION_OPERATIONS:
    drive.operations = number(value);
    return true;
  case OPTION_BAD:
    drive.bad = number(value);
    return true;
  case OPTION_CHANGE:
    drive.is_change = true;
    return true;
  case OPTION_LISTING:
    drive.is_listing = true;
    return true;
  case OPTION_REMOVE:
    drive.is_remove = true;
    return true;
  case OPTION_SCRAPE_EVERY:
    drive.beside.every_ns = (int64_t)number(value) * CLOCK_NS_PER_MS;
    return true;
  case OPTION_SCRAPE_REQUESTS:
    drive.beside.n_requests = number(value);
    return true;
  case OPTION_OWNER:
    drive.owner = owner_of(value);
    return true;
  case OPTION_TIMEOUT:
    drive.timeout_ms = number(value);
    return true;
  case OPTION_PAUSE:
    drive.pause = number(value);
    return true;
  case OPTION_GRANTS:
    drive.grants = open_log(value);
    return true;
  case OPTION_LATENCIES:
    drive.latencies = open_log(value);
    return true;
  default:
    return false;
  }
}

static struct node_pem read_pem(int which, const char *path) {
  static struct pem *pems[3];
  struct error error;
  if (pem_read(NULL, path, &pems[which], &error)) {
    fprintf(stderr, "drive: %s\n", error.text);
    exit(2);
  }
  return (struct node_pem){pems[which]->bytes, pems[which]->len};
}

/* Of the nodes. */
static bool set_node(int option, const char *value, struct node_options *node,
                     struct rate_numbers *ceiling) {
  switch (option) {
  case OPTION_RATE:
    ceiling->rate_milli = number(value);
    return true;
  case OPTION_BURST:
    ceiling->burst = number(value);
    return true;
  case OPTION_CHANGES:
    ceiling->changes_milli = number(value);
    return true;
  case OPTION_BYTES:
    ceiling->bytes = number(value);
    return true;
  case OPTION_SHARE:
    ceiling->share_milli = number(value);
    return true;
  case OPTION_IN_FLIGHT:
    node->ceiling.max_in_flight = (uint32_t)number(value);
    return true;
  case OPTION_MAX_WAITING:
    node->ceiling.max_waiting = (uint32_t)number(value);
    return true;
  case OPTION_PERMIT_TIMEOUT:
    ceiling->permit_timeout_ms = number(value);
    return true;
  case OPTION_CONNECT_TIMEOUT:
    node->connect_timeout_ns = (int64_t)number(value) * CLOCK_NS_PER_MS;
    return true;
  case OPTION_MAX_RESPONSE:
    node->max_response_bytes = number(value);
    return true;
  case OPTION_MAX_OBJECT:
    node->max_object_bytes = number(value);
    return true;
  case OPTION_USER:
    node->username = value;
    node->password = getenv("DRIVE_PASSWORD");
    return true;
  case OPTION_ORIGIN:
    node->origin = value;
    return true;
  case OPTION_CA:
    node->ca_cert = read_pem(0, value);
    return true;
  case OPTION_CERT:
    node->client_cert = read_pem(1, value);
    return true;
  case OPTION_KEY:
    node->client_key = read_pem(2, value);
    return true;
  case OPTION_NO_VERIFY:
    node->verify_peer = node->verify_host = false;
    return true;
  default:
    return false;
  }
}

/* As translate_node() makes it of the settings. */
static void set_ceiling(struct ceiling_settings *settings,
                        const struct rate_numbers *numbers) {
  struct bucket_rate *unit = settings->rates.unit;
  unit[UNIT_REQUESTS] = bucket_rate_of(numbers->rate_milli, numbers->burst);
  unit[UNIT_CHANGES] =
      bucket_rate_of(numbers->changes_milli, CEILING_OPERATIONS_PER_PERMIT);
  unit[UNIT_BYTES] = bucket_rate_of_bytes(numbers->bytes, 4 * numbers->bytes);
  unit[UNIT_HANDLING] =
      bucket_rate_of_handling(1000 * numbers->share_milli, 2 * CLOCK_NS_PER_S);
  for (int owner = 0; owner < OWNER_COUNT; owner++)
    settings->permit_timeout_ns[owner] =
        (int64_t)numbers->permit_timeout_ms * CLOCK_NS_PER_MS;
}

static void add_target(const struct node_options *options, const char *url) {
  struct node_options node = *options;
  struct error error;
  struct target *target = &drive.targets[drive.n_targets];
  target->index = drive.n_targets++;
  if (url_parse(url, &node.url, &error) != STATUS_OK ||
      client_node_add(drive.client, &node, &target->node, &error) !=
          STATUS_OK) {
    fprintf(stderr, "drive: %s\n", error.text);
    exit(2);
  }
}

static struct client_options client = {.user_agent = "drive"};

static bool set_client(int option, const char *value) {
  switch (option) {
  case OPTION_STATE:
    client.state_dir = value;
    return true;
  case OPTION_DAEMON:
    client.is_daemon = true;
    return true;
  case OPTION_UNSHARED:
    client.is_unshared = true;
    return true;
  default:
    return false;
  }
}

static void write_log(void *cookie, enum log_level level, const char *line) {
  (void)cookie, (void)level;
  fprintf(stderr, "drive: %s\n", line);
}

static void start_client(void) {
  log_set_sink(write_log, NULL);
  struct error error;
  if (client_global_init(&error) != STATUS_OK ||
      client_new(&client, &drive.client, &error) != STATUS_OK) {
    fprintf(stderr, "drive: %s\n", error.text);
    exit(2);
  }
  client_trace_grants(drive.client, on_grant, NULL);
}

int main(int argc, char **argv) {
  struct node_options node = {
      .verify_peer = true,
      .verify_host = true,
      .connect_timeout_ns = 10 * CLOCK_NS_PER_S,
      .max_request_bytes = (size_t)1 << 20,
      .max_response_bytes = (size_t)64 << 20,
      .max_object_bytes = (size_t)64 << 10,
      .ceiling = ceiling_settings_default(10 * CLOCK_NS_PER_S)};
  struct rate_numbers ceiling = {20000, 1, 50000, 2 << 20, 250, 60000};
  uint64_t seconds = 60;
  int option;
  while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
    if (option == OPTION_HELP) {
      fputs(usage, stdout);
      return 0;
    }
    if (option == OPTION_SECONDS)
      seconds = number(optarg);
    else if (!set_work(option, optarg) && !set_client(option, optarg) &&
             !set_node(option, optarg, &node, &ceiling))
      return 2;
  }
  set_ceiling(&node.ceiling, &ceiling);
  if (optind == argc || argc - optind > TARGETS_MAX) {
    fputs(usage, stderr);
    return 2;
  }
  plan();
  start_client();
  for (int i = optind; i < argc; i++)
    add_target(&node, argv[i]);
  beside_begin(&drive.beside, drive.targets[0].node);
  int64_t start_ns = clock_mono_ns();
  bool is_over = run(start_ns + (int64_t)seconds * CLOCK_NS_PER_S);
  int64_t elapsed_ns = clock_mono_ns() - start_ns;
  for (size_t i = 0; i < drive.n_targets; i++)
    report(&drive.targets[i]);
  printf("granted=%" PRIu64 " elapsed_ms=%" PRId64, drive.granted,
         elapsed_ns / CLOCK_NS_PER_MS);
  beside_report(&drive.beside);
  int64_t free_ns = clock_mono_ns();
  client_free(drive.client);
  free_ns = clock_mono_ns() - free_ns;
  beside_end(&drive.beside);
  fprintf(stderr, "drive: client_free took %" PRId64 " us\n", free_ns / 1000);
  if (drive.grants && fclose(drive.grants) != 0)
    return 3;
  if (drive.latencies && fclose(drive.latencies) != 0)
    return 3;
  return is_over ? 0 : 1;
}
