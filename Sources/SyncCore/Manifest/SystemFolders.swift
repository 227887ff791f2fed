// SPDX-License-Identifier: Apache-2.0

/// Folders of the operating system (Filesystem Hierarchy Standard 3.0), which are hardly ever meant as a library.
package enum SystemFolders {
  private static let alone: Set<String> = [
    "/", "/dev", "/dev/shm", "/home", "/media", "/mnt", "/opt", "/root", "/run", "/srv", "/tmp", "/usr/local", "/var",
    "/var/lib", "/var/tmp",
  ]
  private static let withAllBelow = [
    "/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/sbin", "/sys", "/usr", "/var/cache",
    "/var/log",
  ]

  /// - Parameter path: An absolute path without `.` and `..`.
  package static func contains(_ path: String) -> Bool {
    if alone.contains(path) { return true }
    // The second is an alias for the working directory, which may be anywhere.
    guard !path.hasPrefix("/usr/local/"), !path.hasPrefix("/proc/self/cwd/") else { return false }
    return withAllBelow.contains { path == $0 || path.hasPrefix("\($0)/") }
  }
}
