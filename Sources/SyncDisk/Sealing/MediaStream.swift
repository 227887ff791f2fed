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
    let sealed = try SealedFile(place, in: library.files, settings.keys, settings.associatedData(id))
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

  /// Reads all of it and returns the hash.
  package mutating func digest() throws(SealedFile.Problem) -> SHA256Digest {
    var digest = RunningDigest()
    while let bytes = try next() { bytes.withUnsafeBytes { digest.update($0) } }
    return digest.finishHash()
  }

  /// Writes all of it to a new file, which gets its name when it is whole. Nothing is overwritten.
  package mutating func write(to place: FilePlace, in files: some FileSystem) throws(SealedFile.Problem) {
    // The same name each time: what a killed call left is replaced.
    guard let work = place.parent.child(".syncjob-decrypt-\(place.text.fingerprint).tmp") else {
      throw .file(FileError(.create, place.text, .notAFile))
    }
    do throws(SealedFile.Problem) {
      var output = try SealedOutput(locking: work, in: files)
      while let bytes = try next() {
        guard !Task.isCancelled else { throw .stopped }
        try output.append(bytes)
      }
      _ = try output.finish()
      do throws(FileError) {
        try files.move(work, to: place, replacing: false)
        try files.syncFolder(place.parent)
      } catch { throw .file(error) }
    } catch {
      do throws(FileError) { try files.removeFileIfPresent(work) } catch { throw .file(error) }
      throw error
    }
  }
}
