// SPDX-License-Identifier: Apache-2.0

/// A playlist file as it was found, and what is taken from it.
package struct EditedListFile: Equatable, Sendable {
  package var name: String
  package var digest: SHA256Digest
  package var entries: [ListElement]
  /// True if the file has the last line that the job writes.
  package var hasEnd: Bool
  /// The time of its last change.
  package var changedAt: Timestamp

  package init(name: String, digest: SHA256Digest, entries: [ListElement], hasEnd: Bool, changedAt: Timestamp) {
    (self.name, self.digest, self.entries) = (name, digest, entries)
    (self.hasEnd, self.changedAt) = (hasEnd, changedAt)
  }
}

extension SyncedList {
  /// What was taken from an edited file.
  package enum FileOutcome: Equatable, Sendable {
    /// The file is as the job wrote it.
    case unchanged
    /// - Parameter spared: The songs at the end of the list that stay although the file, which has lost its last line, does not
    ///   name them.
    case taken([ListChange], spared: [ListElement])
    /// The file has no song of the list, which is not taken for a wish to remove all of them.
    case empty
  }

  /// Takes over a person's edits of the playlist file.
  package mutating func take(_ edited: EditedListFile) -> FileOutcome {
    if let nextFile, nextFile.name == edited.name, nextFile.digest == edited.digest { file = nextFile }
    if let file, file.digest == edited.digest {
      nextFile = nil
      return .unchanged
    }
    guard let written = written(near: edited.entries) else { return .unchanged }
    guard !edited.entries.songs.isEmpty || written.songs.isEmpty else { return .empty }
    var (entries, spared): ([ListElement], [ListElement]) = (edited.entries, [])
    if !edited.hasEnd {
      spared = Self.lostEnd(of: written, in: entries)
      entries += spared
    }
    let changes = ListChange.changes(from: written, to: entries)
    if !changes.isEmpty {
      local = ListMerge(base: written, local: local, server: entries).result
      editedAt = max(editedAt ?? edited.changedAt, edited.changedAt)
    }
    file = ListFile(name: edited.name, digest: edited.digest, entries: entries)
    nextFile = nil
    return .taken(changes, spared: spared)
  }

  /// The entries that the job wrote before the edit. After a kill it may have written the file or not, and then the nearer
  /// of both lists is meant.
  private func written(near entries: [ListElement]) -> [ListElement]? {
    guard let file else { return nextFile?.entries }
    guard let nextFile else { return file.entries }
    func distance(_ list: [ListElement]) -> Int { ListChange.changes(from: list, to: entries).count }
    return distance(nextFile.entries) <= distance(file.entries) ? nextFile.entries : file.entries
  }

  /// The entries behind the last one that the file still has. A file that was cut lacks them.
  private static func lostEnd(of written: [ListElement], in entries: [ListElement]) -> [ListElement] {
    let alignment = ListAlignment(from: written, to: entries)
    let last = alignment.origins.compactMap(\.self).max() ?? -1
    let gone = Set(alignment.removed)
    return written.indices.filter { $0 > last && gone.contains($0) }.map { written[$0] }
  }
}
