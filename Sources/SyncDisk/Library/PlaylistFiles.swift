// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Writes a file of one format for each playlist, at the library's root and with paths relative to it.
///
/// Each of our files names its playlist and itself in its second line. A file without that line belongs to somebody else
/// and stays as it is, and so does one with another name: a copy that somebody made.
package struct PlaylistFiles {
  let library: Library
  /// The playlists of the run, in the order of the manifest.
  let playlists: [Playlist]
  let format: PlaylistFormat
  /// False if sealed files, which no player plays, are left out.
  let listsSealed: Bool

  package init(library: Library, playlists: [Playlist], format: PlaylistFormat, listsSealed: Bool = false) {
    self.library = library
    self.playlists = playlists
    self.format = format
    self.listsSealed = listsSealed
  }

  /// The leftovers of a killed run are recognised by this prefix.
  static let temporary = OwnTemporary(prefix: ".syncjob-playlist-")

  /// Writes the lists that changed and removes those that no playlist needs any more.
  /// - Returns: A warning for each list whose name somebody else's file has.
  @discardableResult
  package func write(_ queue: Queue) throws(FileError) -> [Warning] {
    var warnings: [Warning] = []
    let members = members(queue)
    let synced = try SyncedListFiles(self, queue)
    var written: [NameKey: String] = [:]
    for playlist in playlists {
      let list = synced.list(of: playlist)
      guard list != nil || members[playlist.name] != nil else { continue }
      let (place, taken) = try place(for: playlist, list, besides: written)
      if let taken { warnings.append(.playlistFileTaken(playlist.name, name: taken, instead: place?.name)) }
      guard let (name, key) = place else { continue }
      if let list {
        if try synced.write(list, of: playlist, named: name) { written[key] = name }
      } else if let members = members[playlist.name] {
        written[key] = name
        try update(name, text(playlist, members, named: name))
      }
    }
    try removeStale(keeping: written)
    return warnings
  }

  private var ending: String { ".\(format.rawValue)" }

  /// A finished item, as one playlist has it.
  struct Member: Equatable {
    let playlist: PlaylistName
    let place: PlaylistPlace
    let entry: PlaylistFileEntry

    /// The members that an item is. None if it has no file.
    static func of(_ item: QueueItem) -> [Member] {
      guard let path = item.state.finishedPath else { return [] }
      let entry = PlaylistFileEntry(
        path: path, title: item.item.title, artist: item.item.artist, album: item.item.album,
        duration: item.item.duration)
      return item.memberships.map { membership in
        Member(
          playlist: membership.playlist,
          place: PlaylistPlace(position: membership.position, published: item.item.published), entry: entry)
      }
    }
  }

  /// True if any list would show one of these changes.
  package static func show(_ changes: QueueDifferences) -> Bool {
    changes.items.contains { $0.before.map(Member.of) ?? [] != $0.after.map(Member.of) ?? [] }
  }

  private func members(_ queue: Queue) -> [PlaylistName: [Member]] {
    var members: [PlaylistName: [Member]] = [:]
    let time = queue.latestTime
    queue.items.forEach { item in
      guard item.mayBeListed(at: time), listsSealed || item.state.storedFile?.sealed == nil else { return }
      for member in Member.of(item) { members[member.playlist, default: []].append(member) }
    }
    return members
  }

  private func text(_ playlist: Playlist, _ members: [Member], named name: String) -> String {
    text(playlist, members.sorted { playlist.isBefore($0.place, $1.place) }.map(\.entry), named: name)
  }

  func text(_ playlist: Playlist, _ entries: [PlaylistFileEntry], named name: String) -> String {
    let text =
      switch format {
      case .m3u8: M3U8.text(title: playlist.displayTitle, entries: entries)
      case .xspf: XSPF.text(title: playlist.displayTitle, entries: entries)
      }
    return PlaylistMark(playlist: playlist.name.text, file: name).marked(text, format)
  }

  /// The file's name: the title, followed by the playlist's name if another playlist of this run or somebody else has a
  /// file of that title. A list of ours that still has the name is overwritten, whatever its playlist.
  /// - Returns: No place if both names are taken; the first name that somebody else's file has.
  /// - Parameter list: The state of a synced playlist. Its file may have lost its mark.
  private func place(
    for playlist: Playlist, _ list: SyncedList?, besides written: [NameKey: String]
  ) throws(FileError) -> (place: (name: String, key: NameKey)?, taken: String?) {
    let naming = library.rules.naming
    let title = naming.cleaned(playlist.displayTitle)
    let stem = naming.fitted(
      title.isEmpty ? playlist.name.fileText : title, reserving: 5, tag: playlist.name.text.fingerprint)
    var taken: String?
    for name in [stem, "\(stem) [\(playlist.name.fileText)]"].map({ $0 + ending }) {
      guard let key = LibraryPath(name).map(naming.key), written[key] == nil else { continue }
      if list?.fileNames.contains(name) == true, try isFile(name) { return ((name, key), taken) }
      if try !isSomebodyElses(name) { return ((name, key), taken) }
      taken = taken ?? name
    }
    return (nil, taken)
  }

  private func isFile(_ name: String) throws(FileError) -> Bool {
    guard let place = FilePlace(library.root).child(name) else { return false }
    return try library.files.status(of: place)?.kind == .file
  }

  private func isSomebodyElses(_ name: String) throws(FileError) -> Bool {
    guard let place = FilePlace(library.root).child(name) else { return true }
    guard let status = try library.files.status(of: place) else { return false }
    guard let ownName = try ownName(of: place, status) else { return true }
    if ownName == name { return false }
    return try !isSameFile(ownName, status)
  }

  /// The name that a list of ours gives itself; nil when the file is not one of ours.
  private func ownName(of place: FilePlace, _ status: FileStatus) throws(FileError) -> String? {
    guard status.kind == .file, status.linkCount == 1, let head = try head(of: place, status) else { return nil }
    return PlaylistMark(head: head, format)?.file
  }

  /// True if the file system treats both names as one: it ignores case, or normalises accents.
  private func isSameFile(_ name: String, _ status: FileStatus) throws(FileError) -> Bool {
    guard let place = FilePlace(library.root).child(name) else { return false }
    return try library.files.status(of: place)?.identity == status.identity
  }

  /// Nil where another user has denied us access: everybody may read our lists.
  private func head(of place: FilePlace, _ status: FileStatus) throws(FileError) -> String? {
    let file: any OpenFile
    do throws(FileError) { file = try library.files.open(place, for: .reading) } catch {
      guard error.isDenied, !status.mode.isOpenToReaders else { throw error }
      return nil
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
    defer { buffer.deallocate() }
    let count = try file.read(into: buffer, at: 0)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  func update(_ name: String, _ text: String) throws(FileError) {
    guard let place = FilePlace(library.root).child(name) else { return }
    let bytes = Array(text.utf8)
    guard try !isWritten(bytes, at: place) else { return }
    if let status = try library.files.status(of: place), try ownName(of: place, status) != name {
      // Where case is ignored, a file that is replaced keeps the old spelling of its name.
      try library.files.removeFileIfPresent(place)
    }
    try library.files.replace(place, bytes, mode: .sharedFile, temporary: Self.temporary.newName())
  }

  /// The file is read only if it has the right size: a file of another size differs anyway, and may be large.
  private func isWritten(_ bytes: [UInt8], at place: FilePlace) throws(FileError) -> Bool {
    let size = ByteCount(Int64(bytes.count))
    guard try library.files.status(of: place)?.size == size else { return false }
    return try library.files.read(place, limit: size) == bytes
  }

  private func removeStale(keeping written: [NameKey: String]) throws(FileError) {
    for entry in try library.files.list(FilePlace(library.root), where: { $0.hasSuffix(ending) }) {
      guard entry.isNameExact, let place = FilePlace(library.root).child(entry.name),
        try !isWritten(entry, in: written), try !isSomebodyElses(entry.name)
      else { continue }
      try library.files.removeFileIfPresent(place)
    }
  }

  /// True if the entry has the name of a written list, or another name that the file system treats as the same:
  /// otherwise a list would be taken for its own predecessor.
  private func isWritten(_ entry: DirectoryEntry, in written: [NameKey: String]) throws(FileError) -> Bool {
    guard let key = LibraryPath(entry.name).map(library.rules.naming.key), let name = written[key] else { return false }
    if name.utf8.elementsEqual(entry.name.utf8) { return true }
    return try isSameFile(name, entry.status)
  }
}

extension PlaylistFiles {
  /// True if there is a list of ours, of any playlist.
  package func hasOwn() throws(FileError) -> Bool {
    for entry in try library.files.list(FilePlace(library.root), where: { $0.hasSuffix(ending) }) {
      if entry.isNameExact, try !isSomebodyElses(entry.name) { return true }
    }
    return false
  }
}
