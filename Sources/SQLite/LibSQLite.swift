// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
import DynamicLibrary

/// The functions of SQLite, loaded when the first database is opened.
///
/// It is not linked, because most runs read no database and the program must start on a machine without SQLite
/// (docs/decisions/0022).
struct LibSQLite: Sendable {
  let open:
    @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?, CInt, UnsafePointer<CChar>?) -> CInt
  let close: @convention(c) (OpaquePointer?) -> CInt
  let errorMessage: @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
  let errorText: @convention(c) (CInt) -> UnsafePointer<CChar>?
  let setBusyTimeout: @convention(c) (OpaquePointer?, CInt) -> CInt
  let setProgressHandler:
    @convention(c) (
      OpaquePointer?, CInt, (@convention(c) (UnsafeMutableRawPointer?) -> CInt)?, UnsafeMutableRawPointer?
    ) -> Void
  let setLimit: @convention(c) (OpaquePointer?, CInt, CInt) -> CInt
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

  static let loaded = Result<LibSQLite, DynamicLibrary.Unavailable> { () throws(DynamicLibrary.Unavailable) in
    try LibSQLite()
  }

  private init() throws(DynamicLibrary.Unavailable) {
    let library = try DynamicLibrary("libsqlite3.so.0")
    open = try library.function("sqlite3_open_v2")
    close = try library.function("sqlite3_close_v2")
    errorMessage = try library.function("sqlite3_errmsg")
    errorText = try library.function("sqlite3_errstr")
    setBusyTimeout = try library.function("sqlite3_busy_timeout")
    setProgressHandler = try library.function("sqlite3_progress_handler")
    setLimit = try library.function("sqlite3_limit")
    prepare = try library.function("sqlite3_prepare_v2")
    step = try library.function("sqlite3_step")
    finalize = try library.function("sqlite3_finalize")
    columnType = try library.function("sqlite3_column_type")
    columnInteger = try library.function("sqlite3_column_int64")
    columnText = try library.function("sqlite3_column_text")
    columnSize = try library.function("sqlite3_column_bytes")
  }
}
