// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization

/// A server with the ListenBrainz API on loopback. It keeps one listen a second, as Maloja does: it stops at the first one
/// that it has already, and answers with success.
package final class ListenServer: Sendable {
  /// A listen in the form of the API.
  package struct Listen: Codable, Hashable, Sendable {
    package struct Metadata: Codable, Hashable, Sendable {
      package struct Info: Codable, Hashable, Sendable {
        package var client: String?
        package var seconds: Int?

        private enum CodingKeys: String, CodingKey {
          case client = "submission_client"
          case seconds = "duration"
        }
      }

      package var artist: String
      package var track: String
      package var release: String?
      package var info: Info?

      private enum CodingKeys: String, CodingKey {
        case artist = "artist_name"
        case track = "track_name"
        case release = "release_name"
        case info = "additional_info"
      }
    }

    package var at: Int
    package var metadata: Metadata

    private enum CodingKeys: String, CodingKey {
      case at = "listened_at"
      case metadata = "track_metadata"
    }
  }

  private struct Submission: Codable {
    var type: String
    var payload: [Listen]

    private enum CodingKeys: String, CodingKey {
      case type = "listen_type"
      case payload
    }
  }

  package static let token = "7d1b6c1e"
  package static let path = "/1/submit-listens"

  package let server: FaultServer
  private let content = Mutex<[Listen]>([])
  /// A track with which the server fails.
  private let upsetting = Mutex<String?>(nil)

  package init() throws(SystemCallError) {
    server = try FaultServer()
    server.handle { [weak self] request in
      guard let self else { return .status(503, headers: [], body: []) }
      let (status, body) = answer(request)
      return .status(status, headers: [HTTPHeader("Content-Type", "application/json")], body: Array(body.utf8))
    }
  }

  package var url: String { server.url("") }
  package var listens: [Listen] { content.withLock { $0 } }
  package func upset(by track: String?) { upsetting.withLock { $0 = track } }
  package func forget() { content.withLock { $0 = [] } }
  package func script(_ behaviours: [Behaviour]) { server.script(Self.path, behaviours) }

  private func answer(_ request: LoggedRequest) -> (Int, String) {
    guard request.authorization == "Token \(Self.token)" else {
      return (401, #"{"code":401,"error":"Invalid authorization token."}"#)
    }
    guard request.path == Self.path, request.method == "POST" else { return (404, #"{"code":404}"#) }
    do {
      let submission = try JSONDecoder().decode(Submission.self, from: Data(request.body))
      guard submission.type == "import" else { return (400, #"{"code":400,"error":"type"}"#) }
      if let track = submission.payload.first(where: { $0.metadata.track == upsetting.withLock { $0 } })?.metadata.track
      {
        return (500, #"{"code":500,"error":"\#(track)"}"#)
      }
      content.withLock { known in
        known += submission.payload.prefix { listen in !known.contains { $0.at == listen.at } }
      }
      return (200, #"{"status":"ok"}"#)
    } catch { return (400, #"{"code":400,"error":"Invalid JSON document submitted."}"#) }
  }
}
