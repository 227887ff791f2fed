// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import Synchronization

/// Fetches the pictures and the chapters of items by the rules of sources: the same credentials, limits and retries.
/// Each address is asked once in a run, however many items name it.
actor TagAttachments {
  private let fetcher: any SourceFetcher
  private let publisher: Publisher
  private var pictures: [RemoteURL: Task<Result<KeptPicture, AttachmentFailure>, Never>] = [:]
  /// The folders that have a picture, or for which one was tried.
  private var folders: Set<LibraryPath> = []

  init(_ fetcher: any SourceFetcher, _ publisher: Publisher) { (self.fetcher, self.publisher) = (fetcher, publisher) }

  /// - Parameter isFromSource: False for a server that the manifest itself names.
  /// - Returns: Nil if an earlier item has told that there is no such picture.
  func picture(
    at url: RemoteURL, for playlist: PlaylistName?, isFromSource: Bool
  ) async throws(AttachmentFailure) -> KeptPicture? {
    if let known = pictures[url] {
      if case .success(let picture) = await known.value { return picture }
      return nil
    }
    let request = SourceRequest(url: url, playlist: playlist, isFromSource: isFromSource)
    let task = Task { [fetcher, publisher] () -> Result<KeptPicture, AttachmentFailure> in
      let intake = AttachmentIntake(limit: Publisher.largestPicture)
      if case .failure(let failure) = await fetcher.fetch(request, into: intake) {
        return .failure(.notFetched(failure))
      }
      do throws(FileError) {
        return try publisher.keep(intake.bytes, from: url).map { .success($0) } ?? .failure(.notOfThatKind)
      } catch { return .failure(.notWritten(error)) }
    }
    pictures[url] = task
    return try await task.value.get()
  }

  /// The chapters in a document.
  func chapters(
    at url: RemoteURL, for playlist: PlaylistName?, isFromSource: Bool
  ) async throws(AttachmentFailure) -> [ChapterMark] {
    let intake = AttachmentIntake(limit: ChapterDocument.maximumSize)
    let request = SourceRequest(url: url, playlist: playlist, isFromSource: isFromSource)
    if case .failure(let failure) = await fetcher.fetch(request, into: intake) { throw .notFetched(failure) }
    guard let chapters = ChapterDocument.chapters(intake.bytes) else { throw .notOfThatKind }
    return chapters
  }

  /// Puts the picture into the item's folder, once in a run.
  func cover(
    of folder: LibraryPath, from url: RemoteURL, for playlist: PlaylistName?, isFromSource: Bool
  ) async throws(AttachmentFailure) {
    guard folders.insert(folder).inserted else { return }
    do throws(FileError) { if try publisher.hasCover(folder) { return } } catch { throw .notWritten(error) }
    guard let picture = try await picture(at: url, for: playlist, isFromSource: isFromSource) else { return }
    do throws(FileError) { try publisher.putCover(picture, into: folder) } catch { throw .notWritten(error) }
  }

  /// Ends the requests under way, because the run is being stopped.
  func cancel() { for task in pictures.values { task.cancel() } }

  /// Removes the pictures at the end of the run.
  func close() async {
    for task in pictures.values {
      if case .success(let picture) = await task.value { publisher.discard(picture) }
    }
    pictures = [:]
  }
}

/// Collects the bytes of one document.
private final class AttachmentIntake: SourceIntake {
  private let limit: ByteCount
  private let state = Mutex<[UInt8]>([])

  init(limit: ByteCount) { self.limit = limit }

  var bytes: [UInt8] { state.withLock { $0 } }

  func begin(_ head: FetchedDocument) { state.withLock { $0 = [] } }

  func take(_ bytes: [UInt8]) throws(Failure) {
    let isTooLarge = state.withLock { collected in
      guard collected.count + bytes.count <= limit.bytes else { return true }
      collected += bytes
      return false
    }
    if isTooLarge { throw .tooLarge(limit: limit) }
  }
}
