// SPDX-License-Identifier: Apache-2.0

/// A large value behind one reference. Copying its container copies a pointer and counts one reference. For a million
/// items the copies took most of a plan's time and memory.
@propertyWrapper
package struct Boxed<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private var box: Box

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

/// A `Boxed` value that is usually absent.
@propertyWrapper
package struct BoxedIfAny<Value: Sendable>: Sendable {
  private var box: Boxed<Value>?

  package init(wrappedValue: Value?) { box = wrappedValue.map { Boxed(wrappedValue: $0) } }
  package init(_ box: Boxed<Value>?) { self.box = box }

  package var projectedValue: Boxed<Value>? { box }

  package var wrappedValue: Value? {
    get { box?.wrappedValue }
    set { box = newValue.map { Boxed(wrappedValue: $0) } }
  }
}

extension BoxedIfAny: Equatable where Value: Equatable {}

/// An array of large values, each in its own box. It grows by pointers, and an element can be passed on without a copy.
package struct BoxedArray<Element: Sendable>: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral,
  Sendable
{
  private var boxes: [Boxed<Element>]

  package init(_ elements: some Sequence<Element>) { boxes = elements.map { Boxed($0) } }
  package init(arrayLiteral elements: Element...) { self.init(elements) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { boxes.count }

  package subscript(position: Int) -> Element {
    _read { yield boxes[position].wrappedValue }
    _modify { yield &boxes[position].wrappedValue }
  }

  /// The box of an element, for sharing.
  package func box(at position: Int) -> Boxed<Element> { boxes[position] }

  package mutating func append(_ element: Element) { boxes.append(Boxed(element)) }
  package mutating func reserveCapacity(_ count: Int) { boxes.reserveCapacity(count) }
  package mutating func remove(at position: Int) { boxes.remove(at: position) }
  package mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    boxes.removeAll { isUnwanted($0.wrappedValue) }
  }
}

extension BoxedArray: Equatable where Element: Equatable {}
