// SPDX-License-Identifier: Apache-2.0

import Curl

/// The calls that one receiver got.
struct Recording: Sendable {
  var heads: [ResponseHead] = []
  var body: [UInt8] = []
  var results: [TransferResult] = []

  var head: ResponseHead? { heads.first }
  var text: String { String(decoding: body, as: UTF8.self) }

  var summary: TransferSummary? {
    if results.count == 1, case .completed(let summary) = results[0] { summary } else { nil }
  }

  var error: TransferError? {
    if results.count == 1, case .failed(let error) = results[0] { error } else { nil }
  }
}

/// A receiver that records everything and does in each call what the test wants.
final class Recorder: TransferReceiver {
  var recording = Recording()
  var id: TransferID?
  var decision = HeadDecision.receiveBody
  var onHead: () -> Void = {}
  var onBody: () -> Bool = { true }
  var onFinish: () -> Void = {}

  func receivedHead(_ head: ResponseHead) -> HeadDecision {
    recording.heads.append(head)
    onHead()
    return decision
  }

  func receivedBody(_ bytes: RawSpan) -> Bool {
    bytes.withUnsafeBytes { recording.body += $0 }
    return onBody()
  }

  func finished(_ result: TransferResult) {
    recording.results.append(result)
    let onFinish = onFinish
    // The closures may hold the recorder and its owner.
    self.onFinish = {}
    onHead = {}
    onBody = { true }
    onFinish()
  }
}
