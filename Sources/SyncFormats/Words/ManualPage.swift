// SPDX-License-Identifier: Apache-2.0

/// The manual page `syncjob(1)`, in the macros of man(7). It is made from the argument parser's own description of the
/// program, so that no second table of commands and flags can become outdated.
package struct ManualPage {
  private let program: JSONValue
  private let version: String
  /// The options that several commands have, by their names.
  private let common: [String: JSONValue]

  /// The number of commands from which an option is described once for all.
  private static let fewest = 3

  /// - Parameter json: the output of the argument parser for `--experimental-dump-help`.
  package init(parsing json: [UInt8], version: String) throws(JSONError) {
    program = try JSONValue(parsing: json)["command"] ?? .null
    self.version = version
    var counts: [String: Int] = [:]
    var options: [String: JSONValue] = [:]
    for (_, command) in Self.commands(below: program, named: "") {
      for option in Self.options(of: command) {
        counts[Self.key(option), default: 0] += 1
        options[Self.key(option)] = option
      }
    }
    common = options.filter { counts[$0.key, default: 0] >= Self.fewest }
  }

  package var text: String {
    let commands = Self.commands(below: program, named: "")
    let parts = [
      ".TH SYNCJOB 1 \"\" \"\(Roff.text(version))\" \"User Commands\"", head, ".SH COMMANDS",
      commands.map { section($0.name, $0.command) }.joined(separator: "\n"), ".SH COMMON OPTIONS",
      "A command takes those that its section names.",
      commonOptions.map(paragraph).joined(separator: "\n"),
      ManualPageWords.end.map { Roff.section($0.title, $0.entries) }.joined(separator: "\n"),
    ]
    return parts.joined(separator: "\n") + "\n"
  }

  /// Each name once, with its most complete description.
  private var commonOptions: [JSONValue] {
    func length(_ option: JSONValue) -> Int { option["abstract"]?.string?.count ?? 0 }
    return Dictionary(grouping: common.values, by: Self.longest).sorted { $0.key < $1.key }
      .compactMap { $0.value.max { length($0) < length($1) } }
  }

  private var head: String {
    """
    .SH NAME
    syncjob \\- \(Roff.text(ManualPageWords.purpose))
    .SH SYNOPSIS
    .B syncjob
    .RI [ \\,run\\/ "] [" MANIFEST "] [" OPTIONS ]
    .br
    .B syncjob
    .I COMMAND
    \\&...
    .SH DESCRIPTION
    \(Roff.paragraphs(discussion))
    """
  }

  /// Without the exit statuses, which have a section of their own.
  private var discussion: String {
    (program["discussion"]?.string ?? "").split(separator: "\n\n").filter { !$0.hasPrefix("Exit status:") }
      .joined(separator: "\n\n")
  }

  private func section(_ name: String, _ command: JSONValue) -> String {
    let options = Self.options(of: command)
    let positionals = Self.shown(command).filter { $0["kind"]?.string == "positional" }
    var lines = [".SS \"syncjob \(Roff.text(name))\(positionals.map { " " + Roff.text(Self.spelled($0)) }.joined())\""]
    lines.append(Roff.paragraphs(command["abstract"]?.string ?? ""))
    if let discussion = command["discussion"]?.string { lines += [".PP", Roff.paragraphs(discussion)] }
    for positional in positionals {
      lines += [".TP", ".I \(Roff.text(positional["valueName"]?.string ?? ""))", Self.help(positional)]
    }
    lines += options.filter { common[Self.key($0)] == nil }.map(paragraph)
    let shared = options.filter { common[Self.key($0)] != nil }.map { "\\fB\(Roff.option(Self.longest($0)))\\fR" }
    if !shared.isEmpty { lines += [".PP", "Common options: \(shared.joined(separator: ", "))."] }
    for example in CommandExamples.calls(of: name) {
      lines += [".PP", "\(Roff.text(example.note)):", ".PP", ".nf", ".RS", Roff.text(example.call), ".RE", ".fi"]
    }
    return lines.joined(separator: "\n")
  }

  private func paragraph(_ option: JSONValue) -> String {
    let names = Self.names(of: option).map { "\\fB\(Roff.option($0))\\fR" }.joined(separator: ", ")
    let value = option["kind"]?.string == "option" ? " \\fI\(Roff.text(option["valueName"]?.string ?? ""))\\fR" : ""
    return ".TP\n\(names)\(value)\n\(Self.help(option))"
  }
}

