// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore

/// The receiver of one request of a transfer, known to libcurl until the request has ended, whatever the transfer does
/// in the meantime.
final class RequestReceiver: HTTPSink, Sendable {
  private let downloader: Downloader
  private let key: RequestKey
  private let number: Int

  init(_ downloader: Downloader, _ key: RequestKey, _ number: Int) {
    self.downloader = downloader
    self.key = key
    self.number = number
  }

  func received(_ head: ResponseHead, proxyFailure: Failure?) -> HeadDecision {
    downloader.assumeIsolated { $0.received(head, proxyFailure, key, number) }
  }

  func received(_ bytes: RawSpan) -> Bool {
    bytes.withUnsafeBytes { raw in
      // `raw` does not leave this call, which is already inside the downloader's isolation.
      nonisolated(unsafe) let raw = raw
      return downloader.assumeIsolated { $0.received(raw, key, number) }
    }
  }

  func ended(_ failure: Failure?) { downloader.assumeIsolated { $0.finished(failure, key, number) } }
}
