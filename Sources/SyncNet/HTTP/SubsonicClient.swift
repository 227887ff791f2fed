// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Sends requests that change something, and those around them, to a server with the Subsonic API
/// (http://www.subsonic.org/pages/api.jsp).
package struct SubsonicClient: Sendable {
  private let client: APIClient
  /// The name of the server in the manifest.
  private let name: PlaylistName
  private let url: RemoteURL
  /// The longest URL that every server takes. Longer requests go out as a form.
  private static let longestURL = 2000

  init(_ client: APIClient, _ name: PlaylistName, at url: RemoteURL) {
    (self.client, self.name, self.url) = (client, name, url)
  }

  enum Reply {
    case answer(SubsonicAnswer)
    /// The server did nothing. An error of the API has a code.
    case refused(code: Int?, HistoryProblem)
    /// The server did nothing, and would do nothing else either.
    case failed(HistoryProblem)
    /// An error of the server. It may have done what it was asked for.
    case troubled(HistoryProblem)
    case unknown(HistoryProblem)
  }

  /// - Parameter repeats: False for a request that must not arrive twice.
  func ask(_ method: String, _ parameters: [(String, String)], repeats: Bool) async -> Reply {
    let reply = await askOnce(method, parameters, repeats: repeats)
    guard case .refused(let code?, _) = reply, SubsonicAnswer.refusesToken(code) else { return reply }
    await client.usePlainLogin(at: url.origin)
    return await askOnce(method, parameters, repeats: repeats)
  }

  private func askOnce(_ method: String, _ parameters: [(String, String)], repeats: Bool) async -> Reply {
    guard let (url, form) = request(method, parameters) else {
      return .refused(code: nil, .refused(reason: HistoryProblem.longURLWords))
    }
    switch await client.ask(url, form, repeats: repeats, type: .form) {
    case .success(let answer) where answer.isSuccess:
      do throws(SourceProblem) { return .answer(try SubsonicAnswer(answer.body)) } catch {
        guard case .refused(let code, _) = error else { return .unknown(.notAnAnswer(.subsonic)) }
        let words = SubsonicAnswer.isAboutLogin(code) ? SourceProblem.server(name, error).words : error.words
        return .refused(code: code, .refused(reason: client.mask.masked(words)))
      }
    case .success(let answer):
      let problem = HistoryProblem.refused(reason: HistoryProblem.statusWords(answer.status, of: name))
      let isForAll = [401, 403].contains(answer.status) || (300..<400).contains(answer.status)
      return isForAll ? .failed(problem) : .refused(code: nil, problem)
    case .failure(let failure):
      switch client.unanswered(failure) {
      case .failed(let problem): return .failed(problem)
      case .troubled(let problem): return .troubled(problem)
      default: return .unknown(client.problem(failure))
      }
    }
  }

  /// The URL, and the form for a request that is too long for one.
  private func request(_ method: String, _ parameters: [(String, String)]) -> (RemoteURL, [UInt8]?)? {
    let all = [("f", "json")] + parameters
    if let url = SubsonicURL.request(method, all, of: self.url), url.text.utf8.count <= Self.longestURL {
      return (url, nil)
    }
    let form = parameters.map { "\($0)=\(RemoteURL.encoded($1.utf8))" }.joined(separator: "&")
    return SubsonicURL.request(method, [("f", "json")], of: self.url).map { ($0, Array(form.utf8)) }
  }
}
