// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Answers the requests of the licence protocol. It does not use a socket.
final class LicenseResponder: Sendable {
  typealias Answer = LicenseServer.Answer

  private struct Content {
    var policy: LicenseServer.Policy
    var devices: [LicenseServer.Device] = []
    /// The paths that give one licence each, with their tracks; nil for any track.
    var singles: [String: String?] = [:]
  }

  /// Where the lists of devices and licences are, without a slash at the end.
  let base: String
  private let content: Mutex<Content>
  private static let mostTracks = 100
  /// A century, so that no validity leaves the range of RFC 3339.
  private static let longest = 3_155_760_000
  private static let badRequest = Answer(400, #"{"error":"bad_request"}"#)
  private static let notAuthorized = Answer(403, #"{"error":"device_not_authorized"}"#)

  private static var unauthorized: Answer {
    var answer = Answer(401, #"{"error":"unauthorized"}"#)
    answer.headers.append(HTTPHeader("WWW-Authenticate", "Bearer"))
    return answer
  }

  init(base: String, policy: LicenseServer.Policy) {
    self.base = base
    content = Mutex(Content(policy: policy))
  }

  var policy: LicenseServer.Policy { content.withLock { $0.policy } }
  var devices: [LicenseServer.Device] { content.withLock { $0.devices } }
  func change(_ change: (inout LicenseServer.Policy) -> Void) { content.withLock { change(&$0.policy) } }
  func serveSingle(_ path: String, _ track: String?) { content.withLock { $0.singles[path] = .some(track) } }

  func answer(to request: LoggedRequest) -> Answer {
    let policy = policy
    if let answer = policy.answer?(request.path, request.body) { return answer }
    if let token = policy.token, request.authorization != "Bearer \(token)" {
      return Self.unauthorized
    }
    switch (request.method, request.path) {
    case ("GET", "\(base)/devices"): return deviceList(policy)
    case ("POST", "\(base)/devices"): return register(request.body, policy)
    case ("POST", "\(base)/devices/release"): return release(request.body, policy)
    case ("POST", "\(base)/licenses"): return licenses(request.body, policy)
    case ("POST", let path):
      guard let track = content.withLock({ $0.singles[path] }) else { return Answer(404, #"{"error":"not_found"}"#) }
      return single(request.body, track, policy)
    default: return isKnown(request.path) ? notAllowed(request.path) : Answer(404, #"{"error":"not_found"}"#)
    }
  }

  private func isKnown(_ path: String) -> Bool {
    ["/devices", "/devices/release", "/licenses"].contains { base + $0 == path }
      || content.withLock { $0.singles[path] != nil }
  }

  private func notAllowed(_ path: String) -> Answer {
    var answer = Answer(405, #"{"error":"method_not_allowed"}"#)
    answer.headers.append(HTTPHeader("Allow", path == base + "/devices" ? "GET, POST" : "POST"))
    return answer
  }

  private struct DeviceList: Encodable {
    let devices: [LicenseServer.Device]
    let maxDevices: Int
  }

  private struct Grants: Encodable {
    var licenses: [LicenseServer.Document] = []
    var refusals: [RefusedTrack] = []
  }

  private struct RefusedTrack: Encodable {
    let trackID: String
    let status: Int
    let error: String
  }

  private func deviceList(_ policy: LicenseServer.Policy) -> Answer {
    Answer(200, LicenseJSON.text(DeviceList(devices: devices, maxDevices: policy.maxDevices)))
  }

  private func register(_ body: [UInt8], _ policy: LicenseServer.Policy) -> Answer {
    guard let wanted = LicenseBody(body), let name = wanted.name else { return Self.badRequest }
    let now = policy.now()
    let isRegistered = content.withLock { content in
      if let index = content.devices.firstIndex(where: { $0.id == wanted.device }) {
        content.devices[index].name = name
        return true
      }
      guard content.devices.count < policy.maxDevices else { return false }
      content.devices.append(LicenseServer.Device(id: wanted.device, name: name, registeredAt: now))
      return true
    }
    return isRegistered ? deviceList(policy) : Self.notAuthorized
  }

  private func release(_ body: [UInt8], _ policy: LicenseServer.Policy) -> Answer {
    guard let wanted = LicenseBody(body) else { return Self.badRequest }
    content.withLock { $0.devices.removeAll { $0.id == wanted.device } }
    return deviceList(policy)
  }

  private func licenses(_ body: [UInt8], _ policy: LicenseServer.Policy) -> Answer {
    guard let wanted = LicenseBody(body), let validFor = wanted.validFor, validFor > 0, let tracks = wanted.tracks
    else { return Self.badRequest }
    guard tracks.count <= Self.mostTracks else { return Answer(413, #"{"error":"too_many"}"#) }
    guard devices.contains(where: { $0.id == wanted.device }) else { return Self.notAuthorized }
    var grants = Grants()
    var seen: Set<String> = []
    for track in tracks where seen.insert(track).inserted {
      if let refusal = policy.tracks[track]?.refusal {
        grants.refusals.append(RefusedTrack(trackID: track, status: refusal.status, error: refusal.rawValue))
      } else {
        grants.licenses.append(document(of: track, validFor: validFor, policy))
      }
    }
    return Answer(200, LicenseJSON.text(grants))
  }

  private func single(_ body: [UInt8], _ track: String?, _ policy: LicenseServer.Policy) -> Answer {
    guard let wanted = LicenseBody(body), let validFor = wanted.validFor, validFor > 0, let asked = wanted.track
    else { return Self.badRequest }
    guard track == nil || track == asked else { return Self.badRequest }
    if let refusal = policy.tracks[asked]?.refusal {
      return Answer(refusal.status, LicenseJSON.text(["error": refusal.rawValue]))
    }
    return Answer(200, document(of: asked, validFor: validFor, policy).text)
  }

  private func document(of track: String, validFor: Int, _ policy: LicenseServer.Policy) -> LicenseServer.Document {
    let own = policy.tracks[track]
    let now = policy.now()
    let validity = own?.validity ?? min(validFor, policy.validityLimit, Self.longest)
    return LicenseServer.Document(
      trackID: track, issuedAt: now, expiresAt: now + validity, restrictions: own?.restrictions ?? policy.restrictions,
      contentKey: own?.contentKey ?? (policy.contentKeys ? LicenseServer.contentKey(of: track) : nil))
  }
}
