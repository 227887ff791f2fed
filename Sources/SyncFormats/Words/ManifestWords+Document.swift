// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension ManifestWords {
  static func sentence(_ problem: DocumentProblem) -> String {
    switch problem {
    case .empty: "the manifest is empty: begin with \"version: 1\" and \"library:\""
    case .notAMapping: "a manifest is made of keys such as \"version: 1\", but here is something else"
    case .syntax(let problem, let context, let line): YAMLSyntaxWords.sentence(problem, context, line)
    case .tab: "a tab cannot stand here: YAML is indented with spaces"
    case .tooDeep(let limit):
      "more than \(limit) lists and mappings inside each other: nothing in a manifest is that deep"
    case .documentTooLarge(let limit): "the manifest is larger than \(SizeText.spelled(limit)): split it"
    case .scalarTooLarge(let limit): "a text or comment here is longer than \(SizeText.spelled(limit)): shorten it"
    case .tooManyAliases: "aliases repeat far more than this manifest holds: write it with fewer of them"
    case .invalidUTF8(let byte): "the byte 0x\(hex(UInt32(byte), 2)) is not UTF-8: save the manifest as UTF-8"
    case .utf16: "the manifest is in UTF-16 or UTF-32: save it as UTF-8"
    case .nul: "a NUL character cannot be part of a manifest: remove it"
    case .controlCharacter(let character):
      "the control character U+\(hex(character, 4)) cannot stand as itself: remove it, or write it as an escape in"
        + " double quotes"
    case .lineSeparator(let character):
      "the character U+\(hex(character, 4)) is a line break to some YAML readers and not to others: remove it, or write"
        + " it as \"\\u\(hex(character, 4))\" in double quotes"
    case .secondDocument: "a second document begins here: a manifest is one document, remove the rest or the \"---\""
    case .tag(let tag): "the tag \(quoted(shortTag(tag))) is not accepted: the key alone decides the type, remove it"
    case .unknownAlias(let name):
      "no anchor \(quoted("&\(name)")) stands before this alias: add it, or write the value out"
    case .aliasInsideItself(let name):
      "the alias \(quoted("*\(name)")) stands inside the value that it repeats: remove it"
    case .keyNotScalar: "a key has to be a text, but here is a list or a mapping"
    case .mergeOfOther: "\"<<\" merges a mapping or a list of mappings, but here is something else"
    case .outOfMemory: "there was not enough memory to read on"
    }
  }

  private static func shortTag(_ tag: String) -> String {
    let core = "tag:yaml.org,2002:"
    return tag.hasPrefix(core) ? "!!" + tag.dropFirst(core.count) : tag
  }

  private static func hex(_ value: UInt32, _ width: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
