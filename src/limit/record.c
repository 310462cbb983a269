/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/record.h"

#include "base/clock.h"
#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* A file that is unlinked again and again while we open it. */
#define TRIES 3

/* Not all are in <linux/magic.h>. */
#define MAGIC_CIFS 0xff534d42
#define MAGIC_FUSE 0x65735546
#define MAGIC_CEPH 0x00c36400

struct record_folder {
  int fd;
  struct stat stat; /* as it was trusted */
  uint64_t boot;
  uint32_t clock;
  char path[];
};

/* -- The folder -- */

static enum status refuse(struct error *error, const char *path,
                          const char *why, const char *remedy) {
  return error_set(error, STATUS_INVALID, "StateDir \"%s\": %s: %s", path, why,
                   remedy);
}

static bool is_trusted(uid_t owner, gid_t group) {
  return owner == 0 || owner == geteuid() || geteuid() == 0 ||
         group == getegid() || group_member(group);
}

/* flock there is each host's own, or none. */
static bool is_on_network(int fd) {
  struct statfs fs;
  if (fstatfs(fd, &fs) != 0)
    return false;
  switch ((uint32_t)fs.f_type) {
  case NFS_SUPER_MAGIC:
  case SMB_SUPER_MAGIC:
  case MAGIC_CIFS:
  case SMB2_SUPER_MAGIC:
  case V9FS_MAGIC:
  case AFS_SUPER_MAGIC:
  case CODA_SUPER_MAGIC:
  case MAGIC_FUSE:
  case MAGIC_CEPH:
    return true;
  default:
    return false;
  }
}

static enum status check_folder(int fd, const char *path, struct stat *ret,
                                struct error *error) {
  struct stat stat;
  if (fstat(fd, &stat) != 0)
    return refuse(error, path, strerrorname_np(errno), "it cannot be used");
  if (stat.st_mode & S_IWOTH)
    return refuse(error, path, "everyone may write there",
                  "take that right away (chmod o-w)");
  if (!is_trusted(stat.st_uid, stat.st_gid))
    return refuse(error, path, "it belongs to another user",
                  "give it to this one, to root or to a group of this user");
  if (is_on_network(fd))
    return refuse(error, path, "it is on a network file system",
                  "choose a folder of this host, best under /run");
  *ret = stat;
  return STATUS_OK;
}

static enum status why_not_open(const char *path, int number,
                                struct error *error) {
  switch (number) {
  case ENOTDIR:
  case ELOOP:
    return refuse(error, path, "it is a file or a link, not a folder",
                  "name the folder itself");
  case ENOENT:
    return refuse(error, path, "it does not exist, nor can it be made",
                  "make it, and the folder that it is in");
  case EACCES:
  case EPERM:
    return refuse(error, path, "this user may not use or make it",
                  "make it, for this user or a group of this user");
  case EROFS:
    return refuse(error, path, "it does not exist on a read-only file system",
                  "choose another one, best under /run");
  default:
    return refuse(error, path, strerrorname_np(number), "it cannot be opened");
  }
}

static enum status open_folder(const char *path, int *ret,
                               struct stat *ret_stat, struct error *error) {
  const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int fd = open(path, flags);
  /* Another process that starts now may make it first. */
  if (fd < 0 && errno == ENOENT && (mkdir(path, 0750) == 0 || errno == EEXIST))
    fd = open(path, flags);
  if (fd < 0)
    return why_not_open(path, errno, error);
  enum status status = check_folder(fd, path, ret_stat, error);
  if (status != STATUS_OK)
    close(fd);
  else
    *ret = fd;
  return status;
}

static uint64_t boot_hash(void) {
  char text[64] = "";
  int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  ssize_t len = read(fd, text, sizeof(text) - 1);
  close(fd);
  text[len > 0 ? len : 0] = '\0';
  return hash_text(text);
}

static uint32_t clock_id(void) {
  struct stat stat_of;
  return stat("/proc/self/ns/time", &stat_of) == 0 ? (uint32_t)stat_of.st_ino
                                                   : 0;
}

