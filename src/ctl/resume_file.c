/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/resume_parts.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/num.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The ids of 1,000,000, and a line for each. */
#define FILE_MAX_BYTES (256 << 20)

/* -- A new one -- */

/* One line: what is odd in a name is written as in a URL. */
static void add_about(struct buf *out, const char *key, const char *text) {
  buf_printf(out, "%s ", key);
  for (const char *p = text; *p; p++)
    if ((unsigned char)*p <= ' ' || *p == '%' || *p == 127)
      buf_printf(out, "%%%02X", (unsigned)(unsigned char)*p);
    else
      buf_add(out, p, 1);
  buf_add_text(out, "\n");
}

/* All by which two runs differ, but for where and on whom. */
static void add_run(struct buf *out, const struct resume_about *about) {
  add_about(out, "queue", about->queue);
  add_about(out, "operation", about->operation);
  add_about(out, "target", about->target);
}

static void write_beginning(struct buf *out, const struct resume *resume,
                            const struct resume_about *about, uint64_t *check) {
  add_run(out, about);
  add_about(out, "node", about->node);
  add_about(out, "url", about->url);
  add_about(out, "node-id", about->node_id);
  buf_printf(out, "queue-id %" PRId64 "\n", about->queue_id);
  buf_printf(out, "ids %zu\n", resume->ids.n);
  for (size_t i = 0; i < resume->ids.n; i++)
    buf_printf(out, "%" PRId64 "\n", resume->ids.list[i]);
  buf_add_text(out, "states");
  *check = hash_bytes("", 0);
  resume_close_line(out, 0, check);
}

static void name_it(struct resume *resume, const char *folder,
                    const char *operation) {
  time_t now = (time_t)(clock_wall_ns() / CLOCK_NS_PER_S);
  struct tm tm;
  gmtime_r(&now, &tm);
  snprintf(resume->path, sizeof(resume->path),
           "%s/jolokiactl-%s-%04d%02d%02dT%02d%02d%02dZ-%d.resume", folder,
           operation, tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
           tm.tm_min, tm.tm_sec, (int)getpid());
}

static bool sync_folder(const char *folder) {
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool is_synced = fd >= 0 && fsync(fd) == 0;
  if (fd >= 0)
    close(fd);
  return is_synced;
}

