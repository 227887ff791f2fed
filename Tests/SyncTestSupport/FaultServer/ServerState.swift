// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What the connections of one server share: what is served, how, and what was seen. Guarded by one lock.
final class ServerState: Sendable {
  struct Job: Sendable {
    let ordinal: Int
    let responder: Responder
  }

  private struct Content {
    var resources: [String: Resource] = [:]
    var scripts: [String: [Behaviour]] = [:]
    /// Requests so far that a path's script has answered.
    var played: [String: Int] = [:]
    var log: [LoggedRequest] = []
    var connections = Concurrency()
    var connectionCount = 0
    var requests = Concurrency()
    var requestsByPath: [String: Concurrency] = [:]
    /// To be opened when no request is being answered any more.
    var idleLatches: [Latch] = []
  }

  private let content = Mutex(Content())
  private let beginning = Monotonic.now()
  /// Open when the server stops: everything that waits gives up.
  let stopping: Latch

  init() throws(SystemCallError) { stopping = try Latch() }

  func serve(_ path: String, _ resource: Resource?) {
    content.withLock { $0.resources[path] = resource }
  }

  func script(_ path: String, _ behaviours: [Behaviour]) {
    content.withLock {
      $0.scripts[path] = behaviours
      $0.played[path] = 0
    }
  }

  var log: [LoggedRequest] { content.withLock { $0.log } }
  func clearLog() { content.withLock { $0.log = $0.log.filter { $0.finishedAt == nil } } }
  var maxConnections: Int { content.withLock { $0.connections.maximum } }
  var connectionCount: Int { content.withLock { $0.connectionCount } }
  var maxRequests: Int { content.withLock { $0.requests.maximum } }
  func maxRequests(to path: String) -> Int { content.withLock { $0.requestsByPath[path]?.maximum ?? 0 } }

  /// - Returns: the connection's number, from 1.
  func connectionOpened() -> Int {
    content.withLock {
      $0.connections.enter()
      $0.connectionCount += 1
      return $0.connectionCount
    }
  }

  func connectionClosed() { content.withLock { $0.connections.leave() } }

  func began(_ request: RequestHead, body: [UInt8], connection: Int) -> Job {
    let now = Monotonic.now() - beginning
    return content.withLock { content in
      let path = request.path
      let ordinal = (content.log.last?.ordinal ?? 0) + 1
      content.log.append(
        LoggedRequest(
          ordinal: ordinal, connection: connection, method: request.method, path: path, target: request.target,
          headers: request.headers, body: body, startedAt: now))
      content.requests.enter()
      content.requestsByPath[path, default: Concurrency()].enter()
      let behaviour = Self.nextBehaviour(path, &content)
      return Job(
        ordinal: ordinal,
        responder: Responder(request: request, resource: content.resources[path], behaviour: behaviour))
    }
  }

  private static func nextBehaviour(_ path: String, _ content: inout Content) -> Behaviour {
    guard let script = content.scripts[path], let last = script.last else { return .honest }
    let played = content.played[path, default: 0]
    content.played[path] = played + 1
    return played < script.count ? script[played] : last
  }

  func answering(_ ordinal: Int, status: Int) { update(ordinal) { $0.status = status } }
  func sent(_ ordinal: Int, bytes: Int) { update(ordinal) { $0.bytesSent += bytes } }

  func finished(_ ordinal: Int, path: String) {
    let now = Monotonic.now() - beginning
    update(ordinal) { $0.finishedAt = now }
    content.withLock {
      $0.requests.leave()
      $0.requestsByPath[path]?.leave()
      guard $0.requests.current == 0 else { return }
      for latch in $0.idleLatches { latch.open() }
      $0.idleLatches = []
    }
  }

  func waitUntilIdle(seconds: Double) throws(SystemCallError) -> Bool {
    let latch = try Latch()
    content.withLock {
      if $0.requests.current == 0 { latch.open() } else { $0.idleLatches.append(latch) }
    }
    return latch.wait(seconds: seconds)
  }

  private func update(_ ordinal: Int, _ change: (inout LoggedRequest) -> Void) {
    content.withLock { content in
      guard let index = content.log.lastIndex(where: { $0.ordinal == ordinal }) else { return }
      change(&content.log[index])
    }
  }
}
