/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* Stands for the daemon: loads the module, calls its config, init, read and
 * shutdown as collectd does, counts and discards what is dispatched, and
 * measures. Prints NAME=VALUE lines. */

#include "base/clock.h"
#include "config/parse.h"
#include "harness_floor.h"
#include "harness_spread.h"

#include <collectd/core/daemon/plugin.h>

#include <dlfcn.h>
#include <getopt.h>
#include <stdatomic.h>
#include <unistd.h>

static struct {
  int (*config)(oconfig_item_t *);
  int (*init)(void);
  int (*read)(void);
  int (*shutdown)(void);
} module;

static struct {
  double interval;
  const char *threads; /* ReadThreads */
  bool is_verbose;
  const char *floor_url;
} options = {.interval = 10, .threads = "5"};

static _Atomic(uint64_t) n_scrapes, n_bad, n_errors;
static pthread_t engine;
static bool has_engine;

/* Of the engine's thread and of ours: a counter that two threads share would
 * cost more than what is measured. */
static _Atomic(uint64_t) n_samples_of[2];

static uint64_t n_samples(void) {
  return atomic_load(&n_samples_of[0]) + atomic_load(&n_samples_of[1]);
}

static void count_sample(void) {
  bool is_engine = has_engine && pthread_equal(pthread_self(), engine);
  _Atomic(uint64_t) *n = &n_samples_of[is_engine];
  atomic_store_explicit(n, atomic_load_explicit(n, memory_order_relaxed) + 1,
                        memory_order_relaxed);
}

/* -- What the module finds in the daemon -- */

int plugin_register_complex_config(const char *type,
                                   int (*callback)(oconfig_item_t *)) {
  (void)type;
  module.config = callback;
  return 0;
}

int plugin_register_init(const char *name, plugin_init_cb callback) {
  (void)name;
  module.init = callback;
  return 0;
}

int plugin_register_read(const char *name, int (*callback)(void)) {
  (void)name;
  module.read = callback;
  return 0;
}

int plugin_register_shutdown(const char *name, plugin_shutdown_cb callback) {
  (void)name;
  module.shutdown = callback;
  return 0;
}

int plugin_dispatch_values(value_list_t const *list) {
  bool is_well = list->values_len == 1 && list->plugin[0] && list->type[0] &&
                 list->time && list->interval;
  if (is_well)
    count_sample();
  else
    atomic_fetch_add(&n_bad, 1);
  if (list->type[0] == 'r' && strcmp(list->type, "response_time") == 0 &&
      strcmp(list->type_instance, "scrape") == 0)
    atomic_fetch_add(&n_scrapes, 1);
  return 0;
}

static char host[] = "harness";
char *hostname_g = host;

int plugin_dispatch_notification(const notification_t *notification) {
  (void)notification;
  return 0;
}

void plugin_log(int level, const char *format, ...) {
  if (level <= LOG_WARNING)
    atomic_fetch_add(&n_errors, 1);
  if (!options.is_verbose)
    return;
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
}

int plugin_thread_create(pthread_t *thread, void *(*start)(void *), void *arg,
                         char const *name) {
  int result = pthread_create(thread, NULL, start, arg);
  if (strcmp(name, "jolokia engine") == 0) {
    engine = *thread;
    has_engine = result == 0;
  }
  return result;
}

cdtime_t plugin_get_interval(void) {
  return DOUBLE_TO_CDTIME_T(options.interval);
}

const char *global_option_get(const char *option) {
  return strcmp(option, "ReadThreads") == 0 ? options.threads : NULL;
}

/* The kinds that the module's types have in types.db: those that count up begin
 * with "total_", but for two. The names are collectd's to copy, not to read. */
const data_set_t *plugin_get_ds(const char *name) {
  static data_source_t gauge_source = {.name = "value", .type = DS_TYPE_GAUGE};
  static data_source_t derive_source = {.name = "value",
                                        .type = DS_TYPE_DERIVE};
  static const data_set_t gauge = {
      .type = "gauge", .ds_num = 1, .ds = &gauge_source};
  static const data_set_t derive = {
      .type = "derive", .ds_num = 1, .ds = &derive_source};
  bool is_derive = strncmp(name, "total_", 6) == 0 ||
                   strcmp(name, "errors") == 0 || strcmp(name, "derive") == 0;
  return is_derive ? &derive : &gauge;
}

