// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport

/// Three hosts: one that serves almost everything, with some faults, a slow one, and a licence server.
struct DemoOrigin {
  private let origin: FaultServer
  private let slow: FaultServer
  private let licenses: LicenseServer
  private let nonce = "/nonce-\(UInt64.random(in: .min ... .max))"

  init(licenses options: Options.Licenses) throws {
    origin = try FaultServer()
    slow = try FaultServer()
    licenses = try LicenseServer(policy: Self.policy(options))
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

  private func script() {
    let half = Catalogue.paperBoats.audio.size / 2
    origin.script(Catalogue.paperBoats.path, [.breakOff(after: half, .reset), .honest])
    origin.script(Catalogue.slowTide.path, [.status(503, ["Retry-After": "1"], body: "busy\n"), .honest])
    slow.script(Catalogue.longRoad.path, [.throttle(bytesPerSecond: 250_000)])
  }

  /// The line that tells a script the URLs of the origins, and a path that no other server has.
  var announcement: String { "origin=\(origin.url()) slow=\(slow.url()) licenses=\(licenses.url) nonce=\(nonce)" }

  func stop() {
    origin.stop()
    slow.stop()
    licenses.stop()
  }
}
