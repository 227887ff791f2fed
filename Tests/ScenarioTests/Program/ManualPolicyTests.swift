// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// The example of docs/manual/policy.md and its real output: the page is right as long as this test passes.
@Suite("the manual's small library")
struct ManualPolicyTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let page: ManualPage
  private static let origin = "https://media.example.net"
  private static let sizes = ["quiet-hours": 400_000, "night-drive": 300_000, "anthem": 200_000, "morning": 120_000]

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    page = try ManualPage("policy.md")
    for (name, size) in Self.sizes {
      server.serve("/\(name).mp3", Resource(body: GeneratedAudio(title: name, seconds: 40, seed: 5).body(count: size)))
    }
    let manifest = try #require(page.blocks("yaml").last).replacing(Self.origin, with: server.url(""))
    // The manifest before the last two items were added.
    let first = manifest.split(separator: "\n").filter { !$0.contains("morning") && !$0.contains("opera") }
    try FileBytes.write(first.joined(separator: "\n") + "\n", to: home.manifest)
    let plays = ["2026-12-20T19:00:00Z", "2026-12-27T20:00:00Z"].map { "{\"id\":\"night-drive\",\"at\":\"\($0)\"}\n" }
    try FileBytes.write(plays.joined(), to: home.folder.file("heard.jsonl"))
    #expect(try home.command("run", "--now", "2026-12-01T06:00:00Z").run().ending == .exited(0))
    try FileBytes.write(manifest, to: home.manifest)
  }

  /// The output of a command, as the page shows it.
  private func output(_ name: String, _ arguments: String...) throws -> String {
    let result = try home.command(name, options: arguments + ["--now", "2027-01-10T06:00:00Z"]).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    return result.standardOutput.replacing(server.url(""), with: Self.origin)
      .replacing(/[0-9.]+ [kMGT]B free/, with: "23.0 GB free").replacing(
        /"free":[0-9]+/, with: "\"free\":22978297856")
  }

  @Test("plan, explain and simulate print what the page shows")
  func shown() throws {
    let shown = page.blocks("console")
    let explained = try home.editing("explain", "night-drive", "--now", "2027-01-10T06:00:00Z").run().standardOutput
    let commands = [
      "$ syncjob plan\n" + (try output("plan")),
      "$ syncjob explain night-drive\n" + explained.replacing(server.url(""), with: Self.origin),
      "$ syncjob simulate --budget 600KB\n" + (try output("simulate", "--budget", "600KB")),
    ]
    for (number, text) in commands.enumerated() {
      #expect(shown.count > number && shown[number] == text, "the page should show:\n\(text)")
    }
    let json = try output("plan", "--json")
    #expect(page.blocks("json").last == json, "the page should show:\n\(json)")
  }
}

/// A page of the manual, and the blocks in it that readers copy.
struct ManualPage {
  private let text: String

  init(_ name: String) throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    text = try FileBytes.text("\(root)/docs/manual/\(name)")
  }

  /// The fenced blocks of a language, in order, each with the end of its last line.
  func blocks(_ language: String) -> [String] {
    text.split(separator: "\n```\(language)\n").dropFirst().map { rest in
      (rest.split(separator: "\n```", maxSplits: 1).first.map(String.init) ?? "") + "\n"
    }
  }
}
