// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// The licences of a library, and its devices at the licence server.
package struct LicenseRegistry: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// The items that need a licence, as the last run left them, and the time by which licences are judged.
  package func licensed(_ scope: Set<PlaylistName>?) throws(JobError) -> ([QueueItem], Timestamp, [Warning]) {
    let view = try LibraryOpener(context).look()
    let items = view.queue.items.filter { item in
      item.$license != nil && (scope.map { item.isMember(ofAny: $0) } ?? true)
    }
    return (items, view.clock.now(), view.state.damage)
  }

  package enum Request: Sendable {
    case list
    case register
    /// Nil for this device.
    case release(String?)

    var device: String? { if case .release(let device) = self { device } else { nil } }
  }

  package struct Devices: Sendable {
    package var devices: [LicensedDevice]
    /// The largest number of them. Nil if the server does not say.
    package var maximum: Int?
    /// The id of this device. Nil before it has one.
    package var own: String?
  }

  /// - Returns: The devices after the request.
  package func devices(
    _ request: Request
  ) async throws(JobError) -> (answer: Result<Devices, LicenseProblem>, warnings: [Warning]) {
    guard let server = context.manifest.licenses.server else { throw .noLicenseServer }
    let recorder = ReportRecorder(context)
    let opener = LibraryOpener(try await context.withKeys(recorder.emit))
    let answer: Result<Devices, LicenseProblem>
    if case .list = request {
      answer = try await ask(request, server, try opener.look(), recorder)
    } else {
      let library = try await opener.open(for: .edit)
      answer = try await ask(request, server, library.view, recorder)
      try library.journal.close(at: library.view.clock.now(), closingJournalFrom: context.options.longQueue)
    }
    return (answer, recorder.current.warnings)
  }

  private func ask(
    _ request: Request, _ server: RemoteURL, _ view: LibraryView, _ recorder: ReportRecorder
  ) async throws(JobError) -> Result<Devices, LicenseProblem> {
    let store = try view.licenseStore()
    // A device that is registered has to be remembered.
    if case .register = request, let store { try view.prepare(store, recorder) }
    let network = try await view.context.connect(view.library, recorder)
    let (client, clock) = (try await network.start(), view.clock)
    let service = LicenseService(
      client, device: store?.device ?? "", validFor: context.manifest.licenses.validFor,
      clock: { clock.now() })
    let answer = await answer(to: request, server, service, own: store?.device)
    await network.close()
    if case .register = request, case .success = answer, let store {
      do throws(FileError) { try store.register(with: server) } catch { throw .file(error) }
    }
    // A device that is released stays known as registered, so that no run registers it again.
    guard let answer else { throw .unknownDevice(request.device ?? "this device") }
    let own = store.flatMap { $0.isKept ? $0.device : nil }
    return answer.map { Devices(devices: $0.devices, maximum: $0.maximum, own: own) }
  }

  /// - Returns: Nil if the device that is to be released is none of the server's.
  private func answer(
    to request: Request, _ server: RemoteURL, _ service: LicenseService, own: String?
  ) async -> Result<DeviceList, LicenseProblem>? {
    switch request {
    case .list: return await service.devices(of: server)
    case .register: return await service.register(with: server, name: context.manifest.name)
    case .release(let named):
      switch await service.devices(of: server) {
      case .failure(let problem): return .failure(problem)
      case .success(let list):
        guard let device = (named ?? own).flatMap({ Self.device($0, in: list) }) else { return nil }
        return await service.release(device, from: server)
      }
    }
  }

  /// The device with this id, or the only one whose id begins so.
  private static func device(_ name: String, in list: DeviceList) -> String? {
    let ids = Set(list.devices.map(\.id))
    if ids.contains(name) { return name }
    let known = ids.filter { !name.isEmpty && $0.hasPrefix(name) }
    return known.count == 1 ? known.first : nil
  }
}
