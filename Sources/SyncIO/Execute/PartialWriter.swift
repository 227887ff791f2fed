// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Writes a body into its partial, in large pieces, and looks at its first bytes. Lives in the downloader's isolation.
final class PartialWriter {
  let total: ByteCount?
  /// Bytes of the partial, those in the buffer included.
  private(set) var length: ByteCount
  private let file: any OpenFile
  private let limit: ByteCount
  private let tooLong: @Sendable (ByteCount) -> Failure
  private var buffer: UnsafeMutableRawBufferPointer
  private var filled = 0
  /// Bytes that were handed to the system.
  private(set) var written: Int64
  /// The file's first bytes, until they are judged; nil when they were judged before or need not be.
  private var beginning: [UInt8]?

  /// libcurl hands over at most 16 KiB at a time; fewer, larger writes cost less.
  private static let bufferSize = 256 << 10

  /// - Parameters:
  ///   - offset: where the body begins; what lies behind it is cut off.
  ///   - tooLong: the failure of a body that goes beyond `limit`.
  init(
    _ file: any OpenFile, offset: ByteCount, total: ByteCount?, limit: ByteCount,
    tooLong: @escaping @Sendable (ByteCount) -> Failure
  ) throws(FileError) {
    self.file = file
    self.total = total
    self.limit = limit
    self.tooLong = tooLong
    length = offset
    written = offset.bytes
    beginning = offset == .zero ? [] : nil
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
    do throws(FileError) { try file.truncate(to: offset) } catch {
      buffer.deallocate()
      throw error
    }
  }

  deinit { buffer.deallocate() }

  func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    let grown = length + ByteCount(Int64(bytes.count))
    guard grown <= limit else { throw tooLong(grown) }
    length = grown
    var offset = 0
    while offset < bytes.count {
      let count = min(bytes.count - offset, buffer.count - filled)
      let piece = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
      UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: piece)
      keepBeginning(of: piece)
      filled += count
      offset += count
      if filled == buffer.count { try flush() }
    }
  }

  /// Hands the buffer to the system.
  func flush() throws(Failure) {
    guard filled > 0 else { return }
    do throws(FileError) {
      try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<filled]), at: written)
    } catch { throw error.failure }
    written += Int64(filled)
    filled = 0
  }

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
