// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncDisk

/// A file that several requests fetch. To the machine it is one body: it learns when the first request and all further
/// ones have ended, or that the first has failed, and then begins again with what has been received.
extension Downloader {
  // MARK: The first request

  /// Ends the first request: the others fetch the rest.
  func endFirst(of id: ItemID) {
    guard let transfer = transfers[id], let workers = transfer.workers else { return }
    do throws(Failure) { try transfer.writer?.flush() } catch {
      return post(.failed(error, received: transfer.received), to: id)
    }
    workers.endFirst()
    settle(id)
  }

  /// Fails the transfer, and keeps the bytes of the further requests for the next attempt.
  func failFirst(of id: ItemID, _ failure: Failure) {
    if let received = writeAll(of: id) { apply(.failed(failure, received: received), to: id) }
  }

  /// Fetches the parts that further requests left out. Those requests were optional, so their failure is not the
  /// item's.
  private func fillIn(_ id: ItemID) {
    guard let received = writeAll(of: id) else { return }
    transfers[id]?.isSingle = true
    apply(.partsMissing(received: received), to: id)
  }

  /// - Returns: The bytes from the beginning without a gap. Nil if they could not be written, which fails the transfer.
  private func writeAll(of id: ItemID) -> ByteCount? {
    do throws(Failure) { cancel(try transfers[id]?.writeAll()) } catch {
      apply(.failed(error, received: transfers[id]?.received ?? .zero), to: id)
      return nil
    }
    return transfers[id]?.received
  }

  func cancel(_ requests: [TransferID]?) {
    for request in requests ?? [] { client.loop.cancel(request) }
  }

  // MARK: Further requests

  /// Queues as many further requests as are useful. They wait behind all other requests, because one file must not hold
  /// up the others.
  func call(_ workers: RangeWorkers, of id: ItemID) {
    let openings = workers.openings
    guard openings > 0, var transfer = transfers[id] else { return }
    workers.wishes += openings
    for _ in 0..<openings {
      transfer.furtherRequests += 1
      queue.add(
        .further(id, transfer.furtherRequests), origin: transfer.url.origin, priority: .low, isUnderWay: false)
    }
    transfers[id] = transfer
    after(.zero) { $0.pump() }
  }

  /// Sends a further request when its turn has come.
  func sendFurther(_ number: Int, of id: ItemID) {
    let key = RequestKey.further(id, number)
    guard var transfer = transfers[id], let workers = transfer.workers, workers.wishes > 0 else {
      return requestEnded(key)
    }
    workers.wishes -= 1
    guard let range = workers.begin(number) else {
      requestEnded(key)
      return settle(id)
    }
    let request = transfer.request(for: transfer.url, range)
    workers.sent(number, as: client.send(request, along: &transfer.trail, to: RequestReceiver(self, key, 0)))
    transfers[id] = transfer
  }

  func received(_ head: ResponseHead, further number: Int, of id: ItemID) -> HeadDecision {
    guard let workers = transfers[id]?.workers else { return .abort }
    guard workers.accepts(ResponseFacts(head), number, now: settings.clock.now()) else {
      end(number, nil, of: id)
      return .discard
    }
    return .receiveBody
  }

  func received(_ body: UnsafeRawBufferPointer, further number: Int, of id: ItemID) -> Bool {
    guard let workers = transfers[id]?.workers, let file = transfers[id]?.writer?.file else { return false }
    do throws(Failure) {
      let mayGoOn = try workers.received(body, number, into: file)
      emit(.progressed(id, received: workers.segments.size, total: workers.segments.total))
      if let limit = exceededLimit, !workers.segments.isComplete {
        post(.limitReached(limit), to: id)
        return false
      }
      keepPace(id)
      return mayGoOn
    } catch {
      post(.failed(error, received: workers.segments.received), to: id)
      return false
    }
  }

  func finished(_ failure: Failure?, further number: Int, of id: ItemID) {
    requestEnded(.further(id, number))
    end(number, failure, of: id)
  }

  private func end(_ number: Int, _ failure: Failure?, of id: ItemID) {
    guard let transfer = transfers[id], let workers = transfer.workers else { return settle(id) }
    do throws(Failure) { try workers.end(number, failure, into: transfer.writer?.file) } catch {
      return post(.failed(error, received: transfer.received), to: id)
    }
    settle(id)
  }

  /// After the present event: ends the body if the file is complete, or fetches the rest if no further request is left
  /// that could complete it.
  func settle(_ id: ItemID) {
    after(.zero) { downloader in
      guard let workers = downloader.transfers[id]?.workers, !workers.isDismissed else { return }
      downloader.call(workers, of: id)
      guard downloader.transfers[id]?.request == 0, !workers.isWorking else { return }
      guard workers.segments.isComplete else { return downloader.fillIn(id) }
      downloader.apply(.bodyEnded(received: workers.segments.received), to: id)
    }
  }
}
