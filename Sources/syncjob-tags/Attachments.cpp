// SPDX-License-Identifier: Apache-2.0
#include "Attachments.h"

#include <algorithm>
#include <cstdio>
#include <taglib/attachedpictureframe.h>
#include <taglib/chapterframe.h>
#include <taglib/flacfile.h>
#include <taglib/flacpicture.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4coverart.h>
#include <taglib/mp4file.h>
#include <taglib/mp4tag.h>
#include <taglib/mpegfile.h>
#include <taglib/tableofcontentsframe.h>
#include <taglib/textidentificationframe.h>
#include <taglib/wavfile.h>
#include <taglib/xiphcomment.h>

using namespace TagLib;

namespace {

/// Null for a file that has no place for ID3v2.
ID3v2::Tag *id3(File &file) {
  if(auto *mpeg = dynamic_cast<MPEG::File *>(&file))
    return mpeg->ID3v2Tag(true);
  if(auto *wav = dynamic_cast<RIFF::WAV::File *>(&file))
    return wav->ID3v2Tag();
  return nullptr;
}

/// Null for a file that has no place for a Vorbis comment.
Ogg::XiphComment *comment(File &file) {
  if(auto *flac = dynamic_cast<FLAC::File *>(&file))
    return flac->xiphComment(true);
  return dynamic_cast<Ogg::XiphComment *>(file.tag());
}

bool isPNG(const ByteVector &data) { return data.startsWith(ByteVector("\x89PNG", 4)); }

FLAC::Picture *picture(const ByteVector &data) {
  auto *picture = new FLAC::Picture;
  picture->setType(FLAC::Picture::FrontCover);
  picture->setMimeType(isPNG(data) ? "image/png" : "image/jpeg");
  picture->setData(data);
  return picture;
}

String numbered(std::size_t number, const char *ending) {
  char name[32];
  std::snprintf(name, sizeof name, "CHAPTER%03zu%s", number, ending);
  return name;
}

String clock(unsigned milliseconds) {
  char text[32];
  const unsigned seconds = milliseconds / 1000;
  std::snprintf(
      text, sizeof text, "%02u:%02u:%02u.%03u", seconds / 3600, seconds / 60 % 60, seconds % 60, milliseconds % 1000);
  return text;
}

String title(const Chapter &chapter) { return String(chapter.title, String::UTF8); }

/// As in the ID3v2 addendum for chapters, which wants a table of contents for all of them.
void setFrames(ID3v2::Tag &tag, const std::vector<Chapter> &chapters, unsigned length) {
  tag.removeFrames("CHAP");
  tag.removeFrames("CTOC");
  ByteVectorList children;
  for(std::size_t index = 0; index < chapters.size(); index++) {
    const unsigned end = index + 1 < chapters.size() ? chapters[index + 1].start : length;
    const ByteVector element = ByteVector::fromCString(("chp" + std::to_string(index)).c_str());
    auto *text = new ID3v2::TextIdentificationFrame("TIT2", String::UTF8);
    text->setText(title(chapters[index]));
    ID3v2::FrameList embedded;
    embedded.append(text);
    const unsigned start = chapters[index].start;
    tag.addFrame(
        new ID3v2::ChapterFrame(element, start, std::max(start, end), 0xFFFFFFFF, 0xFFFFFFFF, embedded));
    children.append(element);
  }
  auto *table = new ID3v2::TableOfContentsFrame(ByteVector::fromCString("toc"), children);
  table->setIsTopLevel(true);
  table->setIsOrdered(true);
  tag.addFrame(table);
}

}

bool hasPicture(File &file) {
  if(auto *tag = id3(file))
    return !tag->frameList("APIC").isEmpty();
  if(auto *flac = dynamic_cast<FLAC::File *>(&file))
    return !flac->pictureList().isEmpty();
  if(auto *mp4 = dynamic_cast<MP4::File *>(&file))
    return mp4->tag() && mp4->tag()->contains("covr");
  auto *xiph = comment(file);
  return xiph && !xiph->pictureList().isEmpty();
}

bool setPicture(File &file, const ByteVector &data) {
  if(auto *tag = id3(file)) {
    tag->removeFrames("APIC");
    auto *frame = new ID3v2::AttachedPictureFrame;
    frame->setType(ID3v2::AttachedPictureFrame::FrontCover);
    frame->setMimeType(isPNG(data) ? "image/png" : "image/jpeg");
    frame->setPicture(data);
    tag->addFrame(frame);
    return true;
  }
  if(auto *flac = dynamic_cast<FLAC::File *>(&file)) {
    flac->removePictures();
    flac->addPicture(picture(data));
    return true;
  }
  if(auto *mp4 = dynamic_cast<MP4::File *>(&file)) {
    if(!mp4->tag())
      return false;
    MP4::CoverArtList covers;
    covers.append(MP4::CoverArt(isPNG(data) ? MP4::CoverArt::PNG : MP4::CoverArt::JPEG, data));
    mp4->tag()->setItem("covr", covers);
    return true;
  }
  auto *xiph = comment(file);
  if(!xiph)
    return false;
  xiph->removeAllPictures();
  xiph->addPicture(picture(data));
  return true;
}

bool hasChapters(File &file) {
  if(auto *tag = id3(file))
    return !tag->frameList("CHAP").isEmpty();
  auto *xiph = comment(file);
  return xiph && (xiph->contains("CHAPTER000") || xiph->contains("CHAPTER001"));
}

bool setChapters(File &file, const std::vector<Chapter> &chapters, unsigned length) {
  if(auto *tag = id3(file)) {
    setFrames(*tag, chapters, length);
    return true;
  }
  auto *xiph = comment(file);
  if(!xiph)
    return false;
  for(std::size_t number = 0; number < 1000; number++) {
    xiph->removeFields(numbered(number, ""));
    xiph->removeFields(numbered(number, "NAME"));
    xiph->removeFields(numbered(number, "URL"));
  }
  for(std::size_t index = 0; index < chapters.size() && index < 999; index++) {
    xiph->addField(numbered(index + 1, ""), clock(chapters[index].start));
    xiph->addField(numbered(index + 1, "NAME"), title(chapters[index]));
  }
  return true;
}
