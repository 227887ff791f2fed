// SPDX-License-Identifier: Apache-2.0
internal import CSQLite

/// Why a database cannot be read.
package enum SQLiteError: Error, Hashable, Sendable {
  /// The library is not on this machine.
  case unavailable(detail: String)
  /// Another program holds it longer than was waited.
  case busy
  /// It was stopped: its time was over, or the caller wanted no more.
  case stopped
  /// Not a database, damaged, cut, or of a version that is not known; in SQLite's words, with its result code.
  case failed(code: Int32, detail: String)

  init(code: CInt, detail: String) {
    // The low byte is the primary result code (https://www.sqlite.org/rescode.html).
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_INTERRUPT: self = .stopped
    default: self = .failed(code: code, detail: detail)
    }
  }

  /// The file is there, but not what belongs beside it and cannot be made.
  var isUnopenable: Bool {
    if case .failed(let code, _) = self { code & 0xFF == SQLITE_CANTOPEN } else { false }
  }
}
