// SPDX-License-Identifier: Apache-2.0

import Curl
import Glibc
import Testing

@Suite("what one of libcurl's codes says of a transfer")
struct TransferErrorCodeTests {
  private static let early = TransferError.Moment.connecting(.securing, hasProxy: false)

  @Test(
    "it depends on how far the transfer had come",
    arguments: [
      (1, "x", early, .unsupportedURL(detail: "x")),
      (1, "x", .head, .malformedResponse(detail: "x")),
      (27, "x", early, .outOfMemory), (27, "x", .head, .headersTooLarge),
      (27, "x", .body, .outOfMemory),
      (28, "x", early, .connectTimedOut(during: .securing)),
      (
        56, "CONNECT tunnel failed, response 407", early,
        .receiveFailed(errno: 0, detail: "CONNECT tunnel failed, response 407")
      ),
      (
        56, "CONNECT tunnel failed, response 407", .connecting(.connecting, hasProxy: true),
        .proxyFailed(detail: "CONNECT tunnel failed, response 407")
      ),
      (35, "wrong version number", early, .tls(.handshake, detail: "wrong version number")),
      (35, "Recv failure: x", early, .receiveFailed(errno: 0, detail: "Recv failure: x")),
      (30, "x", .body, .other(code: 30, detail: "x")),
    ] as [(Int32, String, TransferError.Moment, TransferError)])
  func moments(code: Int32, detail: String, moment: TransferError.Moment, error: TransferError) {
    #expect(TransferError(code: code, detail: detail, at: moment) == error)
  }

  @Test("a system's error is heeded")
  func errno() {
    let reset = TransferError(code: 56, detail: "x", at: .body, errno: ECONNRESET)
    #expect(reset == .connectionReset)
    let refused = TransferError(
      code: 7, detail: "x", at: Self.early, errno: ECONNREFUSED)
    #expect(refused == .couldNotConnect(errno: ECONNREFUSED, detail: "x"))
  }
}
