// SPDX-License-Identifier: Apache-2.0

/// The sentences about what `init` did or would do.
package struct InitWords: Sendable {
  package enum Outcome: Sendable {
    case made
    /// The library belonged to this manifest already.
    case known
    case takenOver(from: String, by: String)
  }

  package let path: String
  package let isManifestNew: Bool
  package let isRehearsal: Bool
  package var library: String?
  package var outcome: Outcome?
  /// True if the manifest has no playlist yet.
  package var isEmpty = true

  package init(path: String, isManifestNew: Bool, isRehearsal: Bool) {
    (self.path, self.isManifestNew, self.isRehearsal) = (path, isManifestNew, isRehearsal)
  }

  package static func systemFolder(_ path: String) -> String {
    "the library would be \(path.quoted), a folder of the system; name a folder of its own under library.path, or confirm"
      + " it with --yes"
  }

  /// The text for people; ends with a newline.
  package var text: String {
    var lines: [String] = []
    if isManifestNew { lines.append("\(isRehearsal ? "would write" : "wrote") \(path.quoted)") }
    if let library, let outcome { lines.append(line(library, outcome)) }
    let name = path.shellWord
    if !isRehearsal {
      let edit = isEmpty ? "edit \(path.quoted), then " : ""
      lines.append("next: \(edit)look with `syncjob plan \(name)` and start with `syncjob \(name)`")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func line(_ library: String, _ outcome: Outcome) -> String {
    switch outcome {
    case .made:
      isRehearsal
        ? "would initialise \(library.quoted): the folder, if it is missing, and its marker"
        : "initialised \(library.quoted)"
    case .known: "\(library.quoted) is initialised already"
    case .takenOver(let owner, let name):
      isRehearsal
        ? "\(library.quoted) belongs to the manifest \(owner.quoted); it would belong to \(name.quoted)"
        : "\(library.quoted) now belongs to the manifest \(name.quoted), no longer to \(owner.quoted)"
    }
  }

  /// One JSON object on one line.
  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-init")
      writer.field("version", 1)
      writer.field("manifest", path)
      writer.field("manifest_written", isManifestNew && !isRehearsal)
      writer.field("library", library)
      writer.field("library_initialised", outcome?.isMade ?? false && !isRehearsal)
    }
    writer.endLine()
    return writer.bytes
  }
}

extension InitWords.Outcome {
  fileprivate var isMade: Bool { if case .made = self { true } else { false } }
}
