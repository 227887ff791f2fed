// SPDX-License-Identifier: Apache-2.0
#include "MediaFile.h"

#include "FrameCount.h"
#include <taglib/aifffile.h>
#include <taglib/apefile.h>
#include <taglib/asffile.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/speexfile.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/wavpackfile.h>

using namespace TagLib;

namespace {

/// A file of the class, if TagLib can read it.
template <class Format> std::unique_ptr<File> open(const std::string &path, bool readsAudio) {
  std::unique_ptr<File> file = std::make_unique<Format>(path.c_str(), readsAudio, AudioProperties::Average);
  return file->isValid() ? std::move(file) : nullptr;
}

/// Ogg holds several formats.
std::unique_ptr<File> openOgg(const std::string &path, bool readsAudio) {
  if(auto file = open<Ogg::Vorbis::File>(path, readsAudio))
    return file;
  if(auto file = open<Ogg::Opus::File>(path, readsAudio))
    return file;
  if(auto file = open<Ogg::FLAC::File>(path, readsAudio))
    return file;
  return open<Ogg::Speex::File>(path, readsAudio);
}

}

std::unique_ptr<File> openMedia(const std::string &path, const std::string &extension, bool readsAudio) {
  if(extension == "mp3")
    return open<MPEG::File>(path, readsAudio);
  if(extension == "m4a" || extension == "m4b" || extension == "mp4" || extension == "mov")
    return open<MP4::File>(path, readsAudio);
  if(extension == "opus")
    return open<Ogg::Opus::File>(path, readsAudio);
  if(extension == "ogg")
    return openOgg(path, readsAudio);
  if(extension == "flac")
    return open<FLAC::File>(path, readsAudio);
  if(extension == "wav")
    return open<RIFF::WAV::File>(path, readsAudio);
  if(extension == "aiff")
    return open<RIFF::AIFF::File>(path, readsAudio);
  if(extension == "wma")
    return open<ASF::File>(path, readsAudio);
  if(extension == "ape")
    return open<APE::File>(path, readsAudio);
  if(extension == "wv")
    return open<WavPack::File>(path, readsAudio);
  return nullptr;
}

long long duration(const std::string &path, const std::string &extension, bool isExact) {
  if(isExact && extension == "mp3")
    return countFrames(path);
  const auto file = openMedia(path, extension, true);
  if(!file || !file->audioProperties())
    return 0;
  return std::max(0, file->audioProperties()->lengthInMilliseconds());
}
