// SPDX-License-Identifier: Apache-2.0

/// This device at a server with the gpodder.net API
/// (https://gpoddernet.readthedocs.io/en/latest/api/reference/devices.html).
package struct GpodderDevice: Hashable, Sendable {
  /// The raw values are those of the API and of the manifest.
  package enum Kind: String, CaseIterable, Sendable { case desktop, laptop, mobile, server, other }

  /// The name: letters, digits, `_`, `.` and `-`.
  package let text: String
  /// The name that the server shows to people. Nil to leave the server's as it is.
  package var caption: String?
  /// Nil to leave the server's as it is.
  package var kind: Kind?

  package static let `default` = GpodderDevice(unchecked: "syncjob")

  /// Nil for a text that is not such a name.
  package init?(_ text: String) {
    func isLegal(_ byte: UInt8) -> Bool {
      let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
      return letters.contains(byte | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || "_.-".utf8.contains(byte)
    }
    guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(isLegal) else { return nil }
    self.text = text
  }

  /// Differs for devices about which a server is told something else.
  package var declaration: String { [text, kind?.rawValue ?? "", caption ?? ""].joined(separator: " ") }

  private init(unchecked text: String) { self.text = text }
}
