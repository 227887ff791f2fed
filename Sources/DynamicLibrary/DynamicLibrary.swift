// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A shared library of the system that is loaded when it is first needed instead of being linked: a run that does not need
/// it neither waits for it nor fails without it. It is never unloaded.
package struct DynamicLibrary {
  /// It, or a function of it, is not on this machine.
  package struct Unavailable: Error {
    /// The system's own text.
    package var detail: String
  }

  private let file: String
  private let handle: UnsafeMutableRawPointer

  /// - Parameter file: with the number of its interface, as its headers declare it: `libxml2.so.2`.
  package init(_ file: String) throws(Unavailable) {
    guard let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL) else { throw Self.failure(of: file) }
    self.file = file
    self.handle = handle
  }

  /// - Returns: the function as `Function`, which has to be what the header declares: `dlsym` knows no signatures.
  package func function<Function>(_ name: String) throws(Unavailable) -> Function {
    guard let symbol = dlsym(handle, name) else { throw Self.failure(of: file) }
    return unsafeBitCast(symbol, to: Function.self)
  }

  private static func failure(of file: String) -> Unavailable {
    Unavailable(detail: dlerror().map { String(cString: $0) } ?? "\(file) cannot be loaded")
  }
}
