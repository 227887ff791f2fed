// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Writes an M3U8 file for each playlist, at the library's root, relative to it.
///
/// Each of ours carries its playlist's name in a comment. A file without that comment is somebody else's and stays as it is.
struct PlaylistFiles {
  let library: Library
  let manifest: Manifest

  /// The same for all, so that what a killed run left is known for ours.
  static let temporaryName = ".syncjob-playlist.tmp"
  private static let mark = "#SYNCJOB-PLAYLIST:"

  /// Writes what changed and removes what no playlist stands behind any more.
  func write(_ queue: Queue) throws(FileError) {
    let members = members(queue)
    var written: Set<String> = []
    for playlist in manifest.playlists {
      guard let members = members[playlist.name], let name = try place(for: playlist) else { continue }
      written.insert(name)
      try update(name, text(playlist, members))
    }
    try removeStale(keeping: written)
  }

  /// A finished item, as one playlist has it.
  private struct Member {
    let position: Int
    let published: Timestamp?
    let entry: M3U8.Entry
  }

  private func members(_ queue: Queue) -> [PlaylistName: [Member]] {
    var members: [PlaylistName: [Member]] = [:]
    for item in queue.items {
      guard let path = item.state.storedFile?.path else { continue }
      let entry = M3U8.Entry(
        path: path, title: item.item.title, artist: item.item.artist, duration: item.item.duration)
      for membership in item.memberships {
        members[membership.playlist, default: []].append(
          Member(position: membership.position, published: item.item.published, entry: entry))
      }
    }
    return members
  }

  private func text(_ playlist: Playlist, _ members: [Member]) -> String {
    let text = M3U8.text(title: playlist.displayTitle, entries: ordered(members, of: playlist).map(\.entry))
    let firstLine = text.prefix { $0 != "\n" }
    return "\(firstLine)\n\(Self.mark)\(playlist.name)\(text[firstLine.endIndex...])"
  }

  /// As the manifest has it; episodes with the newest first.
  private func ordered(_ members: [Member], of playlist: Playlist) -> [Member] {
    if case .items = playlist.source { return members.sorted { $0.position < $1.position } }
    return members.sorted { a, b in
      switch (a.published, b.published) {
      case (let x?, let y?) where x != y: x > y
      case (.some, nil): true
      case (nil, .some): false
      default: a.position > b.position
      }
    }
  }

  /// The file's name: the title's, or with the playlist's name behind it where the title's is taken by somebody else.
  private func place(for playlist: Playlist) throws(FileError) -> String? {
    let naming = FileNaming(isPortable: manifest.library.profile.isPortable)
    let title = naming.cleaned(playlist.displayTitle)
    let stem = naming.fitted(
      title.isEmpty ? playlist.name.text : title, reserving: 5, tag: playlist.name.text.fingerprint)
    for name in ["\(stem).m3u8", "\(stem) [\(playlist.name)].m3u8"] {
      let owner = try owner(of: name)
      if owner == .nobody || owner == .playlist(playlist.name.text) { return name }
    }
    return nil
  }

  private enum Owner: Equatable { case nobody, somebodyElse, playlist(String) }

  private func owner(of name: String) throws(FileError) -> Owner {
    guard let place = FilePlace(library.root).child(name) else { return .somebodyElse }
    guard let status = try library.files.status(of: place) else { return .nobody }
    guard status.kind == .file, status.linkCount == 1, let head = try head(of: place) else { return .somebodyElse }
    let lines = head.split(separator: "\n", maxSplits: 2)
    guard lines.count >= 2, lines[1].hasPrefix(Self.mark) else { return .somebodyElse }
    return .playlist(String(lines[1].dropFirst(Self.mark.count)))
  }

  private func head(of place: FilePlace) throws(FileError) -> String? {
    let file = try library.files.open(place, for: .reading)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
    defer { buffer.deallocate() }
    let count = try file.read(into: buffer, at: 0)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  private func update(_ name: String, _ text: String) throws(FileError) {
    guard let place = FilePlace(library.root).child(name) else { return }
    let bytes = Array(text.utf8)
    guard try library.files.read(place, limit: ByteCount(64 << 20)) != bytes else { return }
    try library.files.replace(place, bytes, mode: .sharedFile, temporary: Self.temporaryName)
  }

  private func removeStale(keeping written: Set<String>) throws(FileError) {
    for entry in try library.files.list(FilePlace(library.root)) {
      guard entry.name.hasSuffix(".m3u8"), entry.isNameExact, !written.contains(entry.name),
        case .playlist = try owner(of: entry.name), let place = FilePlace(library.root).child(entry.name)
      else { continue }
      try library.files.removeFileIfPresent(place)
    }
  }
}
