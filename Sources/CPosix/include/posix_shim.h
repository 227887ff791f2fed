// SPDX-License-Identifier: Apache-2.0
// System calls that Glibc's Swift overlay does not show: they need _GNU_SOURCE. All return -1 and set errno on failure.
#pragma once
#include "process_shim.h"
#include <stdint.h>

// renameat2(2) with RENAME_NOREPLACE.
int syncjob_rename_noreplace(int old_directory, const char *old_path, int new_directory, const char *new_path);

// openat2(2): no symbolic link in the whole path is followed, and it does not leave `directory`.
int syncjob_open_beneath(int directory, const char *path, int flags, uint32_t mode);

// A handle of a directory that serves only to reach what is inside (O_PATH). A root may be reached through links, a
// component of a path below it may not.
int syncjob_open_root(const char *path);
int syncjob_open_component(int directory, const char *name);

// The flags of such a handle, for syncjob_open_beneath.
int syncjob_directory_handle_flags(void);

// Reserves blocks for `length` bytes and leaves the file's size alone. EOPNOTSUPP also on tmpfs, where it would write zeros.
int syncjob_reserve(int descriptor, int64_t length);

// The number of names of a file, asked of the file system itself and not of the kernel's cache (AT_STATX_FORCE_SYNC): on
// path-based FUSE the cached number is out of date for a second after a move. `name` in `directory`, never through a
// link; an empty name means `directory` itself, which may be an open file.
int syncjob_count_names(int directory, const char *name, uint32_t *count);

// openat(2) with O_CREAT and mkdirat(2). Root makes files and folders in another user's folder as that user (setfsuid(2),
// which is of this thread only), so that they belong to the user from their first moment and `sudo syncjob` locks nobody
// out of the state. Where the user may not, root does it as root.
int syncjob_create_file(int folder, const char *name, int flags, uint32_t mode);
int syncjob_make_folder(int folder, const char *name, uint32_t mode);

// What kind of file system a descriptor's file is on: f_type of statfs(2).
int syncjob_file_system_type(int descriptor, uint32_t *type);

// The shortest round trip of a TCP connection, in microseconds: tcpi_min_rtt of TCP_INFO. ENODATA where none was measured.
int syncjob_shortest_round_trip(int socket, uint32_t *microseconds);

// From now on each SIGHUP, SIGINT and SIGTERM becomes a byte, its number, in the pipe whose read end this returns. One that
// is ignored when the program begins, as under nohup or in a shell's background, stays ignored. Programs that are started
// later get the signals as if this had never been. To be called once.
int syncjob_catch_stop_signals(void);

// Gives the three signals their default again: they end the process.
void syncjob_release_stop_signals(void);
