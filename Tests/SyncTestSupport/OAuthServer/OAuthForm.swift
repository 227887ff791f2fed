// SPDX-License-Identifier: Apache-2.0

/// The encodings that OAuth 2 uses.
package enum OAuthForm {
  /// The values of `a=b&c=d`.
  package static func values(_ text: String) -> [String: String] {
    var values: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { decoded($0) }
      values[parts[0]] = parts.count > 1 ? parts[1] : ""
    }
    return values
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  package static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte))
      return isPlain || "-._~".utf8.contains(byte)
        ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

  package static func base64(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 { text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : "=") }
    }
    return text
  }

  package static func base64ForURL(_ bytes: [UInt8]) -> String {
    String(base64(bytes).filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }
}

/// SHA-256 (FIPS 180-4 §6.2) for short texts, so that the provider checks the client by other code than the client's.
package enum SmallSHA256 {
  private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }

  /// The first 32 bits of the fraction of a root.
  private static func fraction(_ root: Double) -> UInt32 { UInt32((root - root.rounded(.down)) * 0x1p32) }

  package static func digest(_ message: [UInt8]) -> [UInt8] {
    let constants = primes.prefix(64).map { fraction(cubeRoot(Double($0))) }
    var state = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: UInt64(message.count * 8) >> UInt64(56 - 8 * $0)) }
    for block in stride(from: 0, to: bytes.count, by: 64) {
      compress(bytes[block..<block + 64], constants, &state)
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  /// By Newton's method.
  private static func cubeRoot(_ number: Double) -> Double {
    var root = number / 2
    for _ in 0..<60 { root = (2 * root + number / (root * root)) / 3 }
    return root
  }

  private static func compress(_ block: ArraySlice<UInt8>, _ constants: [UInt32], _ state: inout [UInt32]) {
    func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
      block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
      let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var round = state
    for index in 0..<64 {
      let sum = turned(round[4], 6) ^ turned(round[4], 11) ^ turned(round[4], 25)
      let choice = round[4] & round[5] ^ ~round[4] & round[6]
      let first = round[7] &+ sum &+ choice &+ constants[index] &+ words[index]
      let other = turned(round[0], 2) ^ turned(round[0], 13) ^ turned(round[0], 22)
      let majority = round[0] & round[1] ^ round[0] & round[2] ^ round[1] & round[2]
      let second = other &+ majority
      round = [first &+ second, round[0], round[1], round[2], round[3] &+ first, round[4], round[5], round[6]]
    }
    for index in 0..<8 { state[index] = state[index] &+ round[index] }
  }
}
