// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
package import SyncCore
package import SyncDisk
package import SyncFormats
import Synchronization

/// Serves sealed files to a player on this machine, opened on the way, by HTTP with ranges (RFC 9110, section 14). It
/// listens on loopback, and the path of each file is a random number. Nothing is written to a disk.
package final class SealedMediaServer: Sendable {
  /// A file to serve.
  package struct Media: Sendable {
    /// The size in clear.
    package var size: ByteCount
    /// The ending of its name in clear, without a dot. A player may need it to know the format.
    package var ending: String
    /// Opens it at a place.
    package var open: @Sendable (ByteCount) throws(SealedFile.Problem) -> MediaStream

    package init(
      size: ByteCount, ending: String, open: @escaping @Sendable (ByteCount) throws(SealedFile.Problem) -> MediaStream
    ) {
      (self.size, self.ending, self.open) = (size, ending, open)
    }
  }

  private let listener: Int32
  private let port: UInt16
  private let media = Mutex<[String: Media]>([:])
  private let isClosed = Atomic(false)
  private let queue = DispatchQueue(label: "sealed media", attributes: .concurrent)

  /// Listens from now on.
  package init() throws(PlayerProblem) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    listener = socket(AF_INET, kind, 0)
    guard listener >= 0 else { throw .notReached("127.0.0.1", ErrnoCode(errno)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else {
      let code = ErrnoCode(errno)
      close(descriptor)
      throw .notReached("127.0.0.1", code)
    }
    port = UInt16(bigEndian: address.sin_port)
    queue.async { [self] in accept() }
  }

  /// The URL of a file, until the server is closed.
  package func url(of file: Media) -> String {
    let name = "\(Self.random)\(Self.random).\(file.ending)"
    media.withLock { $0[name] = file }
    return "http://127.0.0.1:\(port)/\(name)"
  }

  private static var random: String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Serves nothing any more.
  package func end() {
    isClosed.store(true, ordering: .relaxed)
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func accept() {
    while !isClosed.load(ordering: .relaxed) {
      let client = Glibc.accept(listener, nil, nil)
      if client >= 0 {
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        queue.async { [self] in
          serve(client)
          close(client)
        }
      } else if errno != EINTR, errno != ECONNABORTED {
        // Out of descriptors: some are closed soon.
        guard errno == EMFILE || errno == ENFILE else { break }
        usleep(50_000)
      }
    }
    close(listener)
  }

  // MARK: One request

  private static let longestHead = 16 << 10
  private static let patience: Int32 = 10_000

  private func serve(_ client: Int32) {
    guard let head = head(client), let request = MediaRequest(head) else {
      return say("400 Bad Request", [], client)
    }
    guard let file = media.withLock({ $0[request.name] }) else { return say("404 Not Found", [], client) }
    guard let range = request.range(of: file.size.bytes) else {
      return say("416 Range Not Satisfiable", ["Content-Range: bytes */\(file.size.bytes)"], client)
    }
    let fields = ["Accept-Ranges: bytes", "Content-Length: \(range.count)"]
    if request.isHead { return say("200 OK", fields, client) }
    var stream: MediaStream
    do throws(SealedFile.Problem) { stream = try file.open(ByteCount(range.lowerBound)) } catch {
      return say("403 Forbidden", ["Content-Length: 0"], client)
    }
    if request.isPart {
      let place = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size.bytes)"
      say("206 Partial Content", fields + [place], client)
    } else {
      say("200 OK", fields, client)
    }
    var left = Int64(range.count)
    do throws(SealedFile.Problem) {
      while left > 0, let bytes = try stream.next() {
        let part = Int64(bytes.count) <= left ? bytes[...] : bytes.prefix(Int(left))
        guard send(part, client) else { return }
        left -= Int64(part.count)
      }
    } catch {
      // The connection ends too early: nothing that is not genuine leaves.
    }
  }

  private func head(_ client: Int32) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < Self.longestHead {
      guard wait(client, POLLIN) else { return nil }
      let count = read(client, &buffer, buffer.count)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
      let text = String(decoding: bytes, as: UTF8.self)
      if text.contains("\r\n\r\n") { return text }
    }
    return nil
  }

  private func say(_ status: String, _ fields: [String], _ client: Int32) {
    let lines = ["HTTP/1.1 \(status)", "Connection: close", "Cache-Control: no-store"] + fields
    _ = send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)[...], client)
  }

  private func send(_ bytes: ArraySlice<UInt8>, _ client: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      // A paused player takes nothing for as long as it likes.
      while !wait(client, POLLOUT) { guard !isClosed.load(ordering: .relaxed) else { return false } }
      let count = rest.withUnsafeBytes {
        Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// False if nothing happens in time, or the server is closed.
  private func wait(_ client: Int32, _ event: Int32) -> Bool {
    var interest = pollfd(fd: client, events: Int16(event), revents: 0)
    var waited: Int32 = 0
    while waited < Self.patience, !isClosed.load(ordering: .relaxed) {
      let step: Int32 = 200
      if poll(&interest, 1, step) > 0 { return true }
      waited += step
    }
    return false
  }
}

/// The parts of a request that matter here.
struct MediaRequest: Equatable {
  var name: String
  var isHead: Bool
  /// The value of `Range`, if it is a range of bytes.
  private var wanted: Substring?

  var isPart: Bool { wanted != nil }

  /// Nil for anything but GET and HEAD.
  init?(_ head: String) {
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3, words[0] == "GET" || words[0] == "HEAD", words[1].hasPrefix("/") else { return nil }
    (name, isHead) = (String(words[1].dropFirst()), words[0] == "HEAD")
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "range" else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      // Several ranges are answered with the whole, as for a field that is not understood.
      if value.hasPrefix("bytes="), !value.contains(",") { wanted = value.dropFirst("bytes=".count) }
    }
  }

  /// The bytes to send of a file of that size. Nil if there are none of them.
  func range(of size: Int64) -> Range<Int64>? {
    guard let wanted else { return 0..<size }
    let parts = wanted.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[0].isEmpty {
      guard let count = Int64(parts[1]), count > 0, size > 0 else { return nil }
      return max(0, size - count)..<size
    }
    guard let first = Int64(parts[0]), first >= 0, first < size else { return nil }
    let last = parts[1].isEmpty ? size - 1 : Int64(parts[1]) ?? -1
    return last >= first ? first..<min(last, size - 1) + 1 : nil
  }
}
