// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension JSONWriter {
  /// Writes the flaws of a source, each with its place, or nothing if there are none.
  mutating func flaws(_ flaws: ListingFlaws) {
    guard flaws.count > 0 else { return }
    key("flaws")
    array { writer in
      for flaw in flaws.listed {
        writer.object { writer in
          writer.field("line", flaw.line)
          writer.field("entry", flaw.entry)
          writer.field("kind", flaw.note.kind)
          writer.field("message", flaw.note.words)
        }
      }
    }
    let omitted = flaws.count - flaws.listed.count
    if omitted > 0 { field("flaws_omitted", omitted) }
  }
}

extension ListingNote {
  /// The name for programs.
  fileprivate var kind: String {
    switch self {
    case .withoutEnclosure: "no_enclosure"
    case .onlyImage: "only_image"
    case .badURL: "bad_url"
    case .badDate: "bad_date"
    case .unknownReference: "unknown_reference"
    case .repairedEncoding: "repaired_encoding"
    case .contentAfterEnd: "content_after_end"
    }
  }
}
