// SPDX-License-Identifier: Apache-2.0

/// The reason why a source could not be read whole. Holds facts; the sentences are in the words folder.
package indirect enum SourceProblem: Error, Hashable, Sendable {
  /// The request failed.
  case unreachable(Failure)
  case unreadableFile(path: String, ErrnoCode)
  /// The file is a pipe or a device, and did not end in this time.
  case unfinishedFile(path: String, after: Duration)
  /// The document is a web page instead of a feed.
  case webPage
  case empty
  /// The document is well-formed but not RSS. Holds the name of the root element.
  case notAFeed(root: String)
  /// The document is well-formed but not OPML. Holds the name of the root element.
  case notAnOutline(root: String)
  /// The document is JSON without the version of a JSON Feed.
  case notAJSONFeed
  /// The document is not a list.
  case notAList(NotAList)
  /// The document is not well-formed, or ends before its root element is closed.
  case malformed(line: Int, detail: String)
  /// The document exceeds a limit of the reader (bytes, attributes, nesting) or declares an entity.
  case excessive(String)
  /// The feed has no items, but had this many before.
  case suddenlyEmpty(before: Int)
  /// The server says that the playlist has more entries than it listed.
  case notAllListed(Int, of: Int)
  /// The feed has this many entries, and none contains anything to fetch.
  case nothingUsable(entries: Int)
  /// The server answered a request of its API with an error. Holds its code and message.
  case refused(code: Int, message: String)
  /// The server answered a request of its API with something else.
  case notSubsonic
  /// The document does not list subscriptions.
  case notSubscriptions
  /// The server has nothing with this name.
  case unknownName(String)
  /// The manifest's patterns leave no outline. Holds those of `only` that match none, and the names of folders and titles
  /// that the document has.
  case noneChosen(patterns: [String], names: [String])
  /// A problem of the whole server with this name, not of one of its playlists.
  case server(PlaylistName, SourceProblem)
  /// None of the files that a list names is below its folder or one of its roots. Holds their number.
  case outsideRoots(entries: Int)
  /// The document is of another kind of source, for which the manifest has a key.
  case otherKind(SourceKind)
  /// A further page of the source could not be read. Holds its number, from 2.
  case page(Int, SourceProblem)
  /// The library that reads feeds is missing on this machine. Holds the system's own text.
  case noReader(detail: String)
}

/// The kind of a document that is not a list.
package enum NotAList: Hashable, Sendable {
  /// Lines that name no files.
  case text
  /// XML with another root element. Holds its name.
  case xml(root: String)
  /// JSON without a `playlist`.
  case json
  /// An HLS playlist, which describes the parts of one stream. Holds the tag that shows it.
  case hls(tag: String)
}

extension SourceProblem {
  /// The meaning of a problem for later runs.
  package enum Severity: Sendable {
    /// It goes away by itself.
    case passing
    /// It may go away: a captive portal, a broken deployment. After a day it counts as permanent.
    case doubtful
    /// It stays until somebody acts.
    case lasting
  }

  /// The longest time for which an unusable document may be an accident.
  package static let patience = Duration.days(1)

  package var severity: Severity {
    switch self {
    case .unreachable(.http(let status)) where status >= 500: .passing
    case .unreachable(.malformedResponse): .doubtful
    case .unreachable(let failure): failure.disposition.isTemporary ? .passing : .lasting
    // Zero is the general error (http://www.subsonic.org/pages/api.jsp).
    case .refused(0, _): .passing
    case .refused, .unknownName, .noneChosen: .lasting
    case .notSubsonic, .notSubscriptions, .unreadableFile, .unfinishedFile, .webPage, .empty, .notAFeed, .notAnOutline,
      .notAJSONFeed, .notAList, .malformed, .suddenlyEmpty, .notAllListed, .nothingUsable:
      .doubtful
    case .excessive, .noReader: .lasting
    case .outsideRoots: .lasting
    case .otherKind: .doubtful
    case .page(_, let problem), .server(_, let problem): problem.severity
    }
  }

  /// True if the file of the source could not be read.
  package var isOfFile: Bool {
    switch self {
    case .unreadableFile, .unfinishedFile: true
    default: false
    }
  }

  /// True if a server with the Subsonic API refuses the user and the password or key, and so every request.
  package var refusesCredentials: Bool {
    switch self {
    case .unreachable(.http(401)), .unreachable(.http(403)): true
    // Wrong (40), unsupported (41 to 43) or invalid (44) credentials.
    case .refused(let code, _): (40...44).contains(code)
    default: false
    }
  }

  /// True if nothing of the Subsonic API is at the address.
  package var isWrongAddress: Bool {
    self == .notSubsonic || self == .notSubscriptions || self == .unreachable(.http(status: 404))
  }

  /// - Parameter since: The time when the document was first found unusable.
  package func isPermanent(since: Timestamp, now: Timestamp) -> Bool {
    switch severity {
    case .passing: false
    case .doubtful: now - since > Self.patience
    case .lasting: true
    }
  }

  /// True if a request failed.
  package var isUnreachable: Bool {
    switch self {
    case .unreachable: true
    case .page(_, let problem), .server(_, let problem): problem.isUnreachable
    default: false
    }
  }

  /// True if the server says that the source is permanently gone (RFC 9110 §15.5.11).
  package var isGone: Bool { self == .unreachable(.http(status: 410)) }
}
