// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A file that is written beside another one and then takes its place, whole or not at all.
package struct FileReplacement: Sendable {
  private let files: any FileSystem
  private let place: FilePlace
  private let temporary: FilePlace
  private let file: any OpenFile
  private var length: Int64 = 0

  /// - Parameter name: the file's name until it is whole. The default is `.NAME.tmp`.
  package init(
    of place: FilePlace, in files: any FileSystem, mode: FileMode, temporary name: String? = nil
  ) throws(FileError) {
    (self.files, self.place) = (files, place)
    temporary = try files.clear(name ?? ".\(place.path?.name ?? "").tmp", beside: place)
    file = try files.open(temporary, for: .creating(mode))
  }

  /// Adds bytes at the end.
  package mutating func write(_ bytes: [UInt8]) throws(FileError) {
    try file.write(bytes, at: length)
    length += Int64(bytes.count)
  }

  /// Puts the file in its place.
  /// - Parameter isDurable: True if both are on the disk when this returns. False for a file whose reader recognises one
  ///   that a power cut has damaged.
  package func finish(isDurable: Bool = true) throws(FileError) {
    if isDurable { try file.sync() }
    try file.close()
    try files.move(temporary, to: place, replacing: true)
    if isDurable { try files.syncFolder(place.parent) }
  }

  /// Removes the file. The other one stays as it is.
  package func discard() throws(FileError) { try files.removeFileIfPresent(temporary) }
}

/// Names of our temporary files in a folder where others have files too. No two are alike, so none belongs to anybody
/// else, and all have one form, so the leftovers of a killed run are recognised.
struct OwnTemporary: Sendable {
  /// The beginning of each name.
  let prefix: String

  private static let digits = 16
  private static let ending = ".tmp"

  /// A new name at each call.
  func newName() -> String {
    let chance = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    return "\(prefix)\(String(repeating: "0", count: Self.digits - chance.count))\(chance)\(Self.ending)"
  }

  /// True if the entry is such a file and nothing else.
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