extension ManualPage {
  /// The commands that do something, with the words that name them.
  private static func commands(below command: JSONValue, named words: String) -> [(name: String, command: JSONValue)] {
    (command["subcommands"]?.array ?? []).filter { isShown($0) && $0["commandName"]?.string != "help" }.flatMap {
      below in
      let name = words + (words.isEmpty ? "" : " ") + (below["commandName"]?.string ?? "")
      let deeper = commands(below: below, named: name)
      return deeper.isEmpty ? [(name, below)] : deeper
    }
  }

  private static func isShown(_ value: JSONValue) -> Bool { value["shouldDisplay"]?.bool ?? true }

  private static func shown(_ command: JSONValue) -> [JSONValue] {
    (command["arguments"]?.array ?? []).filter(isShown)
  }

  private static func options(of command: JSONValue) -> [JSONValue] {
    shown(command).filter { $0["kind"]?.string != "positional" && $0["valueName"]?.string != "version" }
  }

  /// The same for options that mean the same.
  private static func key(_ option: JSONValue) -> String {
    names(of: option).joined(separator: " ") + (option["abstract"]?.string ?? "")
  }

  /// With dashes, short ones first.
  private static func names(of option: JSONValue) -> [String] {
    (option["names"]?.array ?? []).compactMap { name in
      name["name"]?.string.map { name["kind"]?.string == "short" ? "-\($0)" : "--\($0)" }
    }.sorted { $0.count < $1.count }
  }

  private static func longest(_ option: JSONValue) -> String { names(of: option).last ?? "" }

  private static func spelled(_ positional: JSONValue) -> String {
    let name = (positional["valueName"]?.string ?? "").uppercased()
    let repeated = name + (positional["isRepeating"]?.bool ?? false ? "…" : "")
    return positional["isOptional"]?.bool ?? false ? "[\(repeated)]" : repeated
  }

  private static func help(_ argument: JSONValue) -> String {
    Roff.paragraphs(argument["abstract"]?.string ?? "")
  }
}

/// Text for groff.
enum Roff {
  static func section(_ title: String, _ entries: [(term: String, text: String)]) -> String {
    let texts = entries.map { entry in
      entry.term.isEmpty
        ? ".PP\n\(paragraphs(entry.text))" : ".TP\n\\fB\(text(entry.term))\\fR\n\(paragraphs(entry.text))"
    }
    return ([".SH \(title)"] + texts).joined(separator: "\n")
  }

  /// Empty lines begin a new paragraph. Words in backquotes are bold.
  static func paragraphs(_ words: String) -> String {
    words.split(separator: "\n\n").map { paragraph in
      let parts = paragraph.replacing("\n", with: " ").split(separator: "`", omittingEmptySubsequences: false)
      let line = parts.enumerated().map {
        $0.offset % 2 == 1 ? "\\fB\(option(String($0.element)))\\fR" : text(String($0.element))
      }
      return protected(line.joined())
    }.joined(separator: "\n.PP\n")
  }

  /// A text as it is: no character of it is a request, and none beyond ASCII depends on the encoding of the reader.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\"": result += "\\(dq"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default: result += "\\[u\(hex(scalar.value))]"
      }
    }
    return protected(result.replacing("--", with: "\\-\\-").replacing(" -", with: " \\-"))
  }

  /// The same with each hyphen as the character that can be copied into a terminal.
  static func option(_ text: String) -> String {
    self.text(text.replacing("-", with: "\u{1}")).replacing("\u{1}", with: "\\-")
  }

  private static func protected(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : line
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
