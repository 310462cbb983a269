/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "base/version.h"
#include "client/selfmetrics.h"
#include "client/translate.h"
#include "config/follow.h"
#include "plugin/dispatch.h"
#include "plugin/engine.h"
#include "plugin/notices.h"
#include "plugin/oconfig.h"
#include "plugin/reload.h"

#include <collectd/core/daemon/plugin.h>

#include <inttypes.h>

/* shutdown() is over after one second, whatever hangs. */
#define STOP_NS (800 * CLOCK_NS_PER_MS)
#define RELOAD_STOP_NS (100 * CLOCK_NS_PER_MS)
/* `collectd -T`: no round takes longer, with every timeout of every request. */
#define TEST_NS (120 * CLOCK_NS_PER_S)

/* collectd calls config, init and shutdown on one thread, one after the other,
 * and read on another in between. */
static struct {
  struct config_tree *tree;  /* the <Plugin jolokia> blocks seen so far */
  struct live *live;         /* until ${follow} has it */
  struct settings *settings; /* NULL: no memory; the engine's while it runs */
  struct follow *follow;
  struct reload *reload;
  struct client *client;
  struct monitor *monitor;
  struct engine *engine;
  struct notices *notices; /* NULL: no memory for them */
  struct dispatcher engine_dispatcher;
  struct dispatcher read_dispatcher;
  int64_t interval_ns;
  bool is_config_bad;
  bool is_test; /* collectd -T */
} plugin;

static void write_log(void *cookie, enum log_level level, const char *line) {
  static const int severities[] = {[LOG_LEVEL_ERROR] = LOG_ERR,
                                   [LOG_LEVEL_WARNING] = LOG_WARNING,
                                   [LOG_LEVEL_NOTICE] = LOG_NOTICE,
                                   [LOG_LEVEL_INFO] = LOG_INFO,
                                   [LOG_LEVEL_DEBUG] = LOG_DEBUG};
  (void)cookie;
  plugin_log(severities[level], "jolokia plugin: %s", line);
}

/* -- Settings -- */

/* -- on the thread that reads files -- */

static void wake_engine(void *cookie) {
  (void)cookie;
  client_wake(plugin.client);
}

static void tell_rejected(void *cookie, const char *error) {
  const struct notice notice = notice_of_files(error);
  (void)cookie;
  notices_put(plugin.notices, &notice);
}

/* -- on collectd's -- */

/* What can change while it runs is followed; under -T nothing is. */
static void follow_settings(const struct problems *problems) {
  struct error error;
  const struct follow_options options = {.live = plugin.live,
                                         .settings = plugin.settings,
                                         .problems = problems,
                                         .notify = wake_engine,
                                         .tell = plugin.notices ? tell_rejected
                                                                : NULL};
  if (plugin.is_test)
    return;
  if (follow_new(&options, &plugin.follow, &error))
    log_write(LOG_LEVEL_ERROR, "the cluster files are not followed: %s",
              error.text);
  else
    plugin.live = NULL;
}

static enum status read_settings(struct live_result *ret) {
  const struct live_options options = {
      .base = plugin.tree, .use_default = true, .rules = &translate_rules};
  plugin.tree = NULL;
  enum status status = live_new(&options, &plugin.live);
  return status ? status : live_read(plugin.live, clock_mono_ns(), ret);
}

static void load_settings(void) {
  struct live_result result;
  if (read_settings(&result)) {
    log_write(LOG_LEVEL_ERROR, "no memory for the settings");
    plugin.is_config_bad = true;
    return;
  }
  problems_log(&result.problems, NULL);
  plugin.settings = result.settings;
  plugin.is_config_bad |= result.problems.n_errors > 0;
  follow_settings(&result.problems);
  problems_fini(&result.problems);
}

static int on_config(oconfig_item_t *block) {
  log_set_sink(write_log, NULL);
  if (!plugin.tree)
    plugin.tree = config_tree_new();
  if (!plugin.tree || oconfig_add(config_tree_root(plugin.tree), block)) {
    log_write(LOG_LEVEL_ERROR, "no memory for the settings");
    plugin.is_config_bad = true;
  }
  return 0;
}

/* -- Start and end -- */

static enum status start(struct error *error) {
  char user_agent[64];
  snprintf(user_agent, sizeof(user_agent), "collectd-jolokia/%s",
           version_text());
  struct client_options client_options = {.user_agent = user_agent,
                                          .state_dir =
                                              plugin.settings->state_dir,
                                          .is_daemon = true};
  enum status status = client_global_init(error);
  if (!status)
    status = client_new(&client_options, &plugin.client, error);
  if (status)
    return status;
  struct monitor_options monitor_options = {
      .settings = plugin.settings,
      .sink = {.dispatch = dispatch_sample,
               .cookie = &plugin.engine_dispatcher},
      .notices = {.notify = plugin.notices ? notices_put : NULL,
                  .cookie = plugin.notices},
      .default_interval_ns = plugin.interval_ns,
      .is_once = plugin.is_test,
      .want_self_metrics = true,
      .want_discovery = !plugin.is_test};
  status = monitor_new(plugin.client, &monitor_options, &plugin.monitor, error);
  const struct engine_options engine_options = {.client = plugin.client,
                                                .monitor = plugin.monitor,
                                                .follow = plugin.follow,
                                                .settings = &plugin.settings,
                                                .is_test = plugin.is_test};
  if (!status)
    status = engine_start(&engine_options, &plugin.engine, error);
  return status;
}

