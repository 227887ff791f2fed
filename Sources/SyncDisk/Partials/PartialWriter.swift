// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The place of a body in its partial.
package struct BodyBounds: Sendable {
  /// The position where the body begins. The file is truncated behind it.
  package var offset: ByteCount
  /// This many bytes before `offset` come again first.
  package var comparing: ByteCount
  /// No byte of the file comes behind this position.
  package var limit: ByteCount
  /// This many bytes of the file are never cut off.
  package var keeping = ByteCount.zero
  /// The size of the whole file. Nil if it is unknown.
  package var total: ByteCount?

  package init(offset: ByteCount, comparing: ByteCount = .zero, limit: ByteCount) {
    self.offset = offset
    self.comparing = comparing
    self.limit = limit
  }
}

/// Writes a body into its partial in large pieces, checks its first bytes and has them hashed. It lives in the
/// downloader's isolation.
package final class PartialWriter {
  package let total: ByteCount?
  /// The bytes of the partial, including those in the buffer.
  package private(set) var length: ByteCount
  /// The number of bytes that were handed to the system.
  private(set) var written: Int64
  /// True if the hash could not keep up when the last buffer was handed over.
  private var isAhead = false
  /// The number of bytes still to come that are only compared.
  package private(set) var comparing: Int
  /// The bytes that came again and matched those in the partial.
  package private(set) var repeated = ByteCount.zero
  private let keeping: ByteCount
  private let open: @Sendable () throws(FileError) -> any OpenFile
  /// Nil until something has to be written: a small body is written at once when it is complete.
  package private(set) var file: (any OpenFile)?
  private let limit: ByteCount
  private let tooLong: @Sendable (ByteCount) -> Failure
  private let pool: BufferPool
  package private(set) var pace = DiskPace()
  private var buffer: [UInt8]
  /// Nil when some of the bytes do not pass through this writer.
  private var digest: BodyDigest?
  /// The file's first bytes until they are checked; nil when they were checked before or need no check.
  private var beginning: [UInt8]?

  /// The announced size up to which a body is written only when it is complete, and begins without a record in the
  /// queue: fetching it again costs no more than recording its parts.
  package static let smallSize = ByteCount(64 << 10)

  /// - Parameters:
  ///   - open: opens the partial, which is created if it is missing.
  ///   - tooLong: the failure of a body that goes beyond the limit.
  init(
    _ bounds: BodyBounds, pool: BufferPool, digest: BodyDigest?, tooLong: @escaping @Sendable (ByteCount) -> Failure,
    open: @escaping @Sendable () throws(FileError) -> any OpenFile
  ) throws(FileError) {
    let offset = bounds.offset
    self.open = open
    keeping = bounds.keeping
    comparing = Int(bounds.comparing.bytes)
    total = bounds.total
    limit = bounds.limit
    self.tooLong = tooLong
    self.pool = pool
    self.digest = digest
    length = offset
    written = offset.bytes
    beginning = offset == .zero ? [] : nil
    buffer = []
    if offset == .zero, let total, total <= Self.smallSize {
      buffer.reserveCapacity(Int(total.bytes))
    } else {
      _ = try opened()
      buffer = pool.take()
    }
  }

  private func opened() throws(FileError) -> any OpenFile {
    if let file { return file }
    let file = try open()
    try file.truncate(to: max(ByteCount(written), keeping))
    // The whole size is reserved at once, so that a full disk fails now and the file is contiguous.
    if let total, total > ByteCount(Int64(BufferPool.bufferSize)) { _ = try file.reserve(total) }
    self.file = file
    return file
  }

  deinit {
    digest?.abandon()
    // Moved, not copied: otherwise the pool would have to allocate another.
    var last: [UInt8] = []
    swap(&last, &buffer)
    if last.capacity > 0 { pool.keep(consume last) }
  }

  /// - Returns: false when the body repeats bytes that differ from those in the partial.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Bool {
    let repeated = min(comparing, bytes.count)
    guard repeated > 0 else {
      try write(bytes)
      return true
    }
    guard try isHere(UnsafeRawBufferPointer(rebasing: bytes[..<repeated])) else { return false }
    comparing -= repeated
    self.repeated += ByteCount(Int64(repeated))
    if bytes.count > repeated { try write(UnsafeRawBufferPointer(rebasing: bytes[repeated...])) }
    return true
  }

  /// True if these bytes match the next ones to be compared.
  private func isHere(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { buffer.deallocate() }
    do throws(FileError) {
      let count = try opened().read(into: buffer, at: length.bytes - Int64(comparing))
      return count == bytes.count && bytes.elementsEqual(UnsafeRawBufferPointer(buffer))
    } catch { throw error.failure }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    let grown = length + ByteCount(Int64(bytes.count))
    guard grown <= limit else { throw tooLong(grown) }
    length = grown
    var offset = 0
    while offset < bytes.count {
      let count = min(bytes.count - offset, BufferPool.bufferSize - buffer.count)
      let piece = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
      buffer.append(contentsOf: piece)
      keepBeginning(of: piece)
      offset += count
      if buffer.count == BufferPool.bufferSize { try flush(isLast: false) }
    }
  }

  /// True if the body is small and complete, and none of it was written.
  package var isWholeInMemory: Bool { file == nil && length > .zero && total == length && digest?.begun != nil }

  /// Hands over a body that is whole in memory. Nothing may be appended after it.
  /// - Returns: Nil for any other body.
  package func takeWhole() -> SmallBody? {
    guard isWholeInMemory, let begun = digest?.begun else { return nil }
    var bytes: [UInt8] = []
    swap(&bytes, &buffer)
    return SmallBody(bytes: bytes, digest: begun, open: open)
  }

  /// Hands the rest of the buffer to the system. Nothing may be appended after it.
  package func flush() throws(Failure) { try flush(isLast: true) }

  /// - Parameter isLast: true if nothing will be appended any more.
  package func flush(isLast: Bool) throws(Failure) {
    guard !buffer.isEmpty else { return }
    let start = ContinuousClock.now
    do throws(FileError) { try opened().write(buffer, at: written) } catch { throw error.failure }
    pace.wrote(since: start)
    written += Int64(buffer.count)
    var full: [UInt8] = isLast ? [] : pool.take()
    swap(&full, &buffer)
    if digest == nil { return pool.keep(consume full) }
    isAhead = digest?.take(consume full, isLast: isLast) ?? false
  }

  /// The file, for a copy that does not pass through this writer. Its bytes are hashed when it is complete.
  package func openForCopy() throws(Failure) -> any OpenFile {
    digest?.abandon()
    digest = nil
    do throws(FileError) { return try opened() } catch { throw error.failure }
  }

  /// Notes that the system has that many bytes of the copy.
  package func copied(_ count: ByteCount) { (length, written) = (count, count.bytes) }

  package func beginFlush() { pace.beginFlush() }

  package func endFlush() { pace.endFlush() }

  /// True if no more bytes should come until the pool has relief. Returns true once for each such time.
  package func pausesForHash() -> Bool {
    defer { isAhead = false }
    return isAhead
  }

  /// The digest of the whole partial, including the bytes that were there before.
  package func finishDigest() -> BodyDigest.Pending? { digest?.finish() }

  private func keepBeginning(of piece: UnsafeRawBufferPointer) {
    guard let count = beginning?.count, count < SniffedContent.length else { return }
    beginning?.append(contentsOf: piece.prefix(SniffedContent.length - count))
  }

  /// The failure if the first bytes are not media, once there are enough of them.
  /// - Parameter mayBeImage: true if the manifest asks for an image.
  package func contentProblem(mayBeImage: Bool) -> Failure? {
    guard let beginning, beginning.count >= SniffedContent.length else { return nil }
    return judge(beginning, mayBeImage: mayBeImage)
  }

  /// The same as `contentProblem`, however few bytes there are: the body has ended.
  package func finalContentProblem(mayBeImage: Bool) -> Failure? {
    guard let beginning, !beginning.isEmpty else { return nil }
    return judge(beginning, mayBeImage: mayBeImage)
  }

  private func judge(_ bytes: [UInt8], mayBeImage: Bool) -> Failure? {
    beginning = nil
    return SniffedContent(bytes.span).problem(mayBeImage: mayBeImage)
  }
}

/// The time that the disk took for the last requests. A stop waits for a quick disk but not for a slow one: there it
/// relies on what is durable already, and the next run fetches the little that is not.
package struct DiskPace {
  /// The limit for one buffer or one flush.
  private static let patience = Duration.milliseconds(300)

  private var slowest = Duration.zero
  private var flushBegan: ContinuousClock.Instant?

  /// True if writing the bytes that are still in memory would take too long.
  package var isSlow: Bool {
    slowest > Self.patience || (flushBegan.map { ContinuousClock.now - $0 > Self.patience } ?? false)
  }

  mutating func wrote(since start: ContinuousClock.Instant) { slowest = ContinuousClock.now - start }

  mutating func beginFlush() { flushBegan = .now }

  mutating func endFlush() {
    if let flushBegan { slowest = max(slowest, ContinuousClock.now - flushBegan) }
    flushBegan = nil
  }
}
