// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Writes a body into its partial, in large pieces, looks at its first bytes and has them hashed. Lives in the
/// downloader's isolation.
final class PartialWriter {
  let total: ByteCount?
  /// Bytes of the partial, those in the buffer included.
  private(set) var length: ByteCount
  /// Bytes that were handed to the system.
  private(set) var written: Int64
  /// The hash could not keep up when the last buffer was handed over.
  private var isAhead = false
  /// Bytes that still come only to be compared.
  private(set) var comparing: Int
  /// Bytes that have come and were as those that are here.
  private(set) var repeated = ByteCount.zero
  private let keeping: ByteCount
  private let open: () throws(FileError) -> any OpenFile
  /// Nil until something has to be written: a small body is written at once, when it is whole.
  private(set) var file: (any OpenFile)?
  private let limit: ByteCount
  private let tooLong: @Sendable (ByteCount) -> Failure
  private let pool: BufferPool
  private(set) var pace = DiskPace()
  private var buffer: [UInt8]
  /// Nil when the bytes do not all come through here.
  private var digest: BodyDigest?
  /// The file's first bytes, until they are judged; nil when they were judged before or need not be.
  private var beginning: [UInt8]?

  /// Bodies of an announced size up to this are written when they are whole, and begin without a record in the queue:
  /// to fetch one again costs no more than to remember its parts.
  static let smallSize = ByteCount(64 << 10)

  /// - Parameters:
  ///   - open: opens the partial, which is made if it is missing.
  ///   - offset: where the body begins; what lies behind it is cut off.
  ///   - keeping: so much of the file is not cut off.
  ///   - comparing: so many bytes before `offset` come again first.
  ///   - tooLong: the failure of a body that goes beyond `limit`.
  init(
    offset: ByteCount, comparing: ByteCount = .zero, keeping: ByteCount = .zero, total: ByteCount?, limit: ByteCount,
    pool: BufferPool, digest: BodyDigest?, tooLong: @escaping @Sendable (ByteCount) -> Failure,
    open: @escaping () throws(FileError) -> any OpenFile
  ) throws(FileError) {
    self.open = open
    self.keeping = keeping
    self.comparing = Int(comparing.bytes)
    self.total = total
    self.limit = limit
    self.tooLong = tooLong
    self.pool = pool
    self.digest = digest
    length = offset
    written = offset.bytes
    beginning = offset == .zero ? [] : nil
    buffer = []
    if offset > .zero || total.map({ $0 > Self.smallSize }) ?? true { _ = try opened() }
    buffer = pool.take()
  }

  private func opened() throws(FileError) -> any OpenFile {
    if let file { return file }
    let file = try open()
    try file.truncate(to: max(ByteCount(written), keeping))
    // All at once, so that a disk without room says so now and the file lies in one piece.
    if let total, total > ByteCount(Int64(BufferPool.bufferSize)) { _ = try file.reserve(total) }
    self.file = file
    return file
  }

  deinit {
    digest?.abandon()
    // Given away, not copied: the pool would have to make another.
    var last: [UInt8] = []
    swap(&last, &buffer)
    if last.capacity > 0 { pool.keep(consume last) }
  }

  /// - Returns: false when the body repeats other bytes than those that are here.
  func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Bool {
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

  /// Whether these bytes are the ones that come next in what is compared.
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

  /// Hands what is left in the buffer to the system. Nothing may be appended after it.
  func flush() throws(Failure) { try flush(isLast: true) }

  /// - Parameter isLast: nothing will be appended any more.
  func flush(isLast: Bool) throws(Failure) {
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

  func beginFlush() { pace.beginFlush() }

  func endFlush() { pace.endFlush() }

  /// Whether no more bytes should come until the pool has relief. True once for each time.
  func takeIsAhead() -> Bool {
    defer { isAhead = false }
    return isAhead
  }

  /// The digest of the whole partial, what was there before included.
  func finishDigest() -> BodyDigest.Pending? { digest?.finish() }

  private func keepBeginning(of piece: UnsafeRawBufferPointer) {
    guard let count = beginning?.count, count < SniffedContent.length else { return }
    beginning?.append(contentsOf: piece.prefix(SniffedContent.length - count))
  }

  /// What the first bytes are, if no media, once there are enough of them.
  var contentProblem: Failure? {
    guard let beginning, beginning.count >= SniffedContent.length else { return nil }
    return judge(beginning)
  }

  /// As `contentProblem`, however few bytes there are: the body is over.
  var finalContentProblem: Failure? {
    guard let beginning, !beginning.isEmpty else { return nil }
    return judge(beginning)
  }

  private func judge(_ bytes: [UInt8]) -> Failure? {
    beginning = nil
    if case .other(let found) = SniffedContent(bytes.span) { return .notMedia(found: found) }
    return nil
  }
}
