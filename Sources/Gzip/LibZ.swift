// SPDX-License-Identifier: Apache-2.0
internal import CZlib
import DynamicLibrary

/// The functions of zlib, loaded with the first compressed body.
struct LibZ: Sendable {
  typealias Stream = UnsafeMutablePointer<z_stream>

  let begin: @convention(c) (Stream?, CInt, UnsafePointer<CChar>?, CInt) -> CInt
  let inflate: @convention(c) (Stream?, CInt) -> CInt
  let reset: @convention(c) (Stream?) -> CInt
  let end: @convention(c) (Stream?) -> CInt

  static let loaded = Result<LibZ, DynamicLibrary.Unavailable> { () throws(DynamicLibrary.Unavailable) in try LibZ() }

  private init() throws(DynamicLibrary.Unavailable) {
    let library = try DynamicLibrary("libz.so.1")
    begin = try library.function("inflateInit2_")
    inflate = try library.function("inflate")
    reset = try library.function("inflateReset")
    end = try library.function("inflateEnd")
  }
}
