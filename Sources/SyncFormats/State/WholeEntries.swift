// SPDX-License-Identifier: Apache-2.0

/// Finds the intact entries of a damaged file of checked lines. A damaged line break costs neither of the lines next to
/// it, because an entry is found by its beginning and its check and not by its line.
enum WholeEntries {
  /// The beginning of the entry of an item. It cannot occur in a string, because quotes are escaped there.
  static let item = Array("{\"id\":".utf8)
  /// The number of beginnings that are tried for one check: that of the entry, those of objects inside it, and those of
  /// damaged entries before it.
  private static let limit = 32

  /// The ranges of the intact entries, in the order of the file.
  /// - Parameters:
  ///   - part: the part of the file that is searched; nil for all of it.
  ///   - beginnings: the beginnings that an entry may have.
  static func ranges(
    of bytes: [UInt8], in part: Range<Int>? = nil, beginnings: [[UInt8]] = [item]
  ) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var starts: [Int] = []
    let part = part ?? bytes.indices
    for index in part {
      if bytes[index] == UInt8(ascii: "{"), beginnings.contains(where: bytes[index..<part.upperBound].starts) {
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
