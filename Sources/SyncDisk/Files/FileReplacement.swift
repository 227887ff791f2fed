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

  /// Puts the file in its place. Both are on the disk when this returns.
  package func finish() throws(FileError) {
    try file.sync()
    try file.close()
    try files.move(temporary, to: place, replacing: true)
    try files.syncFolder(place.parent)
  }

  /// Removes the file. The other one stays as it is.
  package func discard() throws(FileError) { try files.removeFileIfPresent(temporary) }
}
