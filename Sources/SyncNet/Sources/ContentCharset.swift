// SPDX-License-Identifier: Apache-2.0

/// The charset parameter of a `Content-Type` (RFC 9110 §8.3.2).
struct ContentCharset {
  /// Lower case; only letters, digits and the characters `-_:.+`.
  let name: String

  private static let maximumLength = 40

  /// - Returns: nil without such a parameter, and for a text that cannot be the name of an encoding.
  init?(contentType: String) {
    for parameter in contentType.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces.lowercased() }
      guard parts.count == 2, parts[0] == "charset" else { continue }
      let name = parts[1].filter { $0 != "\"" && $0 != "'" }
      let isName = name.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-_:.+".utf8.contains(byte)
      }
      guard isName, (1...Self.maximumLength).contains(name.utf8.count) else { return nil }
      self.name = name
      return
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var rest = drop { $0 == " " || $0 == "\t" }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return rest
  }
}
