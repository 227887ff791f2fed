// SPDX-License-Identifier: Apache-2.0

/// A digest that a manifest or feed declares for an item's bytes.
package struct Checksum: Hashable, Sendable {
  package enum Algorithm: String, CaseIterable, Sendable {
    case sha256, sha512, sha1, md5

    /// The number of hexadecimal digits of a digest.
    package var digits: Int {
      switch self {
      case .sha256: 64
      case .sha512: 128
      case .sha1: 40
      case .md5: 32
      }
    }
  }

  package let algorithm: Algorithm
  /// Lower-case hexadecimal.
  package let hex: String

  /// Returns nil if `hex` is not a digest of that algorithm.
  package init?(_ algorithm: Algorithm, hex: some StringProtocol) {
    // A queue file has a digest for each item, so this works on bytes and copies nothing if the text is in lower case.
    let text = String(hex)
    let digits = text.utf8
    guard digits.count == algorithm.digits, digits.allSatisfy(\.isHexDigit) else { return nil }
    self.algorithm = algorithm
    self.hex = digits.contains(where: \.isUpperCase) ? text.lowercased() : text
  }

  /// Reads `sha256:…`. Returns nil if the algorithm is unknown or the digits are not a digest of it.
  package init?(_ text: some StringProtocol) {
    guard let colon = text.firstIndex(of: ":"), let algorithm = Algorithm(rawValue: text[..<colon].lowercased())
    else { return nil }
    self.init(algorithm, hex: text[text.index(after: colon)...])
  }

  package var text: String { "\(algorithm):\(hex)" }

  /// Nil for a SHA-256, which every finished file has anyway.
  package var unlessSHA256: Checksum? { algorithm == .sha256 ? nil : self }
}

/// The SHA-256 of a finished file as lower-case hexadecimal.
package struct SHA256Digest: Hashable, Sendable {
  package let hex: String

  /// Returns nil unless `hex` has 64 hexadecimal digits.
  package init?(hex: some StringProtocol) {
    guard let checksum = Checksum(.sha256, hex: hex) else { return nil }
    self.hex = checksum.hex
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  fileprivate var isUpperCase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}
