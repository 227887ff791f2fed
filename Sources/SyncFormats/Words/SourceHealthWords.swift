// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension SourceHealth {
  /// The last readings of a source, for people.
  package var words: String {
    let success = succeededAt.map { "last read \($0.rfc3339)" }
    guard let failure else {
      guard let success else { return "not read yet" }
      return success + (changedAt.map { ", last change \($0.rfc3339)" } ?? "")
    }
    let consequence =
      if failure.goneFor != nil {
        "it is not asked for again until the manifest changes"
      } else if failure.isPermanent {
        "each run tries again, and ends with 3 until it can be read"
      } else {
        "the next run tries again"
      }
    return "failing since \(failure.since.rfc3339): \(failure.message); \(success ?? "never read"); \(consequence)"
  }
}
