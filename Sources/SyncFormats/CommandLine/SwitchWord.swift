// SPDX-License-Identifier: Apache-2.0

/// The words by which a variable says yes or no.
package enum SwitchWord {
  /// The accepted words, for people.
  package static let taken = "1, true, yes, on, 0, false, no or off"

  /// Nil for any other word. Upper and lower case are the same.
  package static func read(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "true", "yes", "on": true
    case "0", "false", "no", "off": false
    default: nil
    }
  }
}
