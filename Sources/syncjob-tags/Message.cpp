// SPDX-License-Identifier: Apache-2.0
#include "Message.h"

#include <cerrno>
#include <cstdint>
#include <unistd.h>

namespace {

constexpr std::uint32_t longestMessage = 16 << 20;

bool readAll(int descriptor, char *bytes, std::size_t count) {
  while(count > 0) {
    const ssize_t done = read(descriptor, bytes, count);
    if(done < 0 && errno == EINTR)
      continue;
    if(done <= 0)
      return false;
    bytes += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

bool writeAll(int descriptor, const char *bytes, std::size_t count) {
  while(count > 0) {
    const ssize_t done = write(descriptor, bytes, count);
    if(done < 0 && errno == EINTR)
      continue;
    if(done <= 0)
      return false;
    bytes += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

}

std::optional<Message> receive(int descriptor) {
  unsigned char head[4];
  if(!readAll(descriptor, reinterpret_cast<char *>(head), sizeof head))
    return std::nullopt;
  const std::uint32_t length =
      head[0] | head[1] << 8 | head[2] << 16 | static_cast<std::uint32_t>(head[3]) << 24;
  if(length > longestMessage)
    return std::nullopt;
  std::string bytes(length, '\0');
  if(!readAll(descriptor, bytes.data(), length))
    return std::nullopt;
  Message message;
  for(std::size_t start = 0; start < bytes.size();) {
    const std::size_t end = bytes.find('\0', start);
    if(end == std::string::npos)
      return std::nullopt;
    message.push_back(bytes.substr(start, end - start));
    start = end + 1;
  }
  return message;
}

bool send(int descriptor, const Message &message) {
  std::string bytes(4, '\0');
  for(const std::string &text : message) {
    bytes += text.substr(0, text.find('\0'));
    bytes += '\0';
  }
  const std::size_t length = bytes.size() - 4;
  for(int index = 0; index < 4; index++)
    bytes[index] = static_cast<char>(length >> (8 * index) & 0xFF);
  return writeAll(descriptor, bytes.data(), bytes.size());
}
