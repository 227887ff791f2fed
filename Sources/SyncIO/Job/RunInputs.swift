// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

extension ManifestFile {
  /// A digest of all that a manifest and the program make of it: the program itself, the text, where it lies, and the
  /// variables that it may name.
  /// - Parameter version: the program's.
  package func digest(version: String, variables: [String: String]) -> SHA256Digest {
    var digest = RunningDigest()
    for part in [version, Self.build, directory, stem] + used(variables) {
      Array("\(part.utf8.count):\(part)".utf8).withUnsafeBytes { digest.update($0) }
    }
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finish().sha256
  }

  /// All variables where the manifest names any, else those that any path may depend on.
  private func used(_ variables: [String: String]) -> [String] {
    let names = bytes.contains(UInt8(ascii: "$")) ? variables.keys.sorted() : ["HOME"]
    return names.compactMap { name in variables[name].map { "\(name)=\($0)" } }
  }

  /// Another build of the program may see the same manifest in another way.
  private static var build: String {
    var facts = stat()
    // Without /proc the version alone has to do.
    guard stat("/proc/self/exe", &facts) == 0 else { return "" }
    return "\(facts.st_dev) \(facts.st_ino) \(facts.st_size) \(facts.st_mtim.tv_sec) \(facts.st_mtim.tv_nsec)"
  }
}