enum status record_folder_open(const char *path, struct record_folder **ret,
                               struct error *error) {
  int fd;
  struct stat stat;
  enum status status = open_folder(path, &fd, &stat, error);
  if (status != STATUS_OK)
    return status;
  size_t size = strlen(path) + 1;
  struct record_folder *folder = malloc(sizeof(*folder) + size);
  if (!folder) {
    close(fd);
    return error_set(error, STATUS_NO_MEMORY, "no memory for StateDir");
  }
  folder->fd = fd;
  folder->stat = stat;
  folder->boot = boot_hash();
  folder->clock = clock_id();
  memcpy(folder->path, path, size);
  *ret = folder;
  return STATUS_OK;
}

void record_folder_close(struct record_folder *folder) {
  if (!folder)
    return;
  close(folder->fd);
  free(folder);
}

/* -- The file -- */

void record_init(struct record *record, struct record_folder *folder,
                 const char *url_key) {
  *record = (struct record){.folder = folder,
                            .key = {.url = hash_text(url_key),
                                    .boot = folder->boot,
                                    .clock = folder->clock},
                            .fd = -1};
  snprintf(record->name, sizeof(record->name), "%016" PRIx64, record->key.url);
}

static enum status refuse_file(const struct record *record, const char *why,
                               const char *remedy, struct error *error) {
  return error_set(error, STATUS_INVALID, "StateDir: %s/%s: %s: %s",
                   record->folder->path, record->name, why, remedy);
}

static enum status why_no_file(const struct record *record, int number,
                               struct error *error) {
  switch (number) {
  case ELOOP:
  case EISDIR:
  case ENXIO:
    return refuse_file(record, "it is no plain file", "remove it", error);
  case EACCES:
  case EPERM:
    return refuse_file(record, "this user may not read and write it",
                       "run as the user of the others, or in their group",
                       error);
  case EROFS:
    return refuse_file(record, "the file system is read-only",
                       "choose another StateDir, best under /run", error);
  case ENOSPC:
  case EDQUOT:
    return refuse_file(record, "the file system is full", "make room", error);
  default:
    return refuse_file(record, strerrorname_np(number), "it cannot be used",
                       error);
  }
}

/* Who starts now opens what stands at its path now: with another folder, two
 * would each have a ceiling. One that was removed (the service that it belongs
 * to has stopped) is made anew. */
static enum status find_folder(struct record_folder *folder,
                               struct error *error) {
  struct stat now;
  const struct stat *was = &folder->stat;
  if (lstat(folder->path, &now) == 0 && now.st_dev == was->st_dev &&
      now.st_ino == was->st_ino && now.st_mode == was->st_mode &&
      now.st_uid == was->st_uid && now.st_gid == was->st_gid)
    return STATUS_OK;
  int fd;
  enum status status = open_folder(folder->path, &fd, &now, error);
  if (status != STATUS_OK)
    return status;
  close(folder->fd);
  folder->fd = fd;
  folder->stat = now;
  return STATUS_OK;
}

/* Without O_NONBLOCK a pipe of that name would keep us. */
static int open_file(const struct record *record) {
  const int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  struct record_folder *folder = record->folder;
  int fd = openat(folder->fd, record->name, flags);
  if (fd >= 0 || errno != ENOENT)
    return fd;
  fd = openat(folder->fd, record->name, flags | O_CREAT, 0660);
  /* The group that may use the folder may use the file, whatever our own and
   * our umask: root makes it, and the daemon runs as its user. */
  if (fd >= 0) {
    (void)!fchown(fd, (uid_t)-1, folder->stat.st_gid);
    (void)!fchmod(fd, 0660);
  }
  return fd;
}

static enum status check_file(const struct record *record,
                              const struct stat *stat, struct error *error) {
  if (!S_ISREG(stat->st_mode) || stat->st_nlink > 1)
    return refuse_file(record, "it is no plain file", "remove it", error);
  if (stat->st_mode & S_IWOTH)
    return refuse_file(record, "everyone may write it", "remove it", error);
  return STATUS_OK;
}

static enum record_lock try_lock(struct record *record, struct stat *ret_stat,
                                 struct error *error) {
  if (find_folder(record->folder, error) != STATUS_OK)
    return RECORD_UNUSABLE;
  record->fd = open_file(record);
  if (record->fd < 0) {
    (void)why_no_file(record, errno, error);
    return RECORD_UNUSABLE;
  }
  bool is_locked = flock(record->fd, LOCK_EX | LOCK_NB) == 0;
  bool is_busy = !is_locked && (errno == EWOULDBLOCK || errno == EINTR);
  bool is_usable = false;
  if (!is_locked && !is_busy)
    (void)why_no_file(record, errno, error);
  else if (fstat(record->fd, ret_stat) != 0)
    (void)why_no_file(record, errno, error);
  else
    is_usable = check_file(record, ret_stat, error) == STATUS_OK;
  if (is_locked && is_usable)
    return RECORD_LOCKED;
  record_unlock(record);
  return is_usable ? RECORD_BUSY : RECORD_UNUSABLE;
}

