// SPDX-License-Identifier: Apache-2.0

/// The result of reading one history.
package struct HistorySummary: Hashable, Sendable {
  package var source: PlaySource
  /// The path of the file, or the name of the server.
  package var path: String
  package var counts: HistoryCounts
  /// The problem that prevented reading all of it. Nil if there was none.
  package var problem: HistoryProblem?
  /// True if the times are the local times of a player and no time zone was given.
  package var isZoneAssumed = false
  /// The result of the push to a server. Nil if nothing was to be pushed.
  package var push: HistoryPush?
  package init(
    source: PlaySource, path: String, counts: HistoryCounts = HistoryCounts(), problem: HistoryProblem? = nil
  ) {
    self.source = source
    self.path = path
    self.counts = counts
    self.problem = problem
  }
}

/// The result of pushing plays, or plays and other actions, to a server.
package struct HistoryPush: Hashable, Sendable {
  /// The word for them.
  package var noun = PushedAction.Noun.play
  /// The number of plays that the server accepted.
  package var pushed = 0
  /// The feeds that the server was told of.
  package var feeds = FeedPush()
  /// The number of plays that wait for the next run.
  package var waiting = 0
  /// The items of the plays that are not sent any more, by reason.
  package var drops: [PlayDrop: [ItemID]] = [:]
  package var dropped: Int { drops.values.reduce(0) { $0 + $1.count } }
  /// The problem that prevented pushing all of them. Nil if there was none.
  package var problem: HistoryProblem?
  package init() {}
}

/// The result of telling a server of feeds.
package struct FeedPush: Hashable, Sendable {
  /// The number of feeds that the server took.
  package var subscribed = 0
  /// The number of those that it did not take.
  package var refused = 0
  /// The problem that leaves the rest to the next run. Nil if there was none.
  package var problem: HistoryProblem?
  package init() {}
}

/// The reason why a play is not pushed to a server any more.
package enum PlayDrop: Hashable, Sendable {
  /// The server refuses this play and accepts others.
  case refused(HistoryProblem)
  /// The server does not have the track any more.
  case trackIsGone
  /// The server does not take its URL.
  case urlRefused
  /// Its answer was lost, and the server does not tell whether it has the play. It must not be sent twice.
  case unconfirmed
  /// Too many newer ones wait.
  case tooMany
  /// The manifest no longer pushes to the server.
  case leftManifest

  /// True if the server should have got the play. It has no use for that of a song that it removed, and nobody wants
  /// those that left the manifest there.
  var isLoss: Bool {
    switch self {
    case .refused, .urlRefused, .unconfirmed, .tooMany: true
    case .trackIsGone, .leftManifest: false
    }
  }
}

/// The reason why a history cannot be read.
package enum HistoryProblem: Error, Hashable, Sendable {
  /// There is no such file. Its drive may not be plugged in.
  case missing
  case unreadable(FileError)
  /// It is a pipe or a device, for which a run would wait.
  case notAFile
  case wrongKind(found: FileContent, expected: HistorySource.Kind)
  /// The file is of no known kind.
  case unknownKind(FileContent)
  /// The message of SQLite about the file.
  case database(detail: String)
  /// Another program keeps writing to the file.
  case busy
  /// Reading the database takes more time or more steps than allowed. It may have an endless view or be on a disk that
  /// hangs.
  case tookTooLong
  /// SQLite is not installed.
  case noReader(detail: String)
  /// The time zone database has no zone of that name.
  case unknownZone(String)
  case badZone(String)
  /// No answer came from the server, or it cannot serve just now.
  case unanswered(reason: String)
  /// The server refused the request.
  case refused(reason: String)
  /// The answer is not one of the server's API.
  case notAnAnswer(MediaServer.Kind)
  /// A flag that has no meaning for a history of that kind.
  case needless(flag: String, HistorySource.Kind)

  /// The kind of a file according to its first bytes.
  package enum FileContent: Hashable, Sendable {
    case nothing
    case scrobblerLog
    /// Lines of a scrobbler log without its header.
    case scrobblerLines
    /// An unknown version of the log.
    case otherScrobblerLog
    case jsonLines
    /// A database with these tables.
    case database([String])
    case other
  }

  /// True if the history may be readable at another time.
  package var isTransient: Bool {
    switch self {
    case .missing, .busy, .unanswered, .notAnAnswer: true
    default: false
    }
  }
}
