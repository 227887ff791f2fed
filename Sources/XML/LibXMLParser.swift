// SPDX-License-Identifier: Apache-2.0
internal import CLibXML2
import DynamicLibrary

/// A push parser of libxml2 whose callbacks call the handler.
final class LibXMLParser {
  private(set) var rootClosed = false
  private(set) var problem: XMLProblem?
  private(set) var warnings: [XMLWarning] = []
  /// The number of document lines that were not passed to the parser.
  var linesBefore = 0

  private let libxml: LibXML?
  private let handler: any XMLHandler
  private let limits: XMLLimits
  private var depth = 0
  private var context: xmlParserCtxtPtr?
  /// Names by pointer. The parser stores each name once and always passes the same pointer for it.
  private var names: [UnsafePointer<xmlChar>: String] = [:]

  init(limits: XMLLimits, handler: any XMLHandler) {
    self.limits = limits
    self.handler = handler
    switch LibXML.loaded {
    case .success(let library): libxml = library
    case .failure(let error):
      libxml = nil
      problem = .unavailable(detail: error.detail)
    }
    guard let libxml else { return }
    var callbacks = Self.callbacks
    // The parser lives exactly as long as this object, so the pointer back never dangles.
    context = libxml.createPushParser(&callbacks, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
    // NOENT only makes `&amp;` in an attribute arrive as `&`; without it libxml2 delivers `&#38;`. There are no
    // entities to substitute, because it never sees a declaration (docs/decisions/0075). The document's own encoding is
    // ignored: the parser always gets UTF-8.
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    _ = libxml.useOptions(context, Int32(options))
  }

  deinit {
    if let document = context?.pointee.myDoc { libxml?.freeDocument(document) }
    libxml?.freeParser(context)
  }

  func parse(_ bytes: ArraySlice<UInt8>, isLast: Bool) {
    guard problem == nil else { return }
    guard let libxml, let context else {
      problem = .malformed(line: 0, detail: "no memory for a parser")
      return
    }
    bytes.withUnsafeBytes { buffer in
      let text = buffer.assumingMemoryBound(to: CChar.self)
      // The status repeats what the error callback has reported.
      _ = libxml.parseChunk(context, text.baseAddress, Int32(text.count), isLast ? 1 : 0)
    }
  }

  fileprivate func start(
    _ name: XMLName, count: Int, attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard problem == nil else { return }
    depth += 1
    guard depth <= limits.depth else { return stop(.tooDeep(limit: limits.depth)) }
    var list: [XMLAttribute] = []
    for index in 0..<count {
      // Each attribute has five pointers: local name, prefix, namespace, start and end of the value.
      guard let field = attributes?.advanced(by: index * 5), let begin = field[3], let end = field[4] else { continue }
      let value = UnsafeBufferPointer(start: begin, count: end - begin)
      list.append(XMLAttribute(self.name(field[0], field[1], field[2]), String(decoding: value, as: UTF8.self)))
    }
    handler.start(name, list, line: Int(context?.pointee.input?.pointee.line ?? 0) + linesBefore)
  }

  fileprivate func end() {
    guard problem == nil else { return }
    depth -= 1
    rootClosed = depth == 0
    handler.end()
  }

  fileprivate func text(_ bytes: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard problem == nil, let bytes else { return }
    handler.text(UnsafeBufferPointer(start: bytes, count: Int(count)).span)
  }

  fileprivate func fault(level: xmlErrorLevel, code: Int32, line: Int32, message: UnsafePointer<CChar>?) {
    let text = message.map { String(cString: $0) } ?? "unknown fault"
    // libxml2 says "Extra content at the end of the document" when the end of the root is missing.
    let isCut = depth > 0 && [XML_ERR_DOCUMENT_END, XML_ERR_TAG_NOT_FINISHED].contains { Int32($0.rawValue) == code }
    let detail = isCut ? "no end" : String(text.prefix { $0 != "\n" && $0 != "\r\n" })
    let line = Int(line) + linesBefore
    if level == XML_ERR_FATAL {
      stop(.malformed(line: line, detail: detail))
    } else if warnings.count < XMLEnding.maximumWarnings {
      warnings.append(XMLWarning(line: line, detail: detail))
    }
  }

  fileprivate func stop(_ problem: XMLProblem) {
    guard self.problem == nil else { return }
    self.problem = problem
    libxml?.stopParser(context)
  }

  fileprivate func name(
    _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?
  ) -> XMLName {
    XMLName(string(local) ?? "", prefix: string(prefix), namespace: string(namespace))
  }

  private func string(_ pointer: UnsafePointer<xmlChar>?) -> String? {
    guard let pointer else { return nil }
    if let known = names[pointer] { return known }
    let name = String(cString: pointer)
    names[pointer] = name
    return name
  }

  /// Callbacks that are not set are not called: no external subset, no
  /// entities except the five predefined ones, no files.
  private static var callbacks: xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(XML_SAX2_MAGIC)
    sax.startElementNs = { context, local, prefix, namespace, _, _, count, _, attributes in
      let parser = parser(context)
      parser.start(parser.name(local, prefix, namespace), count: Int(count), attributes: attributes)
    }
    sax.endElementNs = { context, _, _, _ in parser(context).end() }
    sax.characters = { context, bytes, count in parser(context).text(bytes, count) }
    sax.cdataBlock = { context, bytes, count in parser(context).text(bytes, count) }
    sax.ignorableWhitespace = { context, bytes, count in parser(context).text(bytes, count) }
    // The guard in front of this parser keeps declarations to itself. This is the second line of defence.
    sax.entityDecl = { context, _, _, _, _, _ in
      parser(context).stop(.malformed(line: 0, detail: "a declaration where none is read"))
    }
    sax.serror = { context, error in
      guard let error = error?.pointee else { return }
      parser(context).fault(level: error.level, code: error.code, line: error.line, message: error.message)
    }
    return sax
  }
}

private func parser(_ context: UnsafeMutableRawPointer?) -> LibXMLParser {
  Unmanaged<LibXMLParser>.fromOpaque(context!).takeUnretainedValue()
}

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
