/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/record.h"

#include "base/clock.h"

#include "../support/prng.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Real files in a folder of their own, real processes where the kernel's locks
 * are at stake; time is an argument. "row" numbers are those of public limiter
 * bugs. */

#define S CLOCK_NS_PER_S
#define NOW (1000 * S)
#define URL "https://broker-a.example.net:8161/console/jolokia"

static struct levels_rates rates;
static const struct record_key key = {.url = 7, .boot = 8, .clock = 9};
static char root[64];
static char path[128];

static void set_up(void) {
  rates.unit[UNIT_REQUESTS] = bucket_rate_of(20000, 1);
  rates.unit[UNIT_CHANGES] = bucket_rate_of(50000, 50);
  rates.unit[UNIT_BYTES] = bucket_rate_of_bytes(2 << 20, 8 << 20);
  rates.unit[UNIT_HANDLING] = bucket_rate_of_handling(250000, 2 * S);
  snprintf(root, sizeof(root), "/tmp/check_record.XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(root));
  snprintf(path, sizeof(path), "%s/state", root);
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof(command), "rm -rf '%s'", root);
  ck_assert_int_eq(system(command), 0);
}

static char *in_root(const char *name) {
  static char full[256];
  snprintf(full, sizeof(full), "%s/%s", root, name);
  return full;
}

static struct record_folder *open_at(const char *at) {
  struct record_folder *folder = NULL;
  struct error error = {.kind = STATUS_OK};
  ck_assert_msg(record_folder_open(at, &folder, &error) == STATUS_OK, "%s",
                error.text);
  return folder;
}

static struct record record_at(struct record_folder *folder) {
  struct record record;
  record_init(&record, folder, URL);
  return record;
}

static enum record_lock lock(struct record *record,
                             struct record_content *content,
                             enum record_state *state) {
  struct error error;
  return record_lock(record, &rates, NOW, content, state, &error);
}

static void write_and_unlock(struct record *record,
                             const struct record_content *content) {
  struct error error;
  ck_assert_int_eq(record_write(record, content, &error), STATUS_OK);
  record_unlock(record);
}

static struct record_content filled(void) {
  struct record_content content;
  memset(&content, 0, sizeof(content));
  content.sequence = 12345;
  levels_init(&content.levels, &rates, NOW);
  content.levels.bucket[UNIT_REQUESTS].level = -3 * BUCKET_PERMIT;
  content.levels.hold_until_ns = NOW + 60 * S;
  content.levels.operator_hold_until_ns = NOW + 1800 * S;
  for (int i = 0; i < OWNER_COUNT; i++)
    content.totals[i] = (struct record_totals){
        .requests = 1 + (uint64_t)i, 100, 1000, UINT64_MAX, INT64_MAX};
  for (int i = 0; i < RECORD_KINDS; i++)
    content.paces[i] = (struct pace){(uint16_t)(60000 + i), (uint16_t)(1 + i)};
  for (int i = 0; i < RECORD_ROUNDS; i++)
    content.rounds[i] = (uint16_t)(65535 - i);
  content.changes = 1000;
  content.handling_ns = UINT64_MAX - 1;
  for (int i = 0; i < REFUSAL_COUNT; i++)
    content.refused[i] = 50 + (uint64_t)i;
  content.heads[0] =
      (struct record_head){1, OWNER_SCRAPE, UNIT_HOLD, 1000, NOW};
  content.heads[7] =
      (struct record_head){4194304, OWNER_BULK, UNIT_CHANGES, 1000, NOW - S};
  content.scrapers[0] =
      (struct record_scraper){{1, 65535, 65534}, false, 1000, 35};
  content.scrapers[RECORD_SCRAPERS - 1] =
      (struct record_scraper){{4194304, 1, 0}, true, 65535, RECORD_STAY_MAX_S};
  return content;
}

static enum record_state decode(const void *bytes, size_t len,
                                struct record_content *content) {
  return record_decode(bytes, len, &key, &rates, NOW, content);
}

static void assert_empty(const struct record_content *content) {
  for (int i = 0; i < UNIT_BUCKETS; i++) {
    ck_assert_int_eq(content->levels.bucket[i].level, 0);
    ck_assert_int_eq(content->levels.bucket[i].last_ns, NOW);
  }
  ck_assert_int_eq(content->levels.hold_until_ns, 0);
  ck_assert_int_eq(content->levels.operator_hold_until_ns, 0);
}

/* -- The bytes -- */

START_TEST(what_is_written_is_read) {
  char bytes[RECORD_SIZE];
  struct record_content content = filled(), back;
  memset(&back, 0, sizeof(back));
  record_encode(&content, &key, bytes);
  ck_assert_int_eq(decode(bytes, sizeof(bytes), &back), RECORD_SOUND);
  ck_assert_mem_eq(&back, &content, sizeof(content));
}
END_TEST

