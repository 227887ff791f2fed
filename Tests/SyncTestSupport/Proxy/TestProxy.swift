// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A proxy on loopback: `CONNECT` opens a tunnel, and any other request in absolute form is forwarded. Every host leads
/// to loopback, at the requested port, so that a test can use hosts that no resolver knows.
package final class TestProxy: Sendable {
  /// A request that it received, without the contents of tunnels.
  package struct Request: Equatable, Sendable {
    package let method: String
    package let target: String
    package let headers: [HTTPHeader]
  }

  private let listener: Listener
  private let stopping: Latch
  private let places: Places
  private let closed: Latch
  private let log: Seen
  private let refusal: Int?

  /// - Parameter refusal: the status of every response; nil to serve requests.
  package init(refusal: Int? = nil) throws(SystemCallError) {
    listener = try Listener(address: "127.0.0.1")
    stopping = try Latch()
    places = try Places(32)
    closed = try Latch()
    log = Seen()
    self.refusal = refusal
    let (listener, stopping, places, closed, log) = (listener, stopping, places, closed, log)
    try Thread.start {
      let interests = [Poll.Interest(stopping.descriptor), Poll.Interest(listener.descriptor)]
      while places.take(unless: stopping) {
        guard Poll.firstReady(interests, seconds: nil) == 1 else {
          places.giveBack()
          break
        }
        let descriptor = listener.accept()
        Self.serve(
          descriptor, ProxyConnection(client: descriptor ?? -1, stopping: stopping, refusal: refusal), log, places)
      }
      close(listener.descriptor)
      closed.open()
    }
  }

  deinit { stop() }

  package var port: UInt16 { listener.port }
  package var url: String { "http://127.0.0.1:\(port)" }
  package var requests: [Request] { log.requests.withLock { $0 } }

  package func stop() {
    guard stopping.open() else { return }
    closed.wait(seconds: 60)
    for _ in 0..<places.count where !places.take() { return }
  }

  private static func serve(_ descriptor: Int32?, _ connection: ProxyConnection, _ log: Seen, _ places: Places) {
    guard let descriptor else { return places.giveBack() }
    let end: @Sendable () -> Void = {
      close(descriptor)
      places.giveBack()
    }
    do throws(SystemCallError) {
      try Thread.start {
        connection.run { request in log.requests.withLock { $0.append(request) } }
        end()
      }
    } catch { end() }
  }

  private final class Seen: Sendable {
    let requests = Mutex<[Request]>([])
  }
}
