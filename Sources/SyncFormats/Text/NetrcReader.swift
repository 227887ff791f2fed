// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A netrc file as curl and ftp read it: `machine HOST login USER password PASSWORD`, in any order after the host and
/// over any number of lines. `default` matches the other hosts, and `macdef` extends to an empty line. `#` in place of
/// a word begins a comment. A word in double quotes may contain blanks, `\"`, `\\`, `\n`, `\r` and `\t`.
package enum NetrcReader {
  package static func read(_ text: String) throws(CredentialSyntaxError) -> [NetrcEntry] {
    var reading = Reading(words: try NetrcWords.all(in: text))
    return try reading.entries()
  }

  private struct Reading {
    let words: [NetrcWords.Word]
    var position = 0

    mutating func entries() throws(CredentialSyntaxError) -> [NetrcEntry] {
      var entries: [NetrcEntry] = []
      while let word = next() {
        let host: String?
        switch word.text {
        case "machine": host = try value(behind: word).lowercased()
        case "default": host = nil
        default: throw CredentialSyntaxError(line: word.line)
        }
        if let entry = try entry(of: host) { entries.append(entry) }
      }
      return entries
    }

    /// Nil for a host without a password.
    private mutating func entry(of host: String?) throws(CredentialSyntaxError) -> NetrcEntry? {
      var (user, password): (String?, String?)
      while position < words.count, !["machine", "default"].contains(words[position].text) {
        let word = words[position]
        position += 1
        switch word.text {
        case "login": user = try value(behind: word)
        case "password": password = try value(behind: word)
        case "account": _ = try value(behind: word)
        default: throw CredentialSyntaxError(line: word.line)
        }
      }
      guard let password else { return nil }
      return NetrcEntry(host: host, user: user ?? "", password: Secret(password))
    }

    private mutating func next() -> NetrcWords.Word? {
      guard position < words.count else { return nil }
      defer { position += 1 }
      return words[position]
    }

    private mutating func value(behind word: NetrcWords.Word) throws(CredentialSyntaxError) -> String {
      guard let value = next(), !value.text.hasControlCharacters else { throw CredentialSyntaxError(line: word.line) }
      return value.text
    }
  }
}

private enum NetrcWords {
  struct Word {
    let text: String
    let line: Int
  }

  static func all(in text: String) throws(CredentialSyntaxError) -> [Word] {
    var words: [Word] = []
    var isMacro = false
    for (number, line) in text.textLines.enumerated() {
      if isMacro {
        isMacro = !line.isEmpty
        continue
      }
      var found = try self.words(of: line, number: number + 1)
      if let macro = found.firstIndex(where: { $0.text == "macdef" }) {
        found.removeSubrange(macro...)
        isMacro = true
      }
      words += found
    }
    return words
  }

  private static func words(of line: Substring, number: Int) throws(CredentialSyntaxError) -> [Word] {
    var words: [Word] = []
    var rest = line.unicodeScalars[...]
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" }
      guard let first = rest.first, first != "#" else { return words }
      let text: String
      if first == "\"" {
        (text, rest) = try quoted(rest.dropFirst(), line: number)
      } else {
        let word = rest.prefix { $0 != " " && $0 != "\t" }
        text = String(word)
        rest = rest[word.endIndex...]
      }
      words.append(Word(text: text, line: number))
    }
  }

  private static func quoted(
    _ text: Substring.UnicodeScalarView, line: Int
  ) throws(CredentialSyntaxError) -> (String, Substring.UnicodeScalarView) {
    var result = String.UnicodeScalarView()
    var rest = text
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return (String(result), rest) }
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "n"?: result.append("\n")
      case "r"?: result.append("\r")
      case "t"?: result.append("\t")
      case let other?: result.append(other)
      case nil: throw CredentialSyntaxError(line: line)
      }
    }
    throw CredentialSyntaxError(line: line)
  }
}

/// The error for a credential file that could not be read completely.
package struct CredentialSyntaxError: Error, Hashable, Sendable {
  package let line: Int
  /// A header field that only the transfer itself may write.
  package var reserved: String?
}

extension String {
  /// The lines of the text, with either line end: to Swift a carriage return and a line feed are one character.
  var textLines: [Substring] { split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" } }
}
