// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// A copy of a source's document. A comment behind it says where the document came from and ends with a SHA-256 of both, so a
/// copy that was changed, cut or emptied is recognised. The comment may stand after any XML (XML 1.0, 2.1, rule 27), so the
/// copy can still be looked at.
struct SealedCopy: Equatable {
  /// Of the document as it came.
  let bytes: [UInt8]
  let origin: SourceOrigin
  private let seal: [UInt8]

  private static let opening = Array("\n<!-- sha256:".utf8)
  private static let closing = Array(" -->\n".utf8)
  /// The longest seal in bytes. The address is as long as a URL may be, and up to three times that with its escapes.
  static let longestSeal = 4 * RemoteURL.maximumLength

  init(_ bytes: [UInt8], _ origin: SourceOrigin) {
    self.bytes = bytes
    self.origin = origin
    seal = Self.seal(bytes, origin.text)
  }

  /// Nil when the file is not what was kept.
  init?(file: [UInt8]) {
    let tail = file.suffix(Self.longestSeal)
    guard tail.count > Self.opening.count + Self.closing.count,
      let start = tail.indices.dropLast(Self.opening.count).last(where: { tail[$0...].starts(with: Self.opening) })
    else { return nil }
    let fields = String(
      decoding: tail[start...].dropFirst(Self.opening.count).dropLast(Self.closing.count), as: UTF8.self)
    guard let space = fields.firstIndex(of: " "), let origin = SourceOrigin(text: String(fields[space...].dropFirst()))
    else { return nil }
    self.init(Array(file[..<start]), origin)
    guard file[start...].elementsEqual(seal) else { return nil }
  }

  var file: [UInt8] { bytes + seal }

  private static func seal(_ bytes: [UInt8], _ origin: String) -> [UInt8] {
    opening + Array("\(SHA256Digest(of: bytes + Array(origin.utf8)).hex) \(origin)".utf8) + closing
  }
}
