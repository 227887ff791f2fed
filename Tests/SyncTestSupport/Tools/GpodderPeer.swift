// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A gpodder-fastapi-router on loopback in its own folder: a real server of the gpodder.net API, version 2.
package final class GpodderPeer: Sendable {
  package enum Problem: Error, Equatable {
    case notInstalled
    /// It ended, or did not answer in time. Holds its standard error.
    case didNotStart(String)
  }

  package static let user = "bob"
  package static let password = "s3cret"

  package let port: UInt16
  private let folder: TemporaryDirectory
  private let process: Mutex<RunningCommand>

  package init() throws {
    guard let python = Tool.gpodder.path else { throw Problem.notInstalled }
    let folder = try TemporaryDirectory("syncjob-gpodder")
    self.folder = folder
    port = try Listener.freePort()
    try FileBytes.write(
      """
      from fastapi import FastAPI
      from gpodder_router import GPodderConfig, attach
      app = FastAPI()
      attach(app, config=GPodderConfig(
          database_url="sqlite+aiosqlite:///\(folder.file("g.db"))", base_url="http://127.0.0.1:\(port)"))
      """, to: folder.file("app.py"))
    let process = try Command(
      python, ["-m", "uvicorn", "app:app", "--host", "127.0.0.1", "--port", "\(port)"],
      environment: Command.plainEnvironment.merging(["HOME": folder.path]) { $1 }, directory: folder.path
    ).start()
    self.process = Mutex(process)
    guard process.isReady(within: 30, { PlainRequest.get(port: port, path: "/openapi.json") != nil }) else {
      process.signal(SIGKILL)
      throw Problem.didNotStart(process.wait(timeout: 5).standardError)
    }
    _ = try post("/api/2/auth/\(Self.user)/register.json", #"{"password":"\#(Self.password)"}"#)
  }

  deinit { _ = process.withLock { $0.signal(SIGKILL) } }

  package var url: String { "http://127.0.0.1:\(port)" }

  /// Sends a document with the login of the user.
  package func post(_ path: String, _ body: String) throws -> CommandResult {
    try curl(["-X", "POST", "-H", "Content-Type: application/json", "-d", body, url + path])
  }

  /// All episode actions, as the server returns them.
  package func actions() throws -> [UInt8] {
    try curl(["\(url)/api/2/episodes/\(Self.user).json?since=0"]).stdout
  }

  private func curl(_ arguments: [String]) throws -> CommandResult {
    guard let program = Tool.curl.path else { throw Problem.notInstalled }
    return try Command(program, ["-sf", "-u", "\(Self.user):\(Self.password)"] + arguments).run()
  }
}
