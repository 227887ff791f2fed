// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The media of a finished file in clear, sealed or not, from an offset to its end.
package struct MediaStream: Sendable {
  private enum Source: Sendable {
    case clear(any OpenFile, offset: Int64)
    case sealed(SealedFile.Reader)
  }

  private var source: Source

  /// - Parameter settings: Nil without keys.
  package init(
    _ file: StoredFile, of id: ItemID, in library: Library, _ settings: SealSettings?, from offset: ByteCount = .zero
  ) throws(SealedFile.Problem) {
    guard let root = library.mediaRoot else { throw .file(FileError(.open, file.path.text, code: .enoent)) }
    let place = root[file.path]
    guard file.sealed != nil else {
      do throws(FileError) {
        source = .clear(try library.files.open(place, for: .reading), offset: offset.bytes)
        return
      } catch { throw .file(error) }
    }
    guard let settings else { throw .notOpened }
    let sealed = try SealedFile(place, in: library.files, settings.openingKeys(of: id), settings.associatedData(id))
    source = .sealed(sealed.reader(from: offset))
  }

  /// Returns the next bytes. Nil at the end.
  package mutating func next() throws(SealedFile.Problem) -> [UInt8]? {
    switch source {
    case .clear(let file, let offset):
      do throws(FileError) {
        let bytes = try file.read(1 << 20, at: offset)
        source = .clear(file, offset: offset + Int64(bytes.count))
        return bytes.isEmpty ? nil : bytes
      } catch { throw .file(error) }
    case .sealed(var reader):
      let bytes = try reader.nextPiece()
      source = .sealed(reader)
      return bytes
    }
  }

  /// Writes all of it to a new file, which gets its name when it is whole. Nothing is overwritten.
  /// - Parameter sha256: The hash that the media must have.
  /// - Returns: False if they have another one. Nothing is written then.
  package mutating func write(
    to place: FilePlace, expecting sha256: SHA256Digest, in files: some FileSystem
  ) throws(SealedFile.Problem) -> Bool {
    // The same name each time: what a killed call left is replaced.
    guard let work = place.parent.child(".syncjob-decrypt-\(place.text.fingerprint).tmp") else {
      throw .file(FileError(.create, place.text, .notAFile))
    }
    var output = try SealedOutput(locking: work, in: files)
    // Locked until the file has its name or is gone, so that no other process takes it for a remnant.
    defer { withExtendedLifetime(output) {} }
    do throws(SealedFile.Problem) {
      while let bytes = try next() {
        guard !Task.isCancelled else { throw .stopped }
        try output.append(bytes)
      }
      let isExpected = try output.flush().sha256 == sha256
      do throws(FileError) {
        guard isExpected else {
          try files.removeFileIfPresent(work)
          return false
        }
        try files.move(work, to: place, replacing: false)
        try files.syncFolder(place.parent)
        return true
      } catch { throw .file(error) }
    } catch {
      do throws(FileError) { try files.removeFileIfPresent(work) } catch { throw .file(error) }
      throw error
    }
  }
}