START_TEST(nothing_yet_is_one_permit) {
  struct record_content content;
  ck_assert_int_eq(decode("", 0, &content), RECORD_NEW);
  ck_assert_int_eq(content.levels.bucket[UNIT_REQUESTS].level, BUCKET_PERMIT);
  ck_assert_int_eq(content.levels.bucket[UNIT_BYTES].level, 0);
  ck_assert_uint_eq(content.sequence, 0);
}
END_TEST

START_TEST(any_changed_byte_shows) {
  char bytes[RECORD_SIZE];
  struct record_content content = filled();
  record_encode(&content, &key, bytes);
  for (size_t i = 0; i < sizeof(bytes); i++)
    for (int bit = 0; bit < 8; bit++) {
      bytes[i] = (char)(bytes[i] ^ 1 << bit);
      ck_assert_int_eq(decode(bytes, sizeof(bytes), &content), RECORD_EMPTIED);
      assert_empty(&content);
      bytes[i] = (char)(bytes[i] ^ 1 << bit);
    }
}
END_TEST

START_TEST(any_other_length_shows) {
  char bytes[RECORD_SIZE + 1] = {0};
  struct record_content content = filled();
  record_encode(&content, &key, bytes);
  for (size_t len = 1; len <= sizeof(bytes); len++) {
    enum record_state state = decode(bytes, len, &content);
    ck_assert_int_eq(state, len == RECORD_SIZE ? RECORD_SOUND : RECORD_EMPTIED);
    if (len != RECORD_SIZE)
      assert_empty(&content);
  }
}
END_TEST

START_TEST(random_bytes_grant_nothing) {
  struct prng prng = prng_seeded(1);
  unsigned char bytes[RECORD_SIZE];
  struct record_content content;
  for (int round = 0; round < 10000; round++) {
    for (size_t i = 0; i < sizeof(bytes); i++)
      bytes[i] = (unsigned char)prng_below(&prng, 256);
    ck_assert_int_eq(decode(bytes, sizeof(bytes), &content), RECORD_EMPTIED);
    assert_empty(&content);
  }
}
END_TEST

/* The layout's number stands behind the magic; the checksum is put right. */
static void set_layout(char bytes[RECORD_SIZE], uint32_t layout) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  memcpy(bytes + 4, &layout, sizeof(layout));
  for (size_t at = 0; at < RECORD_SIZE - 8; at += 8) {
    uint64_t word;
    memcpy(&word, bytes + at, sizeof(word));
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
  }
  memcpy(bytes + RECORD_SIZE - 8, &hash, sizeof(hash));
}

START_TEST(another_layout_is_left_alone) {
  char bytes[RECORD_SIZE];
  struct record_content content = filled();
  record_encode(&content, &key, bytes);
  set_layout(bytes, RECORD_LAYOUT);
  ck_assert_int_eq(decode(bytes, sizeof(bytes), &content), RECORD_SOUND);
  set_layout(bytes, RECORD_LAYOUT + 1);
  ck_assert_int_eq(decode(bytes, sizeof(bytes), &content), RECORD_FOREIGN);
}
END_TEST

static const struct {
  struct record_key key;
  enum record_state state;
} others[] = {
    {{7, 8, 9}, RECORD_SOUND},
    {{6, 8, 9}, RECORD_FOREIGN}, /* two URLs with one hash */
    {{7, 1, 9}, RECORD_EMPTIED},
    {{7, 1, 1}, RECORD_EMPTIED}, /* after a restart every clock is another */
    {{7, 8, 1}, RECORD_FOREIGN},
};

START_TEST(another_writer) {
  char bytes[RECORD_SIZE];
  struct record_content content = filled();
  record_encode(&content, &others[_i].key, bytes);
  ck_assert_int_eq(decode(bytes, sizeof(bytes), &content), others[_i].state);
  if (others[_i].state == RECORD_EMPTIED)
    assert_empty(&content);
}
END_TEST