static enum status write_new(struct resume *resume, const char *folder,
                             const struct buf *beginning, struct error *error) {
  char first[RESUME_FIRST_LEN + 1];
  char scratch[RESUME_PATH_MAX + 8];
  snprintf(scratch, sizeof(scratch), "%s.new", resume->path);
  resume->len = RESUME_FIRST_LEN + beginning->len;
  resume_first_line(first, resume->len);
  resume->fd = open(scratch, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (resume->fd < 0)
    return resume_cannot(resume, "made", error);
  if (flock(resume->fd, LOCK_EX | LOCK_NB) == 0 &&
      resume_write(resume->fd, first, RESUME_FIRST_LEN, 0) &&
      resume_write(resume->fd, beginning->data, beginning->len,
                   RESUME_FIRST_LEN) &&
      fsync(resume->fd) == 0 && rename(scratch, resume->path) == 0 &&
      sync_folder(folder))
    return STATUS_OK;
  resume_cannot(resume, "written", error);
  unlink(scratch);
  return STATUS_INVALID;
}

enum status resume_create(struct resume *ret, const char *folder,
                          const struct resume_about *about, struct ids *ids,
                          struct error *error) {
  struct buf beginning;
  resume_begin(ret);
  ret->ids = *ids;
  ids_init(ids);
  snprintf(ret->node, sizeof(ret->node), "%s", about->node);
  snprintf(ret->node_id, sizeof(ret->node_id), "%s", about->node_id);
  ret->queue_id = about->queue_id;
  enum status status = resume_make_states(ret, error);
  if (status)
    return status;
  buf_init(&beginning, FILE_MAX_BYTES);
  write_beginning(&beginning, ret, about, &ret->check);
  name_it(ret, folder, about->operation);
  status = beginning.status
               ? error_set(error, STATUS_NO_MEMORY, "no memory for the ids")
               : write_new(ret, folder, &beginning, error);
  buf_fini(&beginning);
  return status;
}

/* -- An old one -- */

struct file {
  struct resume *resume;
  const char *text;
  size_t len;
  size_t at;
};

static enum status refuse(const struct resume *resume, struct error *error,
                          const char *why) {
  return error_set(error, STATUS_INVALID,
                   "the resume file %.256s %s; nothing was changed",
                   resume->path, why);
}

/* The next line, without its end; false: there is no whole one. */
static bool next_line(struct file *file, const char **ret, size_t *ret_len) {
  const char *line = file->text + file->at;
  const char *end = memchr(line, '\n', file->len - file->at);
  if (!end)
    return false;
  *ret = line;
  *ret_len = (size_t)(end - line);
  file->at += *ret_len + 1;
  return true;
}

static bool line_has(struct file *file, const char *key, const char **ret,
                     size_t *ret_len) {
  size_t n = strlen(key);
  if (!next_line(file, ret, ret_len) || *ret_len < n ||
      memcmp(*ret, key, n) != 0)
    return false;
  *ret += n;
  *ret_len -= n;
  return true;
}

static bool read_text(struct file *file, const char *key, char *ret,
                      size_t size) {
  const char *line;
  size_t len;
  if (!line_has(file, key, &line, &len) || len >= size)
    return false;
  memcpy(ret, line, len);
  ret[len] = '\0';
  return true;
}

/* Whether the line that ends at ${file->at} has the right check behind it. */
static bool is_checked(const struct file *file, size_t from, uint64_t *check) {
  char expected[RESUME_CHECK_LEN + 1];
  size_t end = file->at - 1;
  if (end < from + RESUME_CHECK_LEN)
    return false;
  uint64_t sum =
      hash_more(*check, file->text + from, end - RESUME_CHECK_LEN - from);
  snprintf(expected, sizeof(expected), " #%016" PRIx64, sum);
  if (memcmp(file->text + end - RESUME_CHECK_LEN, expected, RESUME_CHECK_LEN))
    return false;
  *check = sum;
  return true;
}

static enum status read_ids(struct file *file, struct error *error) {
  struct resume *resume = file->resume;
  const char *line;
  size_t len;
  uint64_t n;
  if (!line_has(file, "ids ", &line, &len) || !num_uint64(line, len, &n) ||
      n == 0 || n > IDS_MAX)
    return refuse(resume, error, "is truncated or was edited");
  for (uint64_t i = 0; i < n; i++) {
    int64_t id;
    if (!next_line(file, &line, &len) || !num_int64(line, len, &id) || id < 0 ||
        (i > 0 && id <= resume->ids.list[i - 1]))
      return refuse(resume, error, "is truncated or was edited");
    enum status status = ids_add(&resume->ids, id, error);
    if (status)
      return status;
  }
  return STATUS_OK;
}

static enum status read_beginning(struct file *file,
                                  const struct resume_about *about,
                                  uint64_t known, struct error *error) {
  struct resume *resume = file->resume;
  struct buf run;
  const char *line;
  size_t len;
  buf_init(&run, 1 << 20);
  add_run(&run, about);
  bool is_same = run.len <= file->len - file->at &&
                 memcmp(run.data, file->text + file->at, run.len) == 0;
  file->at += run.len;
  buf_fini(&run);
  if (!is_same)
    return refuse(resume, error,
                  "is of another run: see its queue, operation and target "
                  "lines");
  if (file->len < known)
    return refuse(resume, error, "is truncated");
  if (!read_text(file, "node ", resume->node, sizeof(resume->node)) ||
      !line_has(file, "url ", &line, &len) ||
      !read_text(file, "node-id ", resume->node_id, sizeof(resume->node_id)))
    return refuse(resume, error, "is truncated or was edited");
  if (!line_has(file, "queue-id ", &line, &len) ||
      !num_int64(line, len, &resume->queue_id))
    return refuse(resume, error, "is truncated or was edited");
  return read_ids(file, error);
}

/* A line of states: "d 0 49", "x 7 7 the reason". */
static bool read_states(struct resume *resume, char *line) {
  char *word[3], *rest = line;
  uint64_t from, last;
  for (size_t i = 0; i < 3; i++)
    word[i] = strsep(&rest, " ");
  if (!word[2] || strlen(word[0]) != 1 || !resume_is_letter(*word[0]) ||
      !num_uint64(word[1], strlen(word[1]), &from) ||
      !num_uint64(word[2], strlen(word[2]), &last) || from > last ||
      last >= resume->ids.n)
    return false;
  for (uint64_t i = from; i <= last; i++)
    resume_set(resume, (size_t)i, *word[0], rest ? rest : "");
  return true;
}

static enum status read_journal(struct file *file, uint64_t known,
                                struct error *error) {
  struct resume *resume = file->resume;
  const char *line;
  size_t len;
  for (;;) {
    size_t from = file->at;
    bool is_whole =
        next_line(file, &line, &len) && is_checked(file, from, &resume->check);
    if (!is_whole && from < known)
      return refuse(resume, error, "is truncated or was edited");
    if (!is_whole) {
      resume->len = from;
      return STATUS_OK;
    }
    char *copy = strndup(line, len - RESUME_CHECK_LEN);
    bool is_well = copy && read_states(resume, copy);
    free(copy);
    if (!is_well)
      return refuse(resume, error, "was edited");
  }
}

/* A number with spaces in front, 20 characters. */
static bool read_known(const char *text, uint64_t *ret) {
  size_t skip = strspn(text, " ");
  return skip < 20 && num_uint64(text + skip, 20 - skip, ret);
}

static enum status read_file(struct file *file,
                             const struct resume_about *about,
                             struct error *error) {
  struct resume *resume = file->resume;
  const char *line;
  size_t len;
  uint64_t known;
  char first[RESUME_FIRST_LEN + 1];
  if (!next_line(file, &line, &len) || len + 1 != RESUME_FIRST_LEN ||
      !read_known(line + sizeof(RESUME_FIRST) - 1, &known))
    return refuse(resume, error, "is none: its first line is another");
  resume_first_line(first, known);
  if (memcmp(first, line, RESUME_FIRST_LEN) != 0)
    return refuse(resume, error, "is none: its first line is another");
  size_t from = file->at;
  enum status status = read_beginning(file, about, known, error);
  if (status)
    return status;
  resume->check = hash_bytes("", 0);
  if (!line_has(file, "states #", &line, &len) ||
      !is_checked(file, from, &resume->check))
    return refuse(resume, error, "is truncated or was edited");
  status = resume_make_states(resume, error);
  return status ? status : read_journal(file, known, error);
}

static enum status load(struct resume *resume, const struct resume_about *about,
                        struct error *error) {
  struct stat info;
  struct file file = {.resume = resume};
  if (fstat(resume->fd, &info) != 0)
    return resume_cannot(resume, "read", error);
  if (!S_ISREG(info.st_mode) || info.st_size > FILE_MAX_BYTES)
    return refuse(resume, error, "is none: it is no plain file, or too long");
  char *text = malloc((size_t)info.st_size + 1);
  if (!text)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the resume file");
  ssize_t got = pread(resume->fd, text, (size_t)info.st_size, 0);
  file.text = text;
  file.len = got > 0 ? (size_t)got : 0;
  enum status status = got < 0 ? resume_cannot(resume, "read", error)
                               : read_file(&file, about, error);
  free(text);
  return status;
}

enum status resume_open(struct resume *ret, const char *path,
                        const struct resume_about *about, struct error *error) {
  resume_begin(ret);
  if (strlen(path) >= sizeof(ret->path))
    return error_set(error, STATUS_INVALID,
                     "the resume file's name is too long");
  memcpy(ret->path, path, strlen(path) + 1);
  ret->fd = open(path, O_RDWR | O_CLOEXEC);
  if (ret->fd < 0)
    return resume_cannot(ret, "opened", error);
  if (flock(ret->fd, LOCK_EX | LOCK_NB) != 0)
    return refuse(ret, error, "is in use by another jolokiactl");
  enum status status = load(ret, about, error);
  if (status)
    return status;
  if (ftruncate(ret->fd, (off_t)ret->len) != 0)
    return resume_cannot(ret, "written", error);
  for (size_t i = 0; i < ret->ids.n; i++)
    if (resume_state(ret, i) == ID_IN_FLIGHT)
      resume_mark(ret, i, ID_UNKNOWN, "");
  return STATUS_OK;
}
