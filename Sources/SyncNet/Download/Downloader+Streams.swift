// SPDX-License-Identifier: Apache-2.0
import Curl
import Dispatch
import SyncCore
import SyncDisk
import Synchronization

/// Hands what yt-dlp writes to the downloader, a piece at a time. The program waits until the downloader wants more.
final class StreamGate: ProcessSink, Sendable {
  let id: ItemID
  /// The number of the request that the stream stands for.
  let number: Int
  private let downloader: Downloader
  private let answers = DispatchSemaphore(value: 0)
  private let goesOn = Atomic(true)

  init(_ downloader: Downloader, _ id: ItemID, _ number: Int) {
    (self.downloader, self.id, self.number) = (downloader, id, number)
  }

  func take(_ bytes: [UInt8], isCancelled: () -> Bool) -> Bool {
    guard goesOn.load(ordering: .relaxed) else { return false }
    Task { await downloader.take(bytes, through: self) }
    while answers.wait(timeout: .now() + .milliseconds(50)) == .timedOut { if isCancelled() { return false } }
    return goesOn.load(ordering: .relaxed)
  }

  /// Lets the program go on, or ends it with its next piece.
  func answer(_ goesOn: Bool) {
    if !goesOn { self.goesOn.store(false, ordering: .relaxed) }
    answers.signal()
  }
}

/// A stream in fragments, which yt-dlp puts together, in place of a response. To the machine it is a response without a
/// length and without a validator, so that it is never continued and every limit of a body applies to it.
extension Downloader {
  /// - Returns: False if the turn is for a request.
  func beginStream(_ id: ItemID) -> Bool {
    guard let download = transfers[id]?.download, let page = transfers[id]?.resolution?.page,
      let extraction = settings.extraction(of: download), let number = transfers[id]?.takeStream()
    else { return false }
    let gate = StreamGate(self, id, number)
    let (ytdlp, largest) = (settings.ytdlp, settings.rules.maxItemSize)
    transfers[id]?.resolution?.stream = gate
    runningSearches += 1
    transfers[id]?.resolution?.task = Task {
      do throws(Failure) {
        try await ytdlp.stream(of: page, extraction, largest: largest, rate: await client.limit, into: gate)
        ended(gate, nil)
      } catch { ended(gate, error) }
    }
    return true
  }

  /// Takes a piece of a stream. Answers once more may come.
  func take(_ bytes: [UInt8], through gate: StreamGate) {
    let id = gate.id
    guard isOpen(gate) else { return gate.answer(false) }
    client.state.budget.take(ByteCount(Int64(bytes.count)))
    if transfers[id]?.resolution?.hasBegun == false {
      transfers[id]?.resolution?.hasBegun = true
      lookAgain()
      apply(.headReceived(ResponseFacts(status: 200)), to: id)
    }
    let wantsMore = isOpen(gate) && bytes.withUnsafeBytes { received($0, .item(id), gate.number) }
    guard wantsMore else { return gate.answer(false) }
    // The hash answers once it has caught up.
    guard transfers[id]?.isPaused != true else { return }
    guard let wait = client.loop.took(bytes.count) else { return gate.answer(true) }
    after(wait) { _ in gate.answer(true) }
  }

  /// False once the transfer has ended, was stopped or went on without the stream.
  private func isOpen(_ gate: StreamGate) -> Bool {
    transfers[gate.id]?.request == gate.number && transfers[gate.id]?.resolution?.stream === gate
  }

  private func ended(_ gate: StreamGate, _ failure: Failure?) {
    runningSearches -= 1
    let id = gate.id
    // A transfer that has ended, or tries something else, has given its turn back.
    guard transfers[id]?.resolution?.stream === gate else { return endIfOver() }
    let isEmpty = transfers[id]?.resolution?.hasBegun == false
    transfers[id]?.resolution?.task = nil
    transfers[id]?.resolution?.stream = nil
    finished(failure ?? (isEmpty ? .emptyBody : nil), .item(id), gate.number)
    endIfOver()
  }
}
