// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An HTTP/1.1 origin on loopback that is honest by default and cuts, stalls and lies where its script says so.
///
///     let server = try FaultServer()
///     server.serve("/a.mp3", Resource(bytes: audio, etag: "\"1\""))
///     server.script("/a.mp3", [.breakOff(after: 300_000, .reset), .honest])
///
/// The n-th request to a path gets the n-th behaviour of its script; the last one repeats. `stop` waits for every
/// connection to end, and so does `deinit`.
package final class FaultServer: Sendable {
  private let listeners: [Listener]
  private let state: ServerState
  private let places: Places
  /// Opens when the accepting thread has ended.
  private let closed: Latch

  /// - Parameter address: an IPv4 loopback address; `127.0.0.2` and so on make a second host.
  package convenience init(address: String = "127.0.0.1") throws(SystemCallError) {
    try self.init(addresses: [address])
  }

  /// Makes one server with several hosts, all at one port and with the same paths.
  /// - Parameters:
  ///   - addresses: IPv4 loopback addresses, at least one.
  ///   - connections: the number of connections that are served at once, each by its thread; more wait in the backlog.
  package init(addresses: [String], connections: Int = 256) throws(SystemCallError) {
    listeners = try Listener.atOnePort(addresses)
    state = try ServerState()
    places = try Places(connections)
    closed = try Latch()
    let (listeners, state, places, closed) = (listeners, state, places, closed)
    try Thread.start {
      Self.acceptAll(listeners, state, places)
      for listener in listeners { close(listener.descriptor) }
      closed.open()
    }
  }

  deinit { stop() }

  package var port: UInt16 { listeners[0].port }

  /// - Parameter host: another of the server's addresses, or another name of the first, such as `localhost`.
  package func url(_ path: String = "", host: String? = nil) -> String {
    "http://\(host ?? listeners[0].address):\(port)\(path)"
  }

  /// Serves a resource at a path, replacing an earlier one; nil removes it.
  package func serve(_ path: String, _ resource: Resource?) { state.serve(path, resource) }

  /// Makes the answer to a request; `.resource` leaves it to the path. It is called on the thread of the connection.
  package typealias Handler = @Sendable (LoggedRequest) -> Behaviour.Answer

  /// Asks a handler about every request whose behaviour has no answer of its own; nil asks none. The framing, the pace
  /// and the interruption of the script apply to what it answers.
  package func handle(_ handler: Handler?) { state.handle(handler) }

  /// Begins a script at its first behaviour.
  package func script(_ path: String, _ behaviours: [Behaviour]) { state.script(path, behaviours) }

  /// Every request so far, in order.
  package var requests: [LoggedRequest] { state.log }
  package func requests(to path: String) -> [LoggedRequest] { state.log.filter { $0.path == path } }
  /// Removes the finished requests from the log; ordinals continue while others run. A client that has its answer may be
  /// ahead of the thread that gave it, so this waits a little for those that are nearly finished.
  package func clearLog() {
    do { _ = try waitUntilIdle(seconds: 0.5) } catch { preconditionFailure("waiting for the server failed: \(error)") }
    state.clearLog()
  }

  /// Waits until no request is being answered, so that the log is complete.
  /// - Returns: false when `seconds` were over first.
  package func waitUntilIdle(seconds: Double = 10) throws(SystemCallError) -> Bool {
    try state.waitUntilIdle(seconds: seconds)
  }

  package var connectionCount: Int { state.connectionCount }
  /// Requests that have been read so far.
  package var requestCount: Int { state.requestCount }
  /// The maximum number of simultaneous connections so far, including idle ones: a connection counts if the client has
  /// not closed it when another one comes.
  package var maxConcurrentConnections: Int { state.maximum { $0.connections } }
  /// The same for the address of the server that had the most.
  package var maxConcurrentConnectionsPerHost: Int { state.perHostMaximum { $0.connections } }
  /// The maximum number of simultaneous requests so far. A request whose last bytes are about to be sent no longer
  /// counts, since the client may have them, and send the next request, before this side continues.
  package var maxConcurrentRequests: Int { state.maximum { $0.requests } }
  /// The same for the address of the server that had the most.
  package var maxConcurrentRequestsPerHost: Int { state.perHostMaximum { $0.requests } }
  package func maxConcurrentRequests(to path: String) -> Int { state.maxRequests(to: path) }

  /// Ends every connection and waits for it. The log stays. Another call changes nothing.
  package func stop() {
    guard state.stopping.open() else { return }
    closed.wait(seconds: 60)
    for _ in 0..<places.count where !places.take() { return }
  }

  private static func acceptAll(_ listeners: [Listener], _ state: ServerState, _ places: Places) {
    var listeners = listeners
    while places.take(unless: state.stopping) {
      let interests = [Poll.Interest(state.stopping.descriptor)] + listeners.map { Poll.Interest($0.descriptor) }
      guard let ready = Poll.firstReady(interests, seconds: nil), ready > 0 else { return places.giveBack() }
      // Moved to the end of the list, so that busy hosts do not keep the others waiting.
      let listener = listeners.remove(at: ready - 1)
      listeners.append(listener)
      guard let descriptor = listener.accept() else {
        places.giveBack()
        continue
      }
      start(descriptor, listener.address, state, places)
    }
  }

  private static func start(_ descriptor: Int32, _ host: String, _ state: ServerState, _ places: Places) {
    let number = state.connectionOpened(descriptor, host: host)
    let end: @Sendable () -> Void = {
      state.connectionEnds(number)
      close(descriptor)
      places.giveBack()
    }
    do throws(SystemCallError) {
      try Thread.start {
        var connection = Connection(descriptor: descriptor, number: number, host: host, state: state)
        connection.run()
        end()
      }
    } catch {
      end()
    }
  }
}
