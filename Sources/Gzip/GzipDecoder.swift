// SPDX-License-Identifier: Apache-2.0
internal import CZlib
import DynamicLibrary

/// Unpacks a gzip stream that arrives in pieces (RFC 1952). A stream may consist of several members, one after the other
/// (§2.2), and is whole only with the check and the length at the end of its last member.
package final class GzipDecoder {
  package enum Progress: Equatable, Sendable {
    /// All given bytes are unpacked.
    case taken
    /// The receiver of the output wants no more.
    case stopped
    /// The bytes are not gzip, or a check is wrong.
    case damaged
  }

  /// The first two bytes of every gzip stream. No feed begins with them.
  package static let signature: [UInt8] = [0x1F, 0x8B]

  /// The output is handed over in pieces of at most this size, however well the input is compressed.
  private static let pieceSize = 64 << 10
  /// The largest window, and 16 for the format gzip (zlib.h, inflateInit2).
  private static let windowBits: CInt = 15 + 16

  private let library: LibZ
  private let stream: LibZ.Stream
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
  /// True at the end of a member, where the stream may end or go on with another.
  private var isBetweenMembers = false

  /// Nil if zlib cannot be loaded or there is no memory.
  package init?() {
    guard case .success(let library) = LibZ.loaded else { return nil }
    self.library = library
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = library.begin(stream, Self.windowBits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { return nil }
  }

  deinit {
    _ = library.end(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
    piece.deallocate()
  }

  /// Unpacks the next bytes of the stream.
  /// - Parameter output: takes a piece of the unpacked bytes and returns false to stop.
  package func decode(_ bytes: UnsafeRawBufferPointer, _ output: (UnsafeRawBufferPointer) -> Bool) -> Progress {
    var rest = bytes[...]
    while !rest.isEmpty {
      if isBetweenMembers {
        // Tapes and some servers fill the last block with zeros, which gzip(1) ignores as well.
        rest = rest.drop { $0 == 0 }
        guard !rest.isEmpty else { return .taken }
        guard library.reset(stream) == Z_OK else { return .damaged }
        isBetweenMembers = false
      }
      let progress = decodeMember(&rest, output)
      guard progress == .taken else { return progress }
    }
    return .taken
  }

  /// True if the stream may end here: its last member is whole, with its check and its length.
  package var isWhole: Bool { isBetweenMembers }

  private func decodeMember(
    _ rest: inout Slice<UnsafeRawBufferPointer>, _ output: (UnsafeRawBufferPointer) -> Bool
  ) -> Progress {
    while true {
      let input = UnsafeRawBufferPointer(rebasing: rest)
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.pointee.avail_in = CUnsignedInt(input.count)
      stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = CUnsignedInt(piece.count)
      let status = library.inflate(stream, Z_NO_FLUSH)
      rest = rest.dropFirst(input.count - Int(stream.pointee.avail_in))
      let count = piece.count - Int(stream.pointee.avail_out)
      if count > 0, !output(UnsafeRawBufferPointer(rebasing: piece[..<count])) { return .stopped }
      switch status {
      case Z_STREAM_END:
        isBetweenMembers = true
        return .taken
      // Without progress there is no more to unpack until more arrives.
      case Z_BUF_ERROR: return .taken
      // A full piece may hide more output.
      case Z_OK where count < piece.count && rest.isEmpty: return .taken
      case Z_OK: continue
      default: return .damaged
      }
    }
  }
}

/// The functions of zlib, loaded with the first compressed body.
struct LibZ: Sendable {
  typealias Stream = UnsafeMutablePointer<z_stream>

  let begin: @convention(c) (Stream?, CInt, UnsafePointer<CChar>?, CInt) -> CInt
  let inflate: @convention(c) (Stream?, CInt) -> CInt
  let reset: @convention(c) (Stream?) -> CInt
  let end: @convention(c) (Stream?) -> CInt

  static let loaded = Result<LibZ, DynamicLibrary.Unavailable> { () throws(DynamicLibrary.Unavailable) in try LibZ() }

  private init() throws(DynamicLibrary.Unavailable) {
    let library = try DynamicLibrary("libz.so.1")
    begin = try library.function("inflateInit2_")
    inflate = try library.function("inflate")
    reset = try library.function("inflateReset")
    end = try library.function("inflateEnd")
  }
}
