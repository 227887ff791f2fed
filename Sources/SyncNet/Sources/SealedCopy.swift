// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk
import SyncFormats

/// The comment behind the copy of a source's document. It names the origin of the document and ends with a SHA-256 of
/// both, so that a changed, cut or emptied copy is recognised. A comment may follow any XML document (XML 1.0, 2.1,
/// rule 27), so the copy is still XML.
struct SourceSeal: Equatable {
  let origin: SourceOrigin
  /// The digest of the document as received and of the origin's text.
  let sha256: SHA256Digest

  static let opening = Array("\n<!-- sha256:".utf8)
  private static let closing = Array(" -->\n".utf8)
  /// The longest seal in bytes. The address may be as long as a URL, and up to three times that with its escapes.
  static let longest = 4 * RemoteURL.maximumLength

  /// - Parameter document: The digest of the document's bytes so far.
  init(_ document: RunningDigest, _ origin: SourceOrigin) {
    var digest = document
    Array(origin.text.utf8).withUnsafeBytes { digest.update($0) }
    (sha256, self.origin) = (digest.finishHash(), origin)
  }

  /// Reads a seal. Nil if the bytes are not one.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count > Self.opening.count + Self.closing.count, bytes.starts(with: Self.opening) else { return nil }
    let fields = String(decoding: bytes.dropFirst(Self.opening.count).dropLast(Self.closing.count), as: UTF8.self)
    guard let space = fields.firstIndex(of: " "), let sha256 = SHA256Digest(hex: fields[..<space]),
      let origin = SourceOrigin(text: String(fields[space...].dropFirst()))
    else { return nil }
    (self.sha256, self.origin) = (sha256, origin)
    guard bytes.elementsEqual(self.bytes) else { return nil }
  }

  var bytes: [UInt8] { Self.opening + Array("\(sha256.hex) \(origin.text)".utf8) + Self.closing }
}

/// The copy of a source's document. It is read from its file piece by piece.
struct SealedCopy {
  /// What the copy says of itself. `isIntact` proves it.
  let seal: SourceSeal
  private let file: any OpenFile
  /// The length of the document without the seal.
  private let length: Int64

  private static let pieceSize = 256 << 10
  /// Most seals are shorter.
  private static let usualSeal = 512

  /// Reads the seal alone. Returns nil if the file does not end with one.
  /// - Parameter limit: The size of the largest document.
  init?(_ file: any OpenFile, limit: ByteCount) throws(FileError) {
    let size = try file.status().size.bytes
    guard size <= limit.bytes + Int64(SourceSeal.longest) else { return nil }
    let usual = try Self.seal(file, size, within: Self.usualSeal)
    let found = if let usual { usual } else { try Self.seal(file, size, within: SourceSeal.longest) }
    guard let found else { return nil }
    (self.file, seal, length) = (file, found.seal, found.length)
  }

  /// The seal at the end of a file, and the length of what is before it.
  private static func seal(
    _ file: any OpenFile, _ size: Int64, within reach: Int
  ) throws(FileError) -> (seal: SourceSeal, length: Int64)? {
    let tailStart = max(0, size - Int64(reach))
    var tail: [UInt8] = []
    try read(file, tailStart..<size) { piece in tail += piece }
    let opening = SourceSeal.opening
    guard let start = tail.indices.dropLast(opening.count).last(where: { tail[$0...].starts(with: opening) }),
      let seal = SourceSeal(tail[start...])
    else { return nil }
    return (seal, tailStart + Int64(start))
  }

  /// True if the document is the one that was sealed.
  func isIntact() throws(FileError) -> Bool {
    var digest = RunningDigest()
    try Self.read(file, 0..<length) { piece in piece.withUnsafeBytes { digest.update($0) } }
    return SourceSeal(digest, origin) == seal
  }

  var origin: SourceOrigin { seal.origin }

  /// The contents of the document. Reading ends early if the run is being stopped or the disk fails.
  func listing<Reader: ListingReader & ~Copyable>(_ type: Reader.Type) -> Listing {
    var reader = Reader(base: origin.base, charset: origin.charset)
    do throws(FileError) {
      try Self.read(file, 0..<length) { piece in reader.feed(piece[...]) }
    } catch { return Listing(completeness: .partial(.empty)) }
    return reader.finish()
  }

  private static func read(
    _ file: any OpenFile, _ range: Range<Int64>, _ body: ([UInt8]) -> Void
  ) throws(FileError) {
    var offset = range.lowerBound
    while offset < range.upperBound, !Task.isCancelled {
      var failure: FileError?
      let wanted = Int(min(Int64(pieceSize), range.upperBound - offset))
      let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        do throws(FileError) { count = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset) } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      guard !piece.isEmpty else { return }
      body(piece)
      offset += Int64(piece.count)
    }
  }
}

/// The contents of the manifest's sources at their last reading, without any request.
package struct SourceCopies {
  let library: Library
  let manifest: Manifest

  package init(library: Library, manifest: Manifest) {
    self.library = library
    self.manifest = manifest
  }

  /// The items that a run would want if all sources were unchanged. Nothing is known about a source without a copy.
  /// - Parameter isRead: Selects the playlists whose copies are read.
  package func desired(
    _ queue: Queue, where isRead: (Playlist) -> Bool = { _ in true }, now: Timestamp
  ) -> DesiredState {
    // The manifest has the playlists of the outlines already.
    let listings = manifest.playlists.filter { $0.source.isListing && !$0.source.listsPlaylists }
    let readings = listings.filter(isRead).compactMap { playlist -> SourceReading? in
      // A copy that cannot be read counts as never read.
      guard let last = SourceFactory.standard.source(of: playlist, in: library)?.lastListing() else { return nil }
      let listing = last.used(by: playlist.select, before: queue.sources[playlist.name]?.itemCount)
      return SourceReading(playlist: playlist.name, listing: listing, isUnchanged: true)
    }
    return DesiredState(
      Resolution(manifest.playlists, readings), layout: manifest.library.layout, queue: queue, now: now)
  }
}
