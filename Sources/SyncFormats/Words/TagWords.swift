// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension TagProblem {
  /// The reason in words that others follow.
  var words: String {
    switch self {
    case .programMissing: "the program syncjob-tags is missing"
    case .libraryMissing: "TagLib is missing (libtag.so.1)"
    case .notStarted(let code): "the program syncjob-tags cannot be started (\(code.words))"
    }
  }

  /// What a person can do about it.
  var advice: String {
    switch self {
    case .programMissing: "put it beside syncjob, or into ../libexec/syncjob"
    case .libraryMissing: "install libtag1v5"
    case .notStarted: "look at its mode and at the limits of this user"
    }
  }
}
