// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "posix_shim.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

int syncjob_rename_noreplace(int old_directory, const char *old_path, int new_directory, const char *new_path) {
  return renameat2(old_directory, old_path, new_directory, new_path, RENAME_NOREPLACE);
}

int syncjob_open_beneath(int directory, const char *path, int flags, uint32_t mode) {
  struct open_how how = {
      .flags = (uint64_t)(uint32_t)flags,
      .mode = (flags & O_CREAT) ? mode : 0,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
  };
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

// Opens one component after the other and follows no symbolic link at all.
static int open_stepwise(int directory, const char *path, int flags) {
  int current = fcntl(directory, F_DUPFD_CLOEXEC, 0);
  while (current >= 0) {
    size_t length = strcspn(path, "/");
    char name[NAME_MAX + 1];
    int next = -1;
    if (length > NAME_MAX) {
      errno = ENAMETOOLONG;
    } else if (length == 2 && path[0] == '.' && path[1] == '.') {
      errno = EXDEV;
    } else {
      memcpy(name, path, length);
      name[length] = '\0';
      int isLast = path[length] == '\0';
      next = openat(current, name, isLast ? flags | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (isLast) path = NULL;
    }
    int saved = errno;
    close(current);
    errno = saved;
    if (!path) return next;
    current = next;
    path += length + 1;
  }
  return -1;
}

int syncjob_open_within(int directory, const char *path, int is_handle) {
  int flags = O_CLOEXEC | (is_handle ? O_PATH : O_RDONLY | O_NONBLOCK | O_NOCTTY);
  struct open_how how = {.flags = (uint64_t)(uint32_t)flags, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  // EAGAIN: something was renamed during the lookup.
  for (int attempt = 0; attempt < 16; attempt++) {
    int file = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
    if (file >= 0 || errno != EAGAIN) {
      // There is no openat2 before Linux 5.6, and some containers forbid unknown calls.
      if (file < 0 && (errno == ENOSYS || errno == EPERM)) break;
      return file;
    }
  }
  return open_stepwise(directory, path, flags);
}

int syncjob_clone(int target, int source) { return ioctl(target, FICLONE, source); }

int64_t syncjob_copy_range(int source, int target, int64_t offset, int64_t count) {
  off64_t from = offset;
  off64_t to = offset;
  return copy_file_range(source, &from, target, &to, (size_t)count, 0);
}

int syncjob_open_root(const char *path) { return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC); }

int syncjob_open_component(int directory, const char *name) {
  return openat(directory, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int syncjob_directory_handle_flags(void) { return O_PATH | O_DIRECTORY | O_CLOEXEC; }

int syncjob_open_nameless(int directory) { return openat(directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600); }

int syncjob_sync_file_system(int descriptor) { return syncfs(descriptor); }

int syncjob_reserve(int descriptor, int64_t length) {
  struct statfs facts;
  if (fstatfs(descriptor, &facts) != 0) return -1;
  if (facts.f_type == TMPFS_MAGIC) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, length);
}

int syncjob_count_names(int directory, const char *name, uint32_t *count) {
  struct statx facts;
  int flags = AT_STATX_FORCE_SYNC | AT_SYMLINK_NOFOLLOW | (*name == '\0' ? AT_EMPTY_PATH : 0);
  if (statx(directory, name, flags, STATX_NLINK, &facts) != 0) return -1;
  *count = facts.stx_nlink;
  return 0;
}

int syncjob_mount_id(int directory, uint64_t *id) {
  struct statx facts;
  if (statx(directory, "", AT_EMPTY_PATH, STATX_MNT_ID, &facts) != 0) return -1;
  if (!(facts.stx_mask & STATX_MNT_ID)) {
    errno = EOPNOTSUPP;
    return -1;
  }
  *id = facts.stx_mnt_id;
  return 0;
}

typedef struct {
  uid_t user;
  gid_t group;
} owner;

// Returns the previous ids.
static owner become(owner next) {
  // In this order: without root's ids the group could not be changed.
  owner before = {.group = (gid_t)setfsgid(next.group)};
  before.user = (uid_t)setfsuid(next.user);
  return before;
}

static void become_again(owner before) {
  int saved = errno;
  (void)setfsuid(before.user);
  (void)setfsgid(before.group);
  errno = saved;
}

// True if root is about to create something in another user's folder.
static int is_for_other(int folder, owner *other) {
  struct stat facts;
  if (geteuid() != 0 || fstatat(folder, "", &facts, AT_EMPTY_PATH) != 0 || facts.st_uid == 0) return 0;
  *other = (owner){.user = facts.st_uid, .group = facts.st_gid};
  return 1;
}

int syncjob_create_file(int folder, const char *name, int flags, uint32_t mode) {
  owner other;
  if (is_for_other(folder, &other)) {
    owner before = become(other);
    int file = openat(folder, name, flags, mode);
    become_again(before);
    if (file >= 0 || (errno != EACCES && errno != EPERM)) return file;
  }
  return openat(folder, name, flags, mode);
}

int syncjob_make_folder(int folder, const char *name, uint32_t mode) {
  owner other;
  if (is_for_other(folder, &other)) {
    owner before = become(other);
    int result = mkdirat(folder, name, mode);
    become_again(before);
    if (result == 0 || (errno != EACCES && errno != EPERM)) return result;
  }
  return mkdirat(folder, name, mode);
}

int syncjob_file_system_type(int descriptor, uint32_t *type) {
  struct statfs facts;
  if (fstatfs(descriptor, &facts) != 0) return -1;
  // Signed in some ABIs, and wider than the number in others.
  *type = (uint32_t)facts.f_type;
  return 0;
}

int syncjob_shortest_round_trip(int socket, uint32_t *microseconds) {
  struct tcp_info facts;
  socklen_t length = sizeof facts;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &facts, &length) != 0) return -1;
  const size_t needed = offsetof(struct tcp_info, tcpi_min_rtt) + sizeof facts.tcpi_min_rtt;
  // An older kernel returns less, and a connection without a measurement has the largest number.
  if (length < needed || facts.tcpi_min_rtt == UINT32_MAX) {
    errno = ENODATA;
    return -1;
  }
  *microseconds = facts.tcpi_min_rtt;
  return 0;
}

static const int stop_signals[] = {SIGHUP, SIGINT, SIGTERM};
static volatile int stop_pipe = -1;

// Only what signal-safety(7) allows.
static void write_signal(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  // If the pipe is full, it already holds more signals than anybody acts on.
  ssize_t ignored = write(stop_pipe, &byte, 1);
  (void)ignored;
  errno = saved;
}

static int catch_signal(int number) {
  struct sigaction action;
  if (sigaction(number, NULL, &action) != 0) return -1;
  if (action.sa_handler == SIG_IGN) return 0;
  action.sa_handler = write_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, NULL);
}

int syncjob_catch_stop_signals(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  if (fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0) return -1;
  stop_pipe = ends[1];
  for (size_t index = 0; index < sizeof stop_signals / sizeof *stop_signals; index++) {
    if (catch_signal(stop_signals[index]) != 0) return -1;
  }
  return ends[0];
}

void syncjob_release_stop_signals(void) {
  for (size_t index = 0; index < sizeof stop_signals / sizeof *stop_signals; index++) {
    struct sigaction action;
    if (sigaction(stop_signals[index], NULL, &action) != 0 || action.sa_handler != write_signal) continue;
    action.sa_handler = SIG_DFL;
    action.sa_flags = 0;
    sigaction(stop_signals[index], &action, NULL);
  }
}

// Takes the standard descriptors that the caller closed, before anything else runs. Otherwise the next file opened
// would get such a descriptor, and output meant for stdout would be written into it.
__attribute__((constructor)) static void hold_standard_descriptors(void) {
  for (int number = 0; number <= 2; number++) {
    // open(2) returns the lowest free number, which is this one.
    if (fcntl(number, F_GETFD) == -1 && errno == EBADF) (void)!open("/dev/null", O_RDWR);
  }
}
