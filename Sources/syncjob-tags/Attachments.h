// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <taglib/tbytevector.h>
#include <taglib/tfile.h>
#include <vector>

/// The beginning of a chapter, in milliseconds from the beginning of the file.
struct Chapter {
  unsigned start;
  std::string title;
};

/// True if the file has any picture.
bool hasPicture(TagLib::File &file);

/// Replaces all pictures by one front cover, which is a JPEG or a PNG.
/// - Returns: False if the format has no place for one.
bool setPicture(TagLib::File &file, const TagLib::ByteVector &data);

/// True if the file has any chapter that TagLib knows.
bool hasChapters(TagLib::File &file);

/// Replaces all chapters: `CHAP` and `CTOC` in ID3v2, `CHAPTER001` and so on in a Vorbis comment.
/// - Parameter length: That of the file, in milliseconds.
/// - Returns: False if TagLib has no place for them, as in MP4.
bool setChapters(TagLib::File &file, const std::vector<Chapter> &chapters, unsigned length);
