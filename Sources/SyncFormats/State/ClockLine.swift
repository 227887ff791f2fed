// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The contents of `clock` in the state folder: a time, and a line with the CRC-32 of the first line.
///
///     2026-11-21T06:00:03Z
///     crc 4f1c09aa
///
/// Earlier versions wrote the first line alone, and read nothing else.
package enum ClockLine {
  package static func encode(_ time: Timestamp) -> [UInt8] {
    let line = Array("\(time.rfc3339)\n".utf8)
    return line + Array("crc \(LineCheck.text(CRC32.checksum(line.span)))\n".utf8)
  }

  /// Returns the time. Nil if the bytes are not as they were written.
  package static func decode(_ bytes: [UInt8]) -> Timestamp? {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard let time = Timestamp(rfc3339: String(decoding: line, as: UTF8.self)) else { return nil }
    let isOfEarlierVersion = bytes.count == line.count + 1
    return isOfEarlierVersion || encode(time) == bytes ? time : nil
  }
}
