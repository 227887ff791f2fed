// SPDX-License-Identifier: Apache-2.0

/// A compact digest of a transfer's inputs, stored with a failure. It shows if an input has changed since then and
/// reveals nothing about its contents.
package struct InputMark: Hashable, Sendable {
  /// A digest of all inputs that are not secret.
  package let settings: UInt64
  /// Twelve bits of a digest of the secrets. They reveal a change but not the secrets themselves. Nil if the secrets
  /// were not read.
  package let secrets: UInt16?

  package init(settings: UInt64, secrets: UInt16?) {
    self.settings = settings
    self.secrets = secrets.map { $0 & 0xFFF }
  }

  /// The form in the queue file: sixteen hexadecimal digits, and three more for the secrets.
  package var text: String {
    Self.hex(settings, digits: 16) + (secrets.map { "-" + Self.hex(UInt64($0), digits: 3) } ?? "")
  }

  /// Reads `text`. Returns nil for any other form.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let first = parts.first, let settings = Self.number(first, digits: 16), parts.count <= 2 else { return nil }
    guard parts.count == 2 else {
      self.init(settings: settings, secrets: nil)
      return
    }
    guard let secrets = Self.number(parts[1], digits: 3) else { return nil }
    self.init(settings: settings, secrets: UInt16(secrets))
  }

  /// True if an input of the failure has changed.
  /// - Parameter kind: The kind of the failure. Secrets can only change what a server answers.
  package func differs(from now: InputMark, in kind: FailureKind) -> Bool {
    if settings != now.settings { return true }
    guard [.http, .notMedia, .login].contains(kind), let before = secrets, let now = now.secrets else { return false }
    return before != now
  }

  private static func hex(_ number: UInt64, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }

  private static func number(_ text: Substring.UTF8View, digits: Int) -> UInt64? {
    let isHex = text.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    return isHex && text.count == digits ? UInt64(Substring(text), radix: 16) : nil
  }
}