/* row 26 and its like: a time far ahead must not block for days. */
static const struct {
  enum unit unit;
  int64_t level, ahead_ns, hold_ns, operator_ns;
  enum record_state state;
  int64_t read;
} times[] = {
    {UNIT_REQUESTS, 0, 0, 0, 0, RECORD_SOUND, 0},
    {UNIT_REQUESTS, 0, RECORD_CLOCK_AHEAD_NS, 0, 0, RECORD_SOUND, 0},
    {UNIT_REQUESTS, 0, RECORD_CLOCK_AHEAD_NS + 1, 0, 0, RECORD_EMPTIED, 0},
    {UNIT_BYTES, 0, RECORD_CLOCK_AHEAD_NS + 1, 0, 0, RECORD_EMPTIED, 0},
    {UNIT_REQUESTS, 0, -NOW - 1, 0, 0, RECORD_EMPTIED, 0},
    /* At 20/s: a burst of 1 is 50 ms, 180 s are 3,600 permits. */
    {UNIT_REQUESTS, -3601 * BUCKET_PERMIT, 0, 0, 0, RECORD_SOUND,
     -3601 * BUCKET_PERMIT},
    {UNIT_REQUESTS, -3602 * BUCKET_PERMIT, 0, 0, 0, RECORD_SOUND,
     -3601 * BUCKET_PERMIT},
    {UNIT_REQUESTS, INT64_MIN, 0, 0, 0, RECORD_SOUND, -3601 * BUCKET_PERMIT},
    {UNIT_CHANGES, -9050 * BUCKET_PERMIT, 0, 0, 0, RECORD_SOUND,
     -9050 * BUCKET_PERMIT},
    {UNIT_CHANGES, -9051 * BUCKET_PERMIT, 0, 0, 0, RECORD_SOUND,
     -9050 * BUCKET_PERMIT},
    {UNIT_HANDLING, -3 * S *BUCKET_HANDLING_NS, 0, 0, 0, RECORD_SOUND,
     -3 * S *BUCKET_HANDLING_NS},
    {UNIT_REQUESTS, 0, 0, RECORD_HOLD_MAX_NS + RECORD_CLOCK_AHEAD_NS, 0,
     RECORD_SOUND, 0},
    {UNIT_REQUESTS, 0, 0, RECORD_HOLD_MAX_NS + RECORD_CLOCK_AHEAD_NS + 1, 0,
     RECORD_EMPTIED, 0},
    {UNIT_REQUESTS, 0, 0, 0,
     RECORD_OPERATOR_HOLD_MAX_NS + RECORD_CLOCK_AHEAD_NS, RECORD_SOUND, 0},
    {UNIT_REQUESTS, 0, 0, 0,
     RECORD_OPERATOR_HOLD_MAX_NS + RECORD_CLOCK_AHEAD_NS + 1, RECORD_EMPTIED,
     0},
    {UNIT_REQUESTS, 0, 0, -NOW - 1, 0, RECORD_EMPTIED, 0},
};

START_TEST(a_time_far_ahead) {
  char bytes[RECORD_SIZE];
  struct record_content content;
  (void)decode("", 0, &content);
  struct bucket *bucket = &content.levels.bucket[times[_i].unit];
  bucket->level = times[_i].level;
  bucket->last_ns = NOW + times[_i].ahead_ns;
  content.levels.hold_until_ns =
      times[_i].hold_ns ? NOW + times[_i].hold_ns : 0;
  content.levels.operator_hold_until_ns =
      times[_i].operator_ns ? NOW + times[_i].operator_ns : 0;
  record_encode(&content, &key, bytes);
  ck_assert_int_eq(decode(bytes, sizeof(bytes), &content), times[_i].state);
  if (times[_i].state == RECORD_EMPTIED)
    assert_empty(&content);
  else
    ck_assert_int_eq(content.levels.bucket[times[_i].unit].level,
                     times[_i].read);
}
END_TEST

START_TEST(impossible_heads_are_left_out) {
  static const struct record_head bad[] = {
      {-1, OWNER_SCRAPE, UNIT_HOLD, 1000, NOW},
      {1, OWNER_COUNT, UNIT_HOLD, 1000, NOW},
      {1, OWNER_SCRAPE, UNIT_COUNT, 1000, NOW},
  };
  char bytes[RECORD_SIZE];
  struct record_content content = filled();
  memcpy(&content.heads[1], bad, sizeof(bad));
  record_encode(&content, &key, bytes);
  ck_assert_int_eq(decode(bytes, sizeof(bytes), &content), RECORD_SOUND);
  for (int i = 1; i < 4; i++)
    ck_assert_int_eq(content.heads[i].pid, 0);
  ck_assert_int_eq(content.heads[0].pid, 1);
}
END_TEST

static struct record_head head_of(pid_t pid, enum owner owner) {
  return (struct record_head){
      .pid = pid, .owner = owner, .unit = UNIT_HANDLING, .since_ns = NOW - S};
}

static int n_heads(const struct record_content *content) {
  int n = 0;
  for (int i = 0; i < RECORD_HEADS; i++)
    n += content->heads[i].pid != 0;
  return n;
}

