// SPDX-License-Identifier: Apache-2.0

// Swift 6.3 gives the bodies of `package` declarations to no other target, `@inlinable` or not. Other targets call the
// generic code, which looks up metadata at each access to an element. Types that they use often repeat the accessors in
// an extension for their own element (`Queue`, `DesiredState`).

/// A large value behind one reference. Copying its container copies a pointer and counts one reference. For a million
/// items the copies took most of a plan's time and memory.
@propertyWrapper
package struct Boxed<Value: Sendable>: Sendable {
  final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  var box: Box

  package init(wrappedValue: Value) { box = Box(wrappedValue) }
  package init(_ value: Value) { box = Box(value) }

  /// Yielded, not copied: reading one field costs only that field.
  package var wrappedValue: Value {
    _read { yield box.value }
    set { box = Box(newValue) }
    _modify {
      var value = box.value
      defer { box = Box(value) }
      yield &value
    }
  }

  /// The box itself, to be passed on.
  package var projectedValue: Boxed { self }
}

extension Boxed: Equatable where Value: Equatable {
  package static func == (left: Boxed, right: Boxed) -> Bool {
    left.box === right.box || left.box.value == right.box.value
  }
}

extension Boxed: Hashable where Value: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}

/// A `Boxed` value that is usually absent.
@propertyWrapper
package struct BoxedIfAny<Value: Sendable>: Sendable {
  var box: Boxed<Value>?

  package init(wrappedValue: Value?) { box = wrappedValue.map { Boxed(wrappedValue: $0) } }
  package init(_ box: Boxed<Value>?) { self.box = box }

  package var projectedValue: Boxed<Value>? { box }

  package var wrappedValue: Value? {
    get { box?.wrappedValue }
    set { box = newValue.map { Boxed(wrappedValue: $0) } }
  }
}

extension BoxedIfAny: Equatable where Value: Equatable {}
extension BoxedIfAny: Hashable where Value: Hashable {}

/// An array of large values, each in its own box. It grows by pointers, and an element can be passed on without a copy.
package struct BoxedArray<Element: Sendable>: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral,
  Sendable
{
  var boxes: [Boxed<Element>]

  package init(_ elements: some Sequence<Element>) { boxes = elements.map { Boxed($0) } }
  package init(arrayLiteral elements: Element...) { self.init(elements) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { boxes.count }
  // The default implementation measures the distance between the indices.
  package var count: Int { boxes.count }

  package subscript(position: Int) -> Element {
    _read { yield boxes[position].wrappedValue }
    _modify { yield &boxes[position].wrappedValue }
  }

  /// The box of an element, for sharing.
  package func box(at position: Int) -> Boxed<Element> { boxes[position] }

  package mutating func append(_ element: Element) { append(Boxed(element)) }
  package mutating func append(_ box: Boxed<Element>) { boxes.append(box) }
  package mutating func reserveCapacity(_ count: Int) { boxes.reserveCapacity(count) }
  package mutating func remove(at position: Int) { boxes.remove(at: position) }
  package mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    boxes.removeAll { isUnwanted($0.wrappedValue) }
  }
}

extension BoxedArray: Equatable where Element: Equatable {}

/// The functions of a sequence, without a copy of each element: they pass it where it is.
extension BoxedArray {
  package func forEach<E: Error>(_ body: (Element) throws(E) -> Void) throws(E) {
    for box in boxes { try body(box.wrappedValue) }
  }

  package func count<E: Error>(where isCounted: (Element) throws(E) -> Bool) throws(E) -> Int {
    var count = 0
    for box in boxes where try isCounted(box.wrappedValue) { count += 1 }
    return count
  }

  package func contains<E: Error>(where isWanted: (Element) throws(E) -> Bool) throws(E) -> Bool {
    for box in boxes where try isWanted(box.wrappedValue) { return true }
    return false
  }

  package func filter<E: Error>(_ isWanted: (Element) throws(E) -> Bool) throws(E) -> [Element] {
    var elements: [Element] = []
    for box in boxes where try isWanted(box.wrappedValue) { elements.append(box.wrappedValue) }
    return elements
  }

  package func compactMap<Value, E: Error>(_ value: (Element) throws(E) -> Value?) throws(E) -> [Value] {
    var values: [Value] = []
    for box in boxes { if let value = try value(box.wrappedValue) { values.append(value) } }
    return values
  }

  package func reduce<Result, E: Error>(
    _ first: Result, _ next: (Result, Element) throws(E) -> Result
  ) throws(E) -> Result {
    var result = first
    for box in boxes { result = try next(result, box.wrappedValue) }
    return result
  }
}
