// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Reads a document that arrives in pieces, and maps its bytes to a listing. Each format of a source has one. Everything
/// before a fault is kept, and the listing is marked as incomplete.
package protocol ListingReader: SendableMetatype, ~Copyable {
  /// The largest document that is read.
  static var maximumSize: ByteCount { get }

  /// Raised with every change after which a document may be read differently, so that no listing of an earlier reader is
  /// used.
  static var revision: Int { get }

  /// - Parameters:
  ///   - base: the address of the document, after redirects, to which its references are relative; nil for a file.
  ///   - charset: the charset in the header field that came with it.
  init(base: RemoteURL?, charset: String?)

  /// The reader of a document in a file.
  /// - Parameters:
  ///   - path: the absolute path of the file.
  ///   - roots: the folders whose files the document may name.
  static func reader(ofFile path: String, _ roots: LocalRoots) -> Self

  mutating func feed(_ bytes: ArraySlice<UInt8>)

  consuming func finish() -> Listing
}

extension ListingReader where Self: ~Copyable {
  /// Most documents name no files.
  package static func reader(ofFile path: String, _ roots: LocalRoots) -> Self { Self(base: nil, charset: nil) }
}
