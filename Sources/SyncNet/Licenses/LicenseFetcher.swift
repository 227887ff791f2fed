// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk
import SyncFormats

/// Obtains licences and keeps them: content keys first, then the terms in the queue. A licence whose key could not be
/// kept is none.
package struct LicenseFetcher: Sendable {
  package typealias Kept = Result<HeldLicense, LicenseProblem>

  private let service: LicenseService
  private let store: LicenseStore
  private let library: Library
  private let journal: JournaledQueue
  private let clock: any WallClock
  /// The name by which people find this device in the server's list.
  private let deviceName: String

  package init(
    _ service: LicenseService, _ store: LicenseStore, _ library: Library, _ journal: JournaledQueue,
    clock: any WallClock, deviceName: String
  ) {
    (self.service, self.store, self.library, self.journal) = (service, store, library, journal)
    (self.clock, self.deviceName) = (clock, deviceName)
  }

  /// Requests several batches at once, and keeps what comes.
  /// - Parameter tell: Called for each batch once it is kept, with the place that it comes from.
  package func obtain(
    _ wanted: [(ItemID, LicenseSource)], _ tell: @escaping @Sendable (LicenseSource, [ItemID: Kept]) async -> Void
  ) async throws(Failure) {
    let refused = await register(wanted)
    let batches = LicenseService.batches(wanted)
    var failure: Failure?
    // A host that does not answer is not asked again in this run.
    var silent: [RemoteURL.Origin: LicenseProblem] = [:]
    await withTaskGroup(of: (LicenseSource, LicenseService.Answers).self) { group in
      var next = 0
      func add() {
        guard next < batches.count else { return }
        let (source, ids) = batches[next]
        next += 1
        if let problem = refused[source] ?? silent[source.url.origin] {
          group.addTask { (source, Dictionary(uniqueKeysWithValues: ids.map { ($0, .failure(problem)) })) }
        } else {
          group.addTask { (source, await service.licenses(source, ids)) }
        }
      }
      for _ in 0..<Self.concurrency { add() }
      for await (source, answers) in group where failure == nil {
        if case .failure(let problem)? = answers.values.first, case .unanswered = problem {
          silent[source.url.origin] = problem
        }
        // Licences that came are kept even if the run is being stopped, because the server counts them.
        do throws(Failure) { await tell(source, try keep(answers, from: source)) } catch { failure = error }
        if !Task.isCancelled, failure == nil { add() }
      }
    }
    if let failure { throw failure }
  }

  private static let concurrency = 4

  /// Registers this device with servers that it was never registered with.
  private func register(_ wanted: [(ItemID, LicenseSource)]) async -> [LicenseSource: LicenseProblem] {
    var refused: [LicenseSource: LicenseProblem] = [:]
    for source in Set(wanted.map(\.1)) {
      guard case .server(let url) = source, !store.isRegistered(with: url) else { continue }
      switch await service.register(with: url, name: deviceName) {
      case .failure(let problem): refused[source] = problem
      case .success:
        do throws(FileError) { try store.register(with: url) } catch { refused[source] = .notKept(error) }
      }
    }
    return refused
  }

  // MARK: Keeping

  private func keep(_ answers: LicenseService.Answers, from source: LicenseSource) throws(Failure) -> [ItemID: Kept] {
    var kept: [ItemID: Kept] = [:]
    var keys: [ItemID: SealingKey] = [:]
    var records: [ItemID: LicenseRecord] = [:]
    for (id, answer) in answers.sorted(by: { $0.key < $1.key }) {
      guard let item = journal.item(id) else {
        kept[id] = .failure(.unusable(.leftOut))
        continue
      }
      var record = item.license ?? LicenseRecord()
      switch answer {
      case .success(let granted):
        let key = granted.contentKey.map { SealingKey(content: $0) }
        guard suits(key, item) else {
          kept[id] = .failure(.unusable(.otherContentKey))
          continue
        }
        (record.license, record.refusal) = (granted.license, nil)
        // A file that no content key has sealed needs none, and neither does one that takes its place.
        let ofUse = sealsNothing(item) ? nil : key
        if ofUse == nil { record.license?.hasContentKey = false }
        keys[id] = ofUse
        kept[id] = .success(HeldLicense(ofUse, until: granted.license.expiresAt, from: source.url.host))
      case .failure(let problem):
        kept[id] = .failure(problem)
        guard case .refused(let refusal) = problem, record.refusal != refusal else { continue }
        record.refusal = refusal
      }
      records[id] = record
    }
    do throws(FileError) { try store.put(keys) } catch { throw error.failure }
    try journal.license(records, at: clock.now())
    return kept
  }

  /// True for a file that is here and that no content key has sealed.
  private func sealsNothing(_ item: QueueItem) -> Bool {
    item.state.storedFile.map { $0.sealed?.isByContentKey != true } ?? false
  }

  /// False if the file is sealed with another content key. A file that was sealed otherwise needs none.
  private func suits(_ key: SealingKey?, _ item: QueueItem) -> Bool {
    guard let file = item.state.storedFile, file.sealed?.isByContentKey == true else { return true }
    guard let key else { return false }
    let settings = SealSettings(nil, library: journal.queue.libraryID, minimumFree: .zero)
    do throws(SealedFile.Problem) {
      _ = try SealedFile(library.root[file.path], in: library.files, [key], settings.associatedData(item.id))
      return true
    } catch {
      // A file that cannot be read says nothing about the key.
      if case .file = error { return true }
      return error != .notOpened
    }
  }
}

/// A licence that was kept for a download.
package struct HeldLicense: Sendable {
  /// The content key. Nil if the licence has none.
  package let key: SealingKey?
  package let expiresAt: Timestamp
  /// The host that granted it.
  package let server: String

  package init(_ key: SealingKey?, until expiresAt: Timestamp, from server: String) {
    (self.key, self.expiresAt, self.server) = (key, expiresAt, server)
  }
}
