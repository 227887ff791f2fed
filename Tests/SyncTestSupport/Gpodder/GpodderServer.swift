// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization

/// A server of episode actions on loopback, with the gpodder.net API or the one of Nextcloud's GPodder Sync. It keeps what
/// arrives twice twice, as real ones do.
///
///     let pods = try GpodderServer()
///     pods.report(.init(podcast: feed, episode: url, device: "phone", timestamp: "2026-11-20T10:00:00"))
///     pods.script(pods.path, [.status(500), .honest])
package final class GpodderServer: Sendable {
  /// An action in the form of the API.
  package struct Action: Codable, Hashable, Sendable {
    package var podcast: String
    package var episode: String
    package var device: String?
    package var action = "play"
    package var timestamp: String?
    package var started: Int?
    package var position: Int?
    package var total: Int?

    package init(
      podcast: String, episode: String, device: String? = nil, action: String = "play", timestamp: String?,
      started: Int? = nil, position: Int? = nil, total: Int? = nil
    ) {
      self.podcast = podcast
      self.episode = episode
      self.device = device
      self.action = action
      self.timestamp = timestamp
      self.started = started
      self.position = position
      self.total = total
    }
  }

  package enum API: CaseIterable, Sendable { case gpodder, nextcloud }

  private struct Content: Sendable {
    var actions: [Action] = []
    /// Episodes that the server does not take.
    var refused: Set<String> = []
    /// An episode with which the server fails.
    var upsetting: String?
    /// The devices, by name, as they were last declared.
    var devices: [String: String] = [:]
    /// The form in which the server keeps a URL. Empty for one that it does not take.
    var keptURLs: [String: String] = [:]
    /// The feeds that the user is subscribed to, in the order in which they came.
    var feeds: [String] = []
    var favourites: [String] = []
  }

  private struct Answer: Codable {
    var actions: [Action]?
    var timestamp: Int
    var updatedURLs: [[String]]?

    private enum CodingKeys: String, CodingKey {
      case actions, timestamp
      case updatedURLs = "update_urls"
    }
  }

  package static let user = "anna b"
  package static let password = "s3cret"

  /// The HTTP server, for its log and its further faults.
  package let server: FaultServer
  private let api: API
  private let content = Mutex(Content())

  package init(_ api: API = .gpodder) throws(SystemCallError) {
    self.api = api
    server = try FaultServer()
    server.handle { [weak self] request in
      guard let self else { return .status(503, headers: [], body: []) }
      let (status, body) = answer(request)
      return .status(status, headers: [HTTPHeader("Content-Type", "application/json")], body: Array(body.utf8))
    }
  }

  /// The address for a manifest.
  package var url: String { server.url(api == .gpodder ? "" : "/index.php/apps/gpoddersync") }
  /// The path of questions, without the query.
  package var path: String {
    api == .gpodder ? "/api/2/episodes/anna%20b.json" : "/index.php/apps/gpoddersync/episode_action"
  }
  /// The path to which plays are pushed.
  package var pushPath: String { api == .gpodder ? path : path + "/create" }

  package var actions: [Action] { content.withLock { $0.actions } }
  /// Adds what another device reports.
  package func report(_ actions: Action...) { content.withLock { $0.actions += actions } }
  package func refuse(_ episode: String) { _ = content.withLock { $0.refused.insert(episode) } }
  package func upset(by episode: String?) { content.withLock { $0.upsetting = episode } }
  /// The documents that declared devices, by name.
  package var devices: [String: String] { content.withLock { $0.devices } }
  /// - Parameter kept: Empty for a URL that the server does not take.
  package func keep(_ url: String, as kept: String) { content.withLock { $0.keptURLs[url] = kept } }
  /// The feeds that the user is subscribed to.
  package var feeds: [String] { content.withLock { $0.feeds } }
  /// Sets what the user is subscribed to by other devices.
  package func subscribe(to feeds: String...) { content.withLock { $0.feeds = feeds } }
  package func favour(_ episodes: String...) { content.withLock { $0.favourites = episodes } }
  package func forget() { content.withLock { $0 = Content() } }

  package func script(_ path: String, _ behaviours: [Behaviour]) { server.script(path, behaviours) }
  /// The bodies of the requests that pushed plays.
  package var pushed: [[UInt8]] { server.requests(to: pushPath).filter { $0.method == "POST" }.map(\.body) }

  private func answer(_ request: LoggedRequest) -> (Int, String) {
    let login = "Basic " + Data("\(Self.user):\(Self.password)".utf8).base64EncodedString()
    guard request.authorization == login else { return (401, #"{"detail":"Unauthorized"}"#) }
    let now = Int(Date().timeIntervalSince1970)
    switch (request.method, request.path) {
    case ("GET", path):
      let since = request.target.split(separator: "since=").dropFirst().first.flatMap { Int($0) } ?? 0
      let known = actions.filter { ($0.timestamp.flatMap(Self.seconds) ?? now) >= since }
      return (200, text(Answer(actions: known, timestamp: now)))
    case ("POST", pushPath):
      let sent: [Action]
      do { sent = try JSONDecoder().decode([Action].self, from: Data(request.body)) } catch {
        return (400, #"{"detail":"Bad Request"}"#)
      }
      return content.withLock { content in
        guard !sent.contains(where: { content.refused.contains($0.episode) }) else {
          return (422, #"{"detail":"Unprocessable"}"#)
        }
        guard !sent.contains(where: { $0.episode == content.upsetting }) else { return (500, "") }
        func kept(_ url: String) -> String { content.keptURLs[url] ?? url }
        for var action in sent where !kept(action.podcast).isEmpty && !kept(action.episode).isEmpty {
          (action.podcast, action.episode) = (kept(action.podcast), kept(action.episode))
          content.actions.append(action)
        }
        let urls = Set(sent.flatMap { [$0.podcast, $0.episode] }).filter { kept($0) != $0 }
        return (200, text(Answer(timestamp: now, updatedURLs: urls.sorted().map { [$0, kept($0)] })))
      }
    case ("POST", let place) where api == .gpodder && place.hasPrefix(Self.devicePath):
      let name = place.dropFirst(Self.devicePath.count).dropLast(".json".count)
      content.withLock { $0.devices[String(name)] = String(decoding: request.body, as: UTF8.self) }
      return (200, "")
    default: return furtherAnswer(request, at: now)
    }
  }

  private struct Subscriptions: Codable {
    var add: [String]
    var remove: [String]
    var timestamp: Int?
  }

  private struct Favourite: Codable { var url: String }

  private func furtherAnswer(_ request: LoggedRequest, at now: Int) -> (Int, String) {
    switch (api, request.method, request.path) {
    case (.nextcloud, "GET", "/index.php/apps/gpoddersync/subscriptions"):
      return (200, text(Subscriptions(add: feeds, remove: [], timestamp: now)))
    case (.gpodder, "GET", "/subscriptions/anna%20b.opml"):
      let outlines = feeds.map { #"<outline type="rss" text="\#($0.suffix(12))" xmlUrl="\#($0)"/>"# }
      return (200, #"<?xml version="1.0"?><opml version="2.0"><body>\#(outlines.joined())</body></opml>"#)
    case (.gpodder, "GET", "/api/2/favorites/anna%20b.json"):
      return (200, text(content.withLock { $0.favourites }.map { Favourite(url: $0) }))
    case (.nextcloud, "POST", "/index.php/apps/gpoddersync/subscription_change/create"),
      (.gpodder, "POST", "/api/2/subscriptions/anna%20b/car.json"):
      let sent: Subscriptions
      do { sent = try JSONDecoder().decode(Subscriptions.self, from: Data(request.body)) } catch { return (400, "{}") }
      return content.withLock { content in
        guard !sent.add.contains(where: { content.refused.contains($0) }) else { return (400, "{}") }
        func kept(_ url: String) -> String { content.keptURLs[url] ?? url }
        for feed in sent.add.map(kept) where !feed.isEmpty && !content.feeds.contains(feed) {
          content.feeds.append(feed)
        }
        content.feeds.removeAll { sent.remove.contains($0) }
        let urls = sent.add.filter { kept($0) != $0 }.map { [$0, kept($0)] }
        return (200, text(Answer(timestamp: now, updatedURLs: urls)))
      }
    default: return (404, #"{"detail":"Not Found"}"#)
    }
  }

  private static let devicePath = "/api/2/devices/anna%20b/"

  private static func seconds(_ text: String) -> Int? {
    do {
      return Int(try Date(text.hasSuffix("Z") ? text : text + "Z", strategy: .iso8601).timeIntervalSince1970)
    } catch { return nil }
  }

  private func text(_ value: some Encodable) -> String {
    do { return String(decoding: try JSONEncoder().encode(value), as: UTF8.self) } catch {
      preconditionFailure("texts and numbers have a form in JSON: \(error)")
    }
  }
}
