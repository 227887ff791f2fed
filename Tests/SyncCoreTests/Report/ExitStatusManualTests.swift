// SPDX-License-Identifier: Apache-2.0

import SyncCore
import SyncTestSupport
import Testing

@Suite("the manual's table of exit statuses")
struct ExitStatusManualTests {
  @Test("the table has every status of the program with its name, and no other")
  func table() throws {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let manual = try FileBytes.text("/\(root)/docs/manual/commands.md")
    let section = try #require(manual.split(separator: "\n## Exit status\n").last)
    let rows = section.split(separator: "\n").compactMap { line -> String? in
      let cells = line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
      guard cells.count == 3, let code = Int(cells[0]) else { return nil }
      return "\(code) \(cells[1])"
    }
    #expect(rows == ExitStatus.allCases.map { "\($0.rawValue) \($0.name)" })
  }
}
