// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension ManifestWords {
  /// - Parameter key: quoted already.
  static func sentence(_ problem: ValueProblem, of key: String) -> String {
    switch problem {
    case .wrongType(let expected, let found): wrongTypeSentence(key, expected, found)
    case .outOfRange(let found, let lowest, let highest):
      "\(key) must be \(range(lowest, highest)), but is \(shown(found))"
    case .noNumber(let problem, let word): "\(sentence(problem, of: key)); where none is meant: \(word)"
    case .ambiguousSize(let size):
      "\(key): \(quoted(size)) is decimal for some programs and binary for others: write \(quoted("\(size)iB")) (1024)"
        + " or \(quoted("\(size)B")) (1000)"
    case .withoutUnit(let found, let orDate): withoutUnitSentence(key, found, orDate: orDate)
    case .otherWord(let found, let meant): "\(key) has another word for \(quoted(found)): write \(meant)"
    case .bandwidth(let problem): sentence(problem, of: key)
    case .variable(let problem): sentence(problem, of: key)
    case .path(let problem): sentence(problem, of: key)
    case .url(let problem): "\(key) is not a URL that can be fetched: \(reason(problem))"
    case .layout(let problem): "\(key) is not a valid layout: \(reason(problem))"
    case .header(let problem): sentence(problem, of: key)
    case .unsendable:
      "\(key) must be one line of text that is not empty, and a user has no colon: keep long secrets in a file of their own"
    case .scope:
      "\(key) takes hosts such as media.example.net, media.example.net:8443 or https://media.example.net, nothing behind"
        + " them; patterns are not allowed: name each host"
    case .proxy:
      "\(key) must be none, env, or a URL such as http://proxy.example.net:3128 (\(ProxyURL.schemes.joined(separator: ", ")))"
    case .pin(let text):
      "\(key): \(quoted(text)) is not a pin: write \"sha256//\" and the 44 characters of a public key's SHA-256 in Base64"
    case .titlePattern(let text, let problem): patternSentence(problem, of: key, text)
    case .emptyCondition:
      "\(key) has nothing in it, so it would not leave anything out: write a condition, or remove the key"
    case .itemType(let text):
      "\(key) must be full, trailer, bonus or a media type such as \"audio/*\", but is \(quoted(text))"
    case .playlistName(let name, let suggestion):
      nameSentence("playlist", name, suggestion.map { "call it \(quoted($0)), and keep the name as its \"title\"" })
    case .extractionTarget, .mergedFormat, .extractionArgument: extractionSentence(problem, of: key)
    case .search(let text, let problem): "\(key): \(quoted(text)) \(problem.words)"
    case .serverName(let name, let suggestion):
      nameSentence("server", name, suggestion.map { "call it \(quoted($0))" })
    case .noServerPlaylists:
      "\(key) is an empty list: name playlists of the server, or write patterns such as \"Run*\""
    case .serverURL, .providerURL, .oauthScope: serverSentence(problem, of: key)
    case .itemID(let id): "the id \(quoted(id)) has control characters or more than 512 bytes: choose another"
    case .manifestName(let name):
      "\(key) names files, so \(quoted(name)) cannot be one: no \"/\", no control characters, at most"
        + " 128 bytes"
    case .credentialName(let name): "\(key): no credential of the service manager is called \(quoted(name))"
    case .timezone(let name):
      "\(key): no time zone is called \(quoted(name)): write a name such as Europe/Berlin, or an offset such as \"+02:00\""
    case .unknownTimezone(let name):
      "\(key): the time zone database of this machine has no \(quoted(name)): check the name, or install tzdata"
    case .pathPrefix(let text):
      "\(key): no path of a player begins with \(quoted(text)): write the folder as the player knows it, such as \"stick\""
    case .deviceName(let text):
      "\(key): \(quoted(text)) cannot be the name of a device: write at most 64 letters, digits, \"_\", \".\" and \"-\""
    case .version(let found, let known):
      "the manifest is written for version \(quoted(found)), but this syncjob reads version \(known): get a syncjob that"
        + " reads it, or rewrite the manifest"
    }
  }

  private static func serverSentence(_ problem: ValueProblem, of key: String) -> String {
    switch problem {
    case .providerURL:
      "\(key) must begin with https://, because secrets go there (http:// only for this machine, such as 127.0.0.1), and"
        + " have no user"
    case .oauthScope: "\(key) has a scope with a blank, a quote or a backslash: write each scope as its own element"
    default:
      "\(key) must be the address of the server alone, without \"?\" and without a user: put user and password under"
        + " \"auth\""
    }
  }

  private static func extractionSentence(_ problem: ValueProblem, of key: String) -> String {
    switch problem {
    case .extractionTarget:
      "\(key) must be the URL of a page, without a user or password, or a search such as \"ytsearch10:night drive\""
    case .mergedFormat(let format):
      "\(key): \(quoted(format)) consists of several files, but an item is one file: write a format that is one"
        + " file, such as \"ba/b\" or \"b\""
    default:
      "\(key) must be one option or its value, on one line; \"--\" cannot be one, because the address follows it"
    }
  }

  private static func patternSentence(_ problem: TitlePattern.Problem, of key: String, _ text: String) -> String {
    switch problem {
    case .empty: "\(key) must not be empty: write a pattern such as \"*trailer*\", or remove the key"
    case .openSet:
      "\(key): nothing closes the \"[\" in \(quoted(text)): write \"[[]\" for the character itself"
    case .halfExpression:
      "\(key): \(quoted(text)) is half a regular expression: write \"/…/\" or \"/…/i\", with nothing else before or"
        + " behind it; or \"[/]\" for the character itself"
    case .expression(let problem):
      "\(key): \(quoted(text)) is not a regular expression that can be used: \(problem.words)"
    }
  }

  private static func nameSentence(_ kind: String, _ name: String, _ remedy: String?) -> String {
    "the \(kind) name \(quoted(name)) may only have a-z, 0-9, \".\", \"_\" and \"-\", and begins with a letter or"
      + " digit: " + (remedy ?? "rename it")
  }

  /// The number suggests what it was meant for: `2026` is a year, `7` is a number of days, `86400` was meant as
  /// seconds.
  private static func withoutUnitSentence(_ key: String, _ found: FoundValue, orDate: Bool) -> String {
    let number: String =
      switch found {
      case .text(let text), .quoted(let text): text
      case .nothing, .mapping, .list, .hidden, .variables: "7"
      }
    let isDays = Double(number).map { $0 < 366 } ?? true
    let age = isDays ? "\(quoted("\(number)d")) for days" : "\(quoted("\(number)s")) for seconds"
    guard orDate else { return "\(key) wants a unit, and \(shown(found)) has none: write \(age)" }
    let date = day(number)
    return "\(key): \(shown(found)) is neither a date nor an age: write "
      + (date.map { "\(quoted($0)), or \(quoted("90d")) for days" } ?? "a date such as 2026-01-05, or \(age)")
  }

  /// The day that `2026` or `20260105` was meant to be.
  private static func day(_ number: String) -> String? {
    guard number.hasPrefix("19") || number.hasPrefix("20"), number.allSatisfy(\.isWholeNumber) else { return nil }
    let (month, day) = (number.dropFirst(4).prefix(2), number.dropFirst(6))
    let date = number.count == 4 ? "\(number)-01-01" : "\(number.prefix(4))-\(month)-\(day)"
    return [4, 8].contains(number.count) && Timestamp(rfc3339: date) != nil ? date : nil
  }

  private static func wrongTypeSentence(_ key: String, _ expected: Expectation, _ found: FoundValue) -> String {
    let subject = key == "\"\"" ? "this" : key
    return switch (expected, found) {
    case (.boolean, .text(let text)) where ["yes", "on", "y", "true", "1"].contains(text.lowercased()):
      "\(subject) must be true or false, but is \(shown(found)): write true"
    case (.boolean, .text(let text)) where ["no", "off", "n", "false", "0"].contains(text.lowercased()):
      "\(subject) must be true or false, but is \(shown(found)): write false"
    case (.boolean, .quoted), (.integer, .quoted), (.decimal, .quoted):
      "\(subject) must be \(name(expected)), but quotes make \(shown(found)) a text: remove them"
    case (.text, .quoted("")): "\(subject) must not be empty"
    case (.percentage, .text(let text)) where DecimalNumber(text.utf8[...]) != nil:
      "\(subject) must be \(name(expected)), but is \(shown(found)): write \(quoted("\(text)%"))"
    case (.choice(let names), .text(let text)), (.choice(let names), .quoted(let text)):
      "\(subject) must be \(name(expected)), but is \(shown(found))"
        + (NearestName.of(text, among: names).map { ": did you mean \(quoted($0))?" } ?? "")
    default: "\(subject) must be \(name(expected)), but is \(shown(found))"
    }
  }

  private static func name(_ expected: Expectation) -> String {
    switch expected {
    case .integerOrBounds: "a whole number, or bounds such as { min: 2, max: 4 }"
    case .mapping: "a mapping (\"key: value\" lines)"
    case .list: "a list (\"- \" lines)"
    case .listOfHistories: "a list of mappings (\"- scrobbler_log: PATH\" lines)"
    case .listOfMappings: "a list of mappings (\"- url: https://…\" lines)"
    case .text: "a text"
    case .boolean: "true or false"
    case .privateAccess: "true, false or a list of host names, addresses and ranges such as 192.168.1.0/24"
    case .integer: "a whole number"
    case .decimal: "a number"
    case .size: "a size such as 10GiB, 8.6MB or 1048576"
    case .duration: "a duration such as 90, 30s, 1h30m or 3:45"
    case .age: "a duration such as 7d, 12h or 1h30m"
    case .bandwidth: "off, a rate such as 512K or 2M, or a timetable such as \"08:00,512K 23:00,off\""
    case .date: "a date such as 2026-01-05 or 2026-01-05T06:00:00Z"
    case .percentage: "a percentage such as 85%"
    case .sizeOrPercentage: "a size such as 2GiB, or a percentage of storage.budget such as 25%"
    case .dateOrAge: "a date such as 2026-01-05, or how long ago, such as 90d"
    case .percentageOrCount: "a percentage such as 25%, or a number"
    case .checksum: "a checksum such as \"sha256:\" and 64 hexadecimal digits (or sha512, sha1, md5)"
    case .choice(let names): names.count == 1 ? names[0] : "one of \(names.joined(separator: ", "))"
    case .countOrAll: "all, or a number"
    case .url: "a URL"
    case .urlOrPath: "a URL or the path of a file"
    case .path: "a path"
    case .command: "a list of a program and its arguments, such as [pass, show, media]"
    }
  }

  private static func shown(_ found: FoundValue) -> String {
    switch found {
    case .nothing: "empty"
    case .mapping: "a mapping"
    case .list: "a list"
    case .hidden: "a text"
    case .text(let text), .quoted(let text): quoted(text)
    case .variables(let text): "what \(quoted(text)) stands for"
    }
  }

  private static func range(_ lowest: String?, _ highest: String?) -> String {
    switch (lowest, highest) {
    case (let lowest?, let highest?): "between \(lowest) and \(highest)"
    case (let lowest?, nil): "at least \(lowest)"
    case (nil, let highest?): "at most \(highest)"
    case (nil, nil): "in range"
    }
  }
}

extension SearchTemplate.Problem {
  /// Behind the template.
  fileprivate var words: String {
    switch self {
    case .notASearch: "is not a search: begin with its name, a number and a colon, as in \"ytsearch5:{artist} {title}\""
    case .unknownField(let name):
      "has the unknown field \"{\(name.printable)}\": there are {artist}, {title} and {album}"
    case .openBrace: "has a brace without its counterpart: write fields as in \"ytsearch5:{artist} {title}\""
    case .withoutTitle: "finds the same for every item: add {title}"
    }
  }
}
