/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/reload.h"

#include "base/clock.h"

#include <collectd/core/daemon/plugin.h>

#include <check.h>
#include <semaphore.h>
#include <stdatomic.h>

/* As plugin.c waits. */
#define STOP_NS (100 * CLOCK_NS_PER_MS)
/* Where nothing hangs, a stall of the machine is no failure. */
#define LONG_NS (30 * CLOCK_NS_PER_S)

/* The files are a stand-in: a read ends when the test lets it, which is what a
 * dead network mount does. */
static sem_t began, may_go_on;
static _Atomic(bool) is_hung, is_stopped, is_over;

void follow_run(struct follow *follow) {
  (void)follow;
  sem_post(&began);
  sem_wait(&may_go_on);
  atomic_store(&is_over, true);
}

void follow_stop(struct follow *follow) {
  (void)follow;
  atomic_store(&is_stopped, true);
  if (!atomic_load(&is_hung))
    sem_post(&may_go_on);
}

int plugin_thread_create(pthread_t *thread, void *(*start)(void *), void *arg,
                         char const *name) {
  (void)name;
  return pthread_create(thread, NULL, start, arg);
}

static struct reload *begin(void) {
  struct reload *reload = NULL;
  struct error error;
  sem_init(&began, 0, 0);
  sem_init(&may_go_on, 0, 0);
  ck_assert_int_eq(reload_start(NULL, &reload, &error), STATUS_OK);
  sem_wait(&began);
  return reload;
}

START_TEST(it_ends_when_it_is_asked_to) {
  struct reload *reload = begin();
  ck_assert(reload_stop(reload, LONG_NS));
  ck_assert(atomic_load(&is_stopped));
  ck_assert(atomic_load(&is_over));
  ck_assert(reload_stop(NULL, 0));
}
END_TEST

/* And what it was given is not freed: it ends later, without harm. */
START_TEST(a_file_that_hangs_is_not_waited_for) {
  struct reload *reload = begin();
  atomic_store(&is_hung, true);
  ck_assert(!reload_stop(reload, STOP_NS));
  ck_assert(atomic_load(&is_stopped));
  ck_assert(!atomic_load(&is_over));
  sem_post(&may_go_on);
  ck_assert(reload_stop(reload, LONG_NS));
  ck_assert(atomic_load(&is_over));
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("reload");
  TCase *t = tcase_create("reload");
  tcase_add_test(t, it_ends_when_it_is_asked_to);
  tcase_add_test(t, a_file_that_hangs_is_not_waited_for);
  suite_add_tcase(s, t);
  return s;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
