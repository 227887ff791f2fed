// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Operations that follow from those of the port, for the real file system and the fake alike.
extension FileSystem {
  /// Reads a whole file of at most `limit` bytes. Returns nil if it does not exist.
  package func read(_ place: FilePlace, limit: ByteCount) throws(FileError) -> [UInt8]? {
    let file: any OpenFile
    do throws(FileError) { file = try open(place, for: .reading) } catch {
      if error.isMissing { return nil }
      throw error
    }
    // Checked before a byte is read, because a sparse file may be larger than the memory.
    let size = try file.status().size
    guard size <= limit else { throw FileError(.read, place.text, .tooLarge(limit: limit)) }
    var bytes: [UInt8] = []
    // Not every file states its size: those of /proc state zero.
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

  /// Creates a file with these bytes and flushes it. Its name is durable once the directory is flushed.
  package func create(_ place: FilePlace, _ bytes: [UInt8], mode: FileMode) throws(FileError) {
    let file = try open(place, for: .creating(mode))
    try file.write(bytes, at: 0)
    try file.sync()
    try file.close()
  }

  /// Flushes a file's bytes to the disk, whoever wrote them.
  package func flush(_ place: FilePlace) throws(FileError) {
    let file = try open(place, for: .writing)
    try file.sync()
    try file.close()
  }

  /// Replaces a file as a whole or not at all: writes the bytes beside it, flushes, renames and flushes the folder.
  /// - Parameter temporary: The name until then. The default is `.NAME.tmp`.
  package func replace(
    _ place: FilePlace, _ bytes: [UInt8], mode: FileMode, temporary: String? = nil
  ) throws(FileError) {
    try fill(FileReplacement(of: place, in: self, mode: mode, temporary: temporary), bytes, isDurable: true)
  }

  /// Replaces the file of a cache, whose reader recognises damage. It is not flushed, and the old file stays where the
  /// new one would leave less than `minimumFree` on the file system.
  package func replaceCache(_ place: FilePlace, _ bytes: [UInt8], minimumFree: ByteCount) throws(FileError) {
    guard try space(at: place.root).available >= minimumFree + ByteCount(Int64(bytes.count)) else { return }
    try fill(FileReplacement(of: place, in: self, mode: .privateFile), bytes, isDurable: false)
  }

  /// Puts the bytes in place. Leaves nothing behind if that fails.
  private func fill(_ new: FileReplacement, _ bytes: [UInt8], isDurable: Bool) throws(FileError) {
    var replacement = new
    do throws(FileError) {
      try replacement.write(bytes)
      try replacement.finish(isDurable: isDurable)
    } catch {
      try replacement.discard()
      throw error
    }
  }

  /// The place of a temporary file, after removing any that is left there.
  func clear(_ name: String, beside place: FilePlace) throws(FileError) -> FilePlace {
    guard let usual = place.parent.child(name),
      let other = place.parent.child(OwnTemporary(prefix: "\(name)-").newName())
    else { throw FileError(.create, place.text, .notAFile) }
    do throws(FileError) {
      try removeFileIfPresent(usual)
      return usual
    } catch {
      // A folder of that name must not be removed.
      guard error.isObstructed else { throw error }
      return other
    }
  }

  /// The directory at that path, or the nearest existing one above it.
  func nearestRoot(to path: String) throws(FileError) -> FileRoot {
    var path = path
    while true {
      do throws(FileError) { return try openRoot(path.isEmpty ? "/" : path, making: nil) } catch {
        guard error.isMissing, !path.isEmpty, path != "/" else { throw error }
        path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
      }
    }
  }

  /// Removes a file if it exists.
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

  /// Returns the bytes from an offset on. There are fewer than `count` only at the end of the file.
  package func read(_ count: Int, at offset: Int64) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(FileError) {
        while filled < count {
          let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[filled..<count]))
          let received = try read(into: rest, at: offset + Int64(filled))
          guard received > 0 else { return }
          filled += received
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Hands over the file from `offset` to its end, in one buffer that is reused.
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
