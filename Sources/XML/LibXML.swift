// SPDX-License-Identifier: Apache-2.0
internal import CLibXML2
import DynamicLibrary

/// The functions of libxml2, loaded when the first document is parsed.
///
/// It is not linked: Debian's library brings in 30 MB of Unicode tables, which a run without a feed would load at every
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
  static let loaded = Result<LibXML, DynamicLibrary.Unavailable> { () throws(DynamicLibrary.Unavailable) in
    try LibXML()
  }

  private init() throws(DynamicLibrary.Unavailable) {
    let library = try DynamicLibrary("libxml2.so.2")
    let initialise: @convention(c) () -> Void = try library.function("xmlInitParser")
    createPushParser = try library.function("xmlCreatePushParserCtxt")
    useOptions = try library.function("xmlCtxtUseOptions")
    parseChunk = try library.function("xmlParseChunk")
    stopParser = try library.function("xmlStopParser")
    freeParser = try library.function("xmlFreeParserCtxt")
    freeDocument = try library.function("xmlFreeDoc")
    initialise()
  }
}
