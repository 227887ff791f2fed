// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

/// Every sentence of these files is on the page where people look for a message.
@Suite("the manual's page of messages")
struct MessageManualTests {
  private static let files = [
    "FailureWords", "WarningWords", "JobErrorWords", "StateWords", "RecoveryWords", "FileWords", "RequestWords",
    "ExtractionWords", "TagWords", "HistoryWords", "KeyWords", "LicenseWords", "LoginWords", "PlayerWords",
    "ListWords", "ListEditWords",
  ]
  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  private static func sentences() throws -> [String] {
    try files.flatMap { name in
      SourceText(try FileBytes.text("\(root)/Sources/SyncFormats/Words/\(name).swift")).literals
    }.map(\.asMessage).filter(\.isSentence)
  }

  private static func listed() throws -> [String] {
    try FileBytes.text("\(root)/docs/manual/messages.md").split(separator: "\n").filter { $0.hasPrefix("    ") }
      .map { String($0.dropFirst(4)) }
  }

  @Test("has every sentence of a failure, with … for what differs")
  func complete() throws {
    let listed = Set(try Self.listed())
    let missing = try Self.sentences().filter { !listed.contains($0) }
    #expect(missing.isEmpty, "docs/manual/messages.md lacks\n\(missing.joined(separator: "\n"))")
  }

  @Test("has nothing that is not said, and nothing twice")
  func current() throws {
    let (listed, said) = (try Self.listed(), Set(try Self.sentences()))
    #expect(said.count > 300, "the sentences were found")
    let stale = listed.filter { !said.contains($0) }
    #expect(stale.isEmpty, "docs/manual/messages.md has\n\(stale.joined(separator: "\n"))")
    #expect(Set(listed).count == listed.count)
  }
}

extension String {
  /// The text without the marks between it and the text around it, and with one … for neighbouring values.
  fileprivate var asMessage: String {
    var text = self[...]
    while let last = text.last, " ;,:".contains(last) { text.removeLast() }
    while let first = text.first, " ;,:".contains(first) { text.removeFirst() }
    return String(text).replacing(/…{2,}/, with: "…")
  }

  /// Shorter texts are names of things, not messages.
  fileprivate var isSentence: Bool {
    let words = split { " …".contains($0) }
    return words.count >= 4 && words.reduce(0) { $0 + $1.count } >= 16
  }
}

/// The string literals of Swift source text.
private struct SourceText {
  /// In their order. Literals that are added up are one, and "…" stands for each value.
  private(set) var literals: [String] = []
  private let text: [Character]
  private var place = 0

  init(_ source: String) {
    text = Array(source)
    while place < text.count {
      if has("//") {
        skip { $0 != "\n" }
      } else if text[place] == "\"" {
        literals.append(sum())
      } else {
        place += 1
      }
    }
  }

  private func has(_ words: String) -> Bool { text[place...].starts(with: words) }

  private mutating func skip(while isSkipped: (Character) -> Bool) {
    while place < text.count, isSkipped(text[place]) { place += 1 }
  }

  /// A literal, and those that are added to it.
  private mutating func sum() -> String {
    var result = literal()
    while true {
      let end = place
      skip { $0.isWhitespace }
      guard place < text.count, text[place] == "+" else {
        place = end
        return result
      }
      place += 1
      skip { $0.isWhitespace }
      switch text[place] {
      case "\"": result += literal()
      case "(":
        parentheses()
        result += "…"
      default:
        place = end
        return result
      }
    }
  }

  private mutating func literal() -> String {
    var result = ""
    place += 1
    while text[place] != "\"" {
      guard text[place] == "\\" else {
        result.append(text[place])
        place += 1
        continue
      }
      place += 1
      if text[place] == "(" {
        parentheses()
        result += "…"
      } else {
        result.append(text[place])
        place += 1
      }
    }
    place += 1
    return result
  }

  /// Passes over an expression in parentheses, with the literals in it.
  private mutating func parentheses() {
    var depth = 0
    repeat {
      switch text[place] {
      case "\"":
        _ = literal()
        continue
      case "(": depth += 1
      case ")": depth -= 1
      default: break
      }
      place += 1
    } while depth > 0
  }
}
