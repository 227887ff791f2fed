// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// A copy of a file that is being made. It is removed again unless it is kept.
class FileCopy {
public:
  /// Makes the copy in place of any file of that name. `error` tells if that failed.
  FileCopy(const std::string &source, const std::string &target);
  FileCopy(const FileCopy &) = delete;
  ~FileCopy();

  /// Zero, or the system's error.
  int error() const { return code; }

  /// A path of the open copy. It leads to the copy even if another process has put another file in its place.
  std::string path() const;

  void keep() { isKept = true; }

private:
  bool copy(int source);

  std::string target;
  int descriptor = -1;
  int code = 0;
  bool isKept = false;
};
