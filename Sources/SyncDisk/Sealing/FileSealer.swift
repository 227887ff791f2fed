// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Makes sealed files. The memory that it takes does not depend on the size of the file.
package struct FileSealer: Sendable {
  /// The result of sealing a file.
  package struct Result: Hashable, Sendable {
    /// The size and the hash of the media that were sealed.
    package var plainSize: ByteCount
    package var plainSHA256: SHA256Digest
    /// The size and the hash of the sealed file.
    package var size: ByteCount
    package var sha256: SHA256Digest
  }

  private let files: any FileSystem
  private let key: SealingKey

  package init(_ files: any FileSystem, _ key: SealingKey) { (self.files, self.key) = (files, key) }

  /// Seals a file into a new one, and flushes that. A file that is there already is replaced.
  /// - Parameter associatedData: The text to which the file is bound.
  package func seal(
    _ source: FilePlace, into target: FilePlace, _ associatedData: String
  ) throws(SealedFile.Problem) -> Result {
    let file: any OpenFile
    do throws(FileError) { file = try files.open(source, for: .reading) } catch { throw .file(error) }
    var offset: Int64 = 0
    return try seal(into: target, associatedData) { count throws(SealedFile.Problem) in
      do throws(FileError) {
        let bytes = try file.read(count, at: offset)
        offset += Int64(bytes.count)
        return bytes
      } catch { throw .file(error) }
    }
  }

  /// Seals the media of a sealed file again.
  package func seal(
    _ source: SealedFile, into target: FilePlace, _ associatedData: String
  ) throws(SealedFile.Problem) -> Result {
    var reader = source.reader()
    return try seal(into: target, associatedData) { count throws(SealedFile.Problem) in try reader.next(count) }
  }

  /// - Parameter read: Returns the next bytes: as many as it is asked for, fewer only at the end.
  private func seal(
    into target: FilePlace, _ associatedData: String, _ read: (Int) throws(SealedFile.Problem) -> [UInt8]
  ) throws(SealedFile.Problem) -> Result {
    LargeBuffers.keep()
    var random = SystemRandomNumberGenerator()
    let cipher = SegmentCipher(for: key, associatedData, using: &random)
    var output = try SealedOutput(target, in: files)
    let digest = PieceDigest()
    var size: Int64 = 0
    try output.append(cipher.header)
    var segment: Int64 = 0
    var plain = try read(key.layout.capacity(ofSegment: 0))
    while true {
      guard !Task.isCancelled else { throw .stopped }
      digest.append(plain)
      size += Int64(plain.count)
      let isFull = plain.count == key.layout.capacity(ofSegment: segment)
      // A file that fills its last segment has no empty one after it.
      let next = isFull ? try read(key.layout.capacity(ofSegment: segment + 1)) : []
      try output.append(cipher.seal(plain, segment: segment, isLast: next.isEmpty))
      guard !next.isEmpty else { break }
      (plain, segment) = (next, segment + 1)
    }
    let (sealedSize, sha256) = try output.finish()
    return Result(plainSize: ByteCount(size), plainSHA256: digest.finish(), size: sealedSize, sha256: sha256)
  }
}

/// A new file that is written from its beginning to its end.
struct SealedOutput {
  private let file: any OpenFile
  private let digest = PieceDigest()
  private var size: Int64 = 0

  /// - Parameter place: A file that is there already is replaced.
  init(_ place: FilePlace, in files: some FileSystem, mode: FileMode = .sharedFile) throws(SealedFile.Problem) {
    do throws(FileError) {
      try files.removeFileIfPresent(place)
      file = try files.open(place, for: .creating(mode))
    } catch { throw .file(error) }
  }

  /// A work file that another process may be writing, or may have left.
  init(locking place: FilePlace, in files: some FileSystem) throws(SealedFile.Problem) {
    do throws(FileError) {
      file = try files.open(place, for: .locking(.privateFile))
      // Without its name it has become the copy of the other process.
      guard try file.tryLock(), try file.status().identity == files.status(of: place)?.identity else {
        throw FileError(.lock, place.text, code: .eagain)
      }
      try file.truncate(to: .zero)
    } catch { throw .file(error) }
  }

  mutating func append(_ bytes: [UInt8]) throws(SealedFile.Problem) {
    do throws(FileError) { try file.write(bytes, at: size) } catch { throw .file(error) }
    digest.append(bytes)
    size += Int64(bytes.count)
  }

  /// Flushes the file and closes it.
  func finish() throws(SealedFile.Problem) -> (size: ByteCount, sha256: SHA256Digest) {
    let written = try flush()
    do throws(FileError) { try file.close() } catch { throw .file(error) }
    return written
  }

  func flush() throws(SealedFile.Problem) -> (size: ByteCount, sha256: SHA256Digest) {
    do throws(FileError) { try file.sync() } catch { throw .file(error) }
    return (ByteCount(size), digest.finish())
  }
}