START_TEST(one_head_a_process) {
  struct record_content content = {.sequence = 0};
  for (pid_t pid = 1; pid <= RECORD_HEADS; pid++) {
    struct record_head head = head_of(pid, OWNER_SLOW);
    record_set_head(&content, &head, NOW);
    record_set_head(&content, &head, NOW);
    ck_assert_int_eq(n_heads(&content), pid);
  }
  struct record_head ninth = head_of(9, OWNER_SLOW);
  record_set_head(&content, &ninth, NOW);
  for (int i = 0; i < RECORD_HEADS; i++)
    ck_assert_int_ne(content.heads[i].pid, 9);
  struct record_head none = head_of(3, OWNER_COUNT);
  record_set_head(&content, &none, NOW);
  ck_assert_int_eq(n_heads(&content), RECORD_HEADS - 1);
  record_set_head(&content, &ninth, NOW + RECORD_HEAD_STALE_S * S);
  ck_assert_int_eq(n_heads(&content), RECORD_HEADS);
  /* The others have not been here for too long. */
  record_set_head(&content, &ninth, NOW + (RECORD_HEAD_STALE_S + 1) * S);
  ck_assert_int_eq(n_heads(&content), 1);
}
END_TEST

/* -- The folder -- */

START_TEST(the_folder_is_made) {
  struct stat stat_of;
  struct record_folder *folder = open_at(path);
  ck_assert_int_eq(stat(path, &stat_of), 0);
  ck_assert_int_eq(stat_of.st_mode & 07777, 0750 & ~022);
  record_folder_close(folder);
  record_folder_close(open_at(path));
  record_folder_close(NULL);
}
END_TEST

/* Who starts together makes it together: nobody is left without. */
START_TEST(many_make_the_folder) {
  enum { ROUNDS = 100, MAKERS = 8 };
  for (int round = 0; round < ROUNDS; round++) {
    int start[2], failed = 0;
    ck_assert_int_eq(pipe(start), 0);
    fflush(NULL);
    for (int i = 0; i < MAKERS; i++) {
      pid_t pid = fork();
      ck_assert_int_ge(pid, 0);
      if (pid > 0)
        continue;
      struct record_folder *folder;
      char byte;
      close(start[1]);
      (void)!read(start[0], &byte, 1);
      _exit(record_folder_open(path, &folder, NULL) != STATUS_OK);
    }
    close(start[0]);
    close(start[1]);
    for (int i = 0; i < MAKERS; i++) {
      int status;
      ck_assert_int_gt(wait(&status), 0);
      failed += status != 0;
    }
    ck_assert_msg(failed == 0, "round %d: %d without a folder", round, failed);
    ck_assert_int_eq(rmdir(path), 0);
  }
}
END_TEST

/* In a child: another user there, other mounts. ${text} is what its error must
 * say, NULL: none. Returns 2 where the machine does not let us. */
