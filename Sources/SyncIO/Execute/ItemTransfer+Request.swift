// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore

/// What goes out for an item.
extension ItemTransfer {
  func makeRequest(_ url: RemoteURL, _ range: RangeRequest?, _ downloader: isolated Downloader) -> TransferRequest {
    let candidates = download.isFromSource ? [] : download.task.candidates.map(\.candidate.url)
    var request = downloader.settings.request(
      url, isOriginOfManifest: candidates.contains { $0.origin == url.origin },
      isFromSource: !candidates.contains { $0.host == url.host }, credentials: credentials(for: url, downloader))
    if let range {
      request.range = ByteRange(from: range.first.bytes, through: range.end.map { $0.bytes - 1 })
      request.fields += [(range.condition?.fieldValue).flatMap { downloader.settings.field("If-Range", $0) }].compactMap
      { $0 }
    }
    return request
  }

  /// Each candidate begins a way of its own; everything else on it is a redirect.
  private func credentials(for url: RemoteURL, _ downloader: isolated Downloader) -> [CredentialField] {
    var trail = trail ?? downloader.settings.trail(of: download.playlists)
    defer { self.trail = trail }
    let isRedirect = url != download.task.candidates[candidate].candidate.url
    return trail.fields(for: url, isRedirect: isRedirect, at: downloader.now())
  }
}
