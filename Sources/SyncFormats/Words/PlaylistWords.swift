// SPDX-License-Identifier: Apache-2.0
package import SyncCore

package enum PlaylistWords {
  /// The message about a pattern that matches no playlist.
  /// - Parameter variable: the variable that holds the pattern, with its `$`; nil for a typed one.
  package static func noneFits(_ pattern: String, of variable: String? = nil, _ known: [PlaylistName]) -> String {
    let names = known.isEmpty ? "none" : known.map(\.text.quoted).joined(separator: ", ")
    return "no playlist matches \(pattern.quoted)\(variable.map { " of \($0)" } ?? ""); the manifest has \(names)"
  }
}
