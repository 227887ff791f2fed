// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension TagProblem {
  /// The reason in words that others follow.
  var words: String {
    switch self {
    case .programMissing: "the program syncjob-tags is missing"
    case .libraryMissing: "TagLib is missing (libtag.so.1)"
    case .notStarted(let code): "the program syncjob-tags cannot be started (\(code.words))"
    case .programTooOld: "the program syncjob-tags is of an earlier version"
    }
  }

  /// What a person can do about it.
  var advice: String {
    switch self {
    case .programMissing: "put it beside syncjob, or into ../libexec/syncjob"
    case .libraryMissing: "install libtag1v5"
    case .notStarted: "look at its mode and at the limits of this user"
    case .programTooOld: "install the one that came with this syncjob"
    }
  }
}

extension TagFailure {
  /// The reason in words that follow a colon.
  var words: String {
    switch self {
    case .format(let ending): "syncjob-tags writes no tags into \(ending) files"
    case .unreadable: "TagLib cannot read the file"
    case .crashed: "syncjob-tags crashed on the file"
    case .tooSlow: "syncjob-tags took too long for the file"
    case .noRoom(let lacking): "the copy that gets the tags needs \(lacking.words) more on the disk"
    case .refused(let code): "the copy that gets the tags could not be written (\(code.words))"
    case .damaged: "the copy that was to get the tags was damaged"
    }
  }
}

extension AttachmentKind {
  var words: String {
    switch self {
    case .picture: "the picture"
    case .chapters: "the chapters"
    }
  }
}

extension AttachmentFailure {
  /// The predicate of a sentence about the picture or the chapters.
  func words(_ kind: AttachmentKind) -> String {
    let verb = kind == .chapters ? "were" : "was"
    switch self {
    // The limit is that of pictures and chapters, and no setting changes it.
    case .notFetched(.tooLarge(let limit)): return "\(verb) left out: the server sent more than \(limit.words)"
    case .notFetched(let failure): return "\(verb) not fetched: \(failure.words)"
    case .notOfThatKind:
      let wanted = kind == .picture ? "neither a JPEG nor a PNG" : "no chapters in JSON"
      return "\(verb) left out: the server sent \(wanted)"
    case .notWritten(let error): return "\(verb) not written: \(error.words)"
    case .noPlace(let ending): return "\(verb) left out: TagLib has no place for them in \(ending) files"
    }
  }
}
