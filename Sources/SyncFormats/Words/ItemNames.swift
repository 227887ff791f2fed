// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension ItemID {
  /// What an item is called for people, printable: its title, or its id where the title shows nothing.
  package func called(_ title: String) -> String {
    let showsNothing = title.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }
    return showsNothing ? text.printable : title.printable
  }
}

extension QueueItem {
  var shownTitle: String { id.called(item.title) }
}
