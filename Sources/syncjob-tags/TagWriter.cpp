// SPDX-License-Identifier: Apache-2.0
#include "TagWriter.h"

#include "FileCopy.h"
#include "MediaFile.h"
#include <taglib/apetag.h>
#include <taglib/id3v1tag.h>
#include <taglib/id3v2header.h>
#include <taglib/id3v2tag.h>
#include <taglib/mpegfile.h>
#include <taglib/tpropertymap.h>
#include <taglib/wavfile.h>

using namespace TagLib;

namespace {

/// The positions in a request.
enum Part { source = 1, target, extension, mode, firstField };

String text(const std::string &bytes) { return String(bytes, String::UTF8); }

bool has(const PropertyMap &tags, const String &name) {
  for(const String &value : tags.value(name)) {
    if(!value.isEmpty())
      return true;
  }
  return false;
}

/// The tags that the file has, with the fields of the request that are to be written.
PropertyMap merged(const PropertyMap &present, const Message &request) {
  PropertyMap tags = present;
  for(std::size_t index = firstField; index + 1 < request.size(); index += 2) {
    const String name = text(request[index]);
    if(request[mode] == "overwrite" || !has(present, name))
      tags.replace(name, StringList(text(request[index + 1])));
  }
  return tags;
}

/// A tag that was read keeps its version, because the player of its owner may know no later one.
ID3v2::Version version(const ID3v2::Tag *tag) {
  return tag && tag->header() && tag->header()->majorVersion() == 3 ? ID3v2::v3 : ID3v2::v4;
}

/// Writes all tags of the file. A player that knows ID3v2 does not look for other tags, so ID3v2 gets all of them.
/// - Parameter refused: The names that the format has no place for.
bool save(File &file, const PropertyMap &tags, PropertyMap &refused) {
  if(auto *mpeg = dynamic_cast<MPEG::File *>(&file)) {
    const bool isNew = !mpeg->hasID3v2Tag();
    ID3v2::Tag *tag = mpeg->ID3v2Tag(true);
    refused = tag->setProperties(tags);
    if(mpeg->hasID3v1Tag())
      mpeg->ID3v1Tag()->setProperties(tags);
    if(mpeg->hasAPETag())
      mpeg->APETag()->setProperties(tags);
    return mpeg->save(
        MPEG::File::AllTags, File::StripNone, isNew ? ID3v2::v4 : version(tag), File::DoNotDuplicate);
  }
  if(auto *wav = dynamic_cast<RIFF::WAV::File *>(&file)) {
    const bool isNew = !wav->hasID3v2Tag();
    refused = wav->ID3v2Tag()->setProperties(tags);
    return wav->save(
        RIFF::WAV::File::AllTags, File::StripNone, isNew ? ID3v2::v4 : version(wav->ID3v2Tag()));
  }
  refused = file.setProperties(tags);
  return file.save();
}

/// True if a file has all of these tags. TagLib does not notice every failed write.
bool hasTags(const std::string &path, const std::string &extension, const PropertyMap &tags, const PropertyMap &refused) {
  const auto file = openMedia(path, extension, false);
  if(!file)
    return false;
  const PropertyMap present = file->properties();
  for(const auto &entry : tags) {
    if(has(tags, entry.first) && !refused.contains(entry.first) && !has(present, entry.first))
      return false;
  }
  return true;
}

}

Message writeTags(const Message &request) {
  PropertyMap tags;
  {
    const auto file = openMedia(request[source], request[extension], false);
    if(!file)
      return {"unknown"};
    const PropertyMap present = file->properties();
    tags = merged(present, request);
    if(tags == present)
      return {"same"};
  }
  if(request[target].empty())
    return {"differs"};
  FileCopy copy(request[source], request[target]);
  if(copy.error())
    return {"failed", std::to_string(copy.error())};
  PropertyMap refused;
  {
    const auto file = openMedia(copy.path(), request[extension], false);
    if(!file)
      return {"unknown"};
    if(file->readOnly() || !save(*file, tags, refused))
      return {"failed", "0"};
  }
  if(!hasTags(copy.path(), request[extension], tags, refused))
    return {"failed", "0"};
  copy.keep();
  return {"ok"};
}
