// SPDX-License-Identifier: Apache-2.0
// System calls that Glibc's Swift overlay does not show: they need _GNU_SOURCE.
#pragma once
#include <stdint.h>

int syncjob_rename_noreplace(int old_directory, const char *old_path, int new_directory, const char *new_path);
