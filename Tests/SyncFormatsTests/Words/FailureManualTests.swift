// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import SyncTestSupport
import Testing

@Suite("the manual's page of failures")
struct FailureManualTests {
  private let page: String

  init() throws {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    page = try FileBytes.text("/\(root)/docs/manual/failures.md")
  }

  @Test("its table of statuses is that of the program")
  func statuses() { expect("status | means | then", FailureTables.statuses) }

  @Test("its table of libcurl's codes is that of the program")
  func codes() { expect("libcurl ends with | kind | that is, and what to do | then", FailureTables.codes) }

  private func expect(_ title: String, _ rows: [[String]], sourceLocation: SourceLocation = #_sourceLocation) {
    let rule = "|" + String(repeating: "---|", count: rows[0].count)
    let table = (["| \(title) |", rule] + rows.map { "| \($0.joined(separator: " | ")) |" }).joined(separator: "\n")
    let isThere = page.contains("\n\(table)\n")
    #expect(isThere, "docs/manual/failures.md should have\n\(table)\n", sourceLocation: sourceLocation)
  }

  @Test("it has every kind of failure, and no other")
  func kinds() throws {
    let section = try #require(page.split(separator: "\n## Kinds\n").last?.split(separator: "\n## ").first)
    let names = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
      line.split(separator: "|").first?.split(separator: "`", omittingEmptySubsequences: false)
        .enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) } ?? []
    }
    #expect(names == FailureKind.allCases.map(\.rawValue))
  }

  @Test("what libcurl alone can tell has a sentence that says what to do", arguments: EngineCode.Meaning.allCases)
  func sentences(meaning: EngineCode.Meaning) throws {
    let code = try #require((EngineCode.all + [EngineCode(100)]).first { $0.meaning == meaning })
    let words = Failure.engine(code, detail: "de\u{1B}tail").words
    #expect(words.contains("de\\u{1B}tail"))
    switch meaning {
    case .noMemory: #expect(words.contains("lower downloads.concurrency"))
    case .incapable: #expect(words.contains("install libcurl"))
    case .unexpected: #expect(words.contains("CURLE_REMOTE_ACCESS_DENIED") && words.hasSuffix("please report it"))
    case .unknown: #expect(words.contains("code 100"))
    default: #expect(words == "the connection failed: de\\u{1B}tail")
    }
  }
}
