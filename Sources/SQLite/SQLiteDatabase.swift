// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
import DynamicLibrary

/// A database that is only read, while another program may be using it.
///
/// Not Sendable: a connection belongs to the code that opened it.
package final class SQLiteDatabase {
  private let sqlite: LibSQLite
  private var connection: OpaquePointer?
  /// SQLite keeps a pointer to it without counting a reference.
  private let watch: SQLiteWatch

  /// - Parameters:
  ///   - path: The path of the file.
  ///   - timeout: The time to wait for a writer, in milliseconds. Signals have no effect meanwhile.
  ///   - steps: The limit of SQLite's own instructions for all statements together. After that a statement ends with
  ///     `SQLiteError.stopped`.
  ///   - mayGoOn: Called repeatedly while a statement runs. Once it returns false, the statement ends with
  ///     `SQLiteError.stopped`, too.
  package static func open(
    reading path: String, timeout: Int32 = 1000, steps: Int = mostSteps, while mayGoOn: @escaping () -> Bool = { true }
  ) throws(SQLiteError) -> SQLiteDatabase {
    let watch = SQLiteWatch(turns: steps / Int(instructions), mayGoOn)
    do throws(SQLiteError) {
      return try SQLiteDatabase(name: path, timeout: timeout, flags: SQLITE_OPEN_READONLY, watch)
    } catch {
      guard error.isUnopenable else { throw error }
      // The index of a write-ahead log cannot be created on a read-only disk, but nobody changes the file there either
      // (https://www.sqlite.org/wal.html, "Read-Only Databases").
      return try SQLiteDatabase(
        name: "file:\(escaped(path))?immutable=1", timeout: timeout, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
        watch)
    }
  }

  /// The largest text or row in bytes. Paths and tags are short, but a view may produce a value of any length.
  private static let longestValue: CInt = 1 << 20
  /// The limit of instructions. A song takes fewer than a hundred. A view without an end sorts its rows in a temporary
  /// file, which grows by some 30 bytes for each hundred.
  package static let mostSteps = 300_000_000
  /// The number of instructions between two checks, about a millisecond's worth.
  private static let instructions: CInt = 10_000

  private init(name: String, timeout: Int32, flags: CInt, _ watch: SQLiteWatch) throws(SQLiteError) {
    self.watch = watch
    switch LibSQLite.loaded {
    case .success(let library): sqlite = library
    case .failure(let problem): throw .unavailable(detail: problem.detail)
    }
    // Only one thread uses it, so no mutex is needed.
    try check(sqlite.open(name, &connection, flags | SQLITE_OPEN_NOMUTEX, nil))
    try check(sqlite.setBusyTimeout(connection, timeout))
    _ = sqlite.setLimit(connection, SQLITE_LIMIT_LENGTH, Self.longestValue)
    let context = Unmanaged.passUnretained(watch).toOpaque()
    sqlite.setProgressHandler(connection, Self.instructions, stopsStatement, context)
    // The file itself is opened by the first statement.
    try rows("PRAGMA query_only = 1") { _ in }
    try rows("SELECT count(*) FROM sqlite_master") { _ in }
  }

  deinit { _ = sqlite.close(connection) }

  /// Runs one statement and hands over its rows one by one.
  package func rows(_ statement: String, _ body: (SQLiteRow) -> Void) throws(SQLiteError) {
    var prepared: OpaquePointer?
    defer { _ = sqlite.finalize(prepared) }
    try check(sqlite.prepare(connection, statement, -1, &prepared, nil))
    while true {
      let code = sqlite.step(prepared)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { return try check(code) }
      body(SQLiteRow(sqlite: sqlite, statement: prepared))
    }
  }

  /// The names of the tables.
  package func tables() throws(SQLiteError) -> [String] {
    var names: [String] = []
    try rows("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name") { row in
      if let name = row.text(0) { names.append(name) }
    }
    return names
  }

  /// The names of a table's columns.
  package func columns(of table: String) throws(SQLiteError) -> Set<String> {
    var names: Set<String> = []
    let quoted = table.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    try rows("PRAGMA table_info(\"\(quoted)\")") { row in
      if let name = row.text(1) { names.insert(name) }
    }
    return names
  }

  private func check(_ code: CInt) throws(SQLiteError) {
    guard code != SQLITE_OK else { return }
    let message = connection.flatMap { sqlite.errorMessage($0) } ?? sqlite.errorText(code)
    throw SQLiteError(code: code, detail: message.map { String(cString: $0) } ?? "error \(code)")
  }

  /// The path for a URI, with everything but letters, digits and slashes escaped as `%20`.
  private static func escaped(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      let isPlain =
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/._-".utf8.contains(byte)
      let digits = String(byte, radix: 16)
      text += isPlain ? String(Unicode.Scalar(byte)) : "%\(digits.utf8.count < 2 ? "0" : "")\(digits)"
    }
  }
}

/// Decides if a statement goes on.
private final class SQLiteWatch {
  private var turnsLeft: Int
  private let mayGoOn: () -> Bool

  /// - Parameter turns: The number of times that it may return true.
  init(turns: Int, _ mayGoOn: @escaping () -> Bool) {
    turnsLeft = turns
    self.mayGoOn = mayGoOn
  }

  /// Called after every `SQLiteDatabase.instructions` instructions.
  func goesOn() -> Bool {
    turnsLeft -= 1
    return turnsLeft >= 0 && mayGoOn()
  }
}

/// A result other than 0 interrupts the statement (https://www.sqlite.org/c3ref/progress_handler.html).
private func stopsStatement(_ context: UnsafeMutableRawPointer?) -> CInt {
  guard let context else { return 0 }
  return Unmanaged<SQLiteWatch>.fromOpaque(context).takeUnretainedValue().goesOn() ? 0 : 1
}

/// One row of a result. Valid only during the call that receives it.
package struct SQLiteRow {
  let sqlite: LibSQLite
  let statement: OpaquePointer?

  /// Nil for NULL. Columns are counted from 0.
  package func text(_ column: Int32) -> String? {
    guard sqlite.columnType(statement, column) != SQLITE_NULL, let start = sqlite.columnText(statement, column) else {
      return nil
    }
    let size = Int(sqlite.columnSize(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: size), as: UTF8.self)
  }

  /// Nil for NULL. Text counts as the number that it begins with, as in SQLite.
  package func integer(_ column: Int32) -> Int64? {
    sqlite.columnType(statement, column) == SQLITE_NULL ? nil : sqlite.columnInteger(statement, column)
  }
}

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