static int in_child(int (*work)(void)) {
  int status;
  fflush(NULL);
  pid_t pid = fork();
  ck_assert_int_ge(pid, 0);
  if (pid == 0)
    _exit(work());
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static bool is_refused(const char *at, const char *text) {
  struct record_folder *folder = NULL;
  struct error error = {.kind = STATUS_OK};
  enum status status = record_folder_open(at, &folder, &error);
  bool is_so = status == STATUS_INVALID && error.kind == STATUS_INVALID &&
               !folder && strstr(error.text, at) && strstr(error.text, text);
  if (!is_so)
    fprintf(stderr, "%s: \"%s\", not \"%s\"\n", at, error.text, text);
  if (status == STATUS_OK)
    record_folder_close(folder);
  return is_so;
}

START_TEST(no_such_folder) {
  char file[256], link[256];
  snprintf(file, sizeof(file), "%s", in_root("file"));
  close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  ck_assert(is_refused(file, "a file or a link"));
  snprintf(link, sizeof(link), "%s", in_root("link"));
  ck_assert_int_eq(symlink(root, link), 0);
  ck_assert(is_refused(link, "a file or a link"));
  ck_assert_int_eq(symlink("nowhere", in_root("dangling")), 0);
  ck_assert(is_refused(in_root("dangling"), "a file or a link"));
  ck_assert(is_refused(in_root("no/such"), "does not exist"));
  ck_assert(is_refused("", "does not exist"));
}
END_TEST

START_TEST(all_may_write_the_folder) {
  ck_assert_int_eq(mkdir(path, 0700), 0);
  ck_assert_int_eq(chmod(path, 0777), 0);
  ck_assert(is_refused(path, "everyone may write"));
  ck_assert_int_eq(chmod(path, 01777), 0); /* as /tmp */
  ck_assert(is_refused(path, "everyone may write"));
}
END_TEST

static bool become(uid_t user, gid_t group) {
  return setgroups(0, NULL) == 0 && setgid(group) == 0 && setuid(user) == 0;
}

static int as_stranger(void) {
  return become(65534, 65534) ? !is_refused(path, "another user") : 3;
}
static int as_member(void) {
  struct record_folder *folder;
  return !become(65534, 12346) ||
         record_folder_open(path, &folder, NULL) != STATUS_OK;
}
static int as_nobody(void) {
  return become(65534, 65534) ? !is_refused(path, "may not use or make") : 3;
}
/* A folder that only lists: no file can be made in it. */
static int as_reader(void) {
  struct record_content content;
  enum record_state state;
  struct error error;
  if (!become(65534, 12346))
    return 3;
  struct record record = record_at(open_at(path));
  return record_lock(&record, &rates, NOW, &content, &state, &error) !=
             RECORD_UNUSABLE ||
         !strstr(error.text, "may not read and write");
}

START_TEST(whose_folder_it_is) {
  if (geteuid() != 0) {
    fprintf(stderr, "whose_folder_it_is: skipped, needs root\n");
    return;
  }
  ck_assert_int_eq(chmod(root, 0755), 0);
  ck_assert_int_eq(mkdir(path, 0755), 0);
  ck_assert_int_eq(chown(path, 12345, 12346), 0);
  ck_assert_int_eq(in_child(as_stranger), 0);
  ck_assert_int_eq(in_child(as_member), 0);
  record_folder_close(open_at(path)); /* root may */
  ck_assert_int_eq(in_child(as_reader), 0);
  ck_assert_int_eq(chmod(path, 0700), 0);
  ck_assert_int_eq(in_child(as_nobody), 0);
  ck_assert_int_eq(rmdir(path), 0);
  ck_assert_int_eq(in_child(as_nobody), 0); /* cannot make it */
}
END_TEST

static void write_to(const char *at, const char *text) {
  int fd = open(at, O_WRONLY | O_CLOEXEC);
  (void)!write(fd, text, strlen(text));
  close(fd);
}

static bool own_mounts(void) {
  uid_t user = geteuid();
  gid_t group = getegid();
  char map[64];
  if (unshare(CLONE_NEWNS | (user == 0 ? 0 : CLONE_NEWUSER)) != 0)
    return false;
  if (user != 0) {
    snprintf(map, sizeof(map), "%u %u 1", user, user);
    write_to("/proc/self/uid_map", map);
    write_to("/proc/self/setgroups", "deny");
    snprintf(map, sizeof(map), "%u %u 1", group, group);
    write_to("/proc/self/gid_map", map);
  }
  return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static int on_read_only(void) {
  struct record_content content;
  enum record_state state;
  struct error error;
  if (!own_mounts() || mount("none", root, "tmpfs", 0, "size=64k") != 0)
    return 2;
  struct record record = record_at(open_at(path));
  if (mount("none", root, NULL, MS_REMOUNT | MS_RDONLY, NULL) != 0)
    return 3;
  if (record_lock(&record, &rates, NOW, &content, &state, &error) !=
          RECORD_UNUSABLE ||
      !strstr(error.text, "read-only"))
    return 4;
  return !is_refused(in_root("other"), "read-only");
}

/* The file can be made, and no byte of it written. */
static int on_full(void) {
  struct record_content content;
  enum record_state state;
  struct error error;
  char bytes[4096] = {0};
  if (!own_mounts() || mount("none", root, "tmpfs", 0, "size=64k") != 0)
    return 2;
  struct record record = record_at(open_at(path));
  int fd = open(in_root("ballast"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  while (write(fd, bytes, sizeof(bytes)) > 0)
    ;
  if (record_lock(&record, &rates, NOW, &content, &state, &error) !=
          RECORD_LOCKED ||
      state != RECORD_NEW)
    return 4;
  if (record_write(&record, &content, &error) != STATUS_INVALID ||
      !strstr(error.text, "full"))
    return 5;
  record_unlock(&record);
  return 0;
}

START_TEST(other_mounts) {
  int (*const works[])(void) = {on_read_only, on_full};
  int result = in_child(works[_i]);
  if (result == 2)
    fprintf(stderr, "other_mounts: skipped, no mount is allowed here\n");
  else
    ck_assert_int_eq(result, 0);
}
END_TEST

START_TEST(the_folder_comes_back) {
  struct record_content content;
  enum record_state state;
  struct record record = record_at(open_at(path));
  ck_assert_int_eq(lock(&record, &content, &state), RECORD_LOCKED);
  record_forget(&record);
  ck_assert_int_eq(rmdir(path), 0);
  ck_assert_int_eq(lock(&record, &content, &state), RECORD_LOCKED);
  ck_assert_int_eq(state, RECORD_NEW);
  write_and_unlock(&record, &content);
  ck_assert_int_eq(access(path, R_OK), 0);
  record_folder_close(record.folder);
}
END_TEST

/* -- The file -- */

static int n_open(void) {
  int n = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (readdir(folder))
    n++;
  closedir(folder);
  return n;
}

static char *file_of(const struct record *record) {
  static char full[256];
  snprintf(full, sizeof(full), "%s/%s", path, record->name);
  return full;
}

START_TEST(lock_write_read) {
  struct record_content content, back;
  enum record_state state;
  struct stat stat_of;
  struct record record = record_at(open_at(path));
  int before = n_open();
  ck_assert_int_eq(lock(&record, &content, &state), RECORD_LOCKED);
  ck_assert_int_eq(state, RECORD_NEW);
  content = filled();
  write_and_unlock(&record, &content);
  record_unlock(&record); /* nothing happens */
  ck_assert_int_eq(lock(&record, &back, &state), RECORD_LOCKED);
  ck_assert_int_eq(state, RECORD_SOUND);
  ck_assert_uint_eq(back.sequence, content.sequence);
  ck_assert_int_eq(stat(file_of(&record), &stat_of), 0);
  ck_assert_int_eq(stat_of.st_size, RECORD_SIZE);
  ck_assert_int_eq(stat_of.st_mode & 07777, 0660);
  record_unlock(&record);
  ck_assert_int_eq(n_open(), before);
  record_folder_close(record.folder);
}
END_TEST

/* Made by root, for the daemon's user. */
START_TEST(the_folders_group_may_use_it) {
  struct record_content content;
  enum record_state state;
  struct stat stat_of;
  struct record record = record_at(open_at(path));
  if (geteuid() == 0)
    ck_assert_int_eq(chown(path, (uid_t)-1, 12345), 0);
  ck_assert_int_eq(lock(&record, &content, &state), RECORD_LOCKED);
  ck_assert_int_eq(stat(file_of(&record), &stat_of), 0);
  ck_assert_uint_eq(stat_of.st_gid, geteuid() == 0 ? 12345 : getegid());
  ck_assert_int_eq(stat_of.st_mode & 07777, 0660);
  record_unlock(&record);
  record_folder_close(record.folder);
}
END_TEST

START_TEST(what_stands_in_its_place) {
  struct record_content content;
  enum record_state state;
  struct error error;
  struct record record = record_at(open_at(path));
  const char *file = file_of(&record);
  int before = n_open();
  for (int kind = 0; kind < 5; kind++) {
    if (kind == 0)
      ck_assert_int_eq(symlink("/etc/passwd", file), 0);
    else if (kind == 1)
      ck_assert_int_eq(mkfifo(file, 0600), 0);
    else if (kind == 2)
      ck_assert_int_eq(mkdir(file, 0700), 0);
    else
      close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    if (kind == 3)
      ck_assert_int_eq(chmod(file, 0666), 0);
    if (kind == 4)
      ck_assert_int_eq(link(file, in_root("second")), 0);
    ck_assert_int_eq(
        record_lock(&record, &rates, NOW, &content, &state, &error),
        RECORD_UNUSABLE);
    ck_assert_msg(strstr(error.text, record.name) &&
                      strstr(error.text, "remove it"),
                  "%d: %s", kind, error.text);
    ck_assert_int_eq(remove(file), 0);
  }
  ck_assert_int_eq(n_open(), before);
  record_folder_close(record.folder);
}
END_TEST

START_TEST(of_another_version) {
  struct record_content content = filled();
  enum record_state state;
  struct error error;
  char bytes[RECORD_SIZE], after[RECORD_SIZE];
  struct record record = record_at(open_at(path));
  record_encode(&content, &record.key, bytes);
  set_layout(bytes, RECORD_LAYOUT + 1);
  int fd = open(file_of(&record), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  ck_assert_int_eq(write(fd, bytes, sizeof(bytes)), sizeof(bytes));
  ck_assert_int_eq(record_lock(&record, &rates, NOW, &content, &state, &error),
                   RECORD_UNUSABLE);
  ck_assert_ptr_nonnull(strstr(error.text, "another version"));
  ck_assert_int_eq(pread(fd, after, sizeof(after), 0), sizeof(after));
  ck_assert_mem_eq(after, bytes, sizeof(bytes));
  close(fd);
  record_folder_close(record.folder);
}
END_TEST

/* The other version was replaced: none of it writes any more. */
START_TEST(of_another_version_that_is_gone) {
  static const struct {
    int64_t age_s;
    enum record_lock result;
  } cases[] = {{-3600, RECORD_UNUSABLE},
               {RECORD_LEFT_NS / S - 10, RECORD_UNUSABLE},
               {RECORD_LEFT_NS / S + 10, RECORD_LOCKED}};
  struct record_content content = filled();
  enum record_state state = RECORD_SOUND;
  struct error error;
  char bytes[RECORD_SIZE];
  struct record record = record_at(open_at(path));
  record_encode(&content, &record.key, bytes);
  set_layout(bytes, RECORD_LAYOUT - 1);
  int fd = open(file_of(&record), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  ck_assert_int_eq(write(fd, bytes, sizeof(bytes)), sizeof(bytes));
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    int64_t at_s = clock_wall_ns() / S - cases[i].age_s;
    const struct timespec written[2] = {{.tv_sec = at_s}, {.tv_sec = at_s}};
    ck_assert_int_eq(futimens(fd, written), 0);
    ck_assert_int_eq(
        record_lock(&record, &rates, NOW, &content, &state, &error),
        cases[i].result);
  }
  ck_assert_int_eq(state, RECORD_EMPTIED);
  ck_assert_int_eq(content.levels.bucket[UNIT_REQUESTS].level, 0);
  ck_assert_int_eq(record_write(&record, &content, &error), STATUS_OK);
  record_unlock(&record);
  ck_assert_int_eq(record_lock(&record, &rates, NOW, &content, &state, &error),
                   RECORD_LOCKED);
  ck_assert_int_eq(state, RECORD_SOUND);
  record_unlock(&record);
  close(fd);
  record_folder_close(record.folder);
}
END_TEST

/* -- Several processes -- */

struct child {
  pid_t pid;
  int told; /* from it */
};

static struct child start(void (*work)(struct record *record, int tell)) {
  int pipes[2];
  ck_assert_int_eq(pipe2(pipes, O_CLOEXEC), 0);
  fflush(NULL);
  pid_t pid = fork();
  ck_assert_int_ge(pid, 0);
  if (pid == 0) {
    struct record record = record_at(open_at(path));
    work(&record, pipes[1]);
    _exit(0);
  }
  close(pipes[1]);
  return (struct child){pid, pipes[0]};
}

static void wait_told(const struct child *child) {
  char byte;
  ck_assert_int_eq(read(child->told, &byte, 1), 1);
}

static void end_child(const struct child *child) {
  int status;
  ck_assert_int_eq(kill(child->pid, SIGKILL), 0);
  ck_assert_int_eq(waitpid(child->pid, &status, 0), child->pid);
  ck_assert_msg(WIFSIGNALED(status), "a child ended with %d", status);
  close(child->told);
}

static void hold_lock(struct record *record, int tell) {
  struct record_content content;
  enum record_state state;
  if (lock(record, &content, &state) != RECORD_LOCKED)
    _exit(1);
  (void)!write(tell, "x", 1);
  for (;;)
    pause();
}

static void hold_batch(struct record *record, int tell) {
  int fd;
  if (!record_batch_lock(record, &fd))
    _exit(1);
  (void)!write(tell, "x", 1);
  for (;;)
    pause();
}

/* rows 77, 78, 80: the owner of the lock is killed. */
START_TEST(a_lock_is_busy_until_death) {
  struct record_content content;
  enum record_state state;
  struct record record = record_at(open_at(path));
  int before = n_open();
  struct child child = start(hold_lock);
  wait_told(&child);
  int64_t start_ns = clock_mono_ns();
  ck_assert_int_eq(lock(&record, &content, &state), RECORD_BUSY);
  ck_assert_int_lt(clock_mono_ns() - start_ns, S / 2); /* it did not wait */
  ck_assert_int_eq(record.fd, -1);
  end_child(&child);
  ck_assert_int_eq(lock(&record, &content, &state), RECORD_LOCKED);
  record_unlock(&record);
  ck_assert_int_eq(n_open(), before);
  record_folder_close(record.folder);
}
END_TEST

START_TEST(one_batch_of_a_host) {
  struct record_content content;
  enum record_state state;
  int fd, second;
  struct record record = record_at(open_at(path));
  int before = n_open();
  struct child child = start(hold_batch);
  wait_told(&child);
  ck_assert(!record_batch_lock(&record, &fd));
  /* What has no batch goes on. */
  ck_assert_int_eq(lock(&record, &content, &state), RECORD_LOCKED);
  record_forget(&record); /* not while there is one */
  ck_assert_int_eq(access(file_of(&record), F_OK), 0);
  ck_assert(!record_batch_lock(&record, &fd));
  end_child(&child);
  ck_assert(record_batch_lock(&record, &fd));
  ck_assert(!record_batch_lock(&record, &second));
  record_batch_unlock(fd);
  ck_assert(record_batch_lock(&record, &fd));
  record_batch_unlock(fd);
  ck_assert_int_eq(lock(&record, &content, &state), RECORD_LOCKED);
  record_forget(&record);
  ck_assert_int_ne(access(file_of(&record), F_OK), 0);
  ck_assert_int_eq(n_open(), before);
  record_folder_close(record.folder);
}
END_TEST

static void lock_in_turn(struct record *record, struct record_content *content,
                         enum record_state *state) {
  while (lock(record, content, state) == RECORD_BUSY)
    sched_yield();
  if (record->fd < 0)
    _exit(1);
}

/* Every field follows from the sequence: a torn record would not. */
static bool is_torn(const struct record_content *content) {
  uint64_t n = content->sequence;
  for (int i = 0; i < OWNER_COUNT; i++)
    if (content->totals[i].requests != n ||
        content->totals[i].permit_wait_ns != n)
      return true;
  return content->refused[REFUSED_CANCELLED] != n;
}

static void hammer(struct record *record, int tell) {
  struct record_content content;
  enum record_state state;
  for (;;) {
    lock_in_turn(record, &content, &state);
    if (state == RECORD_EMPTIED || is_torn(&content)) {
      (void)!write(tell, "t", 1);
      _exit(1);
    }
    content.sequence++;
    for (int i = 0; i < OWNER_COUNT; i++)
      content.totals[i].requests = content.totals[i].permit_wait_ns =
          content.sequence;
    content.refused[REFUSED_CANCELLED] = content.sequence;
    if (record_write(record, &content, NULL) != STATUS_OK)
      _exit(1);
    record_unlock(record);
  }
}

START_TEST(kills_tear_nothing) {
  struct prng prng = prng_seeded(2);
  struct record_content content;
  enum record_state state;
  struct record record = record_at(open_at(path));
  struct child children[3] = {start(hammer), start(hammer), start(hammer)};
  uint64_t last = 0;
  for (int i = 0; i < 300; i++) {
    struct child *child = &children[i % 3];
    (void)poll(NULL, 0, (int)prng_below(&prng, 3));
    end_child(child);
    lock_in_turn(&record, &content, &state);
    ck_assert_int_ne(state, RECORD_EMPTIED);
    ck_assert(!is_torn(&content));
    ck_assert_uint_ge(content.sequence, last);
    last = content.sequence;
    record_unlock(&record);
    *child = start(hammer);
  }
  for (int i = 0; i < 3; i++)
    end_child(&children[i]);
  ck_assert_uint_gt(last, 300);
  record_folder_close(record.folder);
}
END_TEST

/* Locks, and forgets every third time: two at once would both make the mark. */
static void alone(struct record *record, int tell) {
  struct record_content content;
  enum record_state state;
  char mark[256];
  snprintf(mark, sizeof(mark), "%s", in_root("mark"));
  for (int i = 0; i < 500; i++) {
    lock_in_turn(record, &content, &state);
    int fd = open(mark, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0) {
      (void)!write(tell, "2", 1);
      _exit(1);
    }
    close(fd);
    unlink(mark);
    if (i % 3 == 0)
      record_forget(record);
    else
      record_unlock(record);
  }
  (void)!write(tell, "x", 1);
}

START_TEST(the_forgotten_is_held_by_nobody) {
  struct child children[3];
  record_folder_close(open_at(path));
  for (int i = 0; i < 3; i++)
    children[i] = start(alone);
  for (int i = 0; i < 3; i++) {
    int status;
    char byte = 0;
    ck_assert_int_eq(read(children[i].told, &byte, 1), 1);
    ck_assert_int_eq(byte, 'x');
    ck_assert_int_eq(waitpid(children[i].pid, &status, 0), children[i].pid);
    close(children[i].told);
  }
}
END_TEST

static Suite *suite(void) {
  Suite *suite = suite_create("record");
  TCase *bytes = tcase_create("bytes");
  tcase_add_checked_fixture(bytes, set_up, tear_down);
  tcase_add_test(bytes, what_is_written_is_read);
  tcase_add_test(bytes, nothing_yet_is_one_permit);
  tcase_add_test(bytes, any_changed_byte_shows);
  tcase_add_test(bytes, any_other_length_shows);
  tcase_add_test(bytes, random_bytes_grant_nothing);
  tcase_add_test(bytes, another_layout_is_left_alone);
  tcase_add_loop_test(bytes, another_writer, 0,
                      sizeof(others) / sizeof(others[0]));
  tcase_add_loop_test(bytes, a_time_far_ahead, 0,
                      sizeof(times) / sizeof(times[0]));
  tcase_add_test(bytes, impossible_heads_are_left_out);
  tcase_add_test(bytes, one_head_a_process);
  suite_add_tcase(suite, bytes);
  TCase *files = tcase_create("files");
  tcase_add_checked_fixture(files, set_up, tear_down);
  tcase_set_timeout(files, 60);
  tcase_add_test(files, the_folder_is_made);
  tcase_add_test(files, many_make_the_folder);
  tcase_add_test(files, no_such_folder);
  tcase_add_test(files, all_may_write_the_folder);
  tcase_add_test(files, whose_folder_it_is);
  tcase_add_loop_test(files, other_mounts, 0, 2);
  tcase_add_test(files, the_folder_comes_back);
  tcase_add_test(files, lock_write_read);
  tcase_add_test(files, the_folders_group_may_use_it);
  tcase_add_test(files, what_stands_in_its_place);
  tcase_add_test(files, of_another_version);
  tcase_add_test(files, of_another_version_that_is_gone);
  tcase_add_test(files, a_lock_is_busy_until_death);
  tcase_add_test(files, one_batch_of_a_host);
  tcase_add_test(files, kills_tear_nothing);
  tcase_add_test(files, the_forgotten_is_held_by_nobody);
  suite_add_tcase(suite, files);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
