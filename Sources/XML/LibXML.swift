// SPDX-License-Identifier: Apache-2.0
internal import CLibXML2
import Glibc

/// The functions of libxml2, loaded when the first document is parsed.
///
/// Not linked: Debian's library brings 30 MB of Unicode tables with it, which a run without a feed would pay for at every
/// start (docs/decisions/0003).
struct LibXML: Sendable {
  typealias CreatePushParser =
    @convention(c) (
      UnsafeMutablePointer<xmlSAXHandler>?, UnsafeMutableRawPointer?, UnsafePointer<CChar>?, CInt,
      UnsafePointer<CChar>?
    ) -> xmlParserCtxtPtr?

  let createPushParser: CreatePushParser
  let useOptions: @convention(c) (xmlParserCtxtPtr?, CInt) -> CInt
  let parseChunk: @convention(c) (xmlParserCtxtPtr?, UnsafePointer<CChar>?, CInt, CInt) -> CInt
  let stopParser: @convention(c) (xmlParserCtxtPtr?) -> Void
  let freeParser: @convention(c) (xmlParserCtxtPtr?) -> Void
  let freeDocument: @convention(c) (xmlDocPtr?) -> Void

  /// Loaded and initialised once, because the library's tables are shared by all threads.
  static let loaded = Result<LibXML, Unavailable> { () throws(Unavailable) in try LibXML() }

  struct Unavailable: Error {
    var detail: String
  }

  /// The number is that of the interface, which the headers declare.
  private static let file = "libxml2.so.2"

  private init() throws(Unavailable) {
    guard let library = dlopen(Self.file, RTLD_NOW | RTLD_LOCAL) else { throw Self.failure }
    let initialise: @convention(c) () -> Void = try Self.function("xmlInitParser", library)
    createPushParser = try Self.function("xmlCreatePushParserCtxt", library)
    useOptions = try Self.function("xmlCtxtUseOptions", library)
    parseChunk = try Self.function("xmlParseChunk", library)
    stopParser = try Self.function("xmlStopParser", library)
    freeParser = try Self.function("xmlFreeParserCtxt", library)
    freeDocument = try Self.function("xmlFreeDoc", library)
    initialise()
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
