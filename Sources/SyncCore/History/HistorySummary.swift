// SPDX-License-Identifier: Apache-2.0

/// What reading one history gave.
package struct HistorySummary: Hashable, Sendable {
  package var kind: HistorySource.Kind
  package var path: String
  package var counts: HistoryCounts
  /// Why nothing, or not all, was read.
  package var problem: HistoryProblem?
  /// Its times are a player's local ones, and nobody said where that is.
  package var isZoneAssumed = false
  package init(
    kind: HistorySource.Kind, path: String, counts: HistoryCounts = HistoryCounts(), problem: HistoryProblem? = nil
  ) {
    self.kind = kind
    self.path = path
    self.counts = counts
    self.problem = problem
  }
}

/// Why a history cannot be read.
package enum HistoryProblem: Error, Hashable, Sendable {
  /// There is no such file: the stick is not plugged in.
  case missing
  case unreadable(FileError)
  /// It is a pipe or a device, which a run would wait for.
  case notAFile
  case wrongKind(found: FileContent, expected: HistorySource.Kind)
  /// None of the kinds that are known.
  case unknownKind(FileContent)
  /// What SQLite says of it.
  case database(detail: String)
  /// Another program is writing it, and does not stop.
  case busy
  /// Reading a database takes more time or more steps than it may: it has a view without an end, or a disk that hangs.
  case tookTooLong
  /// SQLite is not installed.
  case noReader(detail: String)
  /// The time zone database has no zone of that name.
  case unknownZone(String)
  case badZone(String)
  /// A flag that says nothing of a history of that kind.
  case needless(flag: String, HistorySource.Kind)

  /// What a file's first bytes say that it is.
  package enum FileContent: Hashable, Sendable {
    case nothing
    case scrobblerLog
    /// Lines of such a log that does not begin as one does.
    case scrobblerLines
    /// A version of the log that is not known.
    case otherScrobblerLog
    case jsonLines
    /// With these tables.
    case database([String])
    case other
  }

  /// Another time it may well be there.
  package var isPassing: Bool {
    switch self {
    case .missing, .busy: true
    default: false
    }
  }
}
