// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore
import SyncDisk

extension ManifestFile {
  /// A digest of everything that determines how a manifest is understood: the program itself, the text, the manifest's
  /// path, and the variables that it may name.
  /// - Parameter version: the program's version.
  package func digest(version: String, variables: [String: String]) -> SHA256Digest {
    var digest = RunningDigest()
    for part in [version, Self.build, directory, stem] + used(variables) {
      Array("\(part.utf8.count):\(part)".utf8).withUnsafeBytes { digest.update($0) }
    }
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finish().sha256
  }

  /// The same in its parts, for a plan that is saved and for the check whether it still holds.
  package func planInputs(version: String, variables: [String: String]) -> PlanInputs {
    // The paths in a manifest from a pipe depend on the working directory, as others depend on `HOME`.
    let named =
      ["\(directory)\u{0}"]
      + (["HOME"] + namedVariables.sorted()).map { name in "\(name)=\(variables[name] ?? "")\u{0}" }
    return PlanInputs(
      manifest: path, manifestDigest: SHA256Digest(of: bytes), variables: SHA256Digest(of: named.joined().utf8),
      program: SHA256Digest(of: "\(version) \(Self.build)".utf8))
  }

  /// The names that follow `${` anywhere in the text.
  private var namedVariables: Set<String> {
    var names: Set<String> = []
    var position = 0
    while let dollar = bytes[position...].firstIndex(of: UInt8(ascii: "$")) {
      position = dollar + 1
      guard position < bytes.count, bytes[position] == UInt8(ascii: "{") else { continue }
      let name = bytes[(position + 1)...].prefix { $0.isNameByte }
      names.insert(String(decoding: name, as: UTF8.self))
    }
    return names
  }

  /// All variables if the manifest names any, else those that any path may depend on.
  private func used(_ variables: [String: String]) -> [String] {
    let names = bytes.contains(UInt8(ascii: "$")) ? variables.keys.sorted() : ["HOME"]
    return names.compactMap { name in variables[name].map { "\(name)=\($0)" } }
  }

  /// Identifies the build: another build of the program may read the same manifest differently.
  private static var build: String {
    var facts = stat()
    // Without /proc only the version counts.
    guard stat("/proc/self/exe", &facts) == 0 else { return "" }
    return "\(facts.st_dev) \(facts.st_ino) \(facts.st_size) \(facts.st_mtim.tv_sec) \(facts.st_mtim.tv_nsec)"
  }
}

extension UInt8 {
  /// True for a byte that a variable's name may contain.
  fileprivate var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
