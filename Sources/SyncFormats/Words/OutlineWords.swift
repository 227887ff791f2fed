// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The sentences of the commands that make a manifest from an OPML file.
package enum OutlineWords {
  /// The most flaws that are listed without `-v`.
  private static let listed = 10

  package static func notRead(_ path: String, _ problem: SourceProblem) -> String {
    let words = problem.words
    if case .unreadableFile = problem { return words }
    return "\(path.quoted): \(words); no manifest was written"
  }

  /// - Parameter address: the address of a feed, as it was typed.
  package static func badAddress(_ address: String, _ problem: RemoteURL.Problem) -> String {
    // A mistake in an address may be one in the password in it.
    let shown = address.contains("@") ? "the address of the feed" : address.quoted
    return "\(shown) is not a URL: \(ManifestWords.reason(problem))"
  }

  package static func notRead(_ feed: RemoteURL, _ problem: SourceProblem) -> String {
    "\(feed.redacted.quoted): \(problem.words); no manifest was written"
  }

  package static let twoOrigins = "--from-opml and --from-url both say what the manifest begins with; use one of them"

  /// The sentence about a feed whose address is not written. Nil if it is.
  package static func warning(_ manifest: StarterManifest.OfFeeds) -> String? {
    manifest.withCredentials.isEmpty ? nil : credentials(manifest.withCredentials)
  }

  package static func manifestIsURL(_ url: String) -> String {
    "\(url.quoted) is not the path of a manifest; to begin with a feed: syncjob init --from-url \(url.operandWord)"
  }

  package static func manifestExists(_ path: String) -> String {
    "\(path.quoted) exists already and was left as it is; name a new manifest, or print one with `syncjob import opml`"
  }

  /// One sentence for each thing that the manifest does not say as the OPML file does.
  /// - Parameter isVerbose: true to list everything.
  package static func warnings(
    _ path: String, _ outlines: Listing, _ manifest: StarterManifest.OfFeeds, isVerbose: Bool
  ) -> [String] {
    var words: [String] = []
    let flaws = outlines.flaws
    let shown = flaws.listed.prefix(isVerbose ? ListingFlaws.maximum : listed)
    words += shown.map { "\(path.quoted): \($0.words)" }
    let more = flaws.count - shown.count
    if more > 0 {
      words.append("\(path.quoted): and \(more) more" + (isVerbose ? "" : ": -v lists them"))
    }
    if outlines.entries.isEmpty { words.append("\(path.quoted) names no feed, so the manifest has no playlist") }
    if !manifest.withCredentials.isEmpty { words.append(credentials(manifest.withCredentials)) }
    return words
  }

  private static func credentials(_ names: [String]) -> String {
    let list = names.prefix(listed).joined(separator: ", ")
    let rest = names.count > listed ? " and \(names.count - listed) more" : ""
    let (what, which) =
      names.count == 1
      ? ("the address of 1 feed contains a credential, which is not written", "its playlist is")
      : ("the addresses of \(names.count) feeds contain credentials, which are not written", "their playlists are")
    return
      "\(what): \(list)\(rest); \(which) commented out. Put the user and a password_file under auth:, or the address"
      + " into a variable (feed: ${NAME}), and remove the #"
  }
}
