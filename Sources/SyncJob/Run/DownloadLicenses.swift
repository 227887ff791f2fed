// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncNet

/// The licences that the downloads of a run need. They are requested while media arrive. Only for an item that is
/// declared in several qualities the licence comes first, because it may allow no more than one of them.
struct DownloadLicenses: Sendable {
  private let fetcher: LicenseFetcher?
  private let journal: JournaledQueue
  /// Licences that the state has.
  private let held: Downloader.Licenses
  private let first: [(ItemID, LicenseSource)]
  private let rest: [(ItemID, LicenseSource)]

  init(
    _ downloads: [PlannedDownload], _ fetcher: LicenseFetcher?, _ journal: JournaledQueue, _ keys: [ItemID: SealingKey]
  ) {
    (self.fetcher, self.journal) = (fetcher, journal)
    var (held, first, rest): (Downloader.Licenses, [(ItemID, LicenseSource)], [(ItemID, LicenseSource)]) = ([:], [], [])
    for download in downloads {
      guard let license = download.license else { continue }
      if let known = license.isHeld ? journal.item(download.id)?.license?.license : nil,
        !known.hasContentKey || keys[download.id] != nil,
        // A licence for lower qualities than those that are declared may have become a better one.
        known.restrictions.qualityLimit.map({ download.limited(to: $0) != nil }) ?? true
      {
        let key = known.hasContentKey ? keys[download.id] : nil
        held[download.id] = .success(HeldLicense(key, until: known.expiresAt, from: license.source.url.host))
      } else if download.item.urls != nil {
        first.append((download.id, license.source))
      } else {
        rest.append((download.id, license.source))
      }
    }
    (self.held, self.first, self.rest) = (held, first, rest)
  }

  /// Obtains the licences that decide about qualities.
  /// - Returns: The downloads in the best quality that their licences allow.
  func obtainFirst(_ downloads: [PlannedDownload], _ downloader: Downloader) async -> [PlannedDownload] {
    guard !held.isEmpty || !first.isEmpty || !rest.isEmpty else { return downloads }
    if !held.isEmpty { await downloader.take(held) }
    if !first.isEmpty { await obtain(first, downloader) }
    var tooGood: Downloader.Licenses = [:]
    var changes: [QueueChange] = []
    let limited = downloads.map { download in
      guard let source = download.license?.source,
        let limit = journal.item(download.id)?.license?.license?.restrictions.qualityLimit
      else { return download }
      if let allowed = download.limited(to: limit) {
        if var item = journal.item(download.id), item.item.main.url != allowed.item.main.url {
          item.item.main.url = allowed.item.main.url
          changes.append(.item(item))
        }
        return allowed
      }
      tooGood[download.id] = .failure(.license(.unusable(.betterQualitiesOnly), server: source.url.host))
      return download
    }
    do throws(Failure) { try journal.apply(changes) } catch {
      await downloader.giveUpLicenses(of: Array(tooGood.keys) + first.map(\.0) + rest.map(\.0), error)
    }
    if !tooGood.isEmpty { await downloader.take(tooGood) }
    return limited
  }

  /// Obtains the others while `fetch` runs, and ends with it.
  func obtainRest(_ downloader: Downloader, while fetch: () async -> Void) async {
    guard !rest.isEmpty else { return await fetch() }
    await withTaskGroup { group in
      group.addTask { await obtain(rest, downloader) }
      await fetch()
      // Nothing waits for a licence any more.
      group.cancelAll()
    }
  }

  private func obtain(_ wanted: [(ItemID, LicenseSource)], _ downloader: Downloader) async {
    guard let fetcher else { preconditionFailure("a run that downloads licensed files has a license fetcher") }
    do throws(Failure) {
      try await fetcher.obtain(wanted) { source, answers in
        let licenses = answers.mapValues { $0.mapError { Failure.license($0, server: source.url.host) } }
        // A request that was stopped says nothing about the item, whose transfer is stopped as well.
        let isStopped = Task.isCancelled
        await downloader.take(licenses.filter { if case .failure = $0.value { !isStopped } else { true } })
      }
    } catch { await downloader.giveUpLicenses(of: wanted.map(\.0), error) }
  }
}
