// SPDX-License-Identifier: Apache-2.0

/// The protection of files at rest (`protect`).
package struct ProtectPolicy: Hashable, Sendable {
  package enum Mode: String, CaseIterable, Sendable {
    case none
    /// Media are sealed before they enter the library.
    case encrypt
  }

  /// The place of the library's keyset.
  package enum Keys: Hashable, Sendable {
    /// An absolute path.
    case file(String)
    /// The output of a program: its name or path, then its arguments. No shell is involved.
    case command([String])
    /// A credential that the service manager passes (systemd.exec(5), `LoadCredential=`). The path is nil where there is
    /// no service manager.
    case credential(name: String, path: String?)
  }

  package var mode = Mode.none
  /// Nil only without sealing.
  package var keys: Keys?
  /// The absolute path of a folder for unfinished media in clear. Nil for the folder in the library.
  package var partials: String?
  package init() {}
}

extension ProtectPolicy.Keys {
  /// The place of the keyset, for messages.
  package var place: SecretPlace {
    switch self {
    case .file(let path): .file(path: path)
    case .command(let words): .command(program: words[0])
    case .credential(let name, let path): .file(path: path ?? name)
    }
  }
}
