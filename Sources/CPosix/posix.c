// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "posix_shim.h"
#include <stdio.h>

int syncjob_rename_noreplace(int old_directory, const char *old_path, int new_directory, const char *new_path) {
  return renameat2(old_directory, old_path, new_directory, new_path, RENAME_NOREPLACE);
}
