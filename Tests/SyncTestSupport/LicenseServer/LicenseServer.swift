// SPDX-License-Identifier: Apache-2.0

/// A licence server on loopback that follows docs/manual/license-server.md, and breaks it where its policy says so.
///
///     let server = try LicenseServer()
///     server.change { $0.tracks["lost-tape"] = .init(refusal: .subscriptionRequired) }
///     server.script(server.licensesPath, [.status(500), .honest])
///
/// A script applies before the policy: a request that is answered by `.status` registers nothing. A response that
/// breaks off has been granted all the same.
package final class LicenseServer: Sendable {
  /// The HTTP server, for its log and its further faults.
  package let server: FaultServer
  private let responder: LicenseResponder

  /// - Parameters:
  ///   - address: an IPv4 loopback address.
  ///   - base: the path before `/devices` and `/licenses`, without a slash at its end; may be empty.
  package init(
    address: String = "127.0.0.1", base: String = "/v1", policy: Policy = Policy()
  ) throws(SystemCallError) {
    server = try FaultServer(address: address)
    let responder = LicenseResponder(base: base, policy: policy)
    self.responder = responder
    server.handle { request in
      let answer = responder.answer(to: request)
      return .status(answer.status, headers: answer.headers, body: answer.body)
    }
  }

  /// The base URL of the protocol.
  package var url: String { server.url(responder.base) }
  /// The URL of a path of the server, such as that of a single licence.
  package func url(of path: String) -> String { server.url(path) }
  package var port: UInt16 { server.port }

  package var devicesPath: String { responder.base + "/devices" }
  package var releasePath: String { responder.base + "/devices/release" }
  package var licensesPath: String { responder.base + "/licenses" }

  package var policy: Policy { responder.policy }
  /// Changes the policy between two requests. The closure must not use the server.
  package func change(_ change: (inout Policy) -> Void) { responder.change(change) }

  /// Gives single licences at a path, without registration.
  /// - Parameter track: the only track there; nil for every track.
  package func serveSingle(_ path: String, track: String? = nil) { responder.serveSingle(path, track) }

  /// Begins a script for a path of the server at its first behaviour.
  package func script(_ path: String, _ behaviours: [Behaviour]) { server.script(path, behaviours) }

  /// The registered devices, oldest first.
  package var devices: [Device] { responder.devices }

  /// Every request so far, in order, with those that a script has answered.
  package var requests: [Request] { server.requests.map(Request.init) }
  package func requests(to path: String) -> [Request] { server.requests(to: path).map(Request.init) }
  /// Removes the finished requests from the log.
  package func clearLog() { server.clearLog() }

  /// Ends every connection and waits for it. The log stays.
  package func stop() { server.stop() }

  /// The content key that a track has when `Policy.contentKeys` is true: 32 bytes, always the same. A test's key, and
  /// no secret: a real server uses a key derivation function.
  package static func contentKey(of track: String) -> [UInt8] {
    let seed = ("syncjob-demo\0" + track).utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    var generator = SplitMix64(seed: seed)
    let words = [generator.next(), generator.next(), generator.next(), generator.next()]
    return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
  }
}
