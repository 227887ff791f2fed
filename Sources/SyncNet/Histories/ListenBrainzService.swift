// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Submits plays to a server with the ListenBrainz API
/// (https://listenbrainz.readthedocs.io/en/latest/users/api/core.html): ListenBrainz itself, Maloja, Koito and others.
package struct ListenBrainzService: PlayService {
  /// The API takes up to 1,000. But Maloja 3.2.3 stops at the first listen that it has already, answers with success, and
  /// forgets those behind it.
  package let batch = 1
  /// ListenBrainz limits the rate of requests, to about three a second.
  package let pause = Duration.milliseconds(400)
  /// An answer is a few words.
  private static let largestAnswer = ByteCount(1 << 20)
  private let client: APIClient
  private let server: MediaServer

  package init(_ client: HTTPClient, _ server: MediaServer) {
    self.client = .init(client, history: server, limit: Self.largestAnswer)
    self.server = server
  }

  package func push(_ plays: [OutgoingPlay]) async -> PushResult {
    guard let url else { return .failed(.refused(reason: HistoryProblem.longURLWords)) }
    return await client.push(to: url, ListenSubmission.encode(plays), server) {
      ListenSubmission.isAccepted($0) ? [] : nil
    }
  }

  /// None: such a server keeps a listen once, however often it arrives, for it identifies listens by their time. So they
  /// may be sent again.
  package func arrivals(
    of plays: [OutgoingPlay], besides others: [OutgoingPlay]
  ) async -> Result<[PlayArrival], HistoryProblem> {
    .success(plays.map { _ in .missing })
  }

  private var url: RemoteURL? {
    var base = server.url.text[...]
    for ending in ["/", "/1"] where base.hasSuffix(ending) { base = base.dropLast(ending.count) }
    do throws(RemoteURL.Problem) { return try RemoteURL("\(base)/1/submit-listens") } catch { return nil }
  }
}
