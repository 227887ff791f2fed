// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The file name of a partial: the same for the same item and candidate, legal everywhere.
enum PartialName {
  static func make(id: ItemID, url: RemoteURL) -> String { "\(id.tag)-\(url.text.fingerprint).part" }
}
