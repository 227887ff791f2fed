// SPDX-License-Identifier: Apache-2.0
import CLibYAML

/// A `yaml_parser_t`, which must not move, with its events and errors as values.
struct EventParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutablePointer<YAMLInput>
  private let bytes: UnsafeBufferPointer<UInt8>
  private let limits: YAMLLimits
  private var lastMark = YAMLMark(line: 1, column: 1)

  /// `bytes` must be valid UTF-8 and outlive the parser.
  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: YAMLLimits) throws(YAMLError) {
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    input = .allocate(capacity: 1)
    input.initialize(to: YAMLInput(bytes, scalarSize: limits.scalarSize))
    self.bytes = bytes
    self.limits = limits
    guard yaml_parser_initialize(parser) == 1 else { throw YAMLError(.outOfMemory, at: lastMark) }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input(parser, feed, input)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  mutating func next() throws(YAMLError) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw error() }
    defer { yaml_event_delete(&event) }
    input.pointee.noteEvent()
    let mark = YAMLMark(event.start_mark, to: event.end_mark)
    lastMark = mark
    return YAMLEvent(kind: try kind(of: event, at: mark), mark: mark)
  }

  private func kind(of event: yaml_event_t, at mark: YAMLMark) throws(YAMLError) -> YAMLEvent.Kind {
    switch event.type {
    case YAML_STREAM_START_EVENT: .streamStart
    case YAML_DOCUMENT_START_EVENT: .documentStart
    case YAML_DOCUMENT_END_EVENT: .documentEnd
    case YAML_ALIAS_EVENT: .alias(text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT: try scalar(of: event, at: mark)
    case YAML_SEQUENCE_START_EVENT:
      .sequenceStart(.init(anchor: text(event.data.sequence_start.anchor), tag: text(event.data.sequence_start.tag)))
    case YAML_MAPPING_START_EVENT:
      .mappingStart(.init(anchor: text(event.data.mapping_start.anchor), tag: text(event.data.mapping_start.tag)))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: .collectionEnd
    // libyaml has no other event. After the end of the stream it repeats this one.
    default: .streamEnd
    }
  }

  private func scalar(of event: yaml_event_t, at mark: YAMLMark) throws(YAMLError) -> YAMLEvent.Kind {
    let scalar = event.data.scalar
    guard scalar.length <= limits.scalarSize else {
      throw YAMLError(.scalarTooLarge(limit: limits.scalarSize), at: mark)
    }
    let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    let value = String(decoding: bytes, as: UTF8.self)
    return .scalar(
      YAMLScalar(text: value, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE),
      .init(anchor: text(scalar.anchor), tag: text(scalar.tag), hasNUL: bytes.contains(0)))
  }

  private func error() -> YAMLError {
    switch input.pointee.stop {
    case .tokenTooLarge: return YAMLError(.scalarTooLarge(limit: limits.scalarSize), at: lastMark)
    case .lineSeparator(let character, let offset):
      return YAMLError(.lineSeparator(character), at: .locating(offset, in: bytes))
    case nil: break
    }
    switch parser.pointee.error {
    case YAML_READER_ERROR: return readerError()
    case YAML_MEMORY_ERROR: return YAMLError(.outOfMemory, at: lastMark)
    default: return syntaxError()
    }
  }

  /// The encoding was checked before, so the remaining cause is a character that must be escaped.
  private func readerError() -> YAMLError {
    let mark = YAMLMark.locating(parser.pointee.problem_offset + bomLength, in: bytes)
    let character = UInt32(clamping: parser.pointee.problem_value)
    return YAMLError(character == 0 ? .nul : .controlCharacter(character), at: mark)
  }

  private var bomLength: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  private func syntaxError() -> YAMLError {
    // At the end of an unfinished text libyaml counts one line too many.
    let mark = min(YAMLMark(parser.pointee.problem_mark), YAMLMark.locating(bytes.count, in: bytes))
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? ""
    if problem == "found character that cannot start any token", character(at: mark) == UInt8(ascii: "\t") {
      return YAMLError(.tab, at: mark)
    }
    let context = parser.pointee.context.map { String(cString: $0) }
    let contextLine = context == nil ? nil : parser.pointee.context_mark.line + 1
    return YAMLError(.syntax(problem, context: context, contextLine: contextLine), at: mark)
  }

  private func character(at mark: YAMLMark) -> UInt8? {
    mark.offset(in: bytes).map { bytes[$0] }
  }
}

/// Called by libyaml when its buffer is empty. Returns 1 for success (no bytes mean the end) and 0 to stop the parser.
private func feed(
  data: UnsafeMutableRawPointer?, buffer: UnsafeMutablePointer<UInt8>?, size: Int, read: UnsafeMutablePointer<Int>?
) -> Int32 {
  guard let input = data?.assumingMemoryBound(to: YAMLInput.self), let buffer, let read,
    let chunk = input.pointee.next(atMost: size)
  else { return 0 }
  if let start = chunk.baseAddress { buffer.update(from: start, count: chunk.count) }
  read.pointee = chunk.count
  return 1
}

private func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? { pointer.map { String(cString: $0) } }

extension YAMLMark {
  fileprivate init(_ start: yaml_mark_t, to end: yaml_mark_t? = nil) {
    let length = end.map { $0.line == start.line ? $0.column - start.column : 1 } ?? 1
    self.init(line: start.line + 1, column: start.column + 1, length: length)
  }
}

/// One parsing event of libyaml.
struct YAMLEvent {
  enum Kind {
    case streamStart, streamEnd, documentStart, documentEnd
    case alias(String)
    case scalar(YAMLScalar, Properties)
    case sequenceStart(Properties)
    case mappingStart(Properties)
    case collectionEnd
  }

  /// The properties that may precede a value.
  struct Properties {
    var anchor: String?
    var tag: String?
    /// True if the value contains a NUL, which YAML allows as an escape.
    var hasNUL = false
  }

  let kind: Kind
  let mark: YAMLMark
}
