// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// The licences of a library, and its devices at the licence server.
package struct LicenseOffice: Sendable {
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
  }

  package struct Devices: Sendable {
    package var devices: [LicensedDevice]
    /// The largest number of them. Nil if the server does not say.
    package var maximum: Int?
    /// The id of this device. Nil before it has one.
    package var own: String?
  }

  /// - Returns: The devices after the request.
  package func devices(_ request: Request) async throws(JobError) -> Result<Devices, LicenseProblem> {
    guard let server = context.manifest.licenses.server else { throw .noLicenseServer }
    let recorder = ReportRecorder(context)
    let context = try await context.withKeys(recorder.emit)
    if case .list = request {
      let view = try LibraryOpener(context).look()
      return try await ask(request, server, view, try view.licenseBook(), recorder)
    }
    let library = try await LibraryOpener(context).open(for: .edit)
    let result = try await ask(request, server, library.view, try library.view.licenseBook(), recorder)
    try library.journal.close(at: library.view.clock.now(), closingJournalFrom: context.options.longQueue)
    return result
  }

  private func ask(
    _ request: Request, _ server: RemoteURL, _ view: LibraryView, _ book: LicenseBook?, _ recorder: ReportRecorder
  ) async throws(JobError) -> Result<Devices, LicenseProblem> {
    let network = try await view.context.connect(view.library, recorder)
    let client = try await network.start()
    let clock = view.clock
    let service = LicenseService(
      LicenseClient(client), device: book?.device ?? "", validFor: context.manifest.licenses.validFor,
      clock: { clock.now() })
    let answer: Result<DeviceList, LicenseProblem>
    switch request {
    case .list: answer = await service.devices(of: server)
    case .register: answer = await service.register(with: server, name: context.manifest.name)
    case .release(let named):
      switch await service.devices(of: server) {
      case .failure(let problem): answer = .failure(problem)
      case .success(let list):
        guard let device = Self.device(named ?? book?.device ?? "", in: list) else {
          await network.close()
          throw .unknownDevice(named ?? "this device")
        }
        answer = await service.release(device, from: server)
      }
    }
    await network.close()
    do throws(FileError) { try note(request, answer, server, book) } catch { throw .file(error) }
    let own = book.flatMap { $0.isKept ? $0.device : nil }
    return answer.map { Devices(devices: $0.devices, maximum: $0.maximum, own: own) }
  }

  /// The device with this id, or the only one whose id begins so.
  private static func device(_ name: String, in list: DeviceList) -> String? {
    let ids = Set(list.devices.map(\.id))
    if ids.contains(name) { return name }
    let known = ids.filter { !name.isEmpty && $0.hasPrefix(name) }
    return known.count == 1 ? known.first : nil
  }

  private func note(
    _ request: Request, _ answer: Result<DeviceList, LicenseProblem>, _ server: RemoteURL, _ book: LicenseBook?
  ) throws(FileError) {
    guard case .success = answer, let book else { return }
    switch request {
    case .list: break
    case .register:
      try book.prepare()
      try book.register(with: server)
    // It stays known as registered, so that no run registers it again.
    case .release: break
    }
  }
}
