// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A document of chapters in JSON, as the Podcasting 2.0 namespace defines it
/// (https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/chapters/jsonChapters.md).
package enum ChapterDocument {
  /// The largest document that is read. The chapters of an hour are a few kilobytes.
  package static let maximumSize = ByteCount(1 << 20)
  private static let maximumCount = 1000

  /// Reads the chapters in the order of their beginnings. Those without a title and those that are left out of the table
  /// of contents are left out.
  /// - Returns: Nil if the bytes are not such a document.
  package static func chapters(_ bytes: [UInt8]) -> [ChapterMark]? {
    let document: JSONValue
    do throws(JSONError) { document = try JSONValue(parsing: bytes) } catch { return nil }
    guard let entries = document["chapters"]?.array else { return nil }
    let marks = entries.prefix(maximumCount).compactMap { entry -> ChapterMark? in
      guard let start = entry["startTime"]?.double, start >= 0, start < 1_000_000, entry["toc"]?.bool != false,
        // It becomes a tag, which other programs show.
        let title = entry["title"]?.string?.withoutControls.oneLine
      else { return nil }
      return ChapterMark(start: .milliseconds(Int64((start * 1000).rounded())), title: title)
    }
    return marks.sorted { $0.start < $1.start }
  }
}
