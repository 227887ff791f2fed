// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// Makes files for other programs from what the last run knew. No source is read.
package struct Export: Sendable {
  private let context: JobContext
  private var manifest: Manifest { context.manifest }
  private var mask: SecretMask { SecretMask(manifest, [], proxies: .current) }

  package init(_ context: JobContext) { self.context = context }

  /// The feeds of the playlists, each once.
  /// - Parameter scope: The playlists to include. Nil for all.
  package func feeds(_ scope: Set<PlaylistName>?) throws(JobError) -> Exported {
    let healths = SourceHealthStore(library: try LibraryOpener(context).look().library).read()
    var exported = Exported(text: "", entries: 0)
    var feeds: [OPML.Feed] = []
    for playlist in playlists(in: scope) where playlist.source.kind == .feed {
      guard let declared = playlist.source.url else {
        exported.omissions.append(.feedInFile(playlist.name))
        continue
      }
      let move = healths[playlist.name]?.move
      let url = move.flatMap { $0.from == declared ? $0.to : nil } ?? declared
      if EffectiveManifest.isSecret(url, mask) || EffectiveManifest.isSecret(declared, mask) {
        exported.omissions.append(.feedWithCredential(playlist.name))
      } else if !feeds.contains(where: { $0.url == url }) {
        feeds.append(OPML.Feed(title: playlist.displayTitle, url: url))
      }
    }
    (exported.text, exported.entries) = (OPML.text(title: manifest.name, feeds: feeds), feeds.count)
    return exported
  }

  /// All items of the playlists, and without a scope also those that no playlist names.
  /// - Returns: The table, and warnings about damage of the state.
  package func table(_ scope: Set<PlaylistName>?) throws(JobError) -> (Exported, [Warning]) {
    let (queue, _, damage) = try Status(context).queue()
    let names = scope.map { Set(playlists(in: $0).map(\.name)) }
    let items = queue.items.filter { item in names.map { item.isMember(ofAny: $0) } ?? true }
    return (Exported(text: ItemTable(items, of: queue, manifest, mask).text, entries: items.count), damage)
  }

  /// The items of one playlist in its order, without those that were removed or cancelled.
  /// - Parameters:
  ///   - asPaths: True for the paths of finished files instead of the URLs of items.
  /// - Returns: The playlist, and warnings about damage of the state.
  package func playlist(
    _ playlist: Playlist, _ format: ExportFormat, asPaths: Bool
  ) throws(JobError) -> (Exported, [Warning]) {
    let (queue, _, damage) = try Status(context).queue()
    var members: [(place: PlaylistPlace, item: QueueItem)] = []
    let time = max(context.now, queue.latestTime)
    for item in queue.items where item.isWanted && (!asPaths || item.mayBeListed(at: time)) {
      for membership in item.memberships where membership.playlist == playlist.name {
        members.append((PlaylistPlace(position: membership.position, published: item.item.published), item))
      }
    }
    members.sort { playlist.isBefore($0.place, $1.place) }
    var exported = Exported(text: "", entries: 0)
    var entries: [PlaylistFileEntry] = []
    for (_, item) in members {
      guard let place = place(of: item, asPaths: asPaths, &exported.omissions) else { continue }
      guard format != .m3u8 || M3U8.holds(place) else {
        exported.omissions.append(.unwritablePath(item.id.text))
        continue
      }
      entries.append(PlaylistFileEntry(masked(item.item), at: place))
    }
    exported.entries = entries.count
    exported.text =
      switch format {
      case .xspf: XSPF.text(title: playlist.displayTitle, entries: entries)
      case .jspf: JSPF.text(title: playlist.displayTitle, entries: entries)
      default: M3U8.exported(title: playlist.displayTitle, entries: entries)
      }
    return (exported, damage)
  }

  /// The playlists whose items an export may contain. Those of an OPML document stand for it.
  package func playlists(in scope: Set<PlaylistName>?) -> [Playlist] {
    manifest.playlists.filter { playlist in
      !playlist.source.listsPlaylists && (scope?.includes(playlist.name) ?? true)
    }
  }

  /// Nil for an item that is left out.
  private func place(
    of item: QueueItem, asPaths: Bool, _ omissions: inout [ExportOmission]
  ) -> PlaylistFileEntry.Place? {
    guard asPaths else {
      let urls = ([item.item.main] + item.item.alternatives).map(\.url).filter { !$0.isSearch }
      let open = urls.filter { !EffectiveManifest.isSecret($0, mask) }
      if open.isEmpty {
        omissions.append(urls.isEmpty ? .itemWithoutURL(item.id.text) : .itemWithCredential(item.id.text))
      }
      return open.isEmpty ? nil : .urls(open)
    }
    guard let path = item.state.finishedPath else { return nil }
    do throws(RemoteURL.Problem) {
      return .file(try RemoteURL(file: "\(manifest.library.path)/\(path.text)".utf8))
    } catch {
      omissions.append(.unwritablePath(item.id.text))
      return nil
    }
  }

  private func masked(_ item: Item) -> Item {
    var item = item
    item.title = mask.masked(item.title)
    item.artist = item.artist.map(mask.masked)
    item.album = item.album.map(mask.masked)
    return item
  }
}

extension QueueItem {
  /// False once it was cancelled or its file was removed.
  fileprivate var isWanted: Bool {
    switch state {
    case .cancelled, .removed: false
    case .queued, .downloading, .retrying, .paused, .failed, .completed: true
    }
  }
}
