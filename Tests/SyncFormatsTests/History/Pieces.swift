// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// A text that comes in pieces of so many bytes.
func pieces(_ bytes: [UInt8], of size: Int = 7) -> TextPieces {
  var rest = bytes[...]
  return TextPieces {
    defer { rest = rest.dropFirst(size) }
    return rest.isEmpty ? nil : Array(rest.prefix(size))
  }
}
