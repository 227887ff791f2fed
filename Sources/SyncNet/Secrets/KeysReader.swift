// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk
import SyncFormats

/// Reads the keyset of a library from its file, its program or its credential.
package struct KeysReader {
  private let runner: any ProcessRunner
  private let emit: @Sendable (RunEvent) -> Void

  package init(runner: any ProcessRunner = POSIXProcessRunner(), emit: @escaping @Sendable (RunEvent) -> Void) {
    (self.runner, self.emit) = (runner, emit)
  }

  package func keyset(_ keys: ProtectPolicy.Keys) async throws(KeysProblem) -> Keyset {
    let text = try await text(keys)
    do throws(KeysetProblem) { return try KeysetFile.keyset(Array(text.utf8)) } catch {
      throw .unusable(keys.place, error)
    }
  }

  private func text(_ keys: ProtectPolicy.Keys) async throws(KeysProblem) -> String {
    do throws(SecretProblem) {
      switch keys {
      case .file(let path), .credential(_, let path?): return try contents(SecretFile(path))
      case .command(let words): return try await SecretCommand(words, runner: runner).output()
      case .credential: break
      }
    } catch {
      if case .file = keys, case .unreadable(let path, .enoent) = error { throw .missing(path: path) }
      throw .unreadable(error)
    }
    guard case .credential(let name, nil) = keys else { preconditionFailure("all others have returned") }
    throw .noCredentials(name: name)
  }

  private func contents(_ file: SecretFile) throws(SecretProblem) -> String {
    let contents = try SecretFileContents.read(file)
    if contents.isPublic { emit(.warned(.secretIsPublic(path: contents.path))) }
    return contents.text
  }
}
