// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Message.h"

/// Writes tags into a copy of a file, as the request says: its name, the file, the copy, the extension, the mode and
/// the fields, of which each is a name and a value. The name of a field is that of TagLib's property map. The mode
/// `fill` writes the fields that the file lacks, `overwrite` all of them.
/// - Returns: "same" if there is nothing to write, and "differs" if there is but the request names no copy. "ok" if
///   the copy has the tags, "unknown" if TagLib cannot read the file, "failed" and an error of the system or zero if
///   the copy could not be written. There is a copy only after "ok".
Message writeTags(const Message &request);
