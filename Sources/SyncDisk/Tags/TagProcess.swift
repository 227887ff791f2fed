// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore

/// A running `syncjob-tags`, and the socket to it. A message is a list of texts, each of which ends with a NUL, behind
/// its length in four bytes, the lowest first.
struct TagProcess {
  private static let longestAnswer = 1 << 20

  private let id: pid_t
  private let socket: Int32

  init(_ program: String) throws(TagProblem) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .notStarted(ErrnoCode(errno)) }
    defer { close(ends[1]) }
    // The dynamic loader and a failing C++ program would write to the standard error.
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    let libraries = getenv("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH": String(cString: $0)] } ?? [:]
    let start = ProgramStart(
      words: [program], variables: libraries, inheritsVariables: false, streams: [ends[1], ends[1], nowhere],
      leadsGroup: true)
    do throws(ProcessFailure) { id = try start() } catch {
      close(ends[0])
      if case .notStarted(let code) = error { throw .notStarted(code) }
      throw .programMissing
    }
    socket = ends[0]
  }

  /// - Parameter patience: The longest time to wait, in seconds.
  /// - Returns: Nil if the process has ended, takes too long, or says something that is not an answer.
  func ask(_ request: [String], patience: Int) -> [String]? {
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    // A NUL would end a text too early.
    let text = request.flatMap { $0.utf8.filter { $0 != 0 } + [0] }
    let length = (0..<4).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) }
    guard send(length + text), let head = receive(4) else { return nil }
    let count = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count <= Self.longestAnswer, let body = receive(count), body.last ?? 0 == 0 else { return nil }
    return body.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// True if the process has neither answered nor closed its end of the socket.
  var isSilent: Bool {
    var end = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&end, 1, 0) == 0
  }

  /// Kills the process if it still runs, and waits for its end.
  func end() -> ProcessEnd.Status {
    if isSilent { kill(-id, SIGKILL) }
    close(socket)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func receive(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < count {
      let read = Glibc.read(socket, &buffer, min(buffer.count, count - bytes.count))
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { return nil }
      bytes += buffer[..<read]
    }
    return bytes
  }
}
