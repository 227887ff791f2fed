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
    (sha256, self.origin) = (digest.finish().sha256, origin)
  }

  /// The origin that a seal names. Nil if the bytes are not a seal.
  static func origin(in seal: ArraySlice<UInt8>) -> SourceOrigin? {
    guard seal.count > opening.count + closing.count, seal.starts(with: opening) else { return nil }
    let fields = String(decoding: seal.dropFirst(opening.count).dropLast(closing.count), as: UTF8.self)
    return fields.firstIndex(of: " ").flatMap { SourceOrigin(text: String(fields[$0...].dropFirst())) }
  }

  var bytes: [UInt8] { Self.opening + Array("\(sha256.hex) \(origin.text)".utf8) + Self.closing }
}

/// An unchanged copy of a source's document. It is read from its file piece by piece.
struct SealedCopy {
  let seal: SourceSeal
  private let file: any OpenFile
  /// The length of the document without the seal.
  private let length: Int64

  private static let pieceSize = 256 << 10

  /// Returns nil if the file is not an unchanged copy.
  /// - Parameter limit: The size of the largest document.
  init?(_ file: any OpenFile, limit: ByteCount) throws(FileError) {
    let size = try file.status().size.bytes
    guard size <= limit.bytes + Int64(SourceSeal.longest) else { return nil }
    let tailStart = max(0, size - Int64(SourceSeal.longest))
    var tail: [UInt8] = []
    try Self.read(file, tailStart..<size) { piece in tail += piece }
    let opening = SourceSeal.opening
    guard let start = tail.indices.dropLast(opening.count).last(where: { tail[$0...].starts(with: opening) }),
      let origin = SourceSeal.origin(in: tail[start...])
    else { return nil }
    (self.file, length) = (file, tailStart + Int64(start))
    var digest = RunningDigest()
    try Self.read(file, 0..<length) { piece in piece.withUnsafeBytes { digest.update($0) } }
    seal = SourceSeal(digest, origin)
    guard tail[start...].elementsEqual(seal.bytes) else { return nil }
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
    let listings = manifest.playlists.filter { $0.source.kind?.listsItems ?? false }
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
