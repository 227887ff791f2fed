// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension String {
  /// The text as a terminal and a report may show it: control, direction and line characters appear as `\u{1B}`.
  package var printable: String {
    guard unicodeScalars.contains(where: { $0.isControl || $0.isInvisible }) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.isControl || scalar.isInvisible {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The printable text in quotation marks.
  package var quoted: String { "\"\(printable)\"" }
}
