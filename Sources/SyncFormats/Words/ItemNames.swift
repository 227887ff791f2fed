// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension ItemID {
  /// The printable name of an item for people: its title, or its id if the title shows nothing.
  package func called(_ title: String) -> String {
    let showsNothing = title.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }
    return showsNothing ? text.printable : title.printable
  }
}

extension [ItemID] {
  /// The first ten ids and the number of the others, which the JSON output lists.
  var listed: String {
    let first = prefix(10).map(\.text.quoted).joined(separator: ", ")
    return count > 10 ? "\(first) and \(count - 10) more" : first
  }
}

extension QueueItem {
  var shownTitle: String { id.called(item.title) }
}
