// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The program's folder in the user's cache directory, for what is expensive to find out again. It is not in the
/// library: whoever writes to a stick must not be able to change what its owner's program believes. A file that cannot
/// be read counts as missing, and a failure to write one costs only time.
package struct UserCache: Sendable {
  /// Absolute.
  private let folder: String
  private let files: any FileSystem

  /// `syncjob` below the cache directory of the XDG Base Directory Specification 0.8, which says to ignore relative paths.
  /// Nil for a user without a home.
  package init?(_ variables: [String: String], _ files: any FileSystem = POSIXFileSystem()) {
    let directories = [variables["XDG_CACHE_HOME"], variables["HOME"].map { $0 + "/.cache" }]
    guard let directory = directories.compactMap(\.self).first(where: { $0.hasPrefix("/") }) else { return nil }
    (folder, self.files) = (directory + "/syncjob", files)
  }

  package func read(_ name: String, limit: ByteCount) -> [UInt8]? {
    do throws(FileError) {
      guard let place = FilePlace(try files.openRoot(folder, making: nil)).child(name) else { return nil }
      return try files.read(place, limit: limit)
    } catch { return nil }
  }

  /// - Parameter minimumFree: The space that stays free on the file system.
  package func write(_ name: String, _ bytes: [UInt8], minimumFree: ByteCount) {
    do throws(FileError) {
      guard let place = FilePlace(try files.openRoot(folder, making: .privateFolder)).child(name) else { return }
      try files.replaceCache(place, bytes, minimumFree: minimumFree)
    } catch {
      // The next call finds it out again.
    }
  }
}