/* One that was unlinked before we had its lock is nobody's any more. */
static enum record_lock lock(struct record *record, struct error *error) {
  enum record_lock result = RECORD_BUSY;
  for (int i = 0; i < TRIES; i++) {
    struct stat stat;
    result = try_lock(record, &stat, error);
    if (result != RECORD_LOCKED || stat.st_nlink == 1)
      return result;
    record_unlock(record);
  }
  return RECORD_BUSY;
}

static bool is_left(const struct record *record) {
  struct stat stat;
  return fstat(record->fd, &stat) == 0 &&
         clock_wall_ns() - stat.st_mtim.tv_sec * CLOCK_NS_PER_S >
             RECORD_LEFT_NS;
}

enum record_lock record_lock(struct record *record,
                             const struct levels_rates *rates, int64_t now_ns,
                             struct record_content *ret,
                             enum record_state *ret_state,
                             struct error *error) {
  char bytes[RECORD_SIZE + 1]; /* one more shows one that is too long */
  enum record_lock result = lock(record, error);
  if (result != RECORD_LOCKED)
    return result;
  ssize_t len = pread(record->fd, bytes, sizeof(bytes), 0);
  if (len > RECORD_SIZE && ftruncate(record->fd, RECORD_SIZE) != 0)
    len = -1;
  if (len < 0) {
    (void)why_no_file(record, errno, error);
  } else {
    enum record_state state =
        record_decode(bytes, (size_t)len, &record->key, rates, now_ns, ret);
    if (state == RECORD_FOREIGN && is_left(record))
      state = record_empty(rates, now_ns, ret);
    *ret_state = state;
    if (state != RECORD_FOREIGN)
      return RECORD_LOCKED;
    (void)refuse_file(record,
                      "another version of this program writes it, or one in "
                      "another time namespace",
                      "let all of a host be the same, or give them a StateDir "
                      "each and Instances (one that nobody writes any more "
                      "begins anew after 10 minutes)",
                      error);
  }
  record_unlock(record);
  return RECORD_UNUSABLE;
}

enum status record_write(struct record *record,
                         const struct record_content *content,
                         struct error *error) {
  char bytes[RECORD_SIZE];
  record_encode(content, &record->key, bytes);
  ssize_t len = pwrite(record->fd, bytes, sizeof(bytes), 0);
  if (len == (ssize_t)sizeof(bytes))
    return STATUS_OK;
  return why_no_file(record, len < 0 ? errno : ENOSPC, error);
}

/* Unlocked before it is closed: a child that another thread has just forked
 * shares the descriptor until it execs. */
void record_unlock(struct record *record) {
  if (record->fd < 0)
    return;
  (void)flock(record->fd, LOCK_UN);
  close(record->fd);
  record->fd = -1;
}

/* -- Batches: a lock of its own kind on the same file -- */

static bool set_batch_lock(int fd, short type) {
  struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
  return fcntl(fd, F_OFD_SETLK, &whole) == 0;
}

void record_forget(struct record *record) {
  if (record->fd >= 0 && set_batch_lock(record->fd, F_WRLCK))
    (void)unlinkat(record->folder->fd, record->name, 0);
  record_unlock(record);
}

bool record_batch_lock(struct record *record, int *ret_fd) {
  for (int i = 0; i < TRIES; i++) {
    struct stat stat;
    int fd =
        find_folder(record->folder, NULL) == STATUS_OK ? open_file(record) : -1;
    if (fd < 0)
      return false;
    bool is_held = fstat(fd, &stat) == 0 &&
                   check_file(record, &stat, NULL) == STATUS_OK &&
                   set_batch_lock(fd, F_WRLCK) && fstat(fd, &stat) == 0;
    if (is_held && stat.st_nlink == 1) {
      *ret_fd = fd;
      return true;
    }
    record_batch_unlock(fd);
    if (!is_held)
      return false;
  }
  return false;
}

void record_batch_unlock(int fd) {
  (void)set_batch_lock(fd, F_UNLCK);
  close(fd);
}
