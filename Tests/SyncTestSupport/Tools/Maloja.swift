// SPDX-License-Identifier: Apache-2.0

/// A Maloja on loopback: a real server to which listens are submitted, with the ListenBrainz API.
package final class Maloja: Sendable {
  private let server: PeerServer
  /// The token of its user.
  package let token: String

  package init() throws {
    server = try PeerServer(
      .maloja,
      variables: { folder, port in
        [
          "MALOJA_DATA_DIRECTORY": folder.path, "MALOJA_SKIP_SETUP": "yes", "MALOJA_HOST": "127.0.0.1",
          "MALOJA_PORT": "\(port)", "MALOJA_FORCE_PASSWORD": "s3cret",
        ]
      }, arguments: { _, _ in ["-m", "maloja", "run"] }, within: 60,
      isReady: { PlainRequest.get(port: $0, path: "/apis/mlj_1/serverinfo") != nil })
    // `default: TOKEN`
    token =
      try FileBytes.text(server.folder.file("apikeys.yml")).split { $0.isWhitespace }.last.map { String($0) } ?? ""
  }

  package var url: String { "http://127.0.0.1:\(server.port)/apis/listenbrainz" }

  /// All listens, as the server's own API returns them.
  package func listens() -> [UInt8] {
    let answer = PlainRequest.get(port: server.port, path: "/apis/mlj_1/scrobbles?from=2020&to=2030") ?? ""
    return Array(answer.drop { $0 != "{" }.utf8)
  }
}
