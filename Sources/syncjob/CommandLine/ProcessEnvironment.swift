// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats
import SyncJob

/// The environment variables of the process.
struct ProcessEnvironment: Sendable {
  /// The variables whose values are UTF-8.
  let all: [String: String]
  /// The names of the other variables: a path made of a repaired value would be another path.
  let unreadable: Set<String>

  static let current = ProcessEnvironment()

  private init() {
    var (all, unreadable) = ([String: String](), Set<String>())
    var entry = environ
    while let text = entry.pointee {
      entry += 1
      guard let sign = strchr(text, Int32(UInt8(ascii: "="))) else { continue }
      let name = String(decoding: UnsafeRawBufferPointer(start: text, count: sign - text), as: UTF8.self)
      if let value = String(validatingCString: sign + 1) { all[name] = value } else { unreadable.insert(name) }
    }
    (self.all, self.unreadable) = (all, unreadable)
  }

  subscript(name: String) -> String? { all[name] }

  var forManifest: ManifestEnvironment {
    ManifestEnvironment(variables: all, home: all["HOME"], unreadable: unreadable, knows: ZoneDatabase.knows)
  }

  /// True if the variable of a flag without a value says yes, for commands that do not have the flag themselves.
  func isOn(_ flag: String) -> Bool { all[VariableSettings.variable(of: flag)].flatMap(SwitchWord.read) ?? false }
}
