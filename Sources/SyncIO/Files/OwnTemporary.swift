// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Names of files of ours that are there for a moment, in a folder where others have files, too: no two alike, so that none
/// is anybody else's, and of one kind, so that what a killed run left is known for ours.
struct OwnTemporary: Sendable {
  /// What a name begins with.
  let prefix: String

  private static let digits = 16
  private static let ending = ".tmp"

  /// Another one at each call.
  func newName() -> String {
    let chance = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    return "\(prefix)\(String(repeating: "0", count: Self.digits - chance.count))\(chance)\(Self.ending)"
  }

  /// Whether it is such a file and no other thing.
  func isOne(_ entry: DirectoryEntry) -> Bool {
    guard entry.isNameExact, entry.status.kind == .file, entry.name.hasPrefix(prefix), entry.name.hasSuffix(Self.ending)
    else { return false }
    let chance = entry.name.utf8.dropFirst(prefix.utf8.count).dropLast(Self.ending.utf8.count)
    return chance.count == Self.digits && chance.allSatisfy(\.isLowercaseHexDigit)
  }
}

extension UInt8 {
  fileprivate var isLowercaseHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}
