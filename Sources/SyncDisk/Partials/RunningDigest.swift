// SPDX-License-Identifier: Apache-2.0
import Crypto
package import SyncCore

/// The digests of a stream of bytes, and the kind of content that its first bytes show.
package struct RunningDigest: Sendable {
  private var sha256 = SHA256()
  private var other: OtherHash
  private var beginning: [UInt8] = []
  private var size: Int64 = 0

  /// - Parameter algorithm: a second algorithm, in addition to SHA-256.
  package init(also algorithm: Checksum.Algorithm? = nil) { other = OtherHash(algorithm) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    sha256.update(bufferPointer: bytes)
    other.update(bytes)
    if beginning.count < SniffedContent.length { beginning += bytes.prefix(SniffedContent.length - beginning.count) }
    size += Int64(bytes.count)
  }

  package func finish() -> FileDigest {
    let digest = finishHash()
    return FileDigest(
      size: ByteCount(size), sha256: digest, declared: other.isSHA256 ? digest.hex : other.finish(),
      content: SniffedContent(beginning.span))
  }

  /// The SHA-256 alone, for bytes that are not media.
  package func finishHash() -> SyncCore.SHA256Digest {
    guard let digest = SyncCore.SHA256Digest(hex: sha256.finalize().hexadecimal) else {
      preconditionFailure("32 bytes are 64 digits")
    }
    return digest
  }
}

/// A second digest in addition to SHA-256, or none.
private enum OtherHash: Sendable {
  case none
  case sha256
  case sha512(SHA512)
  case sha1(Insecure.SHA1)
  case md5(Insecure.MD5)

  init(_ algorithm: Checksum.Algorithm?) {
    switch algorithm {
    case .sha512: self = .sha512(SHA512())
    case .sha1: self = .sha1(Insecure.SHA1())
    case .md5: self = .md5(Insecure.MD5())
    case .sha256: self = .sha256
    case nil: self = .none
    }
  }

  var isSHA256: Bool { if case .sha256 = self { true } else { false } }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .none, .sha256: break
    case .sha512(var hash):
      hash.update(bufferPointer: bytes)
      self = .sha512(hash)
    case .sha1(var hash):
      hash.update(bufferPointer: bytes)
      self = .sha1(hash)
    case .md5(var hash):
      hash.update(bufferPointer: bytes)
      self = .md5(hash)
    }
  }

  func finish() -> String? {
    switch self {
    case .none, .sha256: nil
    case .sha512(let hash): hash.finalize().hexadecimal
    case .sha1(let hash): hash.finalize().hexadecimal
    case .md5(let hash): hash.finalize().hexadecimal
    }
  }
}

extension Sequence<UInt8> {
  fileprivate var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// The digests of a whole file, and the kind of content that its first bytes show.
package struct FileDigest: Sendable {
  package var size: ByteCount
  package var sha256: SyncCore.SHA256Digest
  /// The digest by the requested algorithm, lower-case hexadecimal.
  package var declared: String?
  var content: SniffedContent

  /// Reads the file once.
  package static func compute(
    _ place: FilePlace, in files: some FileSystem, also algorithm: Checksum.Algorithm? = nil
  ) throws(Failure) -> FileDigest {
    var digest = RunningDigest(also: algorithm)
    do throws(FileError) {
      let file = try files.open(place, for: .reading)
      try file.readChunks(of: 1 << 20) { chunk throws(FileError) in digest.update(chunk) }
      try file.close()
    } catch { throw error.failure }
    return digest.finish()
  }

  /// True if the file has that hash; false for one that cannot be read.
  package static func isContent(_ place: FilePlace, _ sha256: SyncCore.SHA256Digest, in files: some FileSystem) -> Bool
  {
    do throws(Failure) { return try compute(place, in: files).sha256 == sha256 } catch { return false }
  }
}
