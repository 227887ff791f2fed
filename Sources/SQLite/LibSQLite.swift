// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
import Glibc

/// The functions of SQLite, loaded when the first database is opened.
///
/// Not linked: most runs read no database, and those on a machine without SQLite shall start, too
/// (docs/decisions/0022).
struct LibSQLite: Sendable {
  let open:
    @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?, CInt, UnsafePointer<CChar>?) -> CInt
  let close: @convention(c) (OpaquePointer?) -> CInt
  let errorMessage: @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
  let errorText: @convention(c) (CInt) -> UnsafePointer<CChar>?
  let setBusyTimeout: @convention(c) (OpaquePointer?, CInt) -> CInt
  let prepare:
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, CInt, UnsafeMutablePointer<OpaquePointer?>?,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> CInt
  let step: @convention(c) (OpaquePointer?) -> CInt
  let finalize: @convention(c) (OpaquePointer?) -> CInt
  let columnType: @convention(c) (OpaquePointer?, CInt) -> CInt
  let columnInteger: @convention(c) (OpaquePointer?, CInt) -> Int64
  let columnText: @convention(c) (OpaquePointer?, CInt) -> UnsafePointer<UInt8>?
  let columnSize: @convention(c) (OpaquePointer?, CInt) -> CInt

  static let loaded = Result<LibSQLite, Unavailable> { () throws(Unavailable) in try LibSQLite() }

  struct Unavailable: Error {
    var detail: String
  }

  /// The number is that of the interface, which the header declares.
  private static let file = "libsqlite3.so.0"

  private init() throws(Unavailable) {
    guard let library = dlopen(Self.file, RTLD_NOW | RTLD_LOCAL) else { throw Self.failure }
    open = try Self.function("sqlite3_open_v2", library)
    close = try Self.function("sqlite3_close_v2", library)
    errorMessage = try Self.function("sqlite3_errmsg", library)
    errorText = try Self.function("sqlite3_errstr", library)
    setBusyTimeout = try Self.function("sqlite3_busy_timeout", library)
    prepare = try Self.function("sqlite3_prepare_v2", library)
    step = try Self.function("sqlite3_step", library)
    finalize = try Self.function("sqlite3_finalize", library)
    columnType = try Self.function("sqlite3_column_type", library)
    columnInteger = try Self.function("sqlite3_column_int64", library)
    columnText = try Self.function("sqlite3_column_text", library)
    columnSize = try Self.function("sqlite3_column_bytes", library)
  }

  /// The signature is the one that the header declares; `dlsym` knows none.
  private static func function<Function>(
    _ name: String, _ library: UnsafeMutableRawPointer
  ) throws(Unavailable) -> Function {
    guard let symbol = dlsym(library, name) else { throw failure }
    return unsafeBitCast(symbol, to: Function.self)
  }

  private static var failure: Unavailable {
    Unavailable(detail: dlerror().map { String(cString: $0) } ?? "\(file) cannot be loaded")
  }
}
