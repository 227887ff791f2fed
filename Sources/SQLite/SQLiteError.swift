// SPDX-License-Identifier: Apache-2.0
internal import CSQLite

/// The reason why a database cannot be read.
package enum SQLiteError: Error, Hashable, Sendable {
  /// The library is not on this machine.
  case unavailable(detail: String)
  /// Another program held the database longer than the wait.
  case busy
  /// The query was stopped, because its time was over or the caller wanted no more.
  case stopped
  /// The file is not a database, is damaged, truncated or of an unknown version. Holds SQLite's result code and text.
  case failed(code: Int32, detail: String)

  init(code: CInt, detail: String) {
    // The low byte is the primary result code (https://www.sqlite.org/rescode.html).
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_INTERRUPT: self = .stopped
    default: self = .failed(code: code, detail: detail)
    }
  }

  /// True if the file exists but its companion files are missing and cannot be created.
  var isUnopenable: Bool {
    if case .failed(let code, _) = self { code & 0xFF == SQLITE_CANTOPEN } else { false }
  }
}
