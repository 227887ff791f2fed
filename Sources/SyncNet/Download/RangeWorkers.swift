// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncDisk

/// The further requests that fetch parts of one file in addition to its first request, and the bytes of their parts. It
/// is used in the downloader's isolation only. Each main request of a transfer gets workers of its own.
final class RangeWorkers {
  private final class Member {
    let lane: Int
    let asked: RangeRequest
    var transfer: TransferID?
    var buffer: [UInt8]
    /// The file offset of the buffer's first byte.
    var offset: Int64

    init(_ lane: Int, _ asked: RangeRequest, _ buffer: [UInt8]) {
      self.lane = lane
      self.asked = asked
      self.buffer = buffer
      offset = asked.offset.bytes
    }

    /// Moves the buffer out without copying it.
    func takeBuffer() -> [UInt8] {
      var taken: [UInt8] = []
      swap(&taken, &buffer)
      return taken
    }
  }

  let partial: PartialDownload
  private(set) var segments: Segments
  /// The number of requests that wait for their turn.
  var wishes = 0
  private(set) var lastFailure: Failure?
  /// True once no more bytes are wanted from the workers.
  private(set) var isDismissed = false
  /// The members by the number of their request.
  private var members: [Int: Member] = [:]
  private var failures = 0
  /// True once the server has failed to deliver parts correctly: no more are requested.
  private var isRefused = false
  private let retries: Int
  private let pool: BufferPool

  /// - Parameters:
  ///   - partial: has the extents that are on the disk, and the total.
  ///   - limit: the number of simultaneous requests, including the first one.
  ///   - retries: the number of further requests that may fail.
  init(_ partial: PartialDownload, total: ByteCount, limit: Int, retries: Int, pool: BufferPool) {
    self.partial = partial
    self.retries = retries
    self.pool = pool
    segments = Segments(total: total, received: partial.received, extents: partial.extents ?? [], limit: limit)
  }

  deinit { for member in members.values { pool.keep(member.takeBuffer()) } }

  var isWorking: Bool { !members.isEmpty || wishes > 0 }

  /// The number of additional requests that would help.
  var openings: Int {
    guard !isRefused else { return 0 }
    var next = segments
    var count = -wishes
    while next.begin() != nil { count += 1 }
    return max(0, count)
  }

  // MARK: The first request

  /// The number of the first request's next bytes that are wanted.
  func wanted(of count: ByteCount) -> ByteCount {
    segments.reach(0, for: count)
    return min(count, segments.left(of: 0))
  }

  /// The part of the first request's body that no other request fetches, including bytes that only come to be compared.
  func wanted(of body: UnsafeRawBufferPointer, _ writer: PartialWriter) -> UnsafeRawBufferPointer {
    let compared = min(writer.comparing, body.count)
    let wanted = wanted(of: ByteCount(Int64(body.count - compared)))
    return UnsafeRawBufferPointer(rebasing: body.prefix(compared + Int(wanted.bytes)))
  }

  /// True if other requests fetch, or have fetched, the bytes that come next.
  var isFirstDone: Bool { wanted(of: ByteCount(1)) == .zero }

  /// Notes that the first request has brought the file to this length.
  func advance(to length: ByteCount) {
    guard let position = segments.position(of: 0) else { return }
    segments.advance(0, by: length - position)
  }

  func endFirst() { segments.end(0) }

  // MARK: Further requests

  /// The range for one more request; nil when no further request would help.
  func begin(_ request: Int) -> RangeRequest? {
    guard !isRefused, let (lane, part) = segments.begin() else { return nil }
    let asked = RangeRequest(offset: part.from, total: segments.total, condition: partial.validator, end: part.to)
    members[request] = Member(lane, asked, pool.take())
    return asked
  }

  /// Notes that a waiting request will not go out. No other need be queued.
  func refuse() {
    wishes = max(0, wishes - 1)
    isRefused = true
  }

  func sent(_ request: Int, as transfer: TransferID) { members[request]?.transfer = transfer }

  /// True if the response is the requested part of the same entity and is still wanted. If it is not that part, no more
  /// parts are requested.
  func accepts(_ facts: ResponseFacts, _ request: Int, now: Timestamp) -> Bool {
    guard let member = members[request] else { return false }
    let (asked, total) = (member.asked, segments.total)
    guard facts.verdict(asked: asked, now: now) == .receive(offset: asked.offset, total: total) else {
      isRefused = true
      return false
    }
    segments.answered(member.lane)
    return segments.has(member.lane)
  }

  /// - Returns: true if the request may bring more.
  func received(_ bytes: UnsafeRawBufferPointer, _ request: Int, into file: any OpenFile) throws(Failure) -> Bool {
    guard let member = members[request] else { return false }
    segments.reach(member.lane, for: ByteCount(Int64(bytes.count)), to: member.asked.end)
    let wanted = min(Int(segments.left(of: member.lane).bytes), bytes.count)
    var offset = 0
    while offset < wanted {
      let count = min(wanted - offset, BufferPool.bufferSize - member.buffer.count)
      member.buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
      offset += count
      if member.buffer.count == BufferPool.bufferSize { try write(member, to: file) }
    }
    segments.advance(member.lane, by: ByteCount(Int64(wanted)))
    // A part that kept its length ends by itself, which saves the connection.
    return segments.left(of: member.lane) > .zero || segments.position(of: member.lane) == member.asked.end
  }

  /// Notes that a request has ended, with its bytes or with a failure.
  func end(_ request: Int, _ failure: Failure?, into file: (any OpenFile)?) throws(Failure) {
    guard let member = members.removeValue(forKey: request) else { return }
    defer { pool.keep(member.takeBuffer()) }
    if let file { try write(member, to: file) }
    if segments.left(of: member.lane) > .zero {
      failures += 1
      lastFailure = failure ?? lastFailure
    }
    segments.end(member.lane)
    if failures > retries { isRefused = true }
  }

  /// Writes the contents of the buffers to the file.
  func flush(into file: any OpenFile) throws(Failure) {
    for member in members.values { try write(member, to: file) }
  }

  /// Dismisses the workers, keeping the bytes that were received.
  /// - Returns: the requests that still run.
  func dismiss(into file: (any OpenFile)?) throws(Failure) -> [TransferID] {
    (isRefused, isDismissed, wishes) = (true, true, 0)
    let running = members.values.compactMap(\.transfer)
    for request in Array(members.keys) { try end(request, nil, into: file) }
    segments.end(0)
    return running
  }

  /// Dismisses the workers, dropping received bytes that are not written.
  /// - Returns: the requests that still run.
  func dismissWithoutWriting() -> [TransferID] {
    (isRefused, isDismissed, wishes) = (true, true, 0)
    defer { members = [:] }
    return members.values.compactMap(\.transfer)
  }

  private func write(_ member: Member, to file: any OpenFile) throws(Failure) {
    guard !member.buffer.isEmpty else { return }
    do throws(FileError) { try file.write(member.buffer, at: member.offset) } catch { throw error.failure }
    member.offset += Int64(member.buffer.count)
    member.buffer.removeAll(keepingCapacity: true)
  }
}
