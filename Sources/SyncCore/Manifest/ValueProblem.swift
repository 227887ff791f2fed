// SPDX-License-Identifier: Apache-2.0

/// What is wrong about the value of a key.
package enum ValueProblem: Error, Hashable, Sendable {
  case wrongType(expected: Expectation, found: FoundValue)
  /// Of the right form, but too small or too large. The bounds as a person would write them; nil: no such bound.
  case outOfRange(FoundValue, lowest: String?, highest: String?)
  /// No number that is allowed; that word would be.
  indirect case noNumber(ValueProblem, word: String)
  /// `10G`: decimal for some programs, binary for others.
  case ambiguousSize(String)
  /// A number alone, where seconds are never meant; with `orDate` a date may be.
  case withoutUnit(FoundValue, orDate: Bool)
  /// `none` where the key says `never`, and the like.
  case otherWord(String, meant: String)
  case bandwidth(BandwidthProblem)
  case variable(VariableProblem)
  case path(PathProblem)
  case url(RemoteURL.Problem)
  case layout(LayoutTemplate.Problem)
  case header(HeaderProblem)
  /// A user, password or token that cannot be sent; it is not part of the fact.
  case unsendable
  /// Not one of the forms of `auth.scope`; it may hold a credential.
  case scope
  case proxy
  case pin(String)
  case titlePattern(String, TitlePattern.Problem)
  /// A condition of a filter without anything in it, which would let everything pass.
  case emptyCondition
  /// Neither a kind of episode nor a media type.
  case itemType(String)
  /// A playlist's name, with one like it that would be legal.
  case playlistName(String, suggestion: String?)
  /// An item's id.
  case itemID(String)
  /// A manifest's name.
  case manifestName(String)
  /// What no time zone is called.
  case timezone(String)
  /// A time zone that this machine does not know.
  case unknownTimezone(String)
  /// What the paths of no player begin with.
  case pathPrefix(String)
  /// Another version of the format than the one that is known.
  case version(String, known: Int)

  package enum VariableProblem: Error, Hashable, Sendable {
    /// `${NAME` without its `}`.
    case unclosed
    /// What stands between the braces does not begin with a name, or goes on with something else than `:-` or `:?`.
    case malformed(String)
    case unset(String)
    /// `${NAME:?message}` of a variable that is unset or empty.
    case required(String, message: String)
    /// A variable whose bytes are not UTF-8.
    case notUTF8(String)
  }

  package enum BandwidthProblem: Hashable, Sendable {
    /// Not `HH:MM,RATE` nor `DAY-HH:MM,RATE`.
    case entry(String)
    /// Slower than any limit may be.
    case tooSlow(String, lowest: ByteRate)
    /// Two entries begin at this time.
    case duplicate(String)
  }

  package enum PathProblem: Hashable, Sendable {
    case homeUnknown
    /// `~name/…`.
    case homeOfOther(String)
    case nul
  }

  package enum HeaderProblem: Hashable, Sendable {
    /// Not a token (RFC 9110 §5.6.2).
    case badName(String)
    /// Written by the transfer itself.
    case reserved(String)
    /// Line breaks, other control characters, or not ASCII.
    case badValue
    case duplicate(String, firstLine: Int)
  }
}

/// What a key wants.
package enum Expectation: Hashable, Sendable {
  /// A number, or `{ min: …, max: … }`.
  case integerOrBounds
  case mapping, list, listOfMappings, listOfHistories
  case text
  /// `true` or `false`, bare.
  case boolean
  case integer
  case decimal
  case size
  case duration
  /// A duration that wants its unit.
  case age
  /// `off`, a rate, or a timetable.
  case bandwidth
  case date
  case percentage
  case percentageOrCount
  case sizeOrPercentage
  /// A date, or how long ago.
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

/// What stands there instead.
package enum FoundValue: Hashable, Sendable {
  case nothing
  case mapping
  case list
  case text(String)
  /// In quotes, where only a bare value has the type.
  case quoted(String)
  /// A text with variables, as written: what they stand for may be a secret.
  case variables(String)
}
