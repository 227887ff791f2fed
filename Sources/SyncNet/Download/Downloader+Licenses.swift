// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk

/// The licences of downloads. They and the media come in either order, and nothing is published before both are there.
extension Downloader {
  /// The licences that are known, granted or refused.
  package typealias Licenses = [ItemID: Result<HeldLicense, Failure>]

  /// Takes licences, or the reasons why there are none. A transfer that gets none ends.
  package func take(_ news: Licenses) {
    for (id, license) in news {
      licenses[id] = license
      if let (file, partial) = awaitingLicense.removeValue(forKey: id) {
        deliver(license, file, partial, of: id)
      } else if case .failure(let failure) = license, transfers.contains(id) {
        fail(id, failure)
      }
    }
  }

  /// Ends the transfers of those items whose licence has not come.
  package func giveUpLicenses(of ids: [ItemID], _ failure: Failure) {
    for id in ids where licenses[id] == nil { take([id: .failure(failure)]) }
  }

  /// Goes on with a checked file once its licence is there.
  func awaitLicense(_ file: CheckedFile, _ partial: PartialDownload, of id: ItemID) {
    guard let license = licenses[id] else {
      awaitingLicense[id] = (file, partial)
      return
    }
    deliver(license, file, partial, of: id)
  }

  private func deliver(
    _ license: Result<HeldLicense, Failure>, _ file: CheckedFile, _ partial: PartialDownload, of id: ItemID
  ) {
    // A transfer may take longer than a licence is valid.
    var license = license
    if case .success(let held) = license, held.expiresAt <= publisher.now {
      license = .failure(.license(.unusable(.over(expiresAt: held.expiresAt)), server: held.server))
    }
    switch license {
    case .success: post(.prepared(file), to: id)
    case .failure(let failure):
      if file.isCopy { publisher.discardCopy(of: partial) }
      post(.failed(failure, received: partial.received), to: id)
    }
  }

  /// The reason why a download need not begin. Nil if its licence is there or may come.
  func licenseFailure(of id: ItemID) -> Failure? {
    if case .failure(let failure)? = licenses[id] { failure } else { nil }
  }

  /// The key of the licence that seals the file. Nil if there is none.
  func contentKey(of id: ItemID) -> SealingKey? {
    if case .success(let held)? = licenses[id] { held.key } else { nil }
  }
}
