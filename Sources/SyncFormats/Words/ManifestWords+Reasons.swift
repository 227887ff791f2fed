// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension ManifestWords {
  static func sentence(_ problem: ValueProblem.VariableProblem, of key: String) -> String {
    switch problem {
    case .unclosed: "\(key): a \"${\" has no \"}\": close it, or write \"$${\" for the characters themselves"
    case .malformed(let text):
      "\(key): \(quoted("${\(text)}")) is not one of \"${NAME}\", \"${NAME:-default}\" and \"${NAME:?message}\""
    case .unset(let name):
      "\(key): the environment variable \(quoted(name)) is not set: set it, or write \(quoted("${\(name):-default}"))"
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
