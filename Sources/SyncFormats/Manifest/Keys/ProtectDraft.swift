// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The `protect:` section while it is read.
struct ProtectDraft: Sendable {
  var mode = ProtectPolicy.Mode.none
  var keysFile: String?
  var keysCommand: [String]?
  var keysCredential: ProtectPolicy.Keys?
  var partials: String?

  private static let keys = ["keys_file", "keys_command", "keys_credential"]

  static let section = Section<ProtectDraft>(
    [
      .value("mode", \.mode, .choice), .optional("keys_file", \.keysFile, .path),
      .optional("keys_command", \.keysCommand, .command),
      .optional("keys_credential", \.keysCredential, .serviceCredential),
      .value("partials", \.partials, .orNone(.path)),
    ], rules: [.atMostOneOf(keys)],
    check: { field, draft, context in
      let found = keys.filter { !field.lacks($0) }
      let mark = field.node["mode"]?.mark ?? field.node.mark
      if found.count > 1 {
        context.report(.rule(.protect(.severalKeysets(found: found))), at: mark)
      } else if draft.mode == .encrypt, found.isEmpty, !field.misspelt.contains(where: keys.contains) {
        context.report(.rule(.protect(.noKeys)), at: mark)
      } else if draft.mode == .none, draft.partials != nil, let node = field.node["partials"] {
        context.report(.rule(.protect(.partialsWithoutSealing)), at: node.mark)
      }
    })

  var policy: ProtectPolicy {
    var policy = ProtectPolicy()
    policy.mode = mode
    policy.keys = keysFile.map { .file($0) } ?? keysCommand.map { .command($0) } ?? keysCredential
    policy.partials = partials
    return policy
  }

  init() {}

  init(_ policy: ProtectPolicy) {
    mode = policy.mode
    switch policy.keys {
    case .file(let path)?: keysFile = path
    case .command(let words)?: keysCommand = words
    case .credential?: keysCredential = policy.keys
    case nil: break
    }
    partials = policy.partials
  }
}

extension ManifestDraft {
  /// Checks that neither keys nor media in clear are in the library.
  func checkProtection(_ field: Field, _ context: ReadingContext) {
    guard let path = library.path, let node = field.node["protect"] else { return }
    if protect.partials?.isPath(in: path) == true, let mark = node["partials"]?.mark {
      context.report(.rule(.protect(.partialsInLibrary)), at: mark)
    }
    if protect.keysFile?.isPath(in: path) == true, let mark = node["keys_file"]?.mark {
      context.report(.rule(.protect(.keysInLibrary)), at: mark)
    }
  }
}

extension Codec where Value == ProtectPolicy.Keys {
  /// The name of a credential, which systemd takes for a file name.
  fileprivate static let serviceCredential = Codec(
    .text,
    schema: { Schema.shared(.text).with("pattern", .string("^(?!\\.{1,2}$)[^/]+$")) },
    read: { field, context in
      guard let name = context.scalar(field, expecting: .text)?.text, !name.isEmpty else { return nil }
      guard !name.contains("/"), name != ".", name != "..", !name.hasControlCharacters else {
        context.report(.credentialName(name), of: field)
        return nil
      }
      let folder = context.environment.variables["CREDENTIALS_DIRECTORY"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return .credential(name: name, path: folder.map { "\($0)/\(name)" })
    },
    write: { keys in
      guard case .credential(let name, _) = keys else { preconditionFailure("the key is for credentials alone") }
      return .string(name)
    })
}
