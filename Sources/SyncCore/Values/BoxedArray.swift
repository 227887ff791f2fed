// SPDX-License-Identifier: Apache-2.0

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
