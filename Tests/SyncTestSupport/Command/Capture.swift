// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Collects the bytes from a pipe, on a separate thread, until its end.
final class Capture: Sendable {
  private final class Content: Sendable {
    let bytes = Mutex<[UInt8]>([])
    let line: Latch
    let end: Latch

    init() throws(SystemCallError) {
      line = try Latch()
      end = try Latch()
    }
  }

  private let content: Content

  /// Takes ownership of the descriptor and closes it at the end.
  init(_ descriptor: Int32) throws(SystemCallError) {
    let content = try Content()
    self.content = content
    try Thread.start {
      while Self.readOnce(descriptor, content) { continue }
      close(descriptor)
      content.line.open()
      content.end.open()
    }
  }

  private static func readOnce(_ descriptor: Int32, _ content: Content) -> Bool {
    let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { space, count in
      count = max(0, read(descriptor, space.baseAddress, space.count))
    }
    guard !chunk.isEmpty else { return false }
    content.bytes.withLock { $0 += chunk }
    if chunk.contains(UInt8(ascii: "\n")) { content.line.open() }
    return true
  }

  /// All bytes, or those that came within the time.
  func bytes(seconds: Double) -> [UInt8] {
    content.end.wait(seconds: seconds)
    return content.bytes.withLock { $0 }
  }

  /// The first line without its end; nil when none came in time.
  func firstLine(seconds: Double) -> String? {
    content.line.wait(seconds: seconds)
    let bytes = content.bytes.withLock { $0 }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}
