// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The copy of a local file into a partial, part by part. The file system shares the bytes of both files or copies them
/// itself where it can.
package struct LocalCopy: Sendable {
  /// The bytes of one part. A run that is being stopped waits for the end of a part.
  private static let partSize = 8 << 20
  private static let pieceSize = 256 << 10

  private let source: LocalFile
  private let target: any OpenFile

  package init(_ source: LocalFile, into target: any OpenFile) { (self.source, self.target) = (source, target) }

  /// Copies the part that begins at `offset`, or the whole file at once. Call this away from the network's thread,
  /// because a disk takes its time.
  /// - Returns: The number of bytes of the copy from now on.
  package func advance(from offset: ByteCount) async -> Result<ByteCount, Failure> {
    do throws(Failure) {
      if offset == .zero, try clone() { return .success(source.size) }
      let rest = source.size.bytes - offset.bytes
      let copied = try copy(at: offset.bytes, Int(min(rest, Int64(Self.partSize))))
      return .success(offset + ByteCount(Int64(copied)))
    } catch { return .failure(error) }
  }

  /// The bytes of a file that grew meanwhile do not belong to the copy.
  private func clone() throws(Failure) -> Bool {
    do throws(FileError) {
      guard try target.clone(source) else { return false }
      try target.truncate(to: source.size)
      return true
    } catch { throw error.failure }
  }

  private func copy(at offset: Int64, _ count: Int) throws(Failure) -> Int {
    do throws(FileError) {
      if let copied = try target.copy(from: source, at: offset, count: count) { return copied }
    } catch { throw error.failure }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: min(count, Self.pieceSize), alignment: 16)
    defer { piece.deallocate() }
    var copied = 0
    while copied < count {
      let wanted = UnsafeMutableRawBufferPointer(rebasing: piece[..<min(piece.count, count - copied)])
      let read = try source.read(into: wanted, at: offset + Int64(copied))
      guard read > 0 else { throw .localFile(path: source.path, .changed) }
      do throws(FileError) {
        try target.write(UnsafeRawBufferPointer(rebasing: piece[..<read]), at: offset + Int64(copied))
      } catch { throw error.failure }
      copied += read
    }
    return copied
  }
}
