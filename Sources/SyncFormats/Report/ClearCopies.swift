// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The result of writing items in clear.
package struct ClearCopies: Sendable {
  private let path: String
  private var written: [ItemID] = []
  private var present: [ItemID] = []
  /// The items whose files do not open.
  package var failed: [ItemID] = []

  /// - Parameter path: the file or the folder that a person named.
  package init(path: String) { self.path = path }

  /// - Parameter isNew: False for a file that was there already.
  package mutating func note(_ id: ItemID, isNew: Bool) {
    if isNew { written.append(id) } else { present.append(id) }
  }

  /// Ends with a newline.
  package var text: String {
    let there = present.isEmpty ? "" : "; \(present.count) there already"
    let lost = failed.isEmpty ? "" : "; \(failed.count) not written"
    return "\(written.count.counted("file")) written to \(path.quoted)\(there)\(lost)\n"
  }

  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-decrypt")
      writer.field("version", 1)
      writer.field("path", path)
      for (name, ids) in [("written", written), ("present", present), ("failed", failed)] {
        writer.array(name) { writer in for id in ids { writer.value(id.text) } }
      }
    }
    writer.endLine()
    return writer.bytes
  }
}
