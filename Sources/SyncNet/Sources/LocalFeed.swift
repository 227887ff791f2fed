// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// A feed in a file that the manifest names.
struct LocalFeed {
  let path: String

  /// The contents of the feed, read piece by piece. A run that is being stopped reads no further.
  var listing: Listing {
    var reader = FeedReader()
    do throws(FileError) {
      let pieces = try InputFile(path, limit: FeedReader.maximumSize).pieces()
      while !Task.isCancelled, let piece = try pieces.next() { reader.feed(piece[...]) }
    } catch { return Listing(completeness: .partial(Self.problem(error))) }
    return reader.finish()
  }

  private static func problem(_ error: FileError) -> SourceProblem {
    if case .tooLarge(let limit) = error.cause { return .excessive(limit.words) }
    return .unreadableFile(path: error.path, error.code ?? .eio)
  }
}
