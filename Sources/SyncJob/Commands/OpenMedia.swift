// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// Reads finished files in clear, sealed or not. Nothing is locked or changed.
package struct OpenMedia: Sendable {
  package let queue: Queue
  private let library: Library
  private let settings: SealSettings?
  /// Judges licences. Never earlier than a time that any run has seen.
  private let clock: SteadyClock

  /// Reads the state and the keys.
  package static func begin(_ context: JobContext) async throws(JobError) -> (OpenMedia, warnings: [Warning]) {
    let recorder = ReportRecorder(context)
    let context = try await context.withKeys(recorder.emit)
    let view = try LibraryOpener(context).look()
    let media = OpenMedia(
      queue: view.queue, library: view.library, settings: try view.opening(), clock: view.clock)
    return (media, recorder.current.warnings + view.state.damage)
  }

  private init(queue: Queue, library: Library, settings: SealSettings?, clock: SteadyClock) {
    (self.queue, self.library, self.settings, self.clock) = (queue, library, settings, clock)
  }

  /// Throws if the licence of an item does not allow to read its file.
  /// - Parameter isExport: False to play it, which a licence cannot forbid while it is valid.
  private func checkLicense(_ item: QueueItem, isExport: Bool = true) throws(MediaProblem) {
    guard let record = item.license else { return }
    guard record.isValid(at: clock.now()) else { throw .notLicensed(item.id, expiresAt: record.license?.expiresAt) }
    guard !isExport || record.license?.restrictions.allowsExport ?? true else { throw .exportForbidden(item.id) }
  }

  /// Finds the file that a person names.
  package func find(_ name: String) throws(MediaProblem) -> QueueItem {
    let item: QueueItem
    do throws(ItemSelector.Problem) { item = try ItemSelector.find(name, in: queue) } catch { throw .unknown(error) }
    guard item.state.storedFile != nil else { throw .noFile(item.id, item.state.name) }
    return item
  }

  /// A finished file as a player can open it.
  enum Playable: Sendable {
    /// The absolute path.
    case file(String)
    case sealed(SealedMediaServer.Media)
  }

  /// Checks that the item may be played and can be read.
  func playable(_ item: QueueItem) throws(MediaProblem) -> (Playable, StoredFile) {
    guard let file = item.state.storedFile else { throw .noFile(item.id, item.state.name) }
    try checkLicense(item, isExport: false)
    let id = item.id
    do throws(SealedFile.Problem) {
      // It opens, or the reason is known before a player has it.
      _ = try MediaStream(file, of: id, in: library, settings)
      guard file.sealed != nil else { return (.file("\(library.settings.path)/\(file.path.text)"), file) }
      let media = SealedMediaServer.Media(size: file.plainSize, ending: String(file.path.unsealed.fileExtension ?? ""))
      {
        [library, settings] offset throws(SealedFile.Problem) in
        try MediaStream(file, of: id, in: library, settings, from: offset)
      }
      return (.sealed(media), file)
    } catch { throw problem(error, item, file) }
  }

  /// Hands over the media of an item, piece by piece.
  /// - Parameter length: Nil for all up to the end.
  package func read(
    _ item: QueueItem, from offset: ByteCount, length: ByteCount?, _ body: ([UInt8]) -> Void
  ) throws(MediaProblem) {
    guard let file = item.state.storedFile else { throw .noFile(item.id, item.state.name) }
    try checkLicense(item)
    do throws(SealedFile.Problem) {
      var stream = try MediaStream(file, of: item.id, in: library, settings, from: offset)
      var left = length?.bytes ?? .max
      while left > 0, let bytes = try stream.next() {
        body(Int64(bytes.count) <= left ? bytes : Array(bytes.prefix(Int(left))))
        left -= Int64(bytes.count)
      }
    } catch { throw problem(error, item, file) }
  }

  /// Writes an item in clear into a folder, which is made if it is missing. Nothing is overwritten.
  /// - Parameter path: the path in the folder.
  /// - Returns: False if the very file is there already.
  package func write(_ item: QueueItem, to path: LibraryPath, in folder: String) throws(MediaProblem) -> Bool {
    guard let file = item.state.storedFile else { throw .noFile(item.id, item.state.name) }
    try checkLicense(item)
    if library.contains(folder) { throw .inLibrary(path: folder) }
    let place: FilePlace
    var isPresent = false
    do throws(FileError) {
      place = try library.files.openRoot(folder, making: .sharedFolder)[path]
      try library.files.makeFolders(place.parent, mode: .sharedFolder)
      isPresent = try library.files.status(of: place) != nil
    } catch { throw .file(error) }
    if isPresent {
      guard FileDigest.isContent(place, file.plainSHA256, in: library.files) else { throw .taken(path: place.text) }
      return false
    }
    let isWritten: Bool
    do throws(SealedFile.Problem) {
      var stream = try MediaStream(file, of: item.id, in: library, settings)
      isWritten = try stream.write(to: place, expecting: file.plainSHA256, in: library.files)
    } catch { throw problem(error, item, file) }
    guard isWritten else { throw .changed(file.path) }
    return true
  }

  /// Does something that the first of `stops` cancels.
  package static func stopped<Success: Sendable>(
    by stops: AsyncStream<ExitStatus>, _ body: @escaping @Sendable () throws(MediaProblem) -> Success
  ) async throws(JobError) -> Result<Success, MediaProblem> {
    try await Interruption.watching(stops) { interruption throws(JobError) in
      do throws(MediaProblem) { return .success(try body()) } catch {
        if case .stopped = error, let status = interruption.status { throw .interrupted(status) }
        return .failure(error)
      }
    }
  }

  /// The finished items of a playlist with the paths that they get in a folder: those of the library, in clear.
  package func items(of scope: Set<PlaylistName>) -> [(item: QueueItem, path: LibraryPath)] {
    queue.items.filter { $0.isMember(ofAny: scope) }.compactMap { item in
      item.state.storedFile.map { (item, $0.sealed == nil ? $0.path : $0.path.unsealed) }
    }
  }

  private func problem(_ problem: SealedFile.Problem, _ item: QueueItem, _ file: StoredFile) -> MediaProblem {
    switch problem {
    case .file(let error): .file(error)
    case .notOpened where file.sealed?.isByContentKey == true && settings?.contentKeys[item.id] == nil:
      .notLicensed(item.id, expiresAt: nil)
    case .notOpened where settings == nil: .noKeys(item.id)
    // Its beginning is cut or changed.
    case .notOpened where !isAsRecorded(file): .damaged(item.id, file.path, at: .zero)
    case .notOpened: .notOpened(item.id, file.path)
    case .stopped: .stopped
    case .damaged(let place): .damaged(item.id, file.path, at: place)
    }
  }

  private func isAsRecorded(_ file: StoredFile) -> Bool {
    library.mediaRoot.map { FileDigest.isContent($0[file.path], file.sha256, in: library.files) } ?? false
  }
}
