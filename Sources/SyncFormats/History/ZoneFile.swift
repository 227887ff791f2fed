// SPDX-License-Identifier: Apache-2.0

/// A file of the time zone database, TZif (RFC 8536).
package enum ZoneFile {
  /// Files of the database have a few kilobytes.
  package static let maximumSize = 1 << 20

  /// Nil for bytes that are not such a file, or are cut.
  package static func read(_ bytes: [UInt8]) -> ZoneRules? {
    guard bytes.count <= maximumSize, let head = Head(bytes, at: 0) else { return nil }
    // From version 2 on the same data follows with 64-bit times, and then a rule for the future.
    guard head.version >= UInt8(ascii: "2") else { return rules(bytes, head, timeSize: 4)?.rules }
    guard let wide = Head(bytes, at: head.end(timeSize: 4)), let (rules, end) = rules(bytes, wide, timeSize: 8) else {
      return nil
    }
    guard end < bytes.count, bytes[end] == 0x0A, let stop = bytes[(end + 1)...].firstIndex(of: 0x0A) else { return nil }
    let footer = bytes[(end + 1)..<stop]
    if footer.isEmpty { return rules }
    guard let future = FutureZone(footer) else { return nil }
    return rules.going(on: future)
  }

  /// RFC 8536 §3.1.
  private struct Head {
    let start: Int
    let version: UInt8
    let utcCount: Int
    let wallCount: Int
    let leapCount: Int
    let changeCount: Int
    let typeCount: Int
    let nameSize: Int

    static let size = 44

    init?(_ bytes: [UInt8], at start: Int) {
      guard start >= 0, bytes.count >= start + Self.size, bytes[start...].starts(with: Array("TZif".utf8)) else {
        return nil
      }
      self.start = start
      version = bytes[start + 4]
      let counts = (0..<6).map { index in Int(ZoneFile.number(bytes, start + 20 + index * 4, 4)) }
      // Far more than any zone has, and small enough for every sum.
      guard counts.allSatisfy({ (0...100_000).contains($0) }), counts[4] > 0 else { return nil }
      (utcCount, wallCount, leapCount) = (counts[0], counts[1], counts[2])
      (changeCount, typeCount, nameSize) = (counts[3], counts[4], counts[5])
    }

    func end(timeSize: Int) -> Int {
      start + Self.size + changeCount * (timeSize + 1) + typeCount * 6 + nameSize + leapCount * (timeSize + 4)
        + wallCount + utcCount
    }
  }

  /// Reads the rules of a block, and returns where it ends.
  private static func rules(_ bytes: [UInt8], _ head: Head, timeSize: Int) -> (rules: ZoneRules, end: Int)? {
    let end = head.end(timeSize: timeSize)
    guard end <= bytes.count else { return nil }
    let times = head.start + Head.size
    let indices = times + head.changeCount * timeSize
    let types = indices + head.changeCount
    let offsets = (0..<head.typeCount).map { number(bytes, types + $0 * 6, 4) }
    guard offsets.allSatisfy({ abs($0) < 100_000 }) else { return nil }
    var changes: [ZoneRules.Change] = []
    for index in 0..<head.changeCount {
      let at = number(bytes, times + index * timeSize, timeSize)
      let type = Int(bytes[indices + index])
      guard type < offsets.count, changes.last.map({ $0.at < at }) ?? true else { return nil }
      changes.append(ZoneRules.Change(at: at, offset: offsets[type]))
    }
    return (ZoneRules(first: offsets[0], changes: changes, future: nil), end)
  }

  /// Reads a signed number in big endian.
  fileprivate static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int64 {
    let value = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
  }
}
