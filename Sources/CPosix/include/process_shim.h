// SPDX-License-Identifier: Apache-2.0
// Facts about the process itself that Glibc's Swift overlay does not show.
#pragma once
#include <spawn.h>
#include <stdint.h>

// The arguments as the kernel handed them over, the program's name included. They do not depend on /proc.
int syncjob_argument_count(void);
const char *syncjob_argument(int index);

// Raises the soft limit of open descriptors to `wanted`, or to the hard limit where that is lower. Returns the limit that
// holds now, or INT64_MAX where there is none.
int64_t syncjob_raise_descriptor_limit(int64_t wanted);

// Returns the bytes that the first thread's stack may have, or INT64_MAX where there is no limit.
int64_t syncjob_first_stack(void);

// Gives threads made from now on at least `bytes` of stack, whatever RLIMIT_STACK says. Returns 0 or an errno number.
int syncjob_widen_thread_stacks(int64_t bytes);

// Starts `count` threads that all exist at one time, sees whether 32 MiB of addresses are left beside them, and ends them.
// Returns 0, or the errno number of pthread_create(3), EAGAIN where the addresses are not left.
int syncjob_try_threads(int count);

// A file in memory without a name, open for reading and writing (memfd_create(2)). `label` appears in /proc only.
// Returns -1 and sets errno on failure.
int syncjob_memory_file(const char *label);

// A started program gets no descriptor from `first` on (posix_spawn_file_actions_addclosefrom_np(3)). Returns 0 or an
// errno number.
int syncjob_close_from(posix_spawn_file_actions_t *actions, int first);

// A started program begins in this folder (posix_spawn_file_actions_addchdir_np(3)). Returns 0 or an errno number.
int syncjob_begin_in(posix_spawn_file_actions_t *actions, const char *folder);

// Removes a folder with everything in it, as far as it can (nftw(3)).
void syncjob_remove_tree(const char *folder);

// Has the allocator keep freed buffers of up to that many bytes for the next ones (mallopt(3)), instead of returning
// them to the kernel.
void syncjob_keep_buffers(int largest);
