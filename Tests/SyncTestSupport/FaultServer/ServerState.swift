// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The state that the connections of one server share: the resources, the behaviours, and the log. Guarded by one lock.
final class ServerState: Sendable {
  struct Job: Sendable {
    let ordinal: Int
    var responder: Responder
  }

  /// The numbers of simultaneous connections and requests.
  struct Load: Sendable {
    var connections = Concurrency()
    var requests = Concurrency()
  }

  private struct Content {
    var resources: [String: Resource] = [:]
    var scripts: [String: [Behaviour]] = [:]
    var handler: FaultServer.Handler?
    /// The number of requests so far that a path's script has answered.
    var played: [String: Int] = [:]
    var log: [LoggedRequest] = []
    var connectionCount = 0
    var connections = OpenConnections()
    var requestCount = 0
    /// The number of requests that were read and are not finished.
    var unfinished = 0
    /// Requests whose last byte is not being sent yet.
    var underWay: [Int: (connection: Int, host: String, path: String)] = [:]
    var load = Load()
    var loadByHost: [String: Load] = [:]
    var requestsByPath: [String: Concurrency] = [:]
    /// Latches to open when no request is being answered any more.
    var idleLatches: [Latch] = []

    /// Stops counting connections that clients have given up, even if the threads that serve them have not noticed.
    mutating func forgetGone() {
      for (number, host) in connections.takeGone() {
        leaveConnection(to: host)
        for (ordinal, request) in underWay where request.connection == number { complete(ordinal) }
      }
    }

    mutating func leaveConnection(to host: String) {
      load.connections.leave()
      loadByHost[host]?.connections.leave()
    }

    /// Marks a request as complete; does nothing the second time.
    mutating func complete(_ ordinal: Int) {
      guard let (_, host, path) = underWay.removeValue(forKey: ordinal) else { return }
      load.requests.leave()
      loadByHost[host]?.requests.leave()
      requestsByPath[path]?.leave()
    }
  }

  private let content = Mutex(Content())
  private let beginning = Monotonic.now()
  /// Opens when the server stops: then everything that waits gives up.
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

  func handle(_ handler: FaultServer.Handler?) { content.withLock { $0.handler = handler } }

  var log: [LoggedRequest] { content.withLock { $0.log } }
  func clearLog() { content.withLock { $0.log = $0.log.filter { $0.finishedAt == nil } } }
  var connectionCount: Int { content.withLock { $0.connectionCount } }
  var requestCount: Int { content.withLock { $0.requestCount } }
  func maximum(_ of: (Load) -> Concurrency) -> Int { content.withLock { of($0.load).maximum } }
  func perHostMaximum(_ of: (Load) -> Concurrency) -> Int {
    content.withLock { $0.loadByHost.values.map { of($0).maximum }.max() ?? 0 }
  }
  func maxRequests(to path: String) -> Int { content.withLock { $0.requestsByPath[path]?.maximum ?? 0 } }

  /// - Returns: the connection's number, from 1.
  func connectionOpened(_ descriptor: Int32, host: String) -> Int {
    content.withLock { content in
      content.forgetGone()
      content.connectionCount += 1
      content.connections.add(content.connectionCount, descriptor, host: host)
      content.load.connections.enter()
      content.loadByHost[host, default: Load()].connections.enter()
      return content.connectionCount
    }
  }

  /// Called before the connection's descriptor is closed.
  func connectionEnds(_ number: Int) {
    content.withLock { content in
      if let host = content.connections.remove(number) { content.leaveConnection(to: host) }
    }
  }

  func began(_ request: RequestHead, body: [UInt8], connection: Int, host: String) -> Job {
    let now = Monotonic.now() - beginning
    var (job, logged, handler) = content.withLock { content in
      let path = request.path
      let ordinal = (content.log.last?.ordinal ?? 0) + 1
      let logged = LoggedRequest(
        ordinal: ordinal, connection: connection, method: request.method, path: path, target: request.target,
        headers: request.headers, body: body, startedAt: now)
      content.log.append(logged)
      content.requestCount += 1
      content.unfinished += 1
      content.forgetGone()
      content.underWay[ordinal] = (connection, host, path)
      content.load.requests.enter()
      content.loadByHost[host, default: Load()].requests.enter()
      content.requestsByPath[path, default: Concurrency()].enter()
      let behaviour = Self.nextBehaviour(path, &content)
      let responder = Responder(request: request, resource: content.resources[path], behaviour: behaviour)
      return (Job(ordinal: ordinal, responder: responder), logged, content.handler)
    }
    // Outside the lock, because the handler may use the server.
    if let handler, job.responder.servesResource { job.responder.behaviour.answer = handler(logged) }
    return job
  }

  private static func nextBehaviour(_ path: String, _ content: inout Content) -> Behaviour {
    guard let script = content.scripts[path], let last = script.last else { return .honest }
    let played = content.played[path, default: 0]
    content.played[path] = played + 1
    return played < script.count ? script[played] : last
  }

  func answering(_ ordinal: Int, status: Int) { update(ordinal) { $0.status = status } }
  func sent(_ ordinal: Int, bytes: Int) { update(ordinal) { $0.bytesSent += bytes } }

  /// Called when the last bytes are about to be sent.
  func completing(_ ordinal: Int) { content.withLock { $0.complete(ordinal) } }

  func finished(_ ordinal: Int) {
    let now = Monotonic.now() - beginning
    update(ordinal) { $0.finishedAt = now }
    content.withLock {
      $0.complete(ordinal)
      $0.unfinished -= 1
      guard $0.unfinished == 0 else { return }
      for latch in $0.idleLatches { latch.open() }
      $0.idleLatches = []
    }
  }

  func waitUntilIdle(seconds: Double) throws(SystemCallError) -> Bool {
    let latch = try Latch()
    content.withLock {
      if $0.unfinished == 0 { latch.open() } else { $0.idleLatches.append(latch) }
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
