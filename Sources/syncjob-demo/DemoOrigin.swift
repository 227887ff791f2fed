// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport

/// Four hosts: one that serves almost everything, with some faults, a slow one, a licence server, and a provider of
/// logins.
struct DemoOrigin {
  private let origin: FaultServer
  private let slow: FaultServer
  private let licenses: LicenseServer
  private let logins: OAuthServer
  private let nonce = "/nonce-\(UInt64.random(in: .min ... .max))"

  init(licenses options: Options.Licenses, logins: Options.Logins) throws {
    origin = try FaultServer()
    slow = try FaultServer()
    licenses = try LicenseServer(policy: Self.policy(options))
    self.logins = try OAuthServer(policy: Self.policy(logins))
    self.logins.serve("/club.mp3", Catalogue.harbourLights.resource)
    switch logins.fault {
    case .lostAnswer?: self.logins.script(self.logins.tokenPath, [.honest, .breakOff(after: 20, .reset), .honest])
    case .unavailable?: self.logins.script(self.logins.tokenPath, [.status(503), .honest])
    default: break
    }
    for track in Catalogue.onOrigin { origin.serve(track.path, track.resource) }
    origin.serve("/feed.rss", DemoFeed(origin: origin.url(), episodes: Catalogue.episodes).resource)
    origin.serve(nonce, Resource(text: "syncjob-demo\n"))
    slow.serve(Catalogue.longRoad.path, Catalogue.longRoad.resource)
    for item in Catalogue.items { licenses.serveSingle("/l/\(item)", track: item) }
    script()
  }

  private static func policy(_ options: Options.Licenses) -> LicenseServer.Policy {
    var policy = LicenseServer.Policy()
    policy.validityLimit = options.days * 86_400
    policy.contentKeys = options.hasContentKeys
    policy.maxDevices = options.maxDevices
    policy.restrictions.maxOfflineDevices = options.maxDevices
    policy.tracks = options.refusals.mapValues { LicenseServer.Track(refusal: $0) }
    return policy
  }

  private static func policy(_ options: Options.Logins) -> OAuthServer.Policy {
    var policy = OAuthServer.Policy()
    policy.clientID = "syncjob-demo"
    (policy.accessSeconds, policy.toldSeconds) = (options.tokenSeconds, options.tokenSeconds)
    switch options.fault {
    case .deny?: (policy.refusal, policy.deviceErrors) = ("access_denied", ["access_denied"])
    case .slowDown?: policy.deviceErrors = ["slow_down", "authorization_pending"]
    case .noRefresh?: policy.givesRefresh = false
    case .noRotation?: policy.rotates = false
    case .wrongState?: policy.wrongState = "another"
    case .noDevice?: policy.hidden = ["device_authorization_endpoint"]
    // The first request for tokens is the login, the second a renewal.
    case .lostAnswer?: policy.deviceErrors = []
    case .unavailable?, nil: break
    }
    return policy
  }

  private func script() {
    let half = Catalogue.paperBoats.audio.size / 2
    origin.script(Catalogue.paperBoats.path, [.breakOff(after: half, .reset), .honest])
    origin.script(Catalogue.slowTide.path, [.status(503, ["Retry-After": "1"], body: "busy\n"), .honest])
    slow.script(Catalogue.longRoad.path, [.throttle(bytesPerSecond: 250_000)])
  }

  /// The line that tells a script the URLs of the origins, and a path that no other server has.
  var announcement: String {
    "origin=\(origin.url()) slow=\(slow.url()) licenses=\(licenses.url) oauth=\(logins.url) nonce=\(nonce)"
  }

  func stop() {
    origin.stop()
    slow.stop()
    licenses.stop()
    logins.stop()
  }
}
