// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension StateError {
  /// The reason why the run stops, as one sentence without a full stop.
  package var words: String { words() }

  package func words(_ invocation: Invocation = Invocation()) -> String {
    switch self {
    case .file(let error): error.words
    case .newerVersion(let path, let found, let known):
      "\(path.quoted) has version \(found), and this syncjob knows version \(known); it is left as it is: use a newer syncjob"
    case .anotherLibrary(let path, let found, let expected):
      "\(path.quoted) belongs to the library \(found.quoted), and this is the library \(expected.quoted);"
        + " check library.path and library.state. Only if it is this library's state all the same: remove"
        + " .syncjob/library.json from the library, then \(invocation.command("init"))"
    case .nothingToRebuildFrom(let path, let problem):
      "cannot read \(path.quoted): \(problem.words), and there is no earlier copy to rebuild it from;"
        + " restore it from a backup, or move it away to begin anew (a run takes over media that is in the library)"
    case .badMarker(let path, let problem):
      "cannot read the library's marker \(path.quoted): \(problem.words); restore it from a backup, or remove it and"
        + " run `\(invocation.command("init"))`"
    case .stopped(let error):
      "nothing more is written to the queue, because it failed before (\(error.words)); see to that and run again"
    }
  }
}

extension QueueFileProblem {
  /// The problem, to follow a colon.
  package var words: String {
    switch self {
    case .notOurs(let error): error.happening
    case .blank: "it is empty, or holds only zeros"
    case .notJSON(let error, let line, let column): "line \(line), column \(column): \(error.reason.words)"
    case .wrongFormat(let found?): "it is a file of the format \(found.quoted)"
    case .wrongFormat(nil): "it is not a file of this program"
    case .newerVersion(let found, let known): "it has version \(found), and version \(known) is known"
    case .impossibleVersion(let version): "there is no version \(version)"
    case .missingField(let owner, let field): "\(owner.words) has no field \(field.quoted)"
    case .badField(let owner, let field): "the field \(field.quoted) of \(owner.words) has an impossible value"
    case .misplacedField(let owner, let field, let state):
      "\(owner.words) is \(state.rawValue) and has the field \(field.quoted), which has no meaning then"
    case .repeatedField(let owner, let field): "\(owner.words) has the field \(field.quoted) twice"
    case .wrongCheck(.file): "its lines and their number do not match the check at its end"
    case .wrongCheck(let owner): "the line of \(owner.words) does not match its check"
    case .wrongSeal: "it does not match the check at its end"
    case .outdated: "it is an older copy: the files beside it were written later"
    case .duplicateID(let id): "the item \(id.text.quoted) is there twice"
    case .duplicatePath(let id, let other, let path):
      "the items \(id.text.quoted) and \(other.text.quoted) have one file, \(path.text.quoted)"
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

extension JSONError.Reason {
  fileprivate var words: String {
    switch self {
    case .unexpectedEnd: "it ends too early"
    case .unexpected(let byte): "unexpected \(byte.words)"
    case .byteOrderMark: "a byte order mark has no place here"
    case .controlCharacter(let byte): "\(byte.words) inside a string"
    case .invalidUTF8: "not UTF-8"
    case .badEscape: "an escape that JSON does not know"
    case .loneSurrogate: "half a surrogate pair"
    case .badNumber: "not a number as JSON writes one"
    case .outOfRange: "a number that is too large"
    case .notAnInteger: "a fraction where a whole number is wanted"
    case .tooDeep: "too many levels inside each other"
    case .repeatedName(let name): "the name \(name.quoted) a second time"
    case .wrongType(let found, let wanted): "\(found.rawValue) where \(wanted.rawValue) is wanted"
    }
  }
}

extension UInt8 {
  fileprivate var words: String {
    (0x21...0x7E).contains(self) ? "'\(Character(Unicode.Scalar(self)))'" : "byte \(self)"
  }
}

package enum StateWords {
  /// Items whose lines in an export were changed.
  package static func edited(_ ids: [ItemID], _ path: String) -> String {
    "\(ids.count.counted("item")) of \(path.quoted) \(ids.count == 1 ? "was" : "were") edited after the export:"
      + " taken as \(ids.count == 1 ? "it is" : "they are") (\(ids.listed))"
  }

  /// The same for the rest of an export.
  package static func editedOutside(_ path: String) -> String {
    "\(path.quoted) was edited after the export: items were added, removed or moved, or something outside of them was changed;"
      + " it is taken as it is"
  }

  /// Edited items with another file in their place than their lines describe.
  package static func contradicted(_ ids: [ItemID]) -> String {
    "the library has another file than the one that an edited item describes; \(ids.count.counted("item"))"
      + " put back into the queue, and the next run looks whose file it is (\(ids.listed))"
  }

  /// - Parameters:
  ///   - items: The number of items in the export.
  ///   - forgotten: The number of recorded items that it replaces.
  package static func imported(_ items: Int, finished: Int, forgotten: Int, isRehearsal: Bool) -> String {
    let end = forgotten == 0 ? "" : "; \(forgotten.counted("item")) \(isRehearsal ? "would be forgotten" : "forgotten")"
    return "\(isRehearsal ? "would import" : "imported") \(items.counted("item")), \(finished) of them finished\(end)"
  }
}

/// The wait of a run for another one.
package struct LockWait: Hashable, Sendable {
  package var path: String
  /// The holder of the lock, as the lock file names it.
  package var holder: String?
  /// The maximum time.
  package var wait: Duration

  package init(path: String, holder: String?, wait: Duration) {
    self.path = path
    self.holder = holder
    self.wait = wait
  }

  /// One sentence without a full stop.
  package var words: String {
    "another run holds \(path.quoted)\(holder.map { " (\($0.printable))" } ?? "");"
      + " waiting up to \(wait.spanWords) for it to end"
  }
}
