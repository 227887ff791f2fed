// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// The fingerprint of a library, `cache/settled` in the state folder: its bytes, then a line with their SHA-256.
package struct RunFingerprintStore {
  let library: Library

  package init(library: Library) {
    self.library = library
  }

  private static let limit = ByteCount(1 << 30)
  /// The length of `{"sha256":"…"}` and the end of the line.
  private static let sealLength = 78

  private var place: FilePlace? {
    library.stateFolder.flatMap { FilePlace($0.root).child("cache")?.child("settled") }
  }

  /// Nil when there is none, or none that is undamaged.
  package func read() throws(FileError) -> RunFingerprintReader? {
    guard let place, let bytes = try library.files.read(place, limit: Self.limit), bytes.count > Self.sealLength
    else { return nil }
    let end = bytes.count - Self.sealLength
    guard bytes[end...].elementsEqual(Self.seal(of: bytes[..<end])) else { return nil }
    // An unreadable one was written by another version: a run makes a new one.
    do throws(QueueFileProblem) { return try RunFingerprintReader(bytes, in: 0..<end) } catch { return nil }
  }

  package func write(_ fingerprint: RunFingerprint, files: [(path: LibraryPath, size: ByteCount)]) throws(FileError) {
    guard let place else { return }
    var bytes = RunFingerprintFile.encode(fingerprint, files: files)
    bytes += Self.seal(of: bytes[...])
    try library.files.replace(place, bytes, mode: .privateFile)
  }

  package func remove() throws(FileError) {
    if let place { try library.files.removeFileIfPresent(place) }
  }

  private static func seal(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    Array("{\"sha256\":\"\(SHA256Digest(of: bytes).hex)\"}\n".utf8)
  }
}

extension SHA256Digest {
  package init(of bytes: some Sequence<UInt8>) {
    var digest = RunningDigest()
    if bytes.withContiguousStorageIfAvailable({ digest.update(UnsafeRawBufferPointer($0)) }) == nil {
      Array(bytes).withUnsafeBytes { digest.update($0) }
    }
    self = digest.finishHash()
  }

  /// The digest of a whole file; nil when it is missing.
  package init?(of place: FilePlace, in files: any FileSystem) throws(FileError) {
    var digest = RunningDigest()
    do throws(FileError) {
      let file = try files.open(place, for: .reading)
      try file.readChunks(of: 1 << 20) { chunk throws(FileError) in digest.update(chunk) }
      try file.close()
    } catch {
      if error.isMissing { return nil }
      throw error
    }
    self = digest.finishHash()
  }
}