/* -- The configuration: read by our parser, handed over in collectd's form --
 */

static void copy_item(oconfig_item_t *to, const struct config_item *from) {
  to->key = strdup(from->key);
  to->values_num = (int)from->n_values;
  to->values = calloc(from->n_values + 1, sizeof(*to->values));
  for (size_t i = 0; i < from->n_values; i++) {
    const struct config_value *value = &from->values[i];
    oconfig_value_t *copy = &to->values[i];
    copy->type = value->type == CONFIG_TEXT     ? OCONFIG_TYPE_STRING
                 : value->type == CONFIG_NUMBER ? OCONFIG_TYPE_NUMBER
                                                : OCONFIG_TYPE_BOOLEAN;
    if (value->type == CONFIG_TEXT)
      copy->value.string = strdup(value->text);
    else if (value->type == CONFIG_NUMBER)
      copy->value.number = value->number;
    else
      copy->value.boolean = value->number > 0;
  }
  to->children_num = (int)from->n_children;
  to->children = calloc(from->n_children + 1, sizeof(*to->children));
  for (size_t i = 0; i < from->n_children; i++) {
    to->children[i].parent = to;
    copy_item(&to->children[i], &from->children[i]);
  }
}

static void free_item(oconfig_item_t *item) {
  for (int i = 0; i < item->values_num; i++)
    if (item->values[i].type == OCONFIG_TYPE_STRING)
      free(item->values[i].value.string);
  for (int i = 0; i < item->children_num; i++)
    free_item(&item->children[i]);
  free(item->key);
  free(item->values);
  free(item->children);
}

static void configure(const char *path) {
  struct problems problems;
  problems_init(&problems);
  struct config_tree *tree = config_tree_new();
  config_parse_file(tree, path, &problems);
  for (size_t i = 0; i < problems.n; i++)
    fprintf(stderr, "harness: %s: %s\n", problems.list[i].place,
            problems.list[i].text);
  const struct config_item *root = config_tree_root(tree);
  for (size_t i = 0; i < root->n_children; i++) {
    if (strcmp(root->children[i].key, "Plugin") != 0)
      continue;
    oconfig_item_t item = {0};
    copy_item(&item, &root->children[i]);
    module.config(&item);
    free_item(&item);
  }
  config_tree_free(tree);
  problems_fini(&problems);
}

/* -- Measuring -- */

static double engine_cpu_ms(void) {
  clockid_t clock;
  struct timespec used;
  if (!has_engine || pthread_getcpuclockid(engine, &clock) != 0 ||
      clock_gettime(clock, &used) != 0)
    return 0;
  return (double)used.tv_sec * 1e3 + (double)used.tv_nsec / 1e6;
}

static long peak_kib(void) {
  char line[256];
  long kib = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof(line), file))
    if (strncmp(line, "VmHWM:", 6) == 0)
      kib = strtol(line + 6, NULL, 10);
  if (file)
    fclose(file);
  return kib;
}

struct reads {
  uint64_t n;
  uint64_t n_failed;
  int64_t max_ns;
};

/* The CPU of each scrape that is alone between two reads; how long each read
 * took. */
static struct spread scrape_ms, read_ms;

static void read_once(struct reads *reads) {
  int64_t begin_ns = clock_mono_ns();
  if (module.read() != 0)
    reads->n_failed++;
  int64_t took_ns = clock_mono_ns() - begin_ns;
  reads->n++;
  spread_add(&read_ms, (double)took_ns / 1e6);
  if (took_ns > reads->max_ns)
    reads->max_ns = took_ns;
}

/* Between two reads: what is measured beside the scrapes is spread over the
 * time that they take, and cold as they are. */
#define FLOORS 4

static void rest(double seconds) {
  if (!options.floor_url) {
    usleep((useconds_t)(seconds * 1e6));
    return;
  }
  for (int i = 0; i < FLOORS; i++) {
    floor_ask(options.floor_url);
    usleep((useconds_t)(seconds / FLOORS * 1e6));
  }
}

