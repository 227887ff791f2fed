// SPDX-License-Identifier: Apache-2.0
#include "BasicTags.h"

#include "MediaFile.h"
#include <algorithm>
#include <taglib/audioproperties.h>
#include <taglib/tag.h>

namespace {

/// Longer texts are not names of anything.
constexpr unsigned longestText = 1000;

std::string text(const TagLib::String &value) { return value.substr(0, longestText).to8Bit(true); }

}

std::optional<Message> basicTags(const std::string &path, const std::string &extension) {
  const auto file = openMedia(path, extension, true);
  if(!file)
    return std::nullopt;
  const auto *audio = file->audioProperties();
  const auto *tag = file->tag();
  const int length = audio ? std::max(0, audio->lengthInMilliseconds()) : 0;
  if(!tag)
    return Message{"ok", std::to_string(length), "", "", ""};
  return Message{"ok", std::to_string(length), text(tag->title()), text(tag->artist()), text(tag->album())};
}
