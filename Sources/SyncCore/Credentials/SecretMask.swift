// SPDX-License-Identifier: Apache-2.0

/// Masks the secrets of a run in texts from outside, because a server may echo what it receives.
///
/// Each piece of eight bytes or more that a text shares with a secret is masked: in plain form, percent-encoded, in
/// Base64 or in hexadecimal digits. Secrets of four to seven bytes are found only whole. Shorter ones are never masked,
/// because they are part of too many texts.
package struct SecretMask: Sendable {
  private static let pieceLength = 8
  private static let shortest = 4

  /// Every sequence of eight consecutive bytes in every form of every secret.
  private var pieces: Set<UInt64> = []
  private var short: Set<[UInt8]> = []
  /// The secrets that come during the run. Nil if none can.
  private var coming: (any ComingSecrets)?

  package init(_ secrets: some Sequence<Secret>) {
    for secret in secrets {
      let bytes = Array(secret.exposed.utf8)
      guard bytes.count >= Self.shortest else { continue }
      if bytes.count < Self.pieceLength { short.insert(bytes) }
      for form in [bytes] + Self.otherForms(of: bytes) {
        Self.forEachPiece(of: form) { _, piece in pieces.insert(piece) }
      }
    }
  }

  /// The same mask, which also masks the secrets that come later.
  package func adding(_ coming: any ComingSecrets) -> SecretMask {
    var mask = self
    mask.coming = coming
    return mask
  }

  package var isEmpty: Bool { pieces.isEmpty && short.isEmpty && coming?.mask.isEmpty ?? true }

  /// True if the text contains a piece of a secret.
  package func finds(in text: String) -> Bool { !isEmpty && marks(in: Array(text.utf8)).contains(true) }

  /// The text with `***` in place of each piece of a secret.
  package func masked(_ text: String) -> String {
    guard !isEmpty else { return text }
    let bytes = Array(text.utf8)
    let marks = marks(in: bytes)
    guard marks.contains(true) else { return text }
    var result: [UInt8] = []
    for index in bytes.indices {
      if !marks[index] {
        result.append(bytes[index])
      } else if index == 0 || !marks[index - 1] {
        result += Array("***".utf8)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: Forms

  private static func otherForms(of bytes: [UInt8]) -> [[UInt8]] {
    let hex = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    let encoded = (0..<3).map { base64(of: bytes, behind: $0) }
    let forURLs = encoded.map { form in
      form.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
    }
    return encoded + forURLs + [Array(hex.utf8), Array(hex.uppercased().utf8)]
  }

  /// The form of the bytes inside the Base64 of a longer text, after `count` other bytes, without the digits that it
  /// shares with its neighbours.
  private static func base64(of bytes: [UInt8], behind count: Int) -> [UInt8] {
    let digits = Array(Base64.encoded(Array(repeating: 0, count: count) + bytes).utf8)
    let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let shared = count == 0 ? 0 : count + 1
    return Array(digits.dropFirst(shared).dropLast(padding == 0 ? 0 : padding + 1))
  }

  private static func forEachPiece(of bytes: [UInt8], _ body: (Int, UInt64) -> Void) {
    var piece: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      piece = piece << 8 | UInt64(byte)
      if index >= pieceLength - 1 { body(index + 1 - pieceLength, piece) }
    }
  }

  // MARK: The text

  /// For each byte, true if it belongs to a piece of a secret.
  private func marks(in text: [UInt8]) -> [Bool] {
    var marks = coming?.mask.marks(in: text) ?? Array(repeating: false, count: text.count)
    mark(text, Array(text.indices) + [text.count], &marks)
    if text.contains(UInt8(ascii: "%")) {
      let (decoded, places) = Self.decoded(text)
      mark(decoded, places, &marks)
    }
    // No character is masked in part.
    for index in marks.indices.dropFirst() where marks[index - 1] && Self.isContinuation(text[index]) {
      marks[index] = true
    }
    for index in marks.indices.dropLast().reversed() where marks[index + 1] && Self.isContinuation(text[index + 1]) {
      marks[index] = true
    }
    return marks
  }

  /// - Parameter places: The start of each byte in the text to be masked, and the end of the text.
  private func mark(_ bytes: [UInt8], _ places: [Int], _ marks: inout [Bool]) {
    func mark(_ start: Int, _ count: Int) {
      for place in places[start]..<places[start + count] { marks[place] = true }
    }
    Self.forEachPiece(of: bytes) { start, piece in if pieces.contains(piece) { mark(start, Self.pieceLength) } }
    for secret in short {
      for start in bytes.indices where bytes[start...].starts(with: secret) { mark(start, secret.count) }
    }
  }

  private static func decoded(_ text: [UInt8]) -> (bytes: [UInt8], places: [Int]) {
    var bytes: [UInt8] = []
    var places: [Int] = []
    var index = 0
    while index < text.count {
      places.append(index)
      let digits = text[(index + 1)...].prefix(2)
      if text[index] == UInt8(ascii: "%"), digits.count == 2,
        let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(byte)
        index += 3
      } else {
        bytes.append(text[index])
        index += 1
      }
    }
    return (bytes, places + [text.count])
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}

/// The secrets that a run learns while it works, such as renewed tokens.
package protocol ComingSecrets: AnyObject, Sendable {
  /// Masks all of them so far.
  var mask: SecretMask { get }
}

extension SecretMask: Equatable {
  package static func == (left: SecretMask, right: SecretMask) -> Bool {
    left.pieces == right.pieces && left.short == right.short && left.coming === right.coming
  }
}