static void run(double seconds, double every, struct reads *reads) {
  int64_t end_ns = clock_mono_ns() + (int64_t)(seconds * 1e9);
  double cpu_ms = engine_cpu_ms();
  uint64_t scrapes = n_scrapes;
  while (clock_mono_ns() < end_ns) {
    read_once(reads);
    rest(every);
    double now_ms = engine_cpu_ms();
    uint64_t now = n_scrapes;
    if (now - scrapes == 1)
      spread_add(&scrape_ms, now_ms - cpu_ms);
    cpu_ms = now_ms;
    scrapes = now;
  }
}

static void report(const struct reads *reads, double cpu_ms, uint64_t scrapes,
                   uint64_t samples) {
  printf("reads=%" PRIu64 "\nreads_failed=%" PRIu64 "\n", reads->n,
         reads->n_failed);
  printf("read_max_us=%.1f\nread_middle_us=%.1f\n", (double)reads->max_ns / 1e3,
         spread_middle(&read_ms) * 1e3);
  printf("scrapes=%" PRIu64 "\nsamples=%" PRIu64 "\n", scrapes, samples);
  printf("engine_cpu_ms=%.3f\n", cpu_ms);
  if (scrapes)
    printf("scrape_cpu_ms=%.3f\n", cpu_ms / (double)scrapes);
  printf("scrape_middle_ms=%.3f\nscrape_least_ms=%.3f\n",
         spread_middle(&scrape_ms), spread_least(&scrape_ms));
}

static _Noreturn void usage(void) {
  fputs("harness [--interval S] [--seconds S] [--warm S] [--every S] [--test]\n"
        "        [--verbose] [--floor URL] MODULE CONFIG\n",
        stderr);
  exit(2);
}

int main(int argc, char **argv) {
  static const struct option long_options[] = {
      {"interval", required_argument, NULL, 'i'},
      {"seconds", required_argument, NULL, 's'},
      {"warm", required_argument, NULL, 'w'},
      {"every", required_argument, NULL, 'e'},
      {"floor", required_argument, NULL, 'f'},
      {"test", no_argument, NULL, 't'},
      {"verbose", no_argument, NULL, 'v'},
      {0}};
  double seconds = 10, warm = 0, every = 0;
  int option;
  while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
    if (option == 'i')
      options.interval = strtod(optarg, NULL);
    else if (option == 's')
      seconds = strtod(optarg, NULL);
    else if (option == 'w')
      warm = strtod(optarg, NULL);
    else if (option == 'e')
      every = strtod(optarg, NULL);
    else if (option == 'f')
      options.floor_url = optarg;
    else if (option == 't')
      options.threads = "-1";
    else if (option == 'v')
      options.is_verbose = true;
    else
      usage();
  }
  if (argc - optind != 2)
    usage();
  if (every <= 0)
    every = options.interval;

  void *handle = dlopen(argv[optind], RTLD_NOW | RTLD_LOCAL);
  void (*register_module)(void);
  if (!handle) {
    fprintf(stderr, "harness: %s\n", dlerror());
    return 1;
  }
  *(void **)&register_module = dlsym(handle, "module_register");
  register_module();
  configure(argv[optind + 1]);

  struct reads warm_reads = {0}, reads = {0};
  bool is_test = strcmp(options.threads, "-1") == 0;
  module.init();
  if (is_test) {
    read_once(&reads);
  } else {
    run(warm, every, &warm_reads);
    scrape_ms.n = read_ms.n = 0;
  }
  double cpu_ms = engine_cpu_ms();
  uint64_t scrapes = n_scrapes, samples = n_samples();
  if (!is_test)
    run(seconds, every, &reads);
  report(&reads, engine_cpu_ms() - cpu_ms, n_scrapes - scrapes,
         n_samples() - samples);
  printf("peak_kib=%ld\n", peak_kib());
  if (options.floor_url)
    floor_report();

  int64_t begin_ns = clock_mono_ns();
  module.shutdown();
  printf("shutdown_ms=%.1f\n", (double)(clock_mono_ns() - begin_ns) / 1e6);
  printf("bad_samples=%" PRIu64 "\nlog_errors=%" PRIu64 "\n", (uint64_t)n_bad,
         (uint64_t)n_errors);
  dlclose(handle);
  return reads.n_failed > 0;
}
