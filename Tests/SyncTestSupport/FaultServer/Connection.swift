// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One accepted connection: requests are read and answered one after the other, on the thread that calls `run`.
struct Connection {
  let descriptor: Int32
  let number: Int
  /// The server's address that the client chose.
  let host: String
  let state: ServerState
  /// Bytes that came after the last request.
  private var buffer: [UInt8] = []
  private static let headLimit = 65_536
  private static let bodyLimit = 1 << 20

  init(descriptor: Int32, number: Int, host: String, state: ServerState) {
    self.descriptor = descriptor
    self.number = number
    self.host = host
    self.state = state
  }

  /// Serves the connection until either side ends it; the descriptor stays open for its owner to close.
  mutating func run() {
    while let head = readHead() {
      guard let request = RequestHead(head) else { return refuse() }
      guard let body = readBody(request.contentLength) else { return }
      let job = state.began(request, body: body, connection: number, host: host)
      let delivery = Delivery(descriptor: descriptor, ordinal: job.ordinal, state: state)
      let goesOn = delivery.send(job.responder)
      state.finished(job.ordinal)
      guard goesOn, request.wantsKeepAlive else { return }
    }
  }

  private func refuse() {
    let reply = Reply(status: 400).head(keepAlive: false)
    _ = reply.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// The bytes up to the empty line; nil at the end of the connection.
  private mutating func readHead() -> [UInt8]? {
    let mark = Array("\r\n\r\n".utf8)
    while true {
      if let end = buffer.firstRange(of: mark) {
        let head = Array(buffer[..<end.lowerBound])
        buffer.removeSubrange(..<end.upperBound)
        return head
      }
      guard buffer.count < Self.headLimit, fill() else { return nil }
    }
  }

  private mutating func readBody(_ count: Int) -> [UInt8]? {
    guard (0...Self.bodyLimit).contains(count) else { return nil }
    while buffer.count < count { guard fill() else { return nil } }
    let body = Array(buffer[..<count])
    buffer.removeSubrange(..<count)
    return body
  }

  /// Waits for more bytes; false at the end of the connection or the server.
  private mutating func fill() -> Bool {
    let interests = [Poll.Interest(state.stopping.descriptor), Poll.Interest(descriptor)]
    guard Poll.firstReady(interests, seconds: nil) == 1 else { return false }
    let chunk = [UInt8](unsafeUninitializedCapacity: 16_384) { space, count in
      count = max(0, recv(descriptor, space.baseAddress, space.count, 0))
    }
    buffer += chunk
    return !chunk.isEmpty
  }
}
