// SPDX-License-Identifier: Apache-2.0
#include "FrameCount.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

namespace {

/// The facts of a frame's header.
struct Frame {
  /// The four bytes without the ones that differ from frame to frame: what all frames of a stream share.
  std::uint32_t kind;
  long length;
  /// The playing time in nanoseconds.
  long long time;
};

std::optional<Frame> readFrame(const unsigned char *bytes) {
  if(bytes[0] != 0xFF || (bytes[1] & 0xE0) != 0xE0)
    return std::nullopt;
  const int version = bytes[1] >> 3 & 3, layer = 4 - (bytes[1] >> 1 & 3);
  const int rateIndex = bytes[2] >> 4, frequencyIndex = bytes[2] >> 2 & 3, padding = bytes[2] >> 1 & 1;
  if(version == 1 || layer == 4 || rateIndex == 0 || rateIndex == 15 || frequencyIndex == 3)
    return std::nullopt;
  static constexpr int rates[5][15] = {
      {0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
      {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
      {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
      {0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
      {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}};
  static constexpr int frequencies[3] = {44100, 48000, 32000};
  const bool isFirst = version == 3;
  const int row = isFirst ? layer - 1 : (layer == 1 ? 3 : 4);
  const int frequency = frequencies[frequencyIndex] / (isFirst ? 1 : version == 2 ? 2 : 4);
  const int samples = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1152;
  const int slot = layer == 1 ? 4 : 1;
  const long slots = static_cast<long>(samples / 8 / slot) * rates[row][rateIndex] * 1000 / frequency + padding;
  const std::uint32_t kind = (bytes[1] & 0xFE) << 8 | (bytes[2] & 0x0C);
  return Frame{kind, slots * slot, samples * 1'000'000'000LL / frequency};
}

/// A window that moves over a file.
class Window {
public:
  explicit Window(const std::string &path) : file(std::fopen(path.c_str(), "rbe"), &std::fclose) {}

  /// The next `count` bytes. Null if there are fewer.
  const unsigned char *peek(std::size_t count) {
    if(end - start < count)
      fill();
    return end - start < count ? nullptr : &bytes[start];
  }

  /// Skips bytes. False if the file ends before.
  bool skip(std::size_t count) {
    while(count > end - start) {
      count -= end - start;
      start = end;
      fill();
      if(start == end)
        return false;
    }
    start += count;
    return true;
  }

private:
  void fill() {
    if(!file)
      return;
    std::copy(bytes.begin() + static_cast<long>(start), bytes.begin() + static_cast<long>(end), bytes.begin());
    end -= start;
    start = 0;
    end += std::fread(&bytes[end], 1, bytes.size() - end, file.get());
  }

  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file;
  std::vector<unsigned char> bytes = std::vector<unsigned char>(256 << 10);
  std::size_t start = 0, end = 0;
};

/// The length of an ID3v2 tag here. Zero if there is none. A tag may also precede a part that was joined to a file.
std::size_t tagLength(const unsigned char *bytes) {
  if(bytes[0] != 'I' || bytes[1] != 'D' || bytes[2] != '3' || ((bytes[6] | bytes[7] | bytes[8] | bytes[9]) & 0x80))
    return 0;
  const std::size_t body = bytes[6] << 21 | bytes[7] << 14 | bytes[8] << 7 | bytes[9];
  return 10 + body + (bytes[5] & 0x10 ? 10 : 0);
}

}

long long countFrames(const std::string &path) {
  Window window(path);
  long long time = 0;
  while(const unsigned char *bytes = window.peek(10)) {
    if(const std::size_t tag = tagLength(bytes)) {
      if(!window.skip(tag))
        break;
      continue;
    }
    const auto frame = readFrame(bytes);
    if(!frame) {
      window.skip(1);
      continue;
    }
    // Two bytes of anything may look like a header: only another one of its kind behind it, or the end, proves it.
    const auto length = static_cast<std::size_t>(frame->length);
    if(const unsigned char *both = window.peek(length + 10)) {
      const auto next = readFrame(both + length);
      if(!(next && next->kind == frame->kind) && tagLength(both + length) == 0 && both[length] != 'T') {
        window.skip(1);
        continue;
      }
    }
    time += frame->time;
    if(!window.skip(length))
      break;
  }
  return time / 1'000'000;
}
