// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// All that the queue knows of its items, as a table in CSV.
package struct ItemTable: Sendable {
  private static let columns = [
    "id", "state", "title", "artist", "album", "duration_seconds", "published", "playlists", "pinned", "url", "path",
    "size_bytes", "sha256", "quality", "plays", "last_played_at", "completed_at", "error",
  ]

  /// The beginning of each such file.
  package static let beginning = columns.prefix(3).joined(separator: ",")

  private let manifest: Manifest
  private let mask: SecretMask
  private let pinned: Set<ItemID>
  private var table = CSV(columns: columns)

  /// - Parameter mask: Masks the secrets of the manifest.
  package init(_ items: [QueueItem], of queue: Queue, _ manifest: Manifest, _ mask: SecretMask) {
    (self.manifest, self.mask) = (manifest, mask)
    pinned = manifest.pinned(in: queue)
    for item in items { add(item) }
  }

  package var text: String { table.text }

  private mutating func add(_ queued: QueueItem) {
    let (item, file) = (queued.item, queued.state.storedFile)
    var error: String?
    if case .failed(let record)? = queued.transfer { error = record.error.message }
    table.add([
      queued.id.text, queued.state.name.rawValue, shown(item.title), shown(item.artist), shown(item.album),
      item.duration.map(seconds), item.published?.rfc3339,
      queued.memberships.map(\.playlist.text).joined(separator: " "),
      queued.pinned || pinned.contains(queued.id) ? "true" : "false",
      url(of: item, file).map { mask.masked(EffectiveManifest.withoutCredentials($0)) }, shown(file?.path.text),
      file.map { "\($0.size.bytes)" }, file?.sha256.hex, file?.quality?.rawValue, "\(queued.plays.count)",
      queued.plays.lastPlayedAt?.rfc3339, file?.completedAt.rfc3339, shown(error),
    ])
  }

  /// The page that a search found, for an item without a URL.
  private func url(of item: Item, _ file: StoredFile?) -> RemoteURL? {
    item.main.url.isSearch ? file?.origin.flatMap { $0.isFile ? nil : $0 } : item.main.url
  }

  private func seconds(_ duration: Duration) -> String {
    duration.components.attoseconds == 0 ? "\(duration.components.seconds)" : duration.inSeconds.fixed(3)
  }

  private func shown(_ text: String?) -> String? { text?.displayed.map(mask.masked) }
}

extension EffectiveManifest {
  /// True if the URL contains a login, a token, or a secret of the manifest.
  package static func isSecret(_ url: RemoteURL, _ mask: SecretMask) -> Bool {
    url.hasCredentials || hidesToken(url) || mask.finds(in: url.text)
  }
}
