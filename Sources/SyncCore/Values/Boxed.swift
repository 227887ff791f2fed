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
