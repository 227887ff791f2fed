// SPDX-License-Identifier: Apache-2.0
//
// To be preloaded: every third read and write does half of what it was asked for, and every fifth system call on a file
// is interrupted by a signal before it did anything. POSIX allows both at any time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_ulong calls, halves;

static int is_interrupted(void) {
  if (atomic_fetch_add(&calls, 1) % 5 != 4) return 0;
  errno = EINTR;
  return 1;
}

static size_t part(size_t count) { return count > 1 && atomic_fetch_add(&halves, 1) % 3 == 2 ? count / 2 : count; }

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

#define READ_AT(name)                                                                       \
  ssize_t name(int file, void *buffer, size_t count, off_t offset) {                         \
    static ssize_t (*real)(int, void *, size_t, off_t);                                      \
    if (!real) real = REAL(#name, ssize_t (*)(int, void *, size_t, off_t));                  \
    return is_interrupted() ? -1 : real(file, buffer, part(count), offset);                  \
  }
#define WRITE_AT(name)                                                                      \
  ssize_t name(int file, const void *buffer, size_t count, off_t offset) {                   \
    static ssize_t (*real)(int, const void *, size_t, off_t);                                \
    if (!real) real = REAL(#name, ssize_t (*)(int, const void *, size_t, off_t));            \
    return is_interrupted() ? -1 : real(file, buffer, part(count), offset);                  \
  }
#define ON_FILE(name)                                        \
  int name(int file) {                                       \
    static int (*real)(int);                                 \
    if (!real) real = REAL(#name, int (*)(int));             \
    return is_interrupted() ? -1 : real(file);               \
  }
#define TRUNCATE(name)                                       \
  int name(int file, off_t length) {                         \
    static int (*real)(int, off_t);                          \
    if (!real) real = REAL(#name, int (*)(int, off_t));      \
    return is_interrupted() ? -1 : real(file, length);       \
  }

READ_AT(pread)
READ_AT(pread64)
WRITE_AT(pwrite)
WRITE_AT(pwrite64)
ON_FILE(fsync)
ON_FILE(fdatasync)
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

int renameat2(int from, const char *old, int to, const char *name, unsigned flags) {
  static int (*real)(int, const char *, int, const char *, unsigned);
  if (!real) real = REAL("renameat2", int (*)(int, const char *, int, const char *, unsigned));
  return is_interrupted() ? -1 : real(from, old, to, name, flags);
}

int unlinkat(int folder, const char *name, int flags) {
  static int (*real)(int, const char *, int);
  if (!real) real = REAL("unlinkat", int (*)(int, const char *, int));
  return is_interrupted() ? -1 : real(folder, name, flags);
}

// How often, for whoever wants to know that it was there at all.
__attribute__((destructor)) static void tell(void) {
  FILE *file = fopen("/dev/fd/9", "w");
  if (!file) return;
  fprintf(file, "%lu\n", atomic_load(&calls));
  fclose(file);
}