/* What of it the thread that reads may still look at is left behind where that
 * hangs in a file. */
static void free_all(bool is_reload_over) {
  monitor_free(plugin.monitor);
  client_free(plugin.client);
  plugin.monitor = NULL;
  plugin.client = NULL;
  if (!is_reload_over)
    return;
  follow_free(plugin.follow);
  live_free(plugin.live);
  live_settings_free(plugin.settings);
  plugin.follow = NULL;
  plugin.live = NULL;
  plugin.settings = NULL;
}

static void tell_notices(bool is_engine_well) {
  if (!plugin.notices)
    return;
  notices_engine(plugin.notices, is_engine_well);
  notices_dispatch(plugin.notices);
}

/* A limit on size is a reservation of memory: one line, whatever the number of
 * nodes. */
static void tell_memory(void) {
  const struct settings *settings = plugin.settings;
  const struct node_settings *most = &settings->nodes[0];
  for (size_t i = 1; i < settings->n_nodes; i++)
    if (settings_broker_memory(settings, &settings->nodes[i]) >
        settings_broker_memory(settings, most))
      most = &settings->nodes[i];
  log_write(LOG_LEVEL_INFO,
            "the size limits of %zu nodes reserve up to %" PRIu64
            " KiB here ((16 KiB + MaxObjectBytes) x MaxInFlight a node), and "
            "up to %" PRIu64 " MiB on a broker (MaxResponseBytes x MaxInFlight "
            "x Instances), the most on %s's",
            settings->n_nodes, settings_memory(settings) / 1024,
            settings_broker_memory(settings, most) / 1048576, most->name);
}

/* Succeeds always: a failing init() has no way back but a restart. */
static int on_init(void) {
  log_set_sink(write_log, NULL);
  plugin.interval_ns = (int64_t)CDTIME_T_TO_NS(plugin_get_interval());
  /* collectd -T sets it so, before init(): no read threads will run. */
  const char *threads = global_option_get("ReadThreads");
  plugin.is_test = threads && strcmp(threads, "-1") == 0;
  if (!plugin.tree)
    plugin.tree = config_tree_new();
  plugin.notices = notices_new();
  if (plugin.tree)
    load_settings();
  struct error error;
  if (!plugin.settings)
    return 0;
  if (plugin.settings->n_nodes == 0)
    log_write(LOG_LEVEL_WARNING, "there is no node to ask: %s",
              settings_empty_remedy(plugin.settings->n_clusters_left_out > 0));
  else
    tell_memory();
  if (start(&error)) {
    log_write(LOG_LEVEL_ERROR, "no node is asked: %s", error.text);
    free_all(true);
  } else if (plugin.follow &&
             reload_start(plugin.follow, &plugin.reload, &error)) {
    log_write(LOG_LEVEL_ERROR, "the cluster files are not followed: %s",
              error.text);
  }
  return 0;
}

static int on_shutdown(void) {
  bool is_reload_over = reload_stop(plugin.reload, RELOAD_STOP_NS);
  if (!is_reload_over)
    log_write(LOG_LEVEL_ERROR,
              "a file hangs; the thread that reads it is left behind");
  if (engine_stop(plugin.engine, STOP_NS)) {
    plugin.engine = NULL;
    free_all(is_reload_over);
    notices_free(plugin.notices);
    plugin.notices = NULL;
  } else {
    log_write(LOG_LEVEL_ERROR, "the engine hangs and is left behind");
  }
  config_tree_free(plugin.tree);
  plugin.tree = NULL;
  return 0;
}

/* -- Read -- */

/* Never waits for a node, and never fails: collectd would suspend it for up to
 * a day. Under -T alone it tells the truth about the round. */
static int on_read(void) {
  int64_t lag_ns = 0;
  bool is_alive =
      plugin.engine && engine_watch(plugin.engine, clock_mono_ns(),
                                    2 * plugin.interval_ns, &lag_ns);
  bool is_current = !plugin.is_config_bad;
  uint64_t n_rejected = 0;
  if (plugin.follow)
    follow_status(plugin.follow, &is_current, &n_rejected);
  const struct self_own own = {
      .is_config_current = is_current,
      .n_rejected = n_rejected,
      .n_nodes = plugin.engine ? engine_n_nodes(plugin.engine) : 0,
      .is_engine_well = is_alive,
      .lag_ns = lag_ns,
      .wall_ns = clock_wall_ns(),
      .interval_ns = plugin.interval_ns};
  const struct sample_sink sink = {.dispatch = dispatch_sample,
                                   .cookie = &plugin.read_dispatcher};
  selfmetrics_send_own(&own, &sink);
  tell_notices(is_alive);
  if (!plugin.is_test)
    return 0;
  bool is_well = plugin.engine && engine_wait_round(plugin.engine, TEST_NS);
  tell_notices(is_alive);
  return is_well && !plugin.is_config_bad ? 0 : -1;
}

__attribute__((visibility("default"))) void module_register(void) {
  plugin_register_complex_config("jolokia", on_config);
  plugin_register_init("jolokia", on_init);
  plugin_register_read("jolokia", on_read);
  plugin_register_shutdown("jolokia", on_shutdown);
}
