// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <taglib/tfile.h>

/// Opens a file as the format that its extension names, whatever its own name says.
/// - Returns: Null if TagLib does not know the format, or cannot read the file.
std::unique_ptr<TagLib::File> openMedia(const std::string &path, const std::string &extension, bool readsAudio);

/// The playing time in milliseconds. Zero if the file does not tell.
/// - Parameter isExact: True to count the frames of an MP3 file instead of believing its header.
long long duration(const std::string &path, const std::string &extension, bool isExact);
