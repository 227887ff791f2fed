// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore

/// Names a request of a run: an item's own, or one of the further ones for the same file.
struct RequestKey: Hashable, Sendable {
  let item: ItemID
  /// Counted from 1; zero is the item's own.
  let further: Int

  init(_ item: ItemID, further: Int = 0) {
    self.item = item
    self.further = further
  }
}

/// One request of a transfer, known to libcurl until it has ended, whatever the transfer does meanwhile.
final class RequestReceiver: TransferReceiver, Sendable {
  private let downloader: Downloader
  private let key: RequestKey
  private let number: Int

  init(_ downloader: Downloader, _ key: RequestKey, _ number: Int) {
    self.downloader = downloader
    self.key = key
    self.number = number
  }

  func receivedHead(_ head: ResponseHead) -> HeadDecision {
    downloader.assumeIsolated { $0.received(head, key, number) }
  }

  func receivedBody(_ bytes: RawSpan) -> Bool {
    bytes.withUnsafeBytes { raw in
      // Does not leave this call, which is inside the downloader's isolation already.
      nonisolated(unsafe) let raw = raw
      return downloader.assumeIsolated { $0.received(raw, key, number) }
    }
  }

  func finished(_ result: TransferResult) { downloader.assumeIsolated { $0.finished(result, key, number) } }
}
