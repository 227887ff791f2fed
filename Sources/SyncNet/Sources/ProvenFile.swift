// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// A file of the cache that proves itself. Its first line names everything that it rests on and ends with the SHA-256 of
/// the rest. A file that differs in any of these counts as missing, so it need not survive a power cut.
struct ProvenFile {
  let files: any FileSystem
  let place: FilePlace
  /// The first line without the digest: words without line breaks.
  let opening: [UInt8]
  let limit: ByteCount

  /// - Parameters:
  ///   - basis: The words of the first line.
  ///   - limit: The size of the largest contents.
  init(_ files: any FileSystem, _ place: FilePlace, basis: String, limit: ByteCount) {
    (self.files, self.place, opening) = (files, place, Array("\(basis) ".utf8))
    self.limit = ByteCount(limit.bytes + 512)
  }

  /// Nil if the file does not hold the contents with this basis.
  func contents() -> ArraySlice<UInt8>? {
    do throws(FileError) {
      guard let bytes = try files.read(place, limit: limit), bytes.starts(with: opening),
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
      else { return nil }
      let rest = bytes[(end + 1)...]
      return bytes[opening.count..<end].elementsEqual(Self.digest(of: rest)) ? rest : nil
    } catch { return nil }
  }

  /// Replaces the file. If that fails, the next run does without it.
  func replace(_ contents: [UInt8], minimumFree: ByteCount) {
    let bytes = opening + Self.digest(of: contents[...]) + [UInt8(ascii: "\n")] + contents
    do throws(FileError) { try files.replaceCache(place, bytes, minimumFree: minimumFree) } catch {
      // The next opening of the library removes what is left.
    }
  }

  func remove() {
    do throws(FileError) { try files.removeFileIfPresent(place) } catch {
      // Its first line names another basis, so that it counts as missing all the same.
    }
  }

  private static func digest(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digest = RunningDigest()
    bytes.withUnsafeBytes { digest.update($0) }
    return Array(digest.finishHash().hex.utf8)
  }
}
