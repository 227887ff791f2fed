// SPDX-License-Identifier: Apache-2.0
#include "TagWriter.h"

#include "Attachments.h"
#include "FileCopy.h"
#include "MediaFile.h"
#include <algorithm>
#include <cstdlib>
#include <taglib/apetag.h>
#include <taglib/audioproperties.h>
#include <taglib/id3v1tag.h>
#include <taglib/id3v2header.h>
#include <taglib/id3v2tag.h>
#include <taglib/mpegfile.h>
#include <taglib/tfilestream.h>
#include <taglib/tpropertymap.h>
#include <taglib/wavfile.h>

using namespace TagLib;

namespace {

/// The positions in a request.
enum Part { source = 1, target, extension, mode, firstField };

/// A larger picture is not read.
constexpr unsigned long largestPicture = 16 << 20;

String text(const std::string &bytes) { return String(bytes, String::UTF8); }

bool has(const PropertyMap &tags, const String &name) {
  for(const String &value : tags.value(name)) {
    if(!value.isEmpty())
      return true;
  }
  return false;
}

ByteVector contents(const std::string &path) {
  FileStream stream(path.c_str(), true);
  return stream.isOpen() ? stream.readBlock(largestPicture) : ByteVector();
}

/// Everything that is to be in the copy.
struct Wanted {
  /// The tags that the file has, with the fields of the request that are to be written.
  PropertyMap tags;
  /// Empty for none.
  ByteVector picture;
  std::vector<Chapter> chapters;
  bool isDifferent = false;

  Wanted(File &file, const Message &request) : tags(file.properties()) {
    const PropertyMap present = tags;
    const bool overwrites = request[mode] == "overwrite";
    for(std::size_t index = firstField; index + 1 < request.size(); index += 2) {
      const std::string &name = request[index], &value = request[index + 1];
      if(name == "PICTURE")
        picture = contents(value);
      else if(name == "CHAPTER")
        add(value);
      else if(overwrites || !has(present, text(name)))
        tags.replace(text(name), StringList(text(value)));
    }
    if(!overwrites && hasPicture(file))
      picture = ByteVector();
    if(!overwrites && hasChapters(file))
      chapters.clear();
    isDifferent = tags != present || !picture.isEmpty() || !chapters.empty();
  }

private:
  /// - Parameter value: The milliseconds, a space and the title.
  void add(const std::string &value) {
    const std::size_t space = std::min(value.find(' '), value.size());
    const std::string title = space < value.size() ? value.substr(space + 1) : "";
    chapters.push_back(Chapter{static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10)), title});
  }
};

/// A tag that was read keeps its version, because the player of its owner may know no later one.
ID3v2::Version version(const ID3v2::Tag *tag) {
  return tag && tag->header() && tag->header()->majorVersion() == 3 ? ID3v2::v3 : ID3v2::v4;
}

/// Writes all tags of the file. A player that knows ID3v2 does not look for other tags, so ID3v2 gets all of them.
/// - Parameter refused: The names that the format has no place for.
bool save(File &file, Wanted &wanted, PropertyMap &refused) {
  const auto *audio = file.audioProperties();
  const unsigned length = audio ? static_cast<unsigned>(std::max(0, audio->lengthInMilliseconds())) : 0;
  const PropertyMap &tags = wanted.tags;
  auto *mpeg = dynamic_cast<MPEG::File *>(&file);
  auto *wav = dynamic_cast<RIFF::WAV::File *>(&file);
  const bool isNew = mpeg ? !mpeg->hasID3v2Tag() : wav ? !wav->hasID3v2Tag() : false;
  refused = mpeg ? mpeg->ID3v2Tag(true)->setProperties(tags)
                 : wav ? wav->ID3v2Tag()->setProperties(tags) : file.setProperties(tags);
  if(!wanted.picture.isEmpty() && !setPicture(file, wanted.picture))
    wanted.picture = ByteVector();
  if(!wanted.chapters.empty() && !setChapters(file, wanted.chapters, length))
    wanted.chapters.clear();
  if(mpeg) {
    if(mpeg->hasID3v1Tag())
      mpeg->ID3v1Tag()->setProperties(tags);
    if(mpeg->hasAPETag())
      mpeg->APETag()->setProperties(tags);
    return mpeg->save(
        MPEG::File::AllTags, File::StripNone, isNew ? ID3v2::v4 : version(mpeg->ID3v2Tag()), File::DoNotDuplicate);
  }
  if(wav)
    return wav->save(
        RIFF::WAV::File::AllTags, File::StripNone, isNew ? ID3v2::v4 : version(wav->ID3v2Tag()));
  return file.save();
}

/// True if a file has all that was wanted. TagLib does not notice every failed write.
bool isComplete(const std::string &path, const std::string &extension, const Wanted &wanted, const PropertyMap &refused) {
  const auto file = openMedia(path, extension, false);
  if(!file)
    return false;
  if((!wanted.picture.isEmpty() && !hasPicture(*file)) || (!wanted.chapters.empty() && !hasChapters(*file)))
    return false;
  const PropertyMap present = file->properties();
  for(const auto &entry : wanted.tags) {
    if(has(wanted.tags, entry.first) && !refused.contains(entry.first) && !has(present, entry.first))
      return false;
  }
  return true;
}

}

Message writeTags(const Message &request) {
  auto file = openMedia(request[source], request[extension], false);
  if(!file)
    return {"unknown"};
  Wanted wanted(*file, request);
  file.reset();
  if(!wanted.isDifferent)
    return {"same"};
  if(request[target].empty())
    return {"differs"};
  FileCopy copy(request[source], request[target]);
  if(copy.error())
    return {"failed", std::to_string(copy.error())};
  PropertyMap refused;
  file = openMedia(copy.path(), request[extension], true);
  if(!file)
    return {"unknown"};
  if(file->readOnly() || !save(*file, wanted, refused))
    return {"failed", "0"};
  file.reset();
  if(!isComplete(copy.path(), request[extension], wanted, refused))
    return {"failed", "0"};
  copy.keep();
  return {"ok"};
}
