// SPDX-License-Identifier: Apache-2.0
import CLibYAML

/// What the parser of libyaml tells, one at a time.
enum YAMLEvent {
  case documentStart
  case documentEnd
  case alias(String)
  case scalar(YAMLScalar, anchor: String?, tag: String?)
  case sequenceStart(anchor: String?, tag: String?)
  case sequenceEnd
  case mappingStart(anchor: String?, tag: String?)
  case mappingEnd
  case streamEnd
}

struct MarkedEvent {
  var event: YAMLEvent
  var mark: YAMLMark
  /// Characters up to its end, if that is on the same line.
  var width: Int
}

/// libyaml's event parser. It must not move in memory while it is used, so it lives on the heap.
struct EventParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// libyaml keeps a pointer into it.
  private let input: UnsafeMutableBufferPointer<UInt8>

  init(_ bytes: [UInt8]) throws(YAMLProblem) {
    parser = .allocate(capacity: 1)
    input = .allocate(capacity: bytes.count)
    _ = input.initialize(from: bytes)
    guard yaml_parser_initialize(parser) == 1 else {
      throw YAMLProblem(kind: .outOfMemory, mark: YAMLMark(line: 1, column: 1))
    }
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    // Without this libyaml would guess UTF-16 from a byte order mark.
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  mutating func next() throws(YAMLProblem) -> MarkedEvent {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
      defer { yaml_event_delete(&event) }
      guard let translated = Self.translate(event) else { continue }
      let (start, end) = (event.start_mark, event.end_mark)
      let width = start.line == end.line ? end.column - start.column : 1
      return MarkedEvent(
        event: translated, mark: YAMLMark(line: start.line + 1, column: start.column + 1), width: max(1, width))
    }
  }

  private func problem() -> YAMLProblem {
    let state = parser.pointee
    let text = state.problem.map { String(cString: $0) } ?? "unreadable"
    switch state.error {
    case YAML_READER_ERROR:
      let mark = YAMLMark(line: state.mark.line + 1, column: state.mark.column + 1)
      return YAMLProblem(kind: text.contains("control characters") ? .syntax(text) : .notUTF8, mark: mark)
    case YAML_MEMORY_ERROR: return YAMLProblem(kind: .outOfMemory, mark: YAMLMark(line: 1, column: 1))
    default:
      let context = state.context.map { String(cString: $0) + ", " } ?? ""
      let mark = YAMLMark(line: state.problem_mark.line + 1, column: state.problem_mark.column + 1)
      return YAMLProblem(kind: .syntax(context + text), mark: mark)
    }
  }

  private static func translate(_ event: yaml_event_t) -> YAMLEvent? {
    switch event.type {
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_STREAM_END_EVENT: return .streamEnd
    case YAML_ALIAS_EVENT: return .alias(text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      let value = YAMLScalar(
        text: String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
      return .scalar(value, anchor: text(scalar.anchor), tag: text(scalar.tag))
    case YAML_SEQUENCE_START_EVENT:
      return .sequenceStart(
        anchor: text(event.data.sequence_start.anchor), tag: text(event.data.sequence_start.tag))
    case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      return .mappingStart(anchor: text(event.data.mapping_start.anchor), tag: text(event.data.mapping_start.tag))
    case YAML_MAPPING_END_EVENT: return .mappingEnd
    default: return nil
    }
  }

  private static func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    bytes.map { String(cString: $0) }
  }
}
