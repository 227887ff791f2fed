// SPDX-License-Identifier: Apache-2.0

/// An IPv4 or IPv6 address in bytes. An IPv4 address embedded in an IPv6 address counts as the IPv4 address.
package struct IPAddress: Hashable, Sendable {
  package let bytes: [UInt8]

  /// Reads dotted IPv4 and textual IPv6 (RFC 4291 §2.2), with or without a zone. Returns nil for anything else.
  package init?(_ text: String) {
    let withoutZone = text.prefix { $0 != "%" }
    guard let bytes = withoutZone.contains(":") ? Self.v6(withoutZone) : Self.v4(withoutZone) else { return nil }
    self.bytes = Self.unmapped(bytes)
  }

  /// - Parameter front: The first bytes of an IPv6 address. Zeros follow.
  init(v6 front: [UInt8]) { bytes = front + Array(repeating: 0, count: 16 - front.count) }

  private static func v4(_ text: Substring) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { part in part.utf8.count <= 3 ? decimal(part).flatMap { UInt8(exactly: $0) } : nil }
    return parts.count == 4 && bytes.count == 4 ? bytes : nil
  }

  private static func v6(_ text: Substring) -> [UInt8]? {
    guard let gap = text.firstDouble(":") else {
      let all = groups(text)
      return all?.count == 16 ? all : nil
    }
    let (before, after) = (text[..<gap], text[text.index(gap, offsetBy: 2)...])
    guard let front = before.isEmpty ? [] : groups(before), let back = after.isEmpty ? [] : groups(after),
      front.count + back.count <= 14
    else { return nil }
    return front + Array(repeating: 0, count: 16 - front.count - back.count) + back
  }

  private static func groups(_ text: Substring) -> [UInt8]? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, part.contains(".") {
        guard let tail = v4(part) else { return nil }
        bytes += tail
      } else {
        guard (1...4).contains(part.utf8.count), let group = UInt16(part, radix: 16), part.first != "+" else {
          return nil
        }
        bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
      }
    }
    return bytes
  }

  /// `::ffff:a.b.c.d`, `64:ff9b::a.b.c.d` (RFC 6052) and `2002:…` (6to4, RFC 3056) lead to the embedded IPv4 address.
  private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count == 16 else { return bytes }
    let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
    let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8)
    if bytes.starts(with: mapped) || bytes.starts(with: translated) { return Array(bytes[12...]) }
    if bytes.starts(with: [0x20, 0x02]) { return Array(bytes[2..<6]) }
    return bytes
  }

  /// True if a public source must not point to the address: it is in a special-purpose range or not global unicast.
  package var isPrivate: Bool {
    if bytes.count == 16, !isIn(SpecialAddresses.globalUnicast.0, bits: SpecialAddresses.globalUnicast.1) {
      return true
    }
    return SpecialAddresses.ranges.contains { isIn($0.0, bits: $0.1) }
  }

  package func isIn(_ base: IPAddress, bits: Int) -> Bool {
    guard bytes.count == base.bytes.count else { return false }
    for index in bytes.indices {
      let covered = min(8, max(0, bits - index * 8))
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> covered)
      if bytes[index] & mask != base.bytes[index] & mask { return false }
    }
    return true
  }

  package var text: String {
    if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2)
      .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
  }
}

extension Substring {
  /// The first index at which `character` occurs twice in a row.
  fileprivate func firstDouble(_ character: Character) -> Index? {
    zip(indices, indices.dropFirst()).first { self[$0] == character && self[$1] == character }?.0
  }
}
