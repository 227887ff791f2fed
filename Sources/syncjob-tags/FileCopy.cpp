// SPDX-License-Identifier: Apache-2.0
#include "FileCopy.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

FileCopy::FileCopy(const std::string &source, const std::string &target) : target(target) {
  const int original = open(source.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if(original < 0) {
    code = errno;
    return;
  }
  // A killed run may have left one.
  unlink(target.c_str());
  descriptor = open(target.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if(descriptor < 0 || !copy(original))
    code = errno ? errno : EIO;
  close(original);
}

FileCopy::~FileCopy() {
  if(descriptor < 0)
    return;
  if(!isKept)
    unlink(target.c_str());
  close(descriptor);
}

std::string FileCopy::path() const { return "/proc/self/fd/" + std::to_string(descriptor); }

/// The file system shares the bytes of both files, or copies them itself, where it can.
bool FileCopy::copy(int source) {
  if(ioctl(descriptor, FICLONE, source) == 0)
    return true;
  constexpr std::size_t piece = 8 << 20;
  ssize_t count;
  while((count = copy_file_range(source, nullptr, descriptor, nullptr, piece, 0)) > 0) {
  }
  if(count == 0)
    return true;
  if(errno != ENOSYS && errno != EXDEV && errno != EINVAL && errno != EOPNOTSUPP)
    return false;
  std::array<char, 256 << 10> buffer;
  while((count = read(source, buffer.data(), buffer.size())) > 0) {
    for(ssize_t written = 0; written < count;) {
      const ssize_t done = write(descriptor, buffer.data() + written, static_cast<std::size_t>(count - written));
      if(done < 0)
        return false;
      written += done;
    }
  }
  return count == 0;
}
