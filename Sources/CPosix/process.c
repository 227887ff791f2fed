// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "process_shim.h"
#include <errno.h>
#include <ftw.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

static int argument_count = 0;
static char **arguments = NULL;

// The override of CommandLine.arguments (swift/stdlib/public/stubs/CommandLine.cpp), for libraries that read those. Weak: without
// it such a library has what Swift finds in /proc.
extern void _swift_stdlib_overrideUnsafeArgvArgc(char **values, int count) __attribute__((weak));

// glibc hands main's parameters to each function of .init_array (elf/dl-init.c, csu/libc-start.c).
__attribute__((constructor)) static void keep_arguments(int count, char **values, char **environment) {
  (void)environment;
  argument_count = count;
  arguments = values;
  if (count > 0 && _swift_stdlib_overrideUnsafeArgvArgc) _swift_stdlib_overrideUnsafeArgvArgc(values, count);
}

int syncjob_argument_count(void) { return arguments ? argument_count : 0; }

const char *syncjob_argument(int index) { return index < syncjob_argument_count() ? arguments[index] : NULL; }

int64_t syncjob_raise_descriptor_limit(int64_t wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return INT64_MAX;
  if (limit.rlim_cur < (rlim_t)wanted && limit.rlim_cur < limit.rlim_max) {
    struct rlimit raised = limit;
    raised.rlim_cur = limit.rlim_max < (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted;
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return limit.rlim_cur > (rlim_t)INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur;
}

int64_t syncjob_first_stack(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > (rlim_t)INT64_MAX) return INT64_MAX;
  return (int64_t)limit.rlim_cur;
}

int syncjob_widen_thread_stacks(int64_t bytes) {
  pthread_attr_t attributes;
  int code = pthread_getattr_default_np(&attributes);
  if (code != 0) return code;
  size_t size = 0;
  code = pthread_attr_getstacksize(&attributes, &size);
  if (code == 0 && size < (size_t)bytes) {
    code = pthread_attr_setstacksize(&attributes, (size_t)bytes);
    if (code == 0) code = pthread_setattr_default_np(&attributes);
  }
  pthread_attr_destroy(&attributes);
  return code;
}

// Takes the place of the C library's function (setpriority(2)) for libdispatch, which gives every worker thread a nice value
// of its own (swift-corelibs-libdispatch, src/queue.c): root would lose the value that nice(1) or systemd set, and for anybody
// else each refusal is a line in the system's log. Nothing in this process changes priorities, so nothing is left to do.
__attribute__((visibility("default"))) int setpriority(__priority_which_t which, id_t who, int value) {
  (void)which, (void)who, (void)value;
  return 0;
}

static const size_t spare_bytes = 32 << 20;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *context) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return context;
}

int syncjob_try_threads(int count) {
  pthread_t *threads = calloc((size_t)count, sizeof *threads);
  if (!threads) return ENOMEM;
  int code = 0;
  int started = 0;
  pthread_mutex_lock(&gate);
  while (started < count && code == 0) {
    code = pthread_create(&threads[started], NULL, wait_at_gate, NULL);
    if (code == 0) started++;
  }
  // The threads and the run itself allocate from here on.
  void *room = code == 0 ? mmap(NULL, spare_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : NULL;
  if (room == MAP_FAILED) {
    code = EAGAIN;
  } else if (room) {
    munmap(room, spare_bytes);
  }
  pthread_mutex_unlock(&gate);
  for (int index = 0; index < started; index++) pthread_join(threads[index], NULL);
  free(threads);
  return code;
}

int syncjob_memory_file(const char *label) { return memfd_create(label, MFD_CLOEXEC); }

int syncjob_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int syncjob_begin_in(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  (void)remove(path);
  return 0;
}

void syncjob_remove_tree(const char *folder) { (void)nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

void syncjob_keep_buffers(int largest) {
  // An allocator that refuses is slower, and no less right.
  (void)mallopt(M_MMAP_THRESHOLD, largest);
  (void)mallopt(M_TRIM_THRESHOLD, 2 * largest);
}
