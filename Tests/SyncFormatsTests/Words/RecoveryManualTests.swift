// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import SyncTestSupport
import Testing

@Suite("the manual's page about trouble")
struct RecoveryManualTests {
  @Test("quotes the messages about the state as the program says them")
  func messages() throws {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let page = try FileBytes.text("/\(root)/docs/manual/troubleshooting.md")
    let time = "2026-11-21T060003Z"
    let warnings: [Warning] = [
      .recovered(.itemsRequeued(2)),
      .recovered(.restored(from: .library, problem: nil, keptAside: nil)),
      .recovered(.playsDamaged(lines: 1, keptAside: "plays.jsonl.corrupt-\(time)")),
      .recovered(.playsTorn(keptAside: "plays.jsonl.torn-\(time)")),
      .playLogMissing,
    ]
    for warning in warnings {
      #expect(page.contains("\n    warning: \(warning.words).\n"), "\(warning.words)")
    }
  }
}
