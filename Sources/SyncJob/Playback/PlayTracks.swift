// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// Finds the files of items for a player. The library may change meanwhile.
struct PlayTracks {
  let context: JobContext
  private(set) var media: OpenMedia
  private var server: SealedMediaServer?
  private var last = 0
  /// The positions at which items were left in this session. Nil for the beginning.
  private var positions: [ItemID: Duration?] = [:]

  init(_ context: JobContext, _ media: OpenMedia) { (self.context, self.media) = (context, media) }

  func item(_ id: ItemID) -> QueueItem? { media.queue[id] }

  /// The track of an item, which begins where the item was left.
  mutating func track(_ id: ItemID) async -> Result<PlayerTrack, TrackProblem> {
    do throws(MediaProblem) { return .success(try track(of: id)) } catch {
      guard error.isMissingFile else { return .failure(.media(error)) }
    }
    // A run may have moved or fetched it.
    do throws(JobError) { media = try await OpenMedia.begin(context).0 } catch {
      // The state cannot be read now, and the last reading counts.
    }
    do throws(MediaProblem) { return .success(try track(of: id)) } catch { return .failure(.media(error)) }
  }

  private mutating func track(of id: ItemID) throws(MediaProblem) -> PlayerTrack {
    guard let item = media.queue[id] else { throw .unknown(.unknown(id.text, nearest: nil)) }
    let (playable, file) = try media.playable(item)
    let source: PlayerTrack.Source
    switch playable {
    case .file(let path): source = .file(path)
    case .sealed(let sealed): source = .stream(url: try url(of: sealed, item.id))
    }
    last += 1
    let start = positions[id] ?? item.plays.position?.offset
    return PlayerTrack(number: last, source: source, path: file.path, start: start ?? .zero)
  }

  private mutating func url(of sealed: SealedMediaServer.Media, _ id: ItemID) throws(MediaProblem) -> String {
    if let server { return server.url(of: sealed) }
    do throws(PlayerProblem) {
      let new = try SealedMediaServer()
      server = new
      return new.url(of: sealed)
    } catch { throw .notServed(id) }
  }

  /// Notes the position at which an item was left.
  mutating func left(_ id: ItemID, _ mark: PlayVerdict.Mark) {
    switch mark {
    case .left(let position): positions[id] = .some(position)
    case .finished, .renewed: positions[id] = .some(nil)
    case .none: break
    }
  }

  func end() { server?.end() }

  /// True if the file of a track is not where it was.
  static func isGone(_ track: PlayerTrack) -> Bool {
    if case .file(let path) = track.source { access(path, F_OK) != 0 } else { false }
  }
}

extension MediaProblem {
  /// True if another look at the library may find the file.
  fileprivate var isMissingFile: Bool {
    switch self {
    case .unknown, .noFile: true
    case .file(let error): error.isMissing
    default: false
    }
  }
}
