// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension LibraryObservation {
  /// A digest of everything that was observed, except the free space, which changes with anything that happens on the
  /// disk, and the ages of partials.
  package var digest: SHA256Digest {
    var digest = RunningDigest()
    func add(_ parts: String...) {
      let line = Array((parts.joined(separator: "\u{0}") + "\n").utf8)
      line.withUnsafeBytes { digest.update($0) }
    }
    for (id, finding) in finished.sorted { add("finished", id.text, finding.word) }
    for id in published.sorted() { add("published", id.text) }
    for (id, found) in adoptable.sorted(by: { $0.key < $1.key }) {
      add("adoptable", id.text, found.file.path.text, "\(found.file.size.bytes)", found.file.sha256.hex)
    }
    for (id, file) in strayed.sorted(by: { $0.key < $1.key }) { add("strayed", id.text, file.path.text) }
    for (name, partial) in partials.sorted(by: { $0.key < $1.key }) {
      add("partial", name, "\(partial.size.bytes)")
    }
    add("trash", "\(trashBytes.bytes)", "\(expiredTrashBytes.bytes)")
    return digest.finish().sha256
  }
}

extension LibraryObservation.Finding {
  fileprivate var word: String {
    switch self {
    case .missing: "missing"
    case .foreign: "foreign"
    case .unreachable: "unreachable"
    case .file(let size): "\(size.bytes)"
    }
  }
}
