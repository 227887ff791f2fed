// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// A copy of a document, with its SHA-256 in a comment behind it: what was changed, cut or emptied since is known for that.
/// The comment may stand after any XML (XML 1.0, 2.1, rule 27), so that the copy can still be looked at.
struct SealedCopy {
  /// Of the document as it came.
  let bytes: [UInt8]

  private static let opening = "\n<!-- sha256:"
  private static let closing = " -->\n"
  static let sealLength = opening.utf8.count + 64 + closing.utf8.count

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Nil when the document is not the one that was sealed.
  init?(file: [UInt8]) {
    guard file.count > Self.sealLength else { return nil }
    let end = file.count - Self.sealLength
    bytes = Array(file[..<end])
    guard file[end...].elementsEqual(seal) else { return nil }
  }

  var file: [UInt8] { bytes + seal }

  private var seal: [UInt8] { Array("\(Self.opening)\(SHA256Digest(of: bytes).hex)\(Self.closing)".utf8) }
}
