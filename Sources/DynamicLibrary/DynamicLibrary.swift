// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A shared library of the system that is loaded on first use instead of being linked. A run that does not need it does
/// not wait for it and does not fail without it. It is never unloaded.
package struct DynamicLibrary {
  /// The library, or one of its functions, is not on this machine or cannot be used.
  package struct Unavailable: Error {
    /// The dynamic loader's own text, or the reason that a user of the library found.
    package var detail: String

    package init(detail: String) { self.detail = detail }
  }

  private let file: String
  private let handle: UnsafeMutableRawPointer

  /// - Parameter file: The name with its interface number, as the headers declare it: `libxml2.so.2`.
  package init(_ file: String) throws(Unavailable) {
    guard let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL) else { throw Self.failure(of: file) }
    self.file = file
    self.handle = handle
  }

  /// Returns the function as `Function`.
  /// The type must match the declaration in the header, because `dlsym` does not know signatures.
  package func function<Function>(_ name: String) throws(Unavailable) -> Function {
    guard let symbol = dlsym(handle, name) else { throw Self.failure(of: file) }
    return unsafeBitCast(symbol, to: Function.self)
  }

  private static func failure(of file: String) -> Unavailable {
    Unavailable(detail: dlerror().map { String(cString: $0) } ?? "\(file) cannot be loaded")
  }
}
