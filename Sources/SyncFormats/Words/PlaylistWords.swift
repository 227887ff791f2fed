// SPDX-License-Identifier: Apache-2.0
package import SyncCore

package enum PlaylistWords {
  /// The message about a pattern that matches no playlist.
  package static func noneFits(_ pattern: String, _ known: [PlaylistName]) -> String {
    guard !known.isEmpty else { return "no playlist matches \(pattern.quoted); the manifest has none" }
    return "no playlist matches \(pattern.quoted); the manifest has \(known.map(\.text.quoted).joined(separator: ", "))"
  }
}
