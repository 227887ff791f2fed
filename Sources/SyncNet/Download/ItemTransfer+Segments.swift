// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncDisk

/// A file that several requests fetch. To the machine it is one body: it learns when the first request and all further
/// ones have ended, or that the first has failed, and then begins again with what has been received.
extension ItemTransfer {
  // MARK: The first request

  /// The part of `body` that no other request fetches, including bytes that only come to be compared.
  func wanted(of body: UnsafeRawBufferPointer, _ writer: PartialWriter) -> UnsafeRawBufferPointer {
    guard let crew else { return body }
    let compared = min(writer.comparing, body.count)
    let wanted = crew.wanted(of: ByteCount(Int64(body.count - compared)))
    return UnsafeRawBufferPointer(rebasing: body.prefix(compared + Int(wanted.bytes)))
  }

  /// Ends the first request: the others fetch the rest.
  func endFirst(_ downloader: isolated Downloader) {
    guard let crew else { return }
    do throws(Failure) { try writer?.flush() } catch {
      return downloader.handle(.failed(error, received: received), for: id, after: .zero)
    }
    crew.endFirst()
    // Not inside the callback that delivered the last bytes.
    downloader.settle(id)
  }

  func finishedFirst(_ failure: Failure?, _ downloader: isolated Downloader) {
    if let failure { giveUp(failure, downloader) } else { endFirst(downloader) }
  }

  /// Fetches the parts that further requests left out. Those requests were optional, so their failure is not the
  /// item's.
  private func fillIn(_ downloader: isolated Downloader) {
    do throws(Failure) {
      try writer?.flush()
      try dismissCrew(downloader)
    } catch { return handle(.failed(error, received: received), downloader) }
    isSingle = true
    handle(.partsMissing(received: received), downloader)
  }

  /// Fails the transfer, and keeps the bytes of the further requests for the next attempt.
  private func giveUp(_ failure: Failure, _ downloader: isolated Downloader) {
    do throws(Failure) {
      try writer?.flush()
      try dismissCrew(downloader)
    } catch { return handle(.failed(error, received: received), downloader) }
    handle(.failed(failure, received: received), downloader)
  }

  // MARK: Further requests

  /// Queues as many further requests as are useful. They wait behind all other requests, because one file must not hold
  /// up the others.
  func callCrew(_ downloader: isolated Downloader) {
    guard let crew else { return }
    for _ in 0..<crew.openings {
      crew.wishes += 1
      furtherRequests += 1
      downloader.enqueueFurther(.further(id, furtherRequests), origin: url.origin)
    }
  }

  /// Sends a further request when its turn has come.
  func sendFurther(_ number: Int, _ downloader: isolated Downloader) {
    let key = RequestKey.further(id, number)
    guard let crew, crew.wishes > 0 else { return downloader.requestEnded(key) }
    crew.wishes -= 1
    guard let range = crew.begin(number) else {
      downloader.requestEnded(key)
      return downloader.settle(id)
    }
    crew.sent(number, as: ask(url, range, RequestReceiver(downloader, key, 0), downloader))
  }

  /// Called when the host is blocked.
  func refusedFurther(_ downloader: isolated Downloader) {
    crew?.refuse()
    downloader.settle(id)
  }

  func received(_ head: ResponseHead, further request: Int, _ downloader: isolated Downloader) -> HeadDecision {
    guard let crew else { return .abort }
    guard crew.accepts(ResponseFacts(head), request, now: downloader.now()) else {
      end(request, nil, downloader)
      return .discard
    }
    return .receiveBody
  }

  func received(
    _ body: UnsafeRawBufferPointer, further request: Int, _ downloader: isolated Downloader
  ) -> Bool {
    guard let crew, let file = writer?.file else { return false }
    do throws(Failure) {
      let mayGoOn = try crew.received(body, request, into: file)
      downloader.emit(.progressed(id, received: crew.segments.size, total: crew.segments.total))
      if let limit = downloader.exceededLimit, !crew.segments.isComplete {
        downloader.handle(.limitReached(limit), for: id, after: .zero)
        return false
      }
      keepPace(downloader)
      return mayGoOn
    } catch {
      downloader.handle(.failed(error, received: received), for: id, after: .zero)
      return false
    }
  }

  func finished(_ failure: Failure?, further number: Int, _ downloader: isolated Downloader) {
    downloader.requestEnded(.further(id, number))
    end(number, failure, downloader)
  }

  private func end(_ request: Int, _ failure: Failure?, _ downloader: isolated Downloader) {
    do throws(Failure) { try crew?.end(request, failure, into: writer?.file) } catch {
      return downloader.handle(.failed(error, received: received), for: id, after: .zero)
    }
    downloader.settle(id)
  }

  /// Ends the body if the file is complete, or fetches the rest if no further request is left that could complete it.
  func settle(_ downloader: isolated Downloader) {
    guard let crew, !crew.isDismissed else { return }
    callCrew(downloader)
    guard request == 0, !crew.isWorking else { return }
    guard crew.segments.isComplete else { return fillIn(downloader) }
    handle(.bodyEnded(received: crew.segments.received), downloader)
  }

  /// Ends the further requests, keeping the bytes that they received.
  func dismissCrew(_ downloader: isolated Downloader) throws(Failure) {
    guard let crew else { return }
    for request in try crew.dismiss(into: writer?.file) { downloader.loop.cancel(request) }
  }
}
