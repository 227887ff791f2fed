// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import Synchronization

/// The cache of a long manifest.
package struct ManifestCacheStore {
  /// A shorter manifest is read faster than it is worth caching.
  package static let threshold = 1 << 20

  private let file: ManifestFile
  private let key: SHA256Digest
  private let environment: ManifestEnvironment
  private let cache: UserCache

  /// Nil for a manifest without a cache: a short one, one that names variables, which may be secret, and every manifest
  /// of a user without a home.
  /// - Parameter key: The digest of everything that determines how the manifest is understood.
  package init?(_ file: ManifestFile, key: SHA256Digest, environment: ManifestEnvironment) {
    guard file.bytes.count >= Self.threshold, !file.namesVariables, let cache = UserCache(environment.variables) else {
      return nil
    }
    self.file = file
    self.environment = environment
    self.cache = cache
    self.key = key
  }

  /// The manifest as it was read before. Nil if the cache is missing, damaged, longer than the manifest, or that of
  /// another one.
  package func read() -> Manifest? {
    cache.read(name, limit: ByteCount(Int64(file.bytes.count))).flatMap(decode)
  }

  /// - Parameter manifest: The manifest, which was read without an error or a warning.
  package func write(_ manifest: Manifest) {
    // Credentials are left out of the text, so that a manifest with any is another one after it is read.
    guard let bytes = ManifestCache.encode(manifest, key: key), bytes.count <= file.bytes.count,
      decode(bytes) == manifest
    else { return }
    cache.write(name, bytes, minimumFree: manifest.storage.minFree)
  }

  /// One file for each manifest, by its path: a changed manifest replaces its own.
  private var name: String { "manifest-\(SHA256Digest(of: file.path.utf8).hex.prefix(16))" }

  private func decode(_ bytes: [UInt8]) -> Manifest? {
    ManifestCache.decode(bytes, key: key) { settings in
      let reading = ManifestReader.read(
        settings, directory: file.directory, fileStem: file.stem, environment: environment)
      return reading.findings.allSatisfy { $0.severity == .hint } ? reading.manifest : nil
    } items: {
      .stored(CachedItems($0))
    }
  }
}

/// The items of one playlist, in the form of the cache until they are asked for.
private final class CachedItems: StoredInlineItems {
  private enum Contents {
    case rows(ItemRows)
    case items(BoxedArray<Item>)
  }

  private let contents: Mutex<Contents>

  init(_ rows: ItemRows) { contents = Mutex(.rows(rows)) }

  var all: BoxedArray<Item> {
    contents.withLock { contents in
      switch contents {
      case .items(let items): return items
      case .rows(let rows):
        // The cache proved its bytes, and this program compared what it wrote with the manifest.
        guard let items = rows.decoded() else { preconditionFailure("the cache of the manifest was read before") }
        contents = .items(items)
        return items
      }
    }
  }
}
