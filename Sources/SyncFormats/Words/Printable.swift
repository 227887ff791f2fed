// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension String {
  /// The text as a terminal and a report may show it: control, direction and line characters appear as `\u{1B}`.
  package var printable: String {
    guard unicodeScalars.contains(where: { $0.isControl || $0.isInvisible }) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.isControl || scalar.isInvisible {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text without everything between `://` and a later `@`, for a text that should be a URL and is not. Without
  /// `://`, everything before an `@` that follows a colon is left out.
  var withoutLogin: String {
    let scheme = firstRange(of: "://")?.upperBound
    let start = scheme ?? startIndex
    guard let at = self[start...].lastIndex(of: "@"), scheme != nil || self[..<at].contains(":") else { return self }
    return "\(self[..<start])***\(self[at...])"
  }

  /// The path without what looks like a login before an `@`. Paths have colons and at signs, but seldom in this order in
  /// one name.
  var withoutLoginInPath: String {
    split(separator: "/", omittingEmptySubsequences: false).map { name in
      guard let at = name.lastIndex(of: "@"), name[..<at].contains(":") else { return String(name) }
      return "***\(name[at...])"
    }.joined(separator: "/")
  }

  /// The printable text in quotation marks.
  package var quoted: String { "\"\(printable)\"" }

  /// The part of a server's or a source's text that a sentence quotes.
  var excerpt: String { cut(to: 200) }
}

extension String {
  /// The sentence with its full stop. There is none behind a command at the end, which would be copied with it.
  var sentence: String { endsWithCommand ? self : self + "." }

  private var endsWithCommand: Bool {
    let starts = ranges(of: "with: ") + ranges(of: ": syncjob ")
    guard let start = starts.map(\.upperBound).max() else { return false }
    return !self[start...].contains("; ") && !self[start...].contains(", or ")
  }
}

extension ItemID {
  /// The printable name of an item for people: its title, or its id if the title shows nothing.
  package func called(_ title: String) -> String {
    let showsNothing = title.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }
    return showsNothing ? text.printable : title.printable
  }
}

extension [ItemID] {
  /// The first ten ids and the number of the others, which the JSON output lists.
  var listed: String {
    let first = prefix(10).map(\.text.quoted).joined(separator: ", ")
    return count > 10 ? "\(first) and \(count - 10) more" : first
  }
}

extension QueueItem {
  var shownTitle: String { id.called(item.title) }

  /// The printable title with the id behind it, or the id alone if that is all there is.
  var titleAndID: String {
    shownTitle == id.text.printable ? shownTitle : "\(shownTitle) (\(id.text.printable))"
  }
}

/// The way to call the program again for the same library, so that every hint works as printed.
package struct Invocation: Sendable {
  /// The manifest as it was named on the command line; nil when it needs no name.
  private let manifest: String?

  package init(manifest: String? = nil) { self.manifest = manifest }

  /// A command on one item: `syncjob retry -m car.yaml night-drive`.
  package func item(_ command: String, _ id: ItemID) -> String {
    "syncjob \(command)\(manifest.map { " -m \($0.shellWord)" } ?? "") \(id.shellWord)"
  }

  /// The command for a login: `syncjob login -m car.yaml home`.
  package func login(_ name: String) -> String {
    "syncjob login\(manifest.map { " -m \($0.shellWord)" } ?? "") \(name.shellWord)"
  }

  /// A command on the manifest: `syncjob plan car.yaml`.
  package func command(_ command: String) -> String {
    "syncjob \(command)\(manifest.map { " \($0.shellWord)" } ?? "")"
  }
}

extension RemoteURL {
  /// The URL of a page with its query, which often is all that names it. What looks like a credential is `***`.
  package var named: String { isFile ? text : EffectiveManifest.withoutCredentials(self) }
}
