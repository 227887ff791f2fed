// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// Requests licences and tells servers about this device (docs/manual/license-server.md).
package struct LicenseService: Sendable {
  package typealias Answers = [ItemID: Result<GrantedLicense, LicenseProblem>]

  private let client: APIClient
  private let device: String
  private let validFor: Duration
  private let clock: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - device: The id of this device.
  ///   - validFor: The time for which licences are requested.
  ///   - clock: Judges licences. It never goes back.
  package init(
    _ client: HTTPClient, device: String, validFor: Duration, clock: @escaping @Sendable () -> Timestamp
  ) {
    self.client = APIClient(client, client.settings.licenseTrail, limit: LicenseAnswer.maximumSize)
    (self.device, self.validFor, self.clock) = (device, validFor, clock)
  }

  // MARK: Licences

  /// The requests for licences from one place: a server takes many items at once.
  package static func batches(
    _ wanted: [(ItemID, LicenseSource)]
  ) -> [(source: LicenseSource, ids: [ItemID])] {
    var order: [LicenseSource] = []
    var ids: [LicenseSource: [ItemID]] = [:]
    for (id, source) in wanted {
      if ids[source] == nil { order.append(source) }
      ids[source, default: []].append(id)
    }
    return order.flatMap { source in
      let all = ids[source] ?? []
      // A URL for one item gives one licence.
      let size = if case .single = source { 1 } else { LicenseAnswer.maximumItems }
      return stride(from: 0, to: all.count, by: size).map { (source, Array(all[$0..<min($0 + size, all.count)])) }
    }
  }

  /// Requests the licences of one batch.
  package func licenses(_ source: LicenseSource, _ ids: [ItemID]) async -> Answers {
    let isSingle = if case .single = source { true } else { false }
    guard let url = isSingle ? source.url : source.url.appending("licenses") else {
      return all(ids, .unanswered(reason: LicenseProblem.longURLWords))
    }
    let body = LicenseAnswer.request(ids, device: device, for: validFor, isSingle: isSingle)
    switch await client.ask(url, body) {
    case .failure(let failure): return all(ids, problem(failure))
    case .success(let answer) where answer.isSuccess:
      let mask = client.mask
      return LicenseAnswer.licenses(answer.body, for: ids, isSingle: isSingle, now: clock())
        .mapValues { $0.mapError(mask.masked) }
    case .success(let answer): return all(ids, problem(answer))
    }
  }

  private func all(_ ids: [ItemID], _ problem: LicenseProblem) -> Answers {
    Dictionary(uniqueKeysWithValues: ids.map { ($0, .failure(problem)) })
  }

  private func problem(_ failure: Failure) -> LicenseProblem {
    let reason = client.mask.masked(failure.words)
    return if case .http = failure { .unserved(reason: reason) } else { .unanswered(reason: reason) }
  }

  /// A web page with the status 403 is no refusal: something else answered.
  private func problem(_ answer: APIClient.Answer) -> LicenseProblem {
    if let refusal = LicenseAnswer.refusal(answer.body) { return .refused(refusal) }
    if answer.status == 401 { return .unserved(reason: LicenseProblem.loginWords) }
    return .unserved(reason: Failure.http(status: answer.status).words)
  }

  // MARK: Devices

  package func register(with server: RemoteURL, name: String) async -> Result<DeviceList, LicenseProblem> {
    await devices(server.appending("devices"), LicenseAnswer.deviceRequest(device, name: name))
  }

  package func devices(of server: RemoteURL) async -> Result<DeviceList, LicenseProblem> {
    await devices(server.appending("devices"), nil)
  }

  package func release(_ device: String, from server: RemoteURL) async -> Result<DeviceList, LicenseProblem> {
    await devices(server.appending("devices/release"), LicenseAnswer.deviceRequest(device, name: nil))
  }

  private func devices(_ url: RemoteURL?, _ body: [UInt8]?) async -> Result<DeviceList, LicenseProblem> {
    guard let url else { return .failure(.unanswered(reason: LicenseProblem.longURLWords)) }
    switch await client.ask(url, body) {
    case .failure(let failure): return .failure(problem(failure))
    case .success(let answer) where answer.isSuccess:
      guard let list = LicenseAnswer.devices(answer.body) else { return .failure(.unusable(.notALicense)) }
      let mask = client.mask
      let shown = list.devices.map { device in
        LicensedDevice(id: device.id, name: device.name.map(mask.masked), registeredAt: device.registeredAt)
      }
      return .success(DeviceList(devices: shown, maximum: list.maximum))
    case .success(let answer): return .failure(problem(answer))
    }
  }
}

/// The devices that are registered with a licence server.
package struct DeviceList: Hashable, Sendable {
  package var devices: [LicensedDevice]
  /// The largest number of them. Nil if the server does not say.
  package var maximum: Int?
}

extension RemoteURL {
  /// The URL of something below this one. Nil if it would be too long.
  fileprivate func appending(_ path: String) -> RemoteURL? {
    let base = text.hasSuffix("/") ? String(text.dropLast()) : text
    do throws(Problem) { return try RemoteURL("\(base)/\(path)") } catch { return nil }
  }
}
