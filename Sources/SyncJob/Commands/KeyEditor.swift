// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// Makes and changes the keyset of a library. The library itself is neither locked nor changed: the next run seals with
/// the new key.
package struct KeyEditor: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// The path of the keyset.
  package func path() throws(KeyEditProblem) -> String {
    switch context.manifest.protect.keys {
    case nil: throw .noPlace
    case .file(let path)?: return path
    case let keys?: throw .notAFile(keys.place)
    }
  }

  /// Writes a keyset with one key.
  package func create() throws(KeyEditProblem) -> KeyID {
    let path = try path()
    let sealed = try files().values.reduce(0, +)
    guard sealed == 0 else { throw .librarySealed(files: sealed) }
    var random = SystemRandomNumberGenerator()
    let (entry, key) = newEntry(besides: [], &random)
    do throws(FileError) {
      let place = try place(path)
      try context.files.create(place, KeysetFile.bytes(Keyset(entry, key)), mode: .privateFile)
      try context.files.syncFolder(place.parent)
    } catch { throw error.isPresent ? .present(path: path) : .file(error) }
    return key.id
  }

  /// The place of the file, whose folder is made if it is missing.
  private func place(_ path: String) throws(FileError) -> FilePlace {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let root = try context.files.openRoot(
      slash == path.startIndex ? "/" : String(path[..<slash]), making: .privateFolder)
    guard let place = FilePlace(root).child(path[path.index(after: slash)...]) else {
      throw FileError(.write, path, .notAFile)
    }
    return place
  }

  /// Adds a key that opens files and does not seal yet.
  package func add() async throws(KeyEditProblem) -> KeyID {
    try await change { keys, random in
      let (entry, key) = newEntry(besides: keys.entries.map(\.id), &random)
      keys.add(entry)
      return key.id
    }
  }

  /// Adds a key that seals from now on.
  package func rotate() async throws(KeyEditProblem) -> KeyID {
    try await change { keys, random in
      let (entry, key) = newEntry(besides: keys.entries.map(\.id), &random)
      keys.rotate(to: entry, key)
      return key.id
    }
  }

  /// Has a key that the keyset has already seal from now on.
  package func rotate(to id: KeyID) async throws(KeyEditProblem) -> KeyID {
    var isKnown = false
    _ = try await change { keys, _ in
      isKnown = keys.rotate(to: id)
      return id
    }
    guard isKnown else { throw .unknownKey(id) }
    return id
  }

  /// The keys.
  package func keys() async throws(KeyEditProblem) -> Keyset { try await read() }

  /// The number of files that each key has sealed.
  package func files() throws(KeyEditProblem) -> [KeyID: Int] {
    var files: [KeyID: Int] = [:]
    for item in try look(context).queue.items {
      if let key = item.state.storedFile?.sealed?.key { files[key, default: 0] += 1 }
    }
    return files
  }

  private func look(_ context: JobContext) throws(KeyEditProblem) -> LibraryView {
    do throws(JobError) { return try LibraryOpener(context).look() } catch { throw .job(error) }
  }

  private func read() async throws(KeyEditProblem) -> Keyset {
    guard let source = context.manifest.protect.keys else { throw .noPlace }
    do throws(KeysProblem) { return try await KeysReader(emit: { _ in }).keyset(source) } catch { throw .keys(error) }
  }

  private func change(
    _ edit: (inout Keyset, inout SystemRandomNumberGenerator) -> KeyID
  ) async throws(KeyEditProblem) -> KeyID {
    let path = try path()
    var (keys, random) = (try await read(), SystemRandomNumberGenerator())
    // The keys of another library are not changed.
    var own = context
    own.keys = keys
    _ = try look(own)
    let id = edit(&keys, &random)
    do throws(FileError) {
      try context.files.replace(try place(path), KeysetFile.bytes(keys), mode: .privateFile)
    } catch { throw .file(error) }
    return id
  }

  private func newEntry(
    besides known: [KeyID], _ random: inout SystemRandomNumberGenerator
  ) -> (Keyset.Entry, SealingKey) {
    var id = KeyID(UInt32.random(in: 1 ... .max, using: &random))
    while known.contains(id) { id = KeyID(UInt32.random(in: 1 ... .max, using: &random)) }
    return KeysetFile.newEntry(id, (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
  }
}
