// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An HTTP/1.1 origin on loopback that is honest by default and cuts, stalls and lies where its script says so.
///
///     let server = try FaultServer()
///     server.serve("/a.mp3", Resource(bytes: audio, etag: "\"1\""))
///     server.script("/a.mp3", [.breakOff(after: 300_000, .reset), .honest])
///
/// The n-th request to a path gets the n-th behaviour of its script; the last one repeats. `stop` waits for every
/// connection to end; so does the end of the server's life.
package final class FaultServer: Sendable {
  private let listener: Listener
  private let state: ServerState
  private let places: Places
  /// Opens when the accepting thread has ended.
  private let closed: Latch
  private let address: String

  /// - Parameters:
  ///   - address: an IPv4 loopback address; `127.0.0.2` and so on make a second host.
  ///   - connections: how many are served at once, each by its thread; more wait in the backlog.
  package init(address: String = "127.0.0.1", connections: Int = 256) throws(SystemCallError) {
    self.address = address
    listener = try Listener(address: address)
    state = try ServerState()
    places = try Places(connections)
    closed = try Latch()
    let (listener, state, places, closed) = (listener, state, places, closed)
    try Thread.start {
      Self.acceptAll(listener, state, places)
      close(listener.descriptor)
      closed.open()
    }
  }

  deinit { stop() }

  package var port: UInt16 { listener.port }

  /// - Parameter host: another name of the same address, such as `localhost`.
  package func url(_ path: String = "", host: String? = nil) -> String { "http://\(host ?? address):\(port)\(path)" }

  /// Serves a resource at a path, in place of an earlier one; nil takes it away.
  package func serve(_ path: String, _ resource: Resource?) { state.serve(path, resource) }

  /// Begins a script at its first behaviour.
  package func script(_ path: String, _ behaviours: [Behaviour]) { state.script(path, behaviours) }

  /// Every request so far, in order.
  package var requests: [LoggedRequest] { state.log }
  package func requests(to path: String) -> [LoggedRequest] { state.log.filter { $0.path == path } }
  /// Forgets the finished requests; ordinals go on while others run.
  package func clearLog() { state.clearLog() }

  /// Waits until no request is being answered, so that the log is whole.
  /// - Returns: false when `seconds` went by first.
  package func waitUntilIdle(seconds: Double = 10) throws(SystemCallError) -> Bool {
    try state.waitUntilIdle(seconds: seconds)
  }

  package var connectionCount: Int { state.connectionCount }
  /// Connections open at one time, at most so far, idle ones included.
  package var maxConcurrentConnections: Int { state.maxConnections }
  /// Requests being answered at one time, at most so far.
  package var maxConcurrentRequests: Int { state.maxRequests }
  package func maxConcurrentRequests(to path: String) -> Int { state.maxRequests(to: path) }

  /// Ends every connection and waits for it. The log stays. Calling it again changes nothing.
  package func stop() {
    guard state.stopping.open() else { return }
    closed.wait(seconds: 60)
    for _ in 0..<places.count where !places.take() { return }
  }

  private static func acceptAll(_ listener: Listener, _ state: ServerState, _ places: Places) {
    let interests = [Poll.Interest(state.stopping.descriptor), Poll.Interest(listener.descriptor)]
    while places.take(unless: state.stopping) {
      guard Poll.firstReady(interests, seconds: nil) == 1 else { return places.giveBack() }
      guard let descriptor = listener.accept() else {
        places.giveBack()
        continue
      }
      start(descriptor, state, places)
    }
  }

  private static func start(_ descriptor: Int32, _ state: ServerState, _ places: Places) {
    let number = state.connectionOpened()
    let end: @Sendable () -> Void = {
      close(descriptor)
      state.connectionClosed()
      places.giveBack()
    }
    do throws(SystemCallError) {
      try Thread.start {
        var connection = Connection(descriptor: descriptor, number: number, state: state)
        connection.run()
        end()
      }
    } catch {
      end()
    }
  }
}
