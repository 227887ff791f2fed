// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats
import SyncNet

/// Reads a feed that a person names, for a manifest to start from. Nothing is kept or written.
package struct ReadFeed: Sendable {
  package struct Feed: Sendable {
    /// The address to which the feed has moved for good, or the one that was asked.
    package let url: RemoteURL
    package let title: String?
  }

  private let context: JobContext
  private let url: RemoteURL

  /// - Parameter context: that of a manifest without playlists.
  package init(_ url: RemoteURL, _ context: JobContext) {
    self.url = url
    var manifest = context.manifest
    manifest.playlists = Self.name.map { [Playlist(name: $0, source: .listing(.feed, at: .remote(url)))] } ?? []
    self.context = context.with(manifest)
  }

  private static let name = PlaylistName("feed")

  /// - Returns: the feed, or the reason why it was not read whole.
  package func perform() async throws(JobError) -> Result<Feed, SourceProblem> {
    let recorder = ReportRecorder(context)
    let view = try LibraryOpener(context).look()
    let network = try await context.connect(view.library, recorder)
    let resolution = try await Run(context).resolve(view, keeps: false, network, recorder)
    await network.close()
    guard let reading = resolution.playlists.first?.reading else {
      preconditionFailure("the only playlist is a feed, and was not read")
    }
    if case .partial(let problem) = reading.listing.completeness { return .failure(problem) }
    return .success(Feed(url: reading.move?.to ?? url, title: reading.listing.title))
  }
}
