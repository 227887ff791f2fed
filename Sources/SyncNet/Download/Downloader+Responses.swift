// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncDisk

/// The main request of a transfer and its response.
extension Downloader {
  /// Sends the request that the machine wants. Called when it is the item's turn.
  func sendMain(of id: ItemID) {
    if let file = transfers[id]?.takeCopy() { return copy(file, of: id) }
    if beginResolving(id) || beginStream(id) { return }
    if transfers[id]?.send(for: self) != true { requestEnded(.item(id)) }
  }

  func received(_ head: ResponseHead, _ proxyFailure: Failure?, _ key: RequestKey, _ number: Int) -> HeadDecision {
    guard let id = key.item, transfers.contains(id) else { return .abort }
    lookAgain()
    if case .further(_, let further) = key { return received(head, further: further, of: id) }
    guard transfers[id]?.request == number else { return .abort }
    var facts = ResponseFacts(head)
    facts.mask(with: settings.mask)
    facts.proxyFailure = proxyFailure
    apply(.headReceived(facts), to: id)
    // The request was abandoned. A small rest is read to its end, so that the connection can be reused.
    return transfers[id]?.intake(of: number) == nil ? .discard : .receiveBody
  }

  /// - Returns: True if the request may bring more bytes.
  func received(_ body: UnsafeRawBufferPointer, _ key: RequestKey, _ number: Int) -> Bool {
    guard let id = key.item else { return false }
    if case .further(_, let further) = key { return received(body, further: further, of: id) }
    guard let intake = transfers[id]?.intake(of: number) else { return false }
    let writer = intake.writer
    do throws(Failure) {
      guard try writer.append(intake.workers?.wanted(of: body, writer) ?? body) else {
        leave(id, because: .overlapDiffered)
        return false
      }
      if intake.mustBeMedia, let failure = writer.contentProblem(mayBeImage: intake.mayBeImage) { throw failure }
    } catch {
      fail(id, error)
      return false
    }
    if writer.pausesForHash() { pause(id) }
    if writer.total == nil, let shortage = room.grow(id, writer.length) {
      leave(id, because: .roomRefused(shortage))
      return false
    }
    return progressed(id, writer, intake.workers)
  }

  private func progressed(_ id: ItemID, _ writer: PartialWriter, _ workers: RangeWorkers?) -> Bool {
    workers?.advance(to: writer.length)
    emit(.progressed(id, received: workers?.segments.size ?? writer.length, total: writer.total))
    // The received bytes are kept, and a file that is complete with them is finished.
    if let limit = exceededLimit, writer.total != writer.length {
      leave(id, because: .limitReached(limit))
      return false
    }
    keepPace(id)
    guard let workers else { return true }
    call(workers, of: id)
    guard writer.length < workers.segments.total, workers.isFirstDone else { return true }
    transfers[id]?.request = 0
    endFirst(of: id)
    return false
  }

  private func pause(_ id: ItemID) {
    guard transfers[id]?.resolution?.stream == nil else {
      transfers[id]?.isPaused = true
      return
    }
    guard let running = transfers[id]?.running else { return }
    transfers[id]?.isPaused = true
    client.loop.pause(running)
  }

  /// Called when the hash has caught up.
  func resumePaused() {
    for id in transfers.ids where transfers[id]?.isPaused == true {
      if let stream = transfers[id]?.resolution?.stream {
        transfers[id]?.isPaused = false
        stream.answer(true)
        continue
      }
      guard let running = transfers[id]?.running else { continue }
      transfers[id]?.isPaused = false
      client.loop.resume(running)
    }
  }

  /// - Parameter failure: The reason why the response is not whole. Nil if it is, as far as HTTP can tell.
  func finished(_ failure: Failure?, _ key: RequestKey, _ number: Int) {
    if client.state.isOffline { goOffline() }
    defer { judgeUndecided() }
    guard let id = key.item, let requests = transfers[id]?.requests else { return requestEnded(key) }
    if case .further(_, let further) = key { return finished(failure, further: further, of: id) }
    // The slot of an older request was returned when the next one was sent.
    if number == requests { requestEnded(key) }
    guard let transfer = transfers[id], transfer.request == number else { return }
    transfers[id]?.request = 0
    if transfer.workers == nil { return endBody(of: transfer, failure) }
    if let failure { failFirst(of: id, failure) } else { endFirst(of: id) }
  }

  private func endBody(of transfer: Transfer, _ failure: Failure?) {
    let (id, writer) = (transfer.download.id, transfer.writer)
    let received = writer?.length ?? .zero
    var failure = failure
    if failure == nil, transfer.mustBeMedia {
      failure = writer?.finalContentProblem(mayBeImage: transfer.download.task.mayBeImage)
    }
    // A whole body in memory is written when it is checked, which comes next.
    if failure != nil || writer?.isWholeInMemory != true {
      do throws(Failure) { try writer?.flush() } catch { failure = error }
    }
    apply(failure.map { .failed($0, received: received) } ?? .bodyEnded(received: received), to: id)
  }
}

// MARK: - Losses in a power cut

extension Downloader {
  /// Makes progress durable, about once a second. The queue counts bytes only once they are on the disk.
  func keepPace(_ id: ItemID) {
    guard transfers[id]?.takeCheckpoint(at: client.state.time) == true else { return }
    do throws(Failure) { try transfers[id]?.writeProgress() } catch { return fail(id, error) }
    guard let transfer = transfers[id], let partial = transfer.attempt?.partial, let presence = transfer.presence else {
      return
    }
    transfers[id]?.checkpoint.isUnderWay = true
    transfer.writer?.beginFlush()
    let number = transfer.requests
    Task {
      let failure = await publisher.flush(partial)
      flushed(presence, failure, request: number, of: id)
    }
  }

  private func flushed(_ presence: DownloadedRanges, _ failure: Failure?, request: Int, of id: ItemID) {
    transfers[id]?.checkpoint.isUnderWay = false
    transfers[id]?.writer?.endFlush()
    // The next request may have truncated the partial.
    guard let transfer = transfers[id], transfer.requests == request,
      transfer.request != 0 || transfer.workers?.isWorking == true, var attempt = transfer.attempt
    else { return }
    if let failure { return fail(id, failure) }
    attempt.partial?.presence = presence
    transfers[id]?.durable = presence
    transfers[id]?.attempt = attempt
    note(.downloading(attempt), of: id)
  }
}
