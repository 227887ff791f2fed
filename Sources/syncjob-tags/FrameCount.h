// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// The playing time of an MPEG audio stream in milliseconds, as the sum of all of its frames (ISO/IEC 11172-3 §2.4.1).
/// Needed because a header tells nothing about parts that a server has put in front of the file or behind it, and an
/// average bit rate is a guess. Zero if there are no frames.
long long countFrames(const std::string &path);
