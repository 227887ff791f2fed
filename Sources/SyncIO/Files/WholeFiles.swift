// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// What follows from the port's operations, for the real and the fake alike.
extension FileSystem {
  /// A whole file of at most `limit` bytes; nil when nothing is there.
  package func read(_ place: FilePlace, limit: ByteCount) throws(FileError) -> [UInt8]? {
    let file: any OpenFile
    do throws(FileError) { file = try open(place, for: .reading) } catch {
      if error.isMissing { return nil }
      throw error
    }
    // Before a byte is read: a file of holes may be larger than the memory.
    let size = try file.status().size
    guard size <= limit else { throw FileError(.read, place.text, .tooLarge(limit: limit)) }
    var bytes: [UInt8] = []
    // Not every file tells its size: those of /proc say zero.
    bytes.reserveCapacity(Int(size.bytes) + 1)
    try file.readChunks(of: 1 << 20) { chunk throws(FileError) in
      guard Int64(bytes.count + chunk.count) <= limit.bytes else {
        throw FileError(.read, place.text, .tooLarge(limit: limit))
      }
      bytes.append(contentsOf: chunk)
    }
    try file.close()
    return bytes
  }

  /// Makes a file that holds these bytes and has them on the disk; its name is durable once the directory is flushed.
  package func create(_ place: FilePlace, _ bytes: [UInt8], mode: FileMode) throws(FileError) {
    let file = try open(place, for: .creating(mode))
    try file.write(bytes, at: 0)
    try file.sync()
    try file.close()
  }

  /// Has a file's bytes on the disk, whoever wrote them.
  package func flush(_ place: FilePlace) throws(FileError) {
    let file = try open(place, for: .writing)
    try file.sync()
    try file.close()
  }

  /// Puts bytes in a file's place, whole or not at all: written beside it, flushed, renamed, the folder flushed.
  /// - Parameter temporary: the name until then; `.NAME.tmp` by default.
  func replace(
    _ place: FilePlace, _ bytes: [UInt8], mode: FileMode, temporary: String? = nil
  ) throws(FileError) {
    var replacement = try FileReplacement(of: place, in: self, mode: mode, temporary: temporary)
    try replacement.write(bytes)
    try replacement.finish()
  }

  /// The place of a temporary file, where none is left.
  func clear(_ name: String, beside place: FilePlace) throws(FileError) -> FilePlace {
    guard let usual = place.parent.child(name),
      let other = place.parent.child(OwnTemporary(prefix: "\(name)-").newName())
    else { throw FileError(.create, place.text, .notAFile) }
    do throws(FileError) {
      try removeFileIfPresent(usual)
      return usual
    } catch {
      // A folder of that name is not ours to remove.
      guard error.isObstructed else { throw error }
      return other
    }
  }

  /// The directory of that path, or the nearest one above it that is there.
  func nearestRoot(to path: String) throws(FileError) -> FileRoot {
    var path = path
    while true {
      do throws(FileError) { return try openRoot(path.isEmpty ? "/" : path, making: nil) } catch {
        guard error.isMissing, !path.isEmpty, path != "/" else { throw error }
        path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
      }
    }
  }

  /// Removes a file if it is there.
  package func removeFileIfPresent(_ place: FilePlace) throws(FileError) {
    do throws(FileError) { try removeFile(place) } catch {
      guard error.isMissing else { throw error }
    }
  }
}

extension OpenFile {
  package func write(_ bytes: [UInt8], at offset: Int64) throws(FileError) {
    var failure: FileError?
    bytes.withUnsafeBytes { raw in
      do throws(FileError) { try write(raw, at: offset) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Hands the file over from `offset` to its end, in one buffer that is filled again and again.
  package func readChunks(
    of size: Int, from offset: Int64 = 0, _ body: (UnsafeRawBufferPointer) throws(FileError) -> Void
  ) throws(FileError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    var offset = offset
    while true {
      let count = try read(into: buffer, at: offset)
      guard count > 0 else { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
  }
}
