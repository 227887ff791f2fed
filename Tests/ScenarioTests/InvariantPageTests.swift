// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("the page of invariants")
struct InvariantPageTests {
  private let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  @Test("names in each row files and tests that exist")
  func names() throws {
    let rows = try FileBytes.text("\(root)/docs/invariants.md").split(separator: "\n").filter { line in
      ["| M", "| S"].contains { line.hasPrefix($0) } && line.dropFirst(3).first?.isNumber == true
    }
    #expect(rows.count >= 20)
    let tests = try FileTree.files("\(root)/Tests")
    for row in rows {
      let cells = row.split(separator: "|").map { cell in
        cell.split(separator: "`").enumerated().compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
      }
      let (files, names) = (cells[2], cells[3])
      #expect(!files.isEmpty && !names.isEmpty, "\(row)")
      for file in files { #expect(throws: Never.self, "\(file)") { try FileBytes.read("\(root)/Sources/\(file)") } }
      for name in names { #expect(try isTest(name, in: tests), "\(name) is no test") }
    }
  }

  /// True for `SuiteTests.function` of a suite anywhere below Tests.
  private func isTest(_ name: String, in files: [String]) throws -> Bool {
    let parts = name.split(separator: ".")
    guard parts.count == 2 else { return false }
    return try files.filter { $0.hasSuffix("/\(parts[0]).swift") }.contains { file in
      try FileBytes.text("\(root)/Tests/\(file)").contains("func \(parts[1])(")
    }
  }
}
