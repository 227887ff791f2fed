// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The digest of a partial, computed while its bytes come in. Small files are hashed in place, since a switch to
/// another thread would cost more; for larger ones, every full buffer goes to a separate task.
package struct BodyDigest {
  private enum State {
    case here(RunningDigest)
    case elsewhere(AsyncStream<[UInt8]>.Continuation, Task<Result<FileDigest, Failure>, Never>)
  }

  /// A digest that is known, or is being computed.
  package enum Pending: Sendable {
    case known(FileDigest)
    case underWay(Task<Result<FileDigest, Failure>, Never>)

    func value() async -> Result<FileDigest, Failure> {
      switch self {
      case .known(let digest): .success(digest)
      case .underWay(let task): await task.value
      }
    }
  }

  /// Bytes that were on the disk before; they are hashed first.
  struct Prefix: Sendable {
    let files: any FileSystem
    let place: FilePlace
    let length: ByteCount
  }

  private let pool: BufferPool
  private var state: State

  init(_ pool: BufferPool, after prefix: Prefix?, also algorithm: Checksum.Algorithm?) {
    self.pool = pool
    state = .here(RunningDigest(also: algorithm))
    if let prefix { move(RunningDigest(also: algorithm), after: prefix) }
  }

  /// Takes the next bytes of the file, in a buffer of the pool.
  /// - Returns: true if no more bytes should come for now.
  mutating func take(_ buffer: consuming [UInt8], isLast: Bool) -> Bool {
    switch state {
    case .here(var digest):
      guard isLast else {
        move(digest, after: nil)
        return take(consume buffer, isLast: false)
      }
      buffer.withUnsafeBytes { digest.update($0) }
      state = .here(digest)
      pool.keep(consume buffer)
      return false
    case .elsewhere(let pieces, _):
      let isShort = pool.handedOver()
      pieces.yield(consume buffer)
      return isShort
    }
  }

  /// The digest of what was taken so far. Nil if it is computed elsewhere.
  var begun: RunningDigest? { if case .here(let digest) = state { digest } else { nil } }

  /// Ends the digest: all bytes have come.
  func finish() -> Pending {
    switch state {
    case .here(let digest): return .known(digest.finish())
    case .elsewhere(let pieces, let task):
      pieces.finish()
      return .underWay(task)
    }
  }

  /// Abandons the digest: nothing needs it any more.
  func abandon() {
    if case .elsewhere(let pieces, _) = state { pieces.finish() }
  }

  private mutating func move(_ digest: RunningDigest, after prefix: Prefix?) {
    let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let pool = pool
    let task = Task.detached { await Self.digest(pieces, digest, after: prefix, pool) }
    state = .elsewhere(continuation, task)
  }

  private static func digest(
    _ pieces: AsyncStream<[UInt8]>, _ begun: RunningDigest, after prefix: Prefix?, _ pool: BufferPool
  ) async -> Result<FileDigest, Failure> {
    var digest = begun
    var failure: Failure?
    if let prefix {
      do throws(FileError) { try prefix.read(into: &digest) } catch { failure = error.failure }
    }
    var iterator = pieces.makeAsyncIterator()
    while let piece = await iterator.next() {
      if failure == nil { piece.withUnsafeBytes { digest.update($0) } }
      // Moved, not copied: a buffer that is used again must have no other owner.
      pool.giveBack(consume piece)
    }
    return failure.map { .failure($0) } ?? .success(digest.finish())
  }
}

extension BodyDigest.Prefix {
  fileprivate func read(into digest: inout RunningDigest) throws(FileError) {
    let file = try files.open(place, for: .reading)
    var rest = length.bytes
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    while rest > 0 {
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(rest))])
      let count = try file.read(into: piece, at: length.bytes - rest)
      guard count > 0 else { throw FileError(.read, place.text, .shortened) }
      digest.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      rest -= Int64(count)
    }
    try file.close()
  }
}
