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

extension ManifestWords {
  static func sentence(_ problem: ValueProblem.VariableProblem, of key: String) -> String {
    switch problem {
    case .unclosed: "\(key): a \"${\" has no \"}\": close it, or write \"$${\" for the characters themselves"
    case .malformed(let text):
      "\(key): \(quoted("${\(text)}")) is not one of \"${NAME}\", \"${NAME:-default}\" and \"${NAME:?message}\""
    case .unset(let name):
      "\(key): the environment variable \(quoted(name)) is not set: set it, or write \(quoted("${\(name):-default}"))"
    case .unsetSecret(let name, let fileKey):
      "\(key): the environment variable \(quoted(name)) is not set: set it, or keep the secret in a file and name that file"
        + " with \(quoted(fileKey))"
    case .required(let name, ""): "\(key): the environment variable \(quoted(name)) is required: set it"
    case .required(let name, let message):
      "\(key): the environment variable \(quoted(name)) is required: \(plain(message))"
    case .notUTF8(let name):
      "\(key): the value of the environment variable \(quoted(name)) is not UTF-8: set it to text in UTF-8"
    }
  }

  static func sentence(_ problem: ValueProblem.BandwidthProblem, of key: String) -> String {
    switch problem {
    case .entry(let text):
      "\(key): \(quoted(text)) is not an entry of a timetable: write a time and a rate such as \(quoted("08:00,512K")),"
        + " \(quoted("23:00,off")) or \(quoted("Sat-00:00,2M"))"
    case .tooSlow(let text, let lowest):
      "\(key): \(quoted(text)) is less than a transfer needs: at least \(BandwidthText.spelled(lowest)), or off"
    case .duplicate(let start): "\(key): two entries begin at \(quoted(start)): keep one of the two"
    }
  }

  static func sentence(_ problem: ValueProblem.PathProblem, of key: String) -> String {
    switch problem {
    case .homeUnknown:
      "\(key): \"~\" stands for the home directory, which is not known: set HOME, or write the path out"
    case .homeOfOther(let name):
      "\(key): only the own home directory is known, not \(quoted("~\(name)")): write the path out"
    case .nul: "\(key): a path cannot have a NUL in it"
    }
  }

  static func sentence(_ problem: ValueProblem.HeaderProblem, of key: String) -> String {
    switch problem {
    case .badName(let name): "\(key): \(quoted(name)) is not a header name: only letters, digits and hyphens"
    case .reserved(let name): "\(key): the transfer itself writes \(quoted(name)): remove it"
    case .badValue: "\(key): a header value is one line of ASCII without blanks around it"
    case .duplicate(let name, let line):
      "\(key): \(quoted(name)) was already given in line \(line): keep one of the two"
    }
  }

  static func reason(_ problem: RemoteURL.Problem) -> String {
    switch problem {
    case .notAbsolute: "write it whole, with \"https://\" or \"http://\" in front"
    case .unsupportedScheme(let scheme): "\(quoted("\(scheme):")) is not supported, only \"https:\" and \"http:\""
    case .noHost: "there is no host behind \"://\""
    case .badPort(let port): "the port \(quoted(port)) is not a number from 1 to 65535"
    case .badHost: "its host has a \"%\", or brackets that are not around an address"
    case .illegalCharacter: "it has a blank, a control character or a backslash: write a blank as \"%20\""
    case .tooLong: "it has more than \(RemoteURL.maximumLength) bytes"
    }
  }

  static func reason(_ problem: LayoutTemplate.Problem) -> String {
    let place = problem.place.map { "at character \($0), " } ?? ""
    return place + reason(problem.kind)
  }

  private static func reason(_ kind: LayoutTemplate.Problem.Kind) -> String {
    switch kind {
    case .unclosedBrace: "a \"{\" has no \"}\""
    case .strayBrace: "a \"}\" has no \"{\" before it"
    case .unknownField(let name):
      "the field \(quoted("{\(name)}")) is unknown"
        + (NearestName.of(name, among: LayoutTemplate.fieldNames).map { ", did you mean \(quoted("{\($0)}"))?" }
          ?? ", the fields are \(LayoutTemplate.fieldNames.joined(separator: ", "))")
    case .badFormat(let field):
      "the format of \(quoted("{\(field)}")) is unknown: write \"{published:%Y-%m-%d}\" or \"{position:03}\""
    case .leavesLibrary:
      "the path it makes would not lie in the library: no \"/\" in front or behind, no \".\" or \"..\""
    case .namesNoItem: "all files would have one name: put {title}, {id} or {position} behind the last \"/\""
    case .tooManyFolders: "it has more than \(LayoutTemplate.maximumFolders) folders inside each other: use fewer"
    }
  }

  private static func plain(_ text: String) -> String { String(quoted(text).dropFirst().dropLast()) }
}
