// SPDX-License-Identifier: Apache-2.0

import SyncCore
import YAML

extension Codec where Value == Secret {
  /// A secret: never written, and never part of a fact.
  static let secret = Codec(
    .text,
    read: { field, context in
      guard let scalar = context.credential(field) else { return nil }
      guard CredentialText.isSecret(scalar.text) else {
        context.report(.unsendable, of: field, hidesValue: true)
        return nil
      }
      return Secret(scalar.text)
    }, write: { _ in .string("***") })
}

extension Codec where Value == String {
  /// RFC 7617 §2: a colon would end the user name.
  static let credentialUser = Codec(
    .text,
    read: { field, context in
      guard let scalar = context.credential(field) else { return nil }
      // One that is left open is `${NAME:?message}` as it is written.
      let hasColon = scalar.text.contains(":") && !scalar.isOpen
      guard CredentialText.isSecret(scalar.text), !hasColon else {
        context.report(.unsendable, of: field, hidesValue: true)
        return nil
      }
      return scalar.text
    }, write: { .string($0) })
}

extension Codec where Value == SecretFile {
  /// A path. A relative one is looked for among the service manager's credentials first (systemd.exec(5),
  /// `LoadCredential=`).
  static let secretFile = Codec(
    .path,
    read: { field, context in
      guard let path = Codec<String>.path.read(field, context),
        let text = context.scalar(field, expecting: .path)?.text
      else { return nil }
      let isRelative = !text.hasPrefix("/") && !text.hasPrefix("~") && !text.split(separator: "/").contains("..")
      guard !isRelative || !context.environment.unreadable.contains("CREDENTIALS_DIRECTORY") else {
        context.report(.variable(.notUTF8("CREDENTIALS_DIRECTORY")), of: field)
        return nil
      }
      let folder = context.environment.variables["CREDENTIALS_DIRECTORY"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return SecretFile(path, credential: isRelative ? folder.map { "\($0)/\(text)" } : nil)
    }, write: { .string($0.path) })
}

extension Codec where Value == [String] {
  /// A program and its arguments. Arguments may be secrets: they are not written.
  static let command = Codec(
    .command,
    read: { field, context in
      guard case .sequence(let nodes) = field.node.content, !nodes.isEmpty else {
        // A command line may contain a secret.
        let found: FoundValue = if case .scalar = field.node.content { .hidden } else { field.node.found }
        context.report(.wrongType(expected: .command, found: found), of: field, hidesValue: true)
        return nil
      }
      let words = nodes.compactMap {
        context.scalar(Field(section: field.section, key: field.key, node: $0), expecting: .command)?.text
      }
      guard words.count == nodes.count else { return nil }
      guard let program = words.first, !program.isEmpty, !words.contains(where: { $0.utf8.contains(0) }) else {
        context.report(.wrongType(expected: .command, found: .nothing), of: field, hidesValue: true)
        return nil
      }
      // A program with a slash is an ordinary path; one without is looked for in PATH.
      guard program.contains("/") else { return words }
      return context.absolutePath(program, of: field).map { [$0] + words.dropFirst() }
    },
    write: { words in .list(words.enumerated().map { .string($0.offset == 0 ? $0.element : "***") }) })
}

extension Codec where Value == [ScopedHost] {
  static let scope = Codec.list(
    of: { scalar throws(ValueProblem) in
      guard !scalar.text.contains("*"), let host = ScopedHost(scalar.text) else { throw .scope }
      return host
    }, write: { .string($0.text) })
}

extension Codec where Value == [PublicKeyPin] {
  static let pins = Codec.list(
    of: { scalar throws(ValueProblem) in
      guard let pin = PublicKeyPin(scalar.text) else { throw .pin(scalar.text) }
      return pin
    }, write: { .string($0.text) })
}

extension Codec where Value == ProxyPolicy {
  /// `none`, `env` or a URL.
  static let proxy = Codec(
    .url, schema: { .shared(.text) },
    read: { field, context in
      guard let scalar = context.scalar(field, expecting: .url) else { return nil }
      switch scalar.text {
      case "none": return ProxyPolicy.none
      case "env": return .environment
      default:
        if let url = ProxyURL(scalar.text) { return .url(url) }
        context.report(.proxy, of: field, hidesValue: scalar.text.contains("@"))
        return nil
      }
    },
    write: { policy in
      switch policy {
      case .none: .word("none")
      case .environment: .word("env")
      case .url(let url): .string(url.redacted)
      }
    })
}

extension Codec {
  /// A list whose elements are one scalar each.
  fileprivate static func list<Element: Sendable>(
    of parse: @escaping @Sendable (ScalarText) throws(ValueProblem) -> Element,
    write: @escaping @Sendable (Element) -> ManifestText
  ) -> Codec where Value == [Element] {
    Codec(
      .list, schema: { .list(of: .shared(.text)) },
      read: { field, context in
        guard let nodes = context.elements(of: field) else { return nil }
        return nodes.compactMap { node in
          let element = Field(section: field.section, key: field.key, node: node)
          guard let scalar = context.scalar(element, expecting: .text) else { return nil }
          do throws(ValueProblem) { return try parse(scalar) } catch {
            context.report(error, of: element)
            return nil
          }
        }
      }, write: { .list($0.map(write)) })
  }
}

/// The rules for a user, a password or a token.
enum CredentialText {
  /// True for one line: no character may end a header field or a terminal's line.
  static func isSecret(_ text: String) -> Bool { !text.isEmpty && !text.hasControlCharacters }
}
