// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Buffers on their way from the network to the hash. They are reused and bounded in number, so that a disk or a hash
/// that cannot keep up slows the servers down instead of filling the memory.
package final class BufferPool: Sendable {
  /// libcurl hands over at most 16 KiB at a time; fewer, larger writes cost less.
  package static let bufferSize = 256 << 10

  private struct Contents {
    var idle: [[UInt8]] = []
    /// Buffers that are filled and not given back yet.
    var waiting = 0
    var isShort = false
  }

  private let limit: Int
  private let contents = Mutex(Contents())
  private let relief: @Sendable () -> Void

  /// - Parameters:
  ///   - limit: the number of filled buffers that may wait before the pool is short of them.
  ///   - relief: called when the pool was short and half of the buffers are back.
  package init(limit: Int = 32, relief: @escaping @Sendable () -> Void = {}) {
    self.limit = limit
    self.relief = relief
  }

  /// An empty buffer with room for `bufferSize` bytes.
  package func take() -> [UInt8] {
    if let buffer = contents.withLock({ $0.idle.popLast() }) { return buffer }
    var buffer: [UInt8] = []
    buffer.reserveCapacity(Self.bufferSize)
    return buffer
  }

  /// Notes that a full buffer is on its way.
  /// - Returns: true if so many are on their way that no more bytes should come for now.
  func handedOver() -> Bool {
    contents.withLock { contents in
      contents.waiting += 1
      if contents.waiting >= limit { contents.isShort = true }
      return contents.isShort
    }
  }

  /// Takes back a buffer that was handed over.
  func giveBack(_ buffer: consuming [UInt8]) {
    let hasRelief = contents.withLock { contents in
      contents.waiting -= 1
      guard contents.isShort, contents.waiting <= limit / 2 else { return false }
      contents.isShort = false
      return true
    }
    keep(buffer)
    if hasRelief { relief() }
  }

  /// Takes back a buffer that was never handed over.
  package func keep(_ buffer: consuming [UInt8]) {
    guard buffer.capacity >= Self.bufferSize else { return }
    buffer.removeAll(keepingCapacity: true)
    let empty = buffer
    contents.withLock { contents in if contents.idle.count < limit { contents.idle.append(empty) } }
  }
}
