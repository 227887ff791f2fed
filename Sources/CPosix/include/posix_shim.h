// SPDX-License-Identifier: Apache-2.0
// System calls that Glibc's Swift overlay does not show, because they need _GNU_SOURCE. All return -1 and set errno on
// failure.
#pragma once
#include "process_shim.h"
#include <stdint.h>

// renameat2(2) with RENAME_NOREPLACE.
int syncjob_rename_noreplace(int old_directory, const char *old_path, int new_directory, const char *new_path);

// openat2(2): follows no symbolic link in the whole path and does not leave `directory`.
int syncjob_open_beneath(int directory, const char *path, int flags, uint32_t mode);

// openat2(2): a path in `directory`, in which symbolic links may lead anywhere within `directory` and nowhere else (EXDEV).
// Without openat2 no link is followed (ELOOP). The file is opened for reading, without waiting, or is only a handle.
int syncjob_open_within(int directory, const char *path, int is_handle);

// Shares all blocks of a file (FICLONE, ioctl_ficlone(2)). Only some file systems can, and only within themselves.
int syncjob_clone(int target, int source);

// copy_file_range(2) at the same offset of both files. Returns the number of bytes, fewer than `count` at the end.
int64_t syncjob_copy_range(int source, int target, int64_t offset, int64_t count);

// A handle of a directory that only serves to reach its contents (O_PATH). A root may be reached through links, a
// component of a path below it may not.
int syncjob_open_root(const char *path);
int syncjob_open_component(int directory, const char *name);

// The flags of such a handle, for syncjob_open_beneath.
int syncjob_directory_handle_flags(void);

// A file without a name in `directory`, which vanishes when it is closed (O_TMPFILE). EOPNOTSUPP where the file system
// has none.
int syncjob_open_nameless(int directory);

// Flushes the whole file system that holds a descriptor's file (syncfs(2)).
int syncjob_sync_file_system(int descriptor);

// Reserves blocks for `length` bytes and does not change the file's size. EOPNOTSUPP also on tmpfs, where it would
// write zeros.
int syncjob_reserve(int descriptor, int64_t length);

// The number of names of a file, read from the file system itself and not from the kernel's cache
// (AT_STATX_FORCE_SYNC): on path-based FUSE the cached number is out of date for a second after a move. `name` is in
// `directory` and never followed as a link. An empty name means `directory` itself, which may be an open file.
int syncjob_count_names(int directory, const char *name, uint32_t *count);

// The id of the mount through which a directory was opened: stx_mnt_id of statx(2). Two mounts of one file system have
// one device and two ids. EOPNOTSUPP before Linux 5.8.
int syncjob_mount_id(int directory, uint64_t *id);

// openat(2) with O_CREAT and mkdirat(2). In another user's folder, root creates files and folders as that user
// (setfsuid(2), which applies to this thread only). They belong to the user from their first moment, so `sudo syncjob`
// locks nobody out of the state. Where the user may not create them, root does so as root.
int syncjob_create_file(int folder, const char *name, int flags, uint32_t mode);
int syncjob_make_folder(int folder, const char *name, uint32_t mode);

// The kind of file system that holds a descriptor's file: f_type of statfs(2).
int syncjob_file_system_type(int descriptor, uint32_t *type);

// The shortest round trip of a TCP connection, in microseconds: tcpi_min_rtt of TCP_INFO. ENODATA if none was measured.
int syncjob_shortest_round_trip(int socket, uint32_t *microseconds);

// From now on each SIGHUP, SIGINT and SIGTERM becomes a byte, its number, in the pipe whose read end this returns. A
// signal that is ignored when the program begins, as under nohup or in a shell's background, stays ignored. Programs
// that are started later receive the signals as usual. Call it once.
int syncjob_catch_stop_signals(void);

// Restores the default of the three signals, which is to end the process.
void syncjob_release_stop_signals(void);
