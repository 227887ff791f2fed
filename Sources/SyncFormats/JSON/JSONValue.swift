// SPDX-License-Identifier: Apache-2.0

/// A JSON document as a tree, for small documents.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits 64 bits.
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  /// The members in the order of the document; a repeated name is kept twice.
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONValue
    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Reads a whole document.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    var reader = JSONReader(bytes)
    self = try reader.readValue()
    try reader.finish()
  }

  /// The last member of that name; nil for values that are not objects.
  package subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members.last { $0.name == name }?.value } else { nil }
  }

  package var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  package var integer: Int64? {
    if case .integer(let integer) = self { integer } else { nil }
  }

  package var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .double(let double): double
    default: nil
    }
  }

  package var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let array) = self { array } else { nil }
  }
}

extension JSONReader {
  /// The next value with everything in it.
  package mutating func readValue() throws(JSONError) -> JSONValue {
    switch try peekKind() {
    case .null:
      try readNull()
      return .null
    case .bool: return .bool(try readBool())
    case .string: return .string(try readString())
    case .number:
      let token = try readNumber()
      if let integer = token.integer { return .integer(integer) }
      guard let double = bytes.span.double(token) else { throw JSONError(.outOfRange, at: token.range.lowerBound) }
      return .double(double)
    case .array:
      var elements: [JSONValue] = []
      try beginArray()
      while try nextElement() { elements.append(try readValue()) }
      return .array(elements)
    case .object:
      var members: [JSONValue.Member] = []
      try beginObject()
      while let name = try nextKey() { members.append(.init(name, try readValue())) }
      return .object(members)
    }
  }
}
