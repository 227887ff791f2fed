// SPDX-License-Identifier: Apache-2.0
import Crypto
import SyncCore

/// The digests of a whole file, and what its first bytes are.
struct FileDigest: Sendable {
  var size: ByteCount
  var sha256: SyncCore.SHA256Digest
  /// By the algorithm that was asked for, lower-case hexadecimal.
  var declared: String?
  var content: SniffedContent

  /// Reads the file once.
  static func compute(
    _ place: FilePlace, in files: some FileSystem, also algorithm: Checksum.Algorithm? = nil
  ) throws(Failure) -> FileDigest {
    var sha256 = SHA256()
    var other = OtherHash(algorithm)
    var beginning: [UInt8] = []
    var size: Int64 = 0
    do throws(FileError) {
      let file = try files.open(place, for: .reading)
      try file.readChunks(of: 1 << 20) { chunk throws(FileError) in
        sha256.update(bufferPointer: chunk)
        other.update(chunk)
        beginning += chunk.prefix(SniffedContent.length - beginning.count)
        size += Int64(chunk.count)
      }
      try file.close()
    } catch { throw error.failure }
    let hex = sha256.finalize().hexadecimal
    guard let digest = SyncCore.SHA256Digest(hex: hex) else { preconditionFailure("32 bytes are 64 digits") }
    return FileDigest(
      size: ByteCount(size), sha256: digest, declared: algorithm == .sha256 ? hex : other.finish(),
      content: SniffedContent(beginning.span))
  }
}

extension FileDigest {
  /// Whether the file has that hash; false for one that cannot be read.
  static func isContent(_ place: FilePlace, _ sha256: SyncCore.SHA256Digest, in files: some FileSystem) -> Bool {
    do throws(Failure) { return try compute(place, in: files).sha256 == sha256 } catch { return false }
  }
}

/// A second digest beside SHA-256, or none.
private enum OtherHash {
  case none
  case sha512(SHA512)
  case sha1(Insecure.SHA1)
  case md5(Insecure.MD5)

  init(_ algorithm: Checksum.Algorithm?) {
    switch algorithm {
    case .sha512: self = .sha512(SHA512())
    case .sha1: self = .sha1(Insecure.SHA1())
    case .md5: self = .md5(Insecure.MD5())
    case .sha256, nil: self = .none
    }
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .none: break
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
    case .none: nil
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
