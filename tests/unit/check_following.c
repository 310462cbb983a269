/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* Whose the settings are that a running command takes. What reads them, the
 * monitor and the client are stand-ins, in place of those of the core. */
#include "ctl/following.h"

#include "config/follow.h"

#include <check.h>
#include <stdlib.h>

struct follow {
  int unused;
};

static struct follow follow;
static struct settings made[3]; /* in the order in which they come */
static struct settings *offered;
static unsigned freed; /* which of ${made} were freed, as bits */
static bool has_no_memory;
static const struct settings *applied; /* by its number of instances */
static int n_applied;

enum status follow_new(const struct follow_options *options,
                       struct follow **ret, struct error *error) {
  (void)options;
  (void)error;
  *ret = &follow;
  return STATUS_OK;
}
void follow_run(struct follow *unused) { (void)unused; }
void follow_stop(struct follow *unused) { (void)unused; }
void follow_free(struct follow *unused) { (void)unused; }

struct settings *follow_take(struct follow *unused) {
  (void)unused;
  struct settings *settings = offered;
  offered = NULL;
  return settings;
}

void live_settings_free(struct settings *settings) {
  if (!settings)
    return;
  unsigned bit = 1u << (settings - made);
  ck_assert_uint_eq(freed & bit, 0);
  freed |= bit;
}

void follow_give_back(struct follow *unused, struct settings *settings) {
  (void)unused;
  live_settings_free(settings);
}

void follow_status(struct follow *unused, bool *ret_is_current,
                   uint64_t *ret_n_rejected) {
  (void)unused;
  *ret_is_current = true;
  *ret_n_rejected = 0;
}

enum status subject_select(const struct settings *all, const char *target,
                           struct settings *ret, struct error *error) {
  (void)target;
  *ret = *all;
  ret->nodes = has_no_memory ? NULL : calloc(1, sizeof(*ret->nodes));
  return has_no_memory ? error_set(error, STATUS_NO_MEMORY, "none") : STATUS_OK;
}

void monitor_apply(struct monitor *monitor, const struct settings *settings,
                   int64_t now_ns) {
  (void)monitor;
  (void)now_ns;
  applied = settings;
  n_applied++;
}

void client_wake(struct client *client) { (void)client; }

static struct following *following;

static void set_up(void) {
  struct subject subject = {.live = NULL};
  struct error error;
  for (unsigned i = 0; i < 3; i++)
    made[i] = (struct settings){.instances = i + 1};
  ck_assert_int_eq(following_start(&subject, NULL, NULL, &following, &error),
                   STATUS_OK);
}

static void offer_and_take(struct settings *settings) {
  offered = settings;
  following_take(following, NULL, 0);
}

static void end(void) {
  following_stop(following);
  following_free(following);
}

START_TEST(the_ones_before_go) {
  offer_and_take(&made[0]);
  offer_and_take(NULL);
  ck_assert_int_eq(n_applied, 1);
  ck_assert_uint_eq(freed, 0);
  offer_and_take(&made[1]);
  ck_assert_int_eq(n_applied, 2);
  ck_assert_uint_eq(applied->instances, 2);
  ck_assert_uint_eq(freed, 1);
  end();
  ck_assert_uint_eq(freed, 3);
}
END_TEST

/* They are tried again until there is memory, or newer ones. */
START_TEST(without_memory_they_wait) {
  offer_and_take(&made[0]);
  has_no_memory = true;
  offer_and_take(&made[1]);
  offer_and_take(NULL);
  ck_assert_uint_eq(freed, 0);
  offer_and_take(&made[2]);
  ck_assert_uint_eq(freed, 2);
  ck_assert_int_eq(n_applied, 1);
  has_no_memory = _i;
  offer_and_take(NULL);
  ck_assert_int_eq(n_applied, _i ? 1 : 2);
  ck_assert_uint_eq(applied->instances, _i ? 1 : 3);
  end();
  ck_assert_uint_eq(freed, 7);
}
END_TEST

static Suite *suite(void) {
  Suite *suite = suite_create("following");
  TCase *tcase = tcase_create("take");
  tcase_add_checked_fixture(tcase, set_up, NULL);
  tcase_add_test(tcase, the_ones_before_go);
  tcase_add_loop_test(tcase, without_memory_they_wait, 0, 2);
  suite_add_tcase(suite, tcase);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
