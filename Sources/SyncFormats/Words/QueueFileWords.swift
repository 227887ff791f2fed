// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension QueueFileProblem {
  /// What is wrong, without a full stop.
  package var words: String {
    switch self {
    case .blank: "it is empty"
    case .notJSON(let error, let line, let column): "line \(line), column \(column): \(error.reason)"
    case .wrongFormat(let found): found.map { "its format is \($0.quoted)" } ?? "it says no format"
    case .newerVersion(let found, let known): "it has version \(found), this syncjob knows version \(known)"
    case .impossibleVersion(let version): "it has version \(version), which never was"
    case .missingField(let owner, let field): "\(owner.words) has no \(field.quoted)"
    case .badField(let owner, let field): "\(owner.words) has an illegal \(field.quoted)"
    case .misplacedField(let owner, let field, let state): "\(owner.words) is \(state.rawValue) and has \(field.quoted)"
    case .duplicateID(let id): "the item \(id.text.quoted) stands in it twice"
    }
  }
}

extension QueueFileOwner {
  fileprivate var words: String {
    switch self {
    case .file: "the file"
    case .item(let id?, _): "the item \(id.quoted)"
    case .item(nil, let position): "item \(position)"
    case .source(let name): "the source \(name.quoted)"
    }
  }
}
