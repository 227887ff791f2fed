// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The message of `validate` about a manifest that is valid.
package struct ManifestSummary: Sendable {
  private let path: String
  private let playlists: Int
  private let items: Int
  private let feeds: Int
  private let otherSources: Int

  /// - Parameter path: the path as it was named.
  package init(_ manifest: Manifest, path: String) {
    self.path = path
    playlists = manifest.playlists.count
    items = manifest.playlists.map(\.source.inlineItems.count).reduce(0, +)
    feeds = manifest.playlists.count { $0.source.kind == .feed }
    otherSources = manifest.playlists.count(where: \.isListing) - feeds
  }

  /// One line: `car.yaml is valid: 3 playlists, 12 items`. The number of items in sources is unknown before they are
  /// read.
  package var text: String {
    var parts = [playlists.counted("playlist")]
    if items > 0 || feeds + otherSources == 0 { parts.append(items.counted("item")) }
    if feeds > 0 { parts.append(feeds.counted("feed")) }
    if otherSources > 0 { parts.append(otherSources.counted(feeds > 0 ? "other source" : "source")) }
    return "\(path.printable) is valid: \(parts.joined(separator: ", "))\n"
  }

  /// One JSON object on one line.
  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-validate")
      writer.field("version", 1)
      writer.field("path", path)
      writer.field("playlists", playlists)
      writer.field("items", items)
      writer.field("feeds", feeds)
      writer.field("sources", feeds + otherSources)
    }
    writer.endLine()
    return writer.bytes
  }
}
