// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The manifest that `init` writes: it is valid, does nothing yet, and shows how to continue.
package enum StarterManifest {
  /// - Parameter schema: the place of the schema, which editors read.
  package static func text(schema: String) -> String {
    head(schema) + aboutFeeds + """
        #
        # world-brief:
        #   title: World Brief
        #   feed: https://feeds.example.org/world.rss
        #

      """ + aboutFiles
  }

  private static let aboutFeeds =
    "  # A podcast: the three newest episodes to begin with, every new one from then on.\n"

  private static let aboutFiles = """
      # Single files:
      #
      # commute:
      #   title: Commute mix
      #   items:
      #     - id: night-drive
      #       title: Night Drive
      #       artist: The Example
      #       url: https://media.example.net/night-drive.mp3
      #       duration: 3:45

    """

  private static func head(_ schema: String) -> String {
    ManifestSchema.modeline(schema) + """
      # The manifest of a media library. Check it with `syncjob validate`, look with `syncjob plan`, start with `syncjob`.
      version: 1

      library:
        path: ./library

      storage:
        # The most that the library may take. What is least used goes first when it is full.
        budget: 10GiB

      playlists:

      """
  }
}

extension StarterManifest {
  /// A manifest with a playlist for each feed of an OPML document.
  package struct OfFeeds: Equatable, Sendable {
    package let text: String
    /// The names of playlists that are commented out, because the address of their feed contains a credential.
    package let withCredentials: [String]
  }

  /// - Parameters:
  ///   - outlines: The contents of the document. Folders become comments.
  ///   - schema: the place of the schema, which editors read.
  package static func text(of outlines: Listing, schema: String) -> OfFeeds {
    var text = head(schema)
    var withCredentials: [String] = []
    var names = OutlineNames()
    var folder: String?
    for entry in outlines.entries {
      if entry.folder != folder {
        folder = entry.folder
        text += "\n  # \(comment(folder ?? "Without a folder"))\n"
      }
      let name = names.name(title: entry.title, url: entry.url)
      let lines = lines(of: entry, named: name)
      if entry.url.hasCredentials || EffectiveManifest.hidesToken(entry.url) {
        withCredentials.append(name)
        text += lines.split(separator: "\n").map { "  # \(comment(String($0.dropFirst(2))))\n" }.joined()
      } else {
        text += lines
      }
    }
    return OfFeeds(text: text, withCredentials: withCredentials)
  }

  /// A manifest with one feed, and the comments of the starter.
  /// - Parameter title: the feed's own title; nil if it has none.
  package static func text(feed url: RemoteURL, title: String?, schema: String) -> OfFeeds {
    var listing = Listing(completeness: .whole)
    var entry = ListingEntry(url: url)
    entry.title = title
    listing.entries.append(entry)
    let feeds = text(of: listing, schema: schema)
    let head = head(schema)
    return OfFeeds(
      text: "\(head)\(aboutFeeds)\(feeds.text.dropFirst(head.count))\n\(aboutFiles)",
      withCredentials: feeds.withCredentials)
  }

  private static func lines(of entry: ListingEntry, named name: String) -> String {
    var keys: [ManifestText.Entry] = []
    if let title = entry.title { keys.append(.init(key: "title", value: .string(title))) }
    keys.append(
      .init(key: SourceKind.feed.rawValue, value: .string(EffectiveManifest.withoutCredentials(entry.url))))
    return ManifestText.lines(of: [.init(key: name, value: .mapping(keys))], indent: "  ")
  }

  /// The text as YAML allows it in a comment, with one space for each character that it does not allow there.
  private static func comment(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isWrittenAsEscape ? " " : $0 }))
  }
}
