// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "posix_shim.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
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

int syncjob_open_root(const char *path) { return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC); }

int syncjob_open_component(int directory, const char *name) {
  return openat(directory, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int syncjob_directory_handle_flags(void) { return O_PATH | O_DIRECTORY | O_CLOEXEC; }

int syncjob_reserve(int descriptor, int64_t length) {
  struct statfs facts;
  if (fstatfs(descriptor, &facts) != 0) return -1;
  if (facts.f_type == TMPFS_MAGIC) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, length);
}
