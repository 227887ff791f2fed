// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// The search for the URL of a candidate's file, which takes a turn like a request to the page's own server.
struct PageResolution {
  /// The page, or the place of a search for pages.
  let page: RemoteURL
  /// Nil until its turn comes, and after its end.
  var task: Task<Void, Never>?
  /// The file that was found.
  var media: YtDlpMedia?
  /// The program that fetches it, while it comes in fragments.
  var stream: StreamGate?
  /// True once the stream has brought bytes.
  var hasBegun = false

  init(of page: RemoteURL) { self.page = page }
}

extension Downloader {
  /// Begins the search when it is the item's turn.
  func resolve(_ page: RemoteURL, of id: ItemID) {
    transfers[id]?.resolution?.task?.cancel()
    transfers[id]?.resolution = PageResolution(of: page)
    if id != starting { enqueue(id, page.origin) }
  }

  /// - Returns: False if the turn is for a request.
  func beginResolving(_ id: ItemID) -> Bool {
    guard let transfer = transfers[id], let resolution = transfer.resolution, resolution.task == nil,
      resolution.media == nil, let extraction = settings.extraction(of: transfer.download)
    else { return false }
    if let words = resolution.page.searched {
      search(words, extraction, of: id)
      return true
    }
    let isDeclared = transfer.download.playlists.contains { settings.isDeclared(resolution.page, by: $0) }
    let ytdlp = settings.ytdlp
    runningSearches += 1
    transfers[id]?.resolution?.task = Task {
      do throws(Failure) {
        let media = try await ytdlp.media(of: resolution.page, extraction, isDeclared: isDeclared)
        resolved(id, .success(media))
      } catch { resolved(id, .failure(error)) }
    }
    return true
  }

  private func search(_ words: String, _ extraction: Extraction, of id: ItemID) {
    var query = YtDlpQuery(.search(words))
    query.arguments = extraction.arguments
    let ytdlp = settings.ytdlp
    runningSearches += 1
    transfers[id]?.resolution?.task = Task { [query] in
      do throws(Failure) {
        searched(id, .success(try await ytdlp.results(query, atMost: Self.mostResults)))
      } catch { searched(id, .failure(error)) }
    }
  }

  /// Nobody looks for more results by hand.
  private static let mostResults = 100

  private func searched(_ id: ItemID, _ result: Result<YtDlp.Results, Failure>) {
    guard endTask(of: id) else { return }
    switch result {
    case .success(let results):
      apply(.found(results.entries.map(\.asCandidate), missing: results.missing), to: id)
    case .failure(let failure): apply(.failed(failure, received: .zero), to: id)
    }
    pump()
  }

  /// - Returns: False if the transfer no longer waits for it.
  private func endTask(of id: ItemID) -> Bool {
    runningSearches -= 1
    // A transfer that has ended has given its turn back.
    guard transfers[id]?.resolution?.task != nil else {
      endIfOver()
      return false
    }
    transfers[id]?.resolution?.task = nil
    queue.finished(.item(id))
    return true
  }

  private func resolved(_ id: ItemID, _ result: Result<YtDlpMedia, Failure>) {
    guard endTask(of: id) else { return }
    switch result {
    case .success(let media):
      transfers[id]?.resolution?.media = media
      apply(.resolved(media.url), to: id)
    case .failure(let failure): apply(.failed(failure, received: transfers[id]?.received ?? .zero), to: id)
    }
    pump()
  }
}

extension ListingEntry {
  fileprivate var asCandidate: Candidate { Candidate(url: url, title: title, duration: duration) }
}
