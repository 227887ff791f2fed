// SPDX-License-Identifier: Apache-2.0

/// A gpodder-fastapi-router on loopback: a real server of the gpodder.net API, version 2.
package final class GpodderPeer: Sendable {
  package static let user = "bob"
  package static let password = "s3cret"

  private let server: PeerServer

  package init() throws {
    server = try PeerServer(
      .gpodder,
      arguments: { folder, port in
        try FileBytes.write(
          """
          from fastapi import FastAPI
          from gpodder_router import GPodderConfig, attach
          app = FastAPI()
          attach(app, config=GPodderConfig(
              database_url="sqlite+aiosqlite:///\(folder.file("g.db"))", base_url="http://127.0.0.1:\(port)"))
          """, to: folder.file("app.py"))
        return ["-m", "uvicorn", "app:app", "--host", "127.0.0.1", "--port", "\(port)"]
      }, isReady: { PlainRequest.get(port: $0, path: "/openapi.json") != nil })
    _ = try post("/api/2/auth/\(Self.user)/register.json", #"{"password":"\#(Self.password)"}"#)
  }

  package var url: String { "http://127.0.0.1:\(server.port)" }

  /// Sends a document with the login of the user.
  package func post(_ path: String, _ body: String) throws -> CommandResult {
    try curl(["-X", "POST", "-H", "Content-Type: application/json", "-d", body, url + path])
  }

  /// All episode actions, as the server returns them.
  package func actions() throws -> [UInt8] {
    try curl(["\(url)/api/2/episodes/\(Self.user).json?since=0"]).stdout
  }

  /// All devices, as the server returns them.
  package func devices() throws -> [UInt8] { try curl(["\(url)/api/2/devices/\(Self.user).json"]).stdout }

  /// The subscriptions of all devices, one URL a line.
  package func subscriptions() throws -> String {
    String(decoding: try curl(["\(url)/subscriptions/\(Self.user).txt"]).stdout, as: UTF8.self)
  }

  private func curl(_ arguments: [String]) throws -> CommandResult {
    guard let program = Tool.curl.path else { throw PeerServer.Problem.notInstalled("curl") }
    return try Command(program, ["-sf", "-u", "\(Self.user):\(Self.password)"] + arguments).run()
  }
}
