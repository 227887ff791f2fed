// SPDX-License-Identifier: Apache-2.0

import SQLite
import SyncTestSupport
import Testing

@Suite("a database that is only read")
struct SQLiteDatabaseTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.file("a %20?#é.db") }

  init() throws { folder = try TemporaryDirectory("syncjob-sqlite") }

  private func rows(_ database: SQLiteDatabase, _ statement: String) throws -> [String] {
    var rows: [String] = []
    try database.rows(statement) { rows.append("\($0.text(0) ?? "-") \($0.integer(1).map(String.init) ?? "-")") }
    return rows
  }

  private func code(_ body: () throws -> Void) -> Int32? {
    do {
      try body()
      return nil
    } catch let SQLiteError.failed(code, _) { return code } catch { return -1 }
  }

  @Test("rows come in order, NULL is nil, text with a number in front is that number")
  func reading() throws {
    _ = try SQLiteFile(path, "CREATE TABLE t(a, b); INSERT INTO t VALUES ('x', 1), (NULL, NULL), ('é', '7 times')")
    let database = try SQLiteDatabase.open(reading: path)
    #expect(try database.tables() == ["t"])
    #expect(try database.columns(of: "t") == ["a", "b"])
    #expect(try database.columns(of: "no \" such") == [])
    #expect(try rows(database, "SELECT a, b FROM t") == ["x 1", "- -", "é 7"])
  }

  @Test("nothing can be written through it")
  func readOnly() throws {
    _ = try SQLiteFile(path, "CREATE TABLE t(a, b)")
    let before = try FileBytes.read(path)
    let database = try SQLiteDatabase.open(reading: path)
    #expect(code { try database.rows("INSERT INTO t VALUES (1, 2)") { _ in } } == 8, "SQLITE_READONLY")
    #expect(code { try database.rows("DROP TABLE t") { _ in } } == 8)
    #expect(try FileBytes.read(path) == before)
  }

  @Test("a missing file is not made")
  func missing() throws {
    #expect(code { _ = try SQLiteDatabase.open(reading: path) } == 14, "SQLITE_CANTOPEN")
    #expect(try FileTree.names(folder.path) == [])
  }

  @Test("what is no database, and what is cut, is an error in SQLite's words")
  func damaged() throws {
    try FileBytes.write(Array("#AUDIOSCROBBLER/1.1\nthis is no database\n".utf8), to: path)
    #expect(throws: SQLiteError.failed(code: 26, detail: "file is not a database")) {
      try SQLiteDatabase.open(reading: path)
    }
    let other = folder.file("cut.db")
    _ = try SQLiteFile(
      other,
      "CREATE TABLE t(a, b); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
        + " INSERT INTO t SELECT hex(randomblob(20)), i FROM n")
    let whole = try FileBytes.read(other)
    try FileBytes.write(Array(whole.prefix(whole.count / 2)), to: other)
    let result = code { try SQLiteDatabase.open(reading: other).rows("SELECT a, b FROM t") { _ in } }
    #expect(result == 11, "SQLITE_CORRUPT, not an end of the rows")
  }

  @Test("a database with a write-ahead log that is in use shows what was committed")
  func writeAheadLog() throws {
    let writer = try SQLiteFile(path, "PRAGMA journal_mode = WAL; CREATE TABLE t(a, b); INSERT INTO t VALUES ('x', 1)")
    try writer.run("BEGIN; INSERT INTO t VALUES ('y', 2)")
    let database = try SQLiteDatabase.open(reading: path)
    #expect(try rows(database, "SELECT a, b FROM t") == ["x 1"])
    try writer.run("COMMIT")
    #expect(try rows(database, "SELECT a, b FROM t") == ["x 1", "y 2"])
  }

  @Test("a query without an end ends when the caller wants no more of it", .timeLimit(.minutes(2)))
  func endless() throws {
    let view = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS a, i AS b FROM n"
    _ = try SQLiteFile(path, "CREATE VIEW t AS \(view); CREATE VIEW none AS SELECT * FROM t WHERE a < 0")
    var questions = 0
    let database = try SQLiteDatabase.open(reading: path) {
      questions += 1
      return questions < 100
    }
    #expect(throws: SQLiteError.stopped) { try database.rows("SELECT a, b FROM none") { _ in } }
    #expect(throws: SQLiteError.stopped) { try database.rows("SELECT count(*) FROM t") { _ in } }
  }

  @Test("a query without an end ends after so many steps, and so do many short ones")
  func steps() throws {
    let view = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS a, i AS b FROM n"
    _ = try SQLiteFile(path, "CREATE VIEW t AS \(view)")
    let database = try SQLiteDatabase.open(reading: path, steps: 1_000_000)
    #expect(throws: SQLiteError.stopped) { try database.rows("SELECT a, max(b) FROM t GROUP BY a") { _ in } }
    let other = try SQLiteDatabase.open(reading: path, steps: 1_000_000)
    var statements = 0
    #expect(throws: SQLiteError.stopped) {
      while statements < 10_000 {
        try other.rows("SELECT a, b FROM t LIMIT 10000") { _ in }
        statements += 1
      }
    }
    #expect(statements > 0)
  }

  @Test("a value of any length is refused before it fills the memory")
  func longValue() throws {
    _ = try SQLiteFile(path, "CREATE VIEW t AS SELECT zeroblob(500000000) AS a, 1 AS b")
    let database = try SQLiteDatabase.open(reading: path)
    #expect(code { try database.rows("SELECT a, b FROM t") { _ in } } == 18, "SQLITE_TOOBIG")
  }

  @Test("a writer that does not stop is told as such")
  func busy() throws {
    let writer = try SQLiteFile(path, "CREATE TABLE t(a, b)")
    try writer.run("BEGIN EXCLUSIVE; INSERT INTO t VALUES ('x', 1)")
    #expect(throws: SQLiteError.busy) { try SQLiteDatabase.open(reading: path, timeout: 20) }
    try writer.run("COMMIT")
    #expect(try rows(SQLiteDatabase.open(reading: path, timeout: 20), "SELECT a, b FROM t") == ["x 1"])
  }
}
