// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Message.h"

/// The names and the playing time that a file states: "ok", its playing time in milliseconds, its title, artist and
/// album. Each text has at most 1000 characters.
/// - Returns: Nothing if TagLib cannot read the file.
std::optional<Message> basicTags(const std::string &path, const std::string &extension);
