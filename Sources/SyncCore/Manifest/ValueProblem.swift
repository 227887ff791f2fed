// SPDX-License-Identifier: Apache-2.0

/// A problem with the value of a key.
package enum ValueProblem: Error, Hashable, Sendable {
  case wrongType(expected: Expectation, found: FoundValue)
  /// The value has the right form but is too small or too large.
  /// The bounds are in written form; nil means no such bound.
  case outOfRange(FoundValue, lowest: String?, highest: String?)
  /// Not an allowed number, but the given word would be allowed.
  indirect case noNumber(ValueProblem, word: String)
  /// A size such as `10G`, which is decimal for some programs and binary for others.
  case ambiguousSize(String)
  /// A number without a unit, where seconds are never meant. With `orDate`, a date is allowed too.
  case withoutUnit(FoundValue, orDate: Bool)
  /// A word such as `none` for a key that uses `never`.
  case otherWord(String, meant: String)
  case bandwidth(BandwidthProblem)
  case variable(VariableProblem)
  case path(PathProblem)
  case url(RemoteURL.Problem)
  case layout(LayoutTemplate.Problem)
  case header(HeaderProblem)
  /// A user, password or token that cannot be sent. Its text is left out.
  case unsendable
  /// Not one of the forms of `auth.scope`. Its text is left out because it may contain a credential.
  case scope
  case proxy
  case pin(String)
  case titlePattern(String, TitlePattern.Problem)
  /// An empty filter condition, which would let everything pass.
  case emptyCondition
  /// Neither an episode type nor a media type.
  case itemType(String)
  /// An invalid playlist name, with a similar legal one.
  case playlistName(String, suggestion: String?)
  /// An invalid name of a server, with a similar legal one.
  case serverName(String, suggestion: String?)
  /// An empty list of a server's playlists.
  case noServerPlaylists
  /// The address of a server has a query or credentials.
  case serverURL
  /// Codes and tokens would go to a URL without https, or the URL has a user.
  case providerURL
  /// A scope of OAuth with a blank or another character that cannot be in one.
  case oauthScope
  /// Neither the URL of a page nor a search for yt-dlp. Its text is left out because it may contain a credential.
  case extractionTarget
  case search(String, SearchTemplate.Problem)
  /// A format for yt-dlp that consists of several files.
  case mergedFormat(String)
  /// An option for yt-dlp that cannot be passed on.
  case extractionArgument
  /// An invalid item id.
  case itemID(String)
  /// An invalid manifest name.
  case manifestName(String)
  /// The service manager names its credentials like files.
  case credentialName(String)
  /// A text that cannot be the name of a time zone.
  case timezone(String)
  /// A time zone that this machine does not know.
  case unknownTimezone(String)
  /// A text that cannot be the prefix of a player's paths.
  case pathPrefix(String)
  /// A text that cannot be the name of a device.
  case deviceName(String)
  /// An unsupported version of the format.
  case version(String, known: Int)

  package enum VariableProblem: Error, Hashable, Sendable {
    /// `${NAME` without its `}`.
    case unclosed
    /// The text between the braces does not begin with a name, or continues with something other than `:-` or `:?`.
    case malformed(String)
    case unset(String)
    /// The same for a secret, which `fileKey` can take from a file. A default in the manifest would be a secret in it.
    case unsetSecret(String, fileKey: String)
    /// `${NAME:?message}` for a variable that is unset or empty.
    case required(String, message: String)
    /// A variable whose bytes are not UTF-8.
    case notUTF8(String)
  }

  /// The problem of a value that may be a credential, without its text.
  package var withoutValue: ValueProblem {
    switch self {
    case .wrongType(let expected, .text), .wrongType(let expected, .quoted), .wrongType(let expected, .variables):
      .wrongType(expected: expected, found: .hidden)
    case .variable(.malformed): .variable(.malformed("…"))
    default: self
    }
  }

  package enum BandwidthProblem: Hashable, Sendable {
    /// Neither `HH:MM,RATE` nor `DAY-HH:MM,RATE`.
    case entry(String)
    /// Slower than the lowest allowed rate.
    case tooSlow(String, lowest: ByteRate)
    /// Two entries begin at the same time.
    case duplicate(String)
  }

  package enum PathProblem: Hashable, Sendable {
    case homeUnknown
    /// A path such as `~name/…`.
    case homeOfOther(String)
    case nul
  }

  package enum HeaderProblem: Hashable, Sendable {
    /// The name is not a token (RFC 9110 §5.6.2).
    case badName(String)
    /// The transfer itself sets this field.
    case reserved(String)
    /// The value contains line breaks, other control characters or non-ASCII characters.
    case badValue
    case duplicate(String, firstLine: Int)
  }
}

/// The value that a key expects.
package enum Expectation: Hashable, Sendable {
  /// A number, or `{ min: …, max: … }`.
  case integerOrBounds
  case mapping, list, listOfMappings, listOfHistories
  case text
  /// `true` or `false`, without quotes.
  case boolean
  case integer
  case decimal
  case size
  case duration
  /// A duration with a required unit.
  case age
  /// `off`, a rate, or a timetable.
  case bandwidth
  case date
  case percentage
  case percentageOrCount
  case sizeOrPercentage
  /// A date, or an age counted back from now.
  case dateOrAge
  case checksum
  case choice([String])
  /// `all` or a number.
  case countOrAll
  case url
  case urlOrPath
  /// `true`, `false`, or a list of hosts, addresses and ranges.
  case privateAccess
  case path
  /// A program and its arguments.
  case command
}

/// The value found instead.
package enum FoundValue: Hashable, Sendable {
  case nothing
  case mapping
  case list
  case text(String)
  /// A quoted value where only a bare one has the type.
  case quoted(String)
  /// A text that is not shown because it may be a credential.
  case hidden
  /// A text with variables, as written, because their values may be secret.
  case variables(String)
}
