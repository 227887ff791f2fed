// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension EngineCode {
  /// The event, as one sentence without a full stop.
  /// - Parameter detail: libcurl's own text, printable.
  func words(_ detail: String) -> String {
    switch meaning {
    case .noMemory:
      "libcurl could not get what it needs of the system: \(detail); close other programs, or lower downloads.concurrency"
    case .incapable:
      "this libcurl cannot do what syncjob needs (\(label): \(detail)); install libcurl 7.85 or a later one"
    case .unexpected:
      "libcurl ended the transfer with \(label), which no transfer of this program should: \(detail); please report it"
    case .unknown: "libcurl ended the transfer with \(label), which this program does not know: \(detail)"
    default: "the connection failed: \(detail)"
    }
  }

  private var label: String { name.map { "CURLE_\($0)" } ?? "code \(number)" }
}
