// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A database as a program that writes it has it open, through the system's SQLite.
package final class SQLiteFile {
  package struct Problem: Error, CustomStringConvertible {
    package var description: String
  }

  private typealias Open = @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?) -> CInt
  private typealias Run =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, OpaquePointer?, OpaquePointer?,
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> CInt
  private typealias Close = @convention(c) (OpaquePointer?) -> CInt

  private let library: UnsafeMutableRawPointer
  private var connection: OpaquePointer?

  /// Makes the file if it is missing, and runs the statements.
  package init(_ path: String, _ statements: String = "") throws {
    guard let library = dlopen("libsqlite3.so.0", RTLD_NOW) else { throw Problem(description: "no libsqlite3") }
    self.library = library
    let open: Open = try function("sqlite3_open")
    guard open(path, &connection) == 0 else { throw Problem(description: "cannot open \(path)") }
    try run(statements)
  }

  package func run(_ statements: String) throws {
    let run: Run = try function("sqlite3_exec")
    var message: UnsafeMutablePointer<CChar>?
    guard run(connection, statements, nil, nil, &message) == 0 else {
      throw Problem(description: message.map { String(cString: $0) } ?? "no message")
    }
  }

  deinit {
    if let symbol = dlsym(library, "sqlite3_close") { _ = unsafeBitCast(symbol, to: Close.self)(connection) }
  }

  private func function<Function>(_ name: String) throws -> Function {
    guard let symbol = dlsym(library, name) else { throw Problem(description: "libsqlite3 has no \(name)") }
    return unsafeBitCast(symbol, to: Function.self)
  }
}

extension SQLiteFile {
  /// The table of MPD's sticker file, as MPD makes it (src/sticker/Database.cxx).
  package static let stickers = """
    CREATE TABLE sticker(type VARCHAR NOT NULL, uri VARCHAR NOT NULL, name VARCHAR NOT NULL, value VARCHAR NOT NULL);
    CREATE UNIQUE INDEX sticker_value ON sticker(type, uri, name);
    """

  /// The table of mpdcron's statistics, without the columns that are not read here.
  package static let songs = """
    CREATE TABLE song(id INTEGER PRIMARY KEY, play_count INTEGER, love INTEGER, kill INTEGER, rating INTEGER,
      uri TEXT UNIQUE NOT NULL, duration INTEGER, last_modified INTEGER, artist TEXT, album TEXT, title TEXT,
      last_played INTEGER);
    """
}
