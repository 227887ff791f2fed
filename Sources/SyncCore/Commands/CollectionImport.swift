// SPDX-License-Identifier: Apache-2.0

/// The result of an import of files, real or planned.
package struct CollectionImport: Equatable, Sendable {
  /// The way in which a file comes into the library.
  package enum Method: String, CaseIterable, Sendable {
    case copy, move
    /// It is in its place already.
    case adopt
  }

  package enum Outcome: Equatable, Sendable {
    /// Nothing was done, because this is a rehearsal, or because the import ended before.
    case planned
    case done
    /// The file is in the library, and could not be removed from the collection.
    case copiedOnly(FileError)
    case failed(Failure)
    /// There is no room for the file.
    case deferred(RoomShortage)
  }

  package struct Line: Equatable, Sendable {
    package var id: ItemID
    package var title: String
    /// The first playlist that names the item.
    package var playlist: PlaylistName?
    /// The path from the folder of the collection.
    package var from: LibraryPath
    /// The path in the library: the expected one until the file is there.
    package var path: LibraryPath
    package var size: ByteCount
    package var rule: CollectionMatch.Rule
    package var method: Method
    package var outcome = Outcome.planned

    package init(_ item: LackingItem, from: LibraryPath, to path: LibraryPath, size: ByteCount, _ way: Way) {
      (id, title, playlist) = (item.id, item.item.title, item.queued.memberships.first?.playlist)
      (self.from, self.path, self.size) = (from, path, size)
      (rule, method) = (way.rule, way.method)
    }
  }

  /// The reason for a line, and what is done.
  package struct Way: Equatable, Sendable {
    package var rule: CollectionMatch.Rule
    package var method: Method

    package init(_ rule: CollectionMatch.Rule, _ method: Method) { (self.rule, self.method) = (rule, method) }
  }

  /// Several files for one item, or one file for several items: a person has to decide.
  package struct Doubt: Equatable, Sendable {
    package var items: [ItemID]
    /// The titles of the items, in the same order.
    package var titles: [String]
    package var files: [LibraryPath]
    package var rule: CollectionMatch.Rule

    package init(items: [ItemID], titles: [String], files: [LibraryPath], rule: CollectionMatch.Rule) {
      (self.items, self.titles, self.files, self.rule) = (items, titles, files, rule)
    }
  }

  /// A file that is nearly an item's.
  package struct NearMiss: Equatable, Sendable {
    package var id: ItemID
    package var title: String
    package var file: LibraryPath
    package var gap: CollectionMatch.Gap

    package init(id: ItemID, title: String, file: LibraryPath, gap: CollectionMatch.Gap) {
      (self.id, self.title, self.file, self.gap) = (id, title, file, gap)
    }
  }

  /// The folder of the collection.
  package var folder: String
  package var isDryRun: Bool
  package var lines: [Line] = []
  package var doubts: [Doubt] = []
  /// Files that match nothing although an item lacks one of nearly the same name.
  package var nearMisses: [NearMiss] = []
  /// Media files that belong to no item that lacks one.
  package var unmatched: [LibraryPath] = []
  /// The number of items that have no file afterwards, besides those that have a line.
  package var lacking = 0
  package var unread = Unread()
  /// The reason why the tags of the files could not be read. Nil if they could.
  package var tagProblem: TagProblem?
  /// The failure that ended the import. Nil if it came to its end.
  package var stopped: Failure?
  /// The status of the signal that ended the import.
  package var interruption: ExitStatus?

  /// The parts of the collection that could not be looked at.
  package struct Unread: Equatable, Sendable {
    /// Folders and files that the system refuses.
    package var refused: [FileError] = []
    /// Files that could not be read.
    package var files: [LibraryPath: Failure] = [:]
    /// The number of symbolic links, which are not followed.
    package var links = 0
    /// The number of names that are not UTF-8.
    package var unnamed = 0

    package init() {}

    /// True if nothing was refused. Links and odd names are passed over by rule.
    var isComplete: Bool { refused.isEmpty && files.isEmpty }
  }

  /// The number of items that have no file afterwards. A rehearsal counts as if it had been carried out.
  package var stillLacking: Int {
    let served = Set(lines.filter { $0.outcome.bringsFile(isDryRun: isDryRun) }.map(\.id))
    return lacking + Set(lines.map(\.id)).subtracting(served).count
  }

  package init(folder: String, isDryRun: Bool) { (self.folder, self.isDryRun) = (folder, isDryRun) }

  package var status: ExitStatus {
    if let interruption { return interruption }
    var statuses: [ExitStatus] = stopped.map { [$0.statusOfRun] } ?? []
    if !unread.isComplete { statuses.append(.partial) }
    for line in lines {
      switch line.outcome {
      case .planned, .done: break
      case .copiedOnly, .failed: statuses.append(.partial)
      case .deferred: statuses.append(.storage)
      }
    }
    return ExitStatus.decisive(of: statuses)
  }
}

extension CollectionImport.Outcome {
  fileprivate func bringsFile(isDryRun: Bool) -> Bool {
    switch self {
    case .done, .copiedOnly: true
    case .planned: isDryRun
    case .failed, .deferred: false
    }
  }
}
