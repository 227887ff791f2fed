// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("live progress")
struct LiveProgressTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for name in ["a", "b"] {
      server.serve("/\(name).mp3", Resource(body: GeneratedAudio(title: "A", seconds: 1, seed: 1).body(count: 600_000)))
      server.script("/\(name).mp3", [.throttle(bytesPerSecond: 400_000)])
    }
    try home.declare(
      """
      playlists:
        all:
          items:
            - { id: a, title: "夜のドライブ ✅ \(String(repeating: "long ", count: 30))", url: "\(server.url("/a.mp3"))" }
            - { id: b, title: B, url: "\(server.url("/b.mp3"))" }
      """)
  }

  /// The output to a terminal of 60 columns.
  private func onTerminal(_ options: String = "", environment: [String: String] = [:]) throws -> CommandResult {
    let program = try #require(Program.syncjob)
    let line = "stty cols 60 rows 10; exec '\(program)' run '\(home.manifest)' \(options)"
    var command = try #require(Tool("script").command(["-qefc", line, "/dev/null"]))
    command.environment["TERM"] = "xterm-256color"
    command.environment.merge(environment) { $1 }
    return try command.run(timeout: 30)
  }

  /// Each redraw, as lines without their escape sequences.
  private func pictures(_ output: String) -> [[String]] {
    output.split(separator: "\u{1B}[?7l").dropFirst().map { drawn in
      let block = drawn.split(separator: "\u{1B}[?7h").first ?? ""
      return block.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "").split(separator: "\r\n").map(String.init)
    }
  }

  @Test("has a line for each transfer and a total, never too wide, at most ten times a second, and is gone at the end")
  func onTerminal() throws {
    try #require(Tool("script").isInstalled && Tool("stty").isInstalled)
    let result = try onTerminal("--no-color")
    #expect(result.ending == .exited(0))
    let pictures = pictures(result.standardOutput)
    #expect(!pictures.isEmpty && Double(pictures.count) <= result.seconds * 10 + 2)
    #expect(pictures.contains { $0.count == 3 && $0[2].hasPrefix("Total 0 of 2 items") })
    #expect(pictures.contains { $0.contains { $0.hasPrefix("B ") && $0.contains(" KiB / ") && $0.contains("%") } })
    for line in pictures.joined() { #expect(Self.columns(line) < 60, "\(line)") }
    let rest = try #require(result.standardOutput.split(separator: "\u{1B}[?7h").last)
    #expect(rest.contains("\u{1B}[J") && rest.contains("2 downloaded"))
    #expect(result.standardOutput.split(separator: "all/B.mp3", omittingEmptySubsequences: false).count == 2)
  }

  @Test("leaves nothing of itself beside a message of several lines")
  func message() throws {
    try #require(Tool("script").isInstalled && Tool("stty").isInstalled)
    server.script("/b.mp3", [.throttle(bytesPerSecond: 400_000), .status(503)])
    server.script("/a.mp3", [.status(503), .throttle(bytesPerSecond: 400_000)])
    let result = try onTerminal("--no-color")
    #expect(result.ending == .exited(0), "\(result.standardOutput)")
    var screen = TerminalScreen(columns: 60)
    screen.write(result.standardOutput)
    let shown = screen.rows.map { $0.padding(to: 60) }.joined(separator: "|")
    let messages = shown.matches(of: /attempt[ |]*2[ |]*in[ |]*[0-9.]+[ |]*m?s(.)/)
    #expect(!messages.isEmpty, "\(screen.rows)")
    for message in messages { #expect(message.output.1 == " " || message.output.1 == "|", "\(screen.rows)") }
  }

  @Test("is not drawn with -q, on a dumb terminal, or when it is not wanted")
  func unwanted() throws {
    try #require(Tool("script").isInstalled && Tool("stty").isInstalled)
    #expect(try onTerminal("-q").standardOutput.isEmpty)
    for (options, environment) in [
      ("--progress never", [:]), ("", ["TERM": "dumb"]), ("", ["SYNCJOB_PROGRESS": "never"]),
    ] {
      #expect(!(try onTerminal(options, environment: environment).standardOutput.contains("Total ")))
    }
  }

  @Test("is not there without a terminal, unless it is always wanted")
  func withoutTerminal() throws {
    let quiet = try home.command("run").run()
    #expect(quiet.ending == .exited(0))
    #expect(quiet.standardError.isEmpty)
    try FileTree.remove(home.library)
    let always = try home.command("run", "--progress", "always").run()
    #expect(always.standardError.contains("Total 0 of 2 items"))
    #expect(!always.standardOutput.contains("\u{1B}"))
    #expect(try home.command("run", "--progress", "sometimes").run().ending == .exited(64))
  }

  /// The width of the titles above: every character that is not ASCII is wide, except the ellipsis.
  fileprivate static func columns(_ line: String) -> Int {
    line.reduce(0) { $0 + ($1.isASCII || $1 == "…" ? 1 : 2) }
  }
}

/// Emulates a terminal, as far as progress lines need it (ECMA-48).
private struct TerminalScreen {
  private let columns: Int
  private var cells: [[Character]] = [[]]
  private var row = 0
  private var column = 0

  init(columns: Int) { self.columns = columns }

  /// The second cell of a wide character is left out.
  var rows: [String] { cells.map { String($0.filter { $0 != "\u{0}" }) } }

  mutating func write(_ text: String) {
    var rest = Substring(text.replacing("\r\n", with: "\r\u{0}"))
    while let character = rest.popFirst() {
      switch character {
      case "\r": column = 0
      case "\n", "\u{0}": startRow()
      case "\u{1B}": obey(&rest)
      default: put(character)
      }
    }
  }

  private mutating func startRow() {
    (row, column) = (row + 1, 0)
    if row == cells.count { cells.append([]) }
  }

  private mutating func put(_ character: Character) {
    let width = LiveProgressTests.columns(String(character))
    if column + width > columns { startRow() }
    for cell in [character, "\u{0}"].prefix(width) {
      while cells[row].count <= column { cells[row].append(" ") }
      cells[row][column] = cell
      column += 1
    }
  }

  private mutating func obey(_ rest: inout Substring) {
    guard rest.first == "[" else { return }
    let parameters = rest.dropFirst().prefix { !$0.isLetter }
    let command = rest[parameters.endIndex...].first
    rest = rest[parameters.endIndex...].dropFirst()
    switch command {
    case "A": row = max(0, row - (Int(parameters) ?? 1))
    case "K": cells[row].removeSubrange(min(column, cells[row].count)...)
    case "J":
      cells[row].removeSubrange(min(column, cells[row].count)...)
      cells.removeSubrange((row + 1)...)
    default: break
    }
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}
