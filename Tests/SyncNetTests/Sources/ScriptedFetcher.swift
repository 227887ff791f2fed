// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncNet

/// The fake twin of the source fetcher, which answers from a table.
struct ScriptedFetcher: SourceFetcher {
  /// The response at a URL.
  enum Answer: Sendable {
    case document([UInt8], etag: String?)
    case redirect(String)
    case status(Int)
  }

  var answers: [String: Answer] = [:]

  func usePlainLogin(at origin: RemoteURL.Origin) {}

  func fetch(_ request: SourceRequest, into intake: any SourceIntake) async -> Result<FetchedSource, Failure> {
    var redirects = Redirects(from: request.url)
    while true {
      switch answers[redirects.current.text] ?? .status(404) {
      case .document(_, let etag?) where etag == request.etag: return .success(.notModified)
      case .document(let bytes, let etag):
        let document = FetchedDocument(url: redirects.current, etag: etag)
        intake.begin(document)
        do throws(Failure) { try intake.take(bytes) } catch { return .failure(error) }
        return .success(.document(document))
      case .status(let status): return .failure(.http(status: status))
      case .redirect(let target):
        do throws(Failure) { try redirects.follow(target) } catch { return .failure(error) }
      }
    }
  }
}
