// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// The cache of a long manifest, in the user's cache directory. It is not in the library: whoever writes to a stick must
/// not be able to change what the manifest of its owner means. A failure to write it costs only time.
package struct ManifestCacheStore {
  /// A shorter manifest is read faster than it is worth caching.
  package static let threshold = 1 << 20

  private let file: ManifestFile
  private let key: SHA256Digest
  private let environment: ManifestEnvironment
  /// Absolute.
  private let folder: String

  /// Nil for a manifest without a cache: a short one, one that names variables, which may be secret, and every manifest
  /// of a user without a home.
  /// - Parameter key: The digest of everything that determines how the manifest is understood.
  package init?(_ file: ManifestFile, key: SHA256Digest, environment: ManifestEnvironment) {
    guard file.bytes.count >= Self.threshold, !file.namesVariables,
      let folder = Self.folder(environment.variables)
    else { return nil }
    self.file = file
    self.environment = environment
    self.folder = folder
    self.key = key
  }

  /// `syncjob` below the cache directory of the XDG Base Directory Specification 0.8, which says to ignore relative paths.
  private static func folder(_ variables: [String: String]) -> String? {
    let directories = [variables["XDG_CACHE_HOME"], variables["HOME"].map { $0 + "/.cache" }]
    return directories.compactMap(\.self).first { $0.hasPrefix("/") }.map { $0 + "/syncjob" }
  }

  /// The manifest as it was read before. Nil if the cache is missing, damaged, longer than the manifest, or that of
  /// another one.
  package func read() -> Manifest? {
    let files = POSIXFileSystem()
    do throws(FileError) {
      guard let place = place(in: try files.openRoot(folder, making: nil)),
        let bytes = try files.read(place, limit: ByteCount(Int64(file.bytes.count)))
      else { return nil }
      return decode(bytes)
    } catch { return nil }
  }

  /// - Parameter manifest: The manifest, which was read without an error or a warning.
  package func write(_ manifest: Manifest) {
    // Credentials are left out of the text, so that a manifest with any is another one after it is read.
    guard let bytes = ManifestCache.encode(manifest, key: key), bytes.count <= file.bytes.count,
      decode(bytes) == manifest
    else { return }
    let files = POSIXFileSystem()
    do throws(FileError) {
      guard let place = place(in: try files.openRoot(folder, making: .privateFolder)) else { return }
      try files.replaceCache(place, bytes, minimumFree: manifest.storage.minFree)
    } catch {
      // The next call reads the manifest again.
    }
  }

  /// One file for each manifest, by its path: a changed manifest replaces its own.
  private func place(in root: FileRoot) -> FilePlace? {
    FilePlace(root).child("manifest-\(SHA256Digest(of: file.path.utf8).hex.prefix(16))")
  }

  private func decode(_ bytes: [UInt8]) -> Manifest? {
    ManifestCache.decode(bytes, key: key) { settings in
      let reading = ManifestReader.read(
        settings, directory: file.directory, fileStem: file.stem, environment: environment)
      return reading.findings.allSatisfy { $0.severity == .hint } ? reading.manifest : nil
    }
  }
}
