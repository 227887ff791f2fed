// SPDX-License-Identifier: Apache-2.0

/// Entries of a damaged file of checked lines that are as they were written. A line break that is damaged costs none of
/// its two neighbours: an entry is found by its beginning and its check, not by the line that it stands on.
enum WholeEntries {
  /// What each entry begins with. In a string these bytes cannot occur, since quotes inside of it are escaped.
  private static let beginning = Array("{\"id\":".utf8)
  /// Beginnings that are tried for one check: that of the entry, those of objects inside of it, and those of damaged
  /// entries before it.
  private static let limit = 32

  /// Where they lie, in the order of the file.
  static func ranges(of bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var starts: [Int] = []
    for index in bytes.indices {
      if bytes[index] == beginning[0], bytes[index...].starts(with: beginning) {
        if starts.count == limit { starts.removeFirst() }
        starts.append(index)
      }
      guard bytes[index] == UInt8(ascii: "}"), LineCheck.value(bytes, endingAt: index + 1) != nil,
        let start = starts.first(where: { LineCheck.isWhole(bytes, $0..<index + 1) })
      else { continue }
      found.append(start..<index + 1)
      starts = []
    }
    return found
  }
}
