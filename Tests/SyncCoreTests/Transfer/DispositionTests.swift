// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("what a failure means")
struct DispositionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var failure: Failure
    var kind: FailureKind
    var next: Disposition.Next
    var isTemporary: Bool
    var testDescription: String { "\(failure)" }

    init(_ failure: Failure, _ kind: FailureKind, _ next: Disposition.Next, isTemporary: Bool) {
      (self.failure, self.kind, self.next, self.isTemporary) = (failure, kind, next, isTemporary)
    }
  }

  private static let checksum = Checksum(.md5, hex: String(repeating: "0", count: 32)).map {
    Row(.checksum(expected: $0, actual: ""), .checksum, .nextCandidate, isTemporary: false)
  }

  @Test(
    "each failure has its next step",
    arguments: [
      Row(.dns(host: "a"), .dns, .retry, isTemporary: true),
      Row(.network(detail: ""), .network, .retry, isTemporary: true),
      Row(.proxy("", detail: ""), .network, .retry, isTemporary: true),
      Row(.timeout(.connect, after: .seconds(1)), .timeout, .retry, isTemporary: true),
      Row(.timeout(.stall, after: .seconds(1)), .timeout, .retry, isTemporary: true),
      Row(.shortBody(received: .zero, expected: .zero), .network, .retry, isTemporary: true),
      Row(.emptyBody, .network, .retry, isTemporary: true),
      Row(.tls(.verification, detail: ""), .tls, .nextCandidate, isTemporary: false),
      Row(.malformedResponse(detail: ""), .network, .nextCandidate, isTemporary: false),
      Row(.notMedia(found: ""), .notMedia, .nextCandidate, isTemporary: false),
      Row(.size(expected: .zero, actual: .zero), .size, .nextCandidate, isTemporary: false),
      Row(.tooLarge(limit: .zero), .tooLarge, .nextCandidate, isTemporary: false),
      Row(.invalidURL(""), .invalidURL, .nextCandidate, isTemporary: false),
      Row(.redirectRefused(to: "", .circle), .invalidURL, .nextCandidate, isTemporary: false),
      Row(.forbiddenAddress(""), .forbiddenAddress, .nextCandidate, isTemporary: false),
      Row(.storageFull(ErrnoCode(28)), .storageFull, .stopRun, isTemporary: true),
      Row(.io(operation: "", path: "", ErrnoCode(5)), .io, .stopRun, isTemporary: true),
      Row(.login(.loginOver, command: ""), .login, .nextCandidate, isTemporary: false),
      Row(.login(.status(host: "", 503), command: ""), .login, .nextCandidate, isTemporary: true),
      Row(.cancelled, .cancelled, .giveUp, isTemporary: true),
    ] + [checksum].compactMap { $0 })
  func table(row: Row) {
    #expect(row.failure.kind == row.kind)
    #expect(row.failure.status == nil)
    #expect(row.failure.disposition == Disposition(next: row.next, isTemporary: row.isTemporary))
  }

  @Test("these statuses are transient", arguments: [408, 425, 429, 500, 502, 503, 504, 507, 520, 599])
  func transient(status: Int) {
    let failure = Failure.http(status: status)
    #expect(failure.disposition == Disposition(next: .retry, isTemporary: true))
    #expect(failure.status == status)
    #expect(failure.kind == .http)
  }

  @Test(
    "these are not, another candidate may do",
    arguments: [
      300, 305, 400, 401, 403, 404, 405, 406, 407, 409, 410, 416, 418, 422, 423, 424, 426, 428, 431, 451, 499, 501, 505,
      600,
    ])
  func permanent(status: Int) {
    #expect(Failure.http(status: status).disposition == Disposition(next: .nextCandidate, isTemporary: false))
  }
}
