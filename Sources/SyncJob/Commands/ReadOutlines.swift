// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
import SyncFormats

/// Reads an OPML file that a person names, for a manifest to start from.
package enum ReadOutlines {
  /// - Parameter path: `-` is standard input.
  /// - Returns: a listing of feeds. A document that was not read whole is refused: a manifest made from it would lack
  ///   feeds.
  package static func perform(_ path: String) throws(SourceProblem) -> Listing {
    var reader = OutlineReader()
    do throws(FileError) {
      let pieces = try InputFile(path, limit: OutlineReader.maximumSize).pieces()
      while let piece = try pieces.next() { reader.feed(piece[...]) }
    } catch {
      if case .tooLarge(let limit) = error.cause { throw .excessive(limit.words) }
      throw .unreadableFile(path: path, error.code ?? .eio)
    }
    let listing = reader.finish()
    if case .partial(let problem) = listing.completeness { throw problem }
    return listing
  }
}
