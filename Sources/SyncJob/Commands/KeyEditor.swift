// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// Makes and changes the keyset of a library. The library itself is neither locked nor changed: the next run seals with
/// the new key.
package struct KeyEditor: Sendable {
  /// The time to wait for another command that changes the keys.
  private static let patience = Duration.seconds(10)

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
    let sealed = try sealedFiles()
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

  private func place(_ named: String, makingFolder: Bool = true) throws(FileError) -> FilePlace {
    // A link keeps its target.
    let path = ProtectedFiles.target(ofLink: named)
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let root = try context.files.openRoot(
      slash == path.startIndex ? "/" : String(path[..<slash]), making: makingFolder ? .privateFolder : nil)
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
    try await change { keys, _ throws(KeyEditProblem) in
      guard keys.rotate(to: id) else { throw .unknownKey(id) }
      return id
    }
  }

  /// The keys.
  package func keys() async throws(KeyEditProblem) -> Keyset { try await read() }

  /// The number of files that each key has sealed, those in the trash among them: `undo` may bring them back.
  package func files() throws(KeyEditProblem) -> [KeyID: Int] {
    let view = try look(context)
    var files: [KeyID: Int] = [:]
    let trashed: Set<LibraryPath>
    do throws(FileError) { trashed = Set(try view.library.workFolder?.trash.list().map(\.path) ?? []) } catch {
      throw .file(error)
    }
    for item in view.queue.items {
      var file = item.state.storedFile
      if case .removed(let removal) = item.state, let gone = removal.file, trashed.contains(gone.path) { file = gone }
      if let key = file?.sealed?.key, key != .content { files[key, default: 0] += 1 }
    }
    return files
  }

  /// The number of sealed files in the library, as far as is known.
  private func sealedFiles() throws(KeyEditProblem) -> Int {
    do throws(KeyEditProblem) {
      return try look(context).queue.items.count { $0.state.isSealedByLibrary }
    } catch {
      guard case .job(.stateLost) = error else { throw error }
    }
    // The queue is lost, and the disk shows whether there are any.
    do throws(JobError) {
      let library = try Library.look(context.manifest.library, context.files)
      do throws(FileError) { return try library.anySealedFile() == nil ? 0 : 1 } catch { throw .file(error) }
    } catch { throw .job(error) }
  }

  private func look(_ context: JobContext) throws(KeyEditProblem) -> LibraryView {
    do throws(JobError) { return try LibraryOpener(context).look() } catch { throw .job(error) }
  }

  private func read() async throws(KeyEditProblem) -> Keyset {
    guard let source = context.manifest.protect.keys else { throw .noPlace }
    do throws(KeysProblem) { return try await KeysReader(emit: { _ in }).keyset(source) } catch { throw .keys(error) }
  }

  private func change(
    _ edit: (inout Keyset, inout SystemRandomNumberGenerator) throws(KeyEditProblem) -> KeyID
  ) async throws(KeyEditProblem) -> KeyID {
    let path = try path()
    // Two changes at once would lose one of the keys.
    let lock = try await locked(path)
    defer { withExtendedLifetime(lock) {} }
    var (keys, random) = (try await read(), SystemRandomNumberGenerator())
    // The keys of another library are not changed.
    var own = context
    own.keys = keys
    _ = try look(own)
    let id = try edit(&keys, &random)
    do throws(FileError) {
      let place = try place(path)
      let mode = try context.files.status(of: place)?.mode ?? .privateFile
      try context.files.replace(place, KeysetFile.bytes(keys), mode: mode)
    } catch { throw .file(error) }
    return id
  }

  /// The file with the keys, locked until it is closed. Whoever waited for the lock of a file that was replaced in the
  /// meantime takes that of the new one.
  private func locked(_ path: String) async throws(KeyEditProblem) -> any OpenFile {
    do throws(FileError) {
      let place = try place(path, makingFolder: false)
      guard try context.files.status(of: place) != nil else { throw FileError(.open, path, code: .enoent) }
      let stopwatch = Stopwatch()
      while stopwatch.elapsed < Self.patience, !Task.isCancelled {
        let file = try context.files.open(place, for: .locking(.privateFile))
        if try file.tryLock(), try file.status().identity == context.files.status(of: place)?.identity { return file }
        do { try await Task.sleep(for: StateLock.pause) } catch { break }
      }
      throw FileError(.lock, path, code: .eagain)
    } catch {
      if error.isMissing { throw .keys(.missing(path: path)) }
      throw .file(error)
    }
  }

  private func newEntry(
    besides known: [KeyID], _ random: inout SystemRandomNumberGenerator
  ) -> (Keyset.Entry, SealingKey) {
    var id = KeyID(UInt32.random(in: 1 ... .max, using: &random))
    while known.contains(id) { id = KeyID(UInt32.random(in: 1 ... .max, using: &random)) }
    return KeysetFile.newEntry(id, random.bytes(32))
  }
}
