// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Any JSON value, for comparison.
enum JSONValue: Equatable, Sendable, CustomStringConvertible {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }

  /// The value at a path such as `items[id=night-drive].error.status` or `items.0.id`; `count` is an array's length.
  subscript(path path: String) -> JSONValue? {
    var steps: [Substring] = []
    for part in path.split(separator: ".") {
      let name = part.prefix { $0 != "[" }
      if !name.isEmpty { steps.append(name) }
      if name.endIndex != part.endIndex { steps.append(part[name.endIndex...]) }
    }
    return steps.reduce(self) { value, step in value?.member(step) }
  }

  private func member(_ step: Substring) -> JSONValue? {
    switch self {
    case .object(let members): return members[String(step)]
    case .array(let elements):
      if step == "count" { return .number(Double(elements.count)) }
      if let index = Int(step) { return elements.indices.contains(index) ? elements[index] : nil }
      let condition = step.drop { $0 == "[" }.prefix { $0 != "]" }.split(separator: "=", maxSplits: 1)
      guard condition.count == 2 else { return nil }
      return elements.first { $0.member(condition[0])?.description == String(condition[1]) }
    default: return nil
    }
  }

  /// True if this value meets the expected one. The texts `> 0`, `>= 2` and `< 9` compare numbers; an expected null
  /// also matches an absent value.
  func meets(_ expected: JSONValue) -> Bool {
    if case .string(let text) = expected, case .number(let number) = self {
      let words = text.split(separator: " ")
      guard words.count == 2, let bound = Double(words[1]) else { return false }
      switch words[0] {
      case ">": return number > bound
      case ">=": return number >= bound
      case "<": return number < bound
      case "<=": return number <= bound
      default: return false
      }
    }
    return self == expected
  }

  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    case .string(let value): value
    case .array(let values): "[\(values.map(\.description).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
    }
  }
}

extension JSONValue: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try container.decode(ifIs: Bool.self) {
      self = .bool(value)
    } else if let value = try container.decode(ifIs: Double.self) {
      self = .number(value)
    } else if let value = try container.decode(ifIs: String.self) {
      self = .string(value)
    } else if let values = try container.decode(ifIs: [JSONValue].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }
}

extension SingleValueDecodingContainer {
  /// The value, or nil when it is of another type.
  func decode<Value: Decodable>(ifIs type: Value.Type) throws -> Value? {
    do {
      return try decode(type)
    } catch DecodingError.typeMismatch {
      return nil
    }
  }
}
