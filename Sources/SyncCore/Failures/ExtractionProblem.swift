// SPDX-License-Identifier: Apache-2.0

/// The reason why yt-dlp did not tell what was asked. Holds facts; the sentences are in the words folder.
package enum ExtractionProblem: Error, Hashable, Sendable {
  /// No program of that name is in `PATH`.
  case notInstalled
  case notStarted(ErrnoCode)
  /// The program is older than the oldest that is used.
  case tooOld(version: String)
  case timedOut(after: Duration)
  /// There is no place for the pieces of a stream.
  case noFolder(ErrnoCode)
  /// It wrote nothing for that time in the middle of a stream.
  case wentSilent(after: Duration)
  /// It wrote more than this.
  case tooMuchOutput(limit: ByteCount)
  /// Its output is not that of yt-dlp.
  case notUnderstood
  /// It failed for a reason that may pass. Holds its last message.
  case failed(message: String)
  /// It failed for a reason that stays. Holds its last message.
  case unavailable(message: String)
  /// A live stream, or one that has not begun.
  case live
  /// The page has no media.
  case nothingThere
  /// The format is made of several files, which would have to be merged.
  case severalFiles

  /// A search has no result that may take the item's place.
  case noneFits(of: Int)
  /// The same, but further results could not be read. Holds the last message about these.
  case resultsMissing(besides: Int, message: String)

  /// The oldest version that is used. The big sites refuse older ones.
  package static let oldestVersion = "2024.01.01"

  /// - Parameter message: The last message of the program. It has no codes, so that its words decide.
  package init(message: String) {
    let text = message.lowercased()
    if Self.liveWords.contains(where: text.contains) {
      self = .live
    } else if Self.lastingWords.contains(where: text.contains) {
      self = .unavailable(message: message)
    } else {
      self = .failed(message: message)
    }
  }

  /// Words of messages about streams that are not over.
  package static let liveWords = [
    "live event will begin", "premieres in", "premiere will begin", "is not currently live",
    "live stream recording is not",
  ]

  /// Words of messages about something that no later run will get.
  package static let lastingWords = [
    "video unavailable", "private video", "video is private", "is unavailable", "has been removed", "was removed",
    "no longer available", "has been terminated", "account has been closed", "does not exist", "http error 404",
    "http error 410", "unsupported url", "is not a valid url", "drm protected", "drm-protected",
    "requested format is not available", "in your country", "members-only", "join this channel", "confirm your age",
    "no video formats found", "invalid filter",
  ]

  package var kind: FailureKind {
    switch self {
    case .notInstalled, .notStarted, .tooOld, .noFolder: .io
    case .timedOut, .wentSilent: .timeout
    case .failed, .resultsMissing: .network
    case .unavailable: .http
    case .tooMuchOutput, .notUnderstood, .live, .nothingThere, .severalFiles, .noneFits: .notMedia
    }
  }
}
