// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Sentences about a manifest: the problem, the quoted thing that has it, and the remedy.
package enum ManifestWords {
  /// The message of a command that stops because of an invalid manifest.
  package static func invalid(_ path: String, errors: Int) -> String {
    "\(path.printable) has \(errors.counted("error")); nothing was done"
  }

  /// The line below the findings that are shown.
  static func unshown(_ count: Int) -> String { "\(count) more are not shown; mend the first ones and check again" }

  static func sentence(_ fact: Finding.Fact) -> String {
    switch fact {
    case .document(let problem): sentence(problem)
    case .key(let problem): sentence(problem)
    case .value(let key, let problem): sentence(problem, of: quoted(key))
    case .rule(let problem): sentence(problem)
    }
  }

  static func sentence(_ problem: KeyProblem) -> String {
    switch problem {
    case .unknown(let key, let section, let nearest?):
      "unknown key \(quoted(key))\(within(section)): did you mean \(quoted(nearest))?"
    case .unknown(let key, let section, nil):
      "unknown key \(quoted(key))\(within(section)): remove it, or begin its name with \"x-\" to have it ignored"
    case .flattened(let key, let section):
      "unknown key \(quoted(key))\(within(section)): write each part in the mapping of the one before, as in"
        + " \(nested(key))"
    case .shortened(let key, let section, let known):
      "unknown key \(quoted(key))\(within(section)): did you mean \(alternatives(known))?"
    case .misplaced(let key, let section, let belongs):
      "unknown key \(quoted(key))\(within(section)): it is known as \(quoted(belongs)), move it there"
    case .duplicate(let key, let line):
      "the key \(quoted(key)) stands here a second time, first in line \(line): keep one of the two"
    case .missing(let key, let section):
      "the key \(quoted(key)) is required\(within(section)) and missing: add it"
    case .notYet(let key, let allowed):
      "\(quoted(key)) is not supported by this version of syncjob yet: remove it, or leave it at \(allowed)"
    }
  }

  /// `a.b` as `a: { b: … }`.
  private static func nested(_ key: String) -> String {
    let parts = key.split(separator: ".").map { String($0) }
    return parts.dropLast().map { "\($0.printable): { " }.joined() + "\((parts.last ?? "").printable): …"
      + String(repeating: " }", count: parts.count - 1)
  }

  static func sentence(_ problem: RuleProblem) -> String {
    switch problem {
    case .targetAboveTrigger:
      "eviction would free nothing: \"target\" lies above \"trigger\"; make it the smaller one"
    case .lowAboveNormal:
      "normal quality would never be taken: \"low_below\" is not below \"normal_below\"; make it the smaller one"
    case .initialBackoffAboveMax: "the first wait is longer than the longest: make \"initial\" at most \"max\""
    case .confidentAboveTolerance:
      "\"confident_within\" is wider than \"tolerance\", which decides what is taken at all: make it the smaller one"
    case .stateIsLibrary:
      "\"library.state\" is the library itself: name a directory of its own, or remove the key to have it in the library"
    case .reportInState(let key):
      "\"report.\(key)\" names a file among those that the job keeps for itself: name one outside of \"library.state\" and of"
        + " the library's \".syncjob\""
    case .sources(let playlist, let found): sourcesSentence(playlist, found)
    case .server(let problem): sentence(problem)
    case .listSync(let mistake): mistake.words
    case .selectWithoutFeed:
      "\"select\" chooses among the episodes of a feed; of \"items\" everything is wanted: remove the key, or the items"
    case .pagesWithoutFeed: "\"pages\" counts the pages of feeds, and this playlist has no feed: remove the key"
    case .minAboveMax: "nothing lies between these bounds: \"min\" is above \"max\"; swap them"
    case .shareOfNothing(let playlist):
      "the budget of the playlist \(quoted(playlist)) is a share of \"storage.budget\", which is not declared: declare it,"
        + " or write a size"
    case .shareAboveBudget(let playlist, let share, let budget):
      "the playlist \(quoted(playlist)) may take \(share.words), but \"storage.budget\" is \(budget.words): make it smaller"
    case .sharesAboveBudget(let sum, let budget):
      "the playlists' budgets are \(sum.words) together, but \"storage.budget\" is \(budget.words): make them smaller"
    case .listSource: "the list has no place: add \"path\", or write \"list: URL\" for a list from the web"
    case .outlineSource([]): "the OPML document has no place: add \"url\" or \"path\""
    case .outlineSource: "the OPML document has both \"url\" and \"path\": keep one of the two"
    case .urls([]): "the item has no URL: add \"url\", or \"urls\" by quality, or \"alternatives.search\""
    case .searchedWithoutTitle: "the item has no URL, and no title to search for: add one of the two"
    case .urls: "the item has both \"url\" and \"urls\": keep one of the two"
    case .duplicateItem(let id, let line, let isUnnamed): duplicateSentence(id, line, isUnnamed: isUnnamed)
    case .conflictingItem(let id, let playlist, let line):
      "the id \(quoted(id)) stands for another URL in the playlist \(quoted(playlist)), line \(line):"
        + " rename one of the two, or give both the same URL"
    case .halfLogin(let has, let lacks): "\(quoted(has)) is half of a login: add \(quoted(lacks)) beside it"
    case .severalLogins(let found):
      "\(found.map { quoted($0) }.joined(separator: " and ")) are more than one login: keep one"
    case .histories(let found): historiesSentence(found)
    case .notOfHistory(let key, let kind): "\(quoted(key)) means nothing for \(quoted(kind)): remove it"
    case .twoPingURLs: "report.ping takes url or url_file, not both"
    case .twoMappings:
      "\"music_directory\" and \"prefix\" both say how the player's paths lead into the library: keep one of the two"
    case .duplicateHistory(let path, let line):
      "the history \(quoted(path)) is named a second time, first in line \(line): keep one of the two"
    case .keepRulesAlone(let playlist):
      "the keep rules of \(quoted(playlist)) have no effect: there is neither a budget nor a drop rule;"
        + " to keep only the newest episodes, say \"at_most\""
    case .metricsNotRead: "node-exporter's textfile collector reads only files whose names end in \".prom\""
    case .protect(let problem): sentence(problem)
    case .oauth(let problem): sentence(problem)
    case .nothingDeclared: "no playlist is declared: there is nothing to keep in the library"
    }
  }

  private static func duplicateSentence(_ id: String, _ line: Int, isUnnamed: Bool) -> String {
    isUnnamed
      ? "the playlist names this URL twice, first in line \(line): remove one of the items, or give them ids"
        + " (both are called \(quoted(id)) after their URL)"
      : "the playlist has two items with the id \(quoted(id)), the first in line \(line): rename or remove one"
  }

  private static func sentence(_ problem: ProtectProblem) -> String {
    switch problem {
    case .noKeys: "nothing can be sealed without keys: add \"keys_file\", and make the file with: syncjob key new"
    case .severalKeysets(let found):
      "the keys are in \(found.map { quoted($0) }.joined(separator: " and ")) at once: keep one of them"
    case .partialsInLibrary:
      "\"protect.partials\" is in the library, where no media are to be in clear: name a folder elsewhere, such as one on a"
        + " tmpfs"
    case .keysInLibrary: "the keys are in the library: whoever finds it can open it. Keep them elsewhere"
    case .partialsWithoutSealing:
      "\"protect.partials\" is for media that are sealed later, and \"protect.mode\" is none: remove the key"
    }
  }

  private static func sentence(_ problem: OAuthRuleProblem) -> String {
    switch problem {
    case .noProvider:
      "nothing says where the tokens come from: add \"issuer\" or \"token_url\" for a login, or \"token_command\""
    case .severalProviders(let found):
      "the tokens come from \(found.map { quoted($0) }.joined(separator: " and ")) at once: keep one of them"
    case .beside("issuer", let found):
      "\(found.map { quoted($0) }.joined(separator: " and ")) \(found.count == 1 ? "comes" : "come") from the metadata of"
        + " \"issuer\": remove \(found.count == 1 ? "it" : "them"), or name all URLs in place of \"issuer\""
    case .beside(let key, let found):
      "\(found.map { quoted($0) }.joined(separator: " and ")) \(found.count == 1 ? "means" : "mean") nothing beside"
        + " \(quoted(key)): remove \(found.count == 1 ? "it" : "them")"
    case .noWayIn: "no login can begin: add \"authorize_url\" or \"device_authorization_url\""
    }
  }

  private static func historiesSentence(_ found: [String]) -> String {
    found.isEmpty
      ? "the history does not say where it is: add one of \(historyKinds)"
      : "the history is in \(found.map { quoted($0) }.joined(separator: " and ")) at once: make an entry for each"
  }

  private static func sentence(_ problem: ServerProblem) -> String {
    switch problem {
    case .songs(let choices, []): "the songs are not chosen: add \(alternatives(choices))"
    case .songs(_, let found):
      "the songs are chosen by \(found.map { quoted($0) }.joined(separator: " and ")): keep one of them"
    case .latestWithoutAlbums: "\"latest\" is the number of albums: it only goes with \"albums\""
    case .unknownServer(let name, let nearest):
      "\"servers\" has no \(quoted(name))" + (nearest.map { ": did you mean \(quoted($0))?" } ?? ": declare it there")
    case .noSongs(let name, let kind):
      "the server \(quoted(name)) is of type \(quoted(kind.rawValue)) and has no songs: name one of type \"subsonic\""
    case .noSubscriptions(let name, let kind):
      "the server \(quoted(name)) is of type \(quoted(kind.rawValue)) and has no subscriptions: name one of type"
        + " \"gpodder\""
    case .noSongsOfHistory(let name):
      "no playlist takes songs from \(quoted(name)), so no plays are exchanged with it"
    case .noLogin:
      "the login is missing: add \"user\" and \"password_file\", \"api_key_file\" for a key or a token, or \"oauth\""
    case .pullOfListenBrainz(let name):
      "no plays are pulled from servers of type \"listenbrainz\", as \(quoted(name)) is: remove \"direction\", or write"
        + " \"push\""
    case .keyOfAnother(let key): "\(quoted(key)) is for servers of type \"gpodder\": remove it"
    case .actionsAtNextcloud:
      "Nextcloud keeps one action of each episode, so a download would replace the position there: remove \"actions\""
    case .actionsWithoutPush: "\"actions: all\" is about what is pushed: add \"direction: push\" or \"both\""
    case .keyOfGpodder: "servers of type \"gpodder\" take a user and a password: replace the key by them"
    case .userOfListenBrainz:
      "servers of type \"listenbrainz\" take the user's token: write it into a file, and name that with \"api_key_file\""
    case .tokenWithoutUser: "servers of type \"gpodder\" also need the user: add \"user\" beside \"oauth\""
    case .authBesideServer(let server):
      "the credentials of this playlist are those of the server: remove \"auth\", or move it to \"servers.\(server)\""
    }
  }

  private static func sourcesSentence(_ playlist: String, _ found: [String]) -> String {
    guard !found.isEmpty else {
      let kinds = alternatives(["items"] + SourceKind.allCases.map(\.rawValue))
      return "the playlist \(quoted(playlist)) does not say where its items come from: add \(kinds)"
    }
    let names = found.map(quoted).joined(separator: " and ")
    return
      "the playlist \(quoted(playlist)) has more than one source, \(names): keep one, make a playlist for each other"
  }

  /// `"a", "b" or "c"`.
  private static func alternatives(_ names: [String]) -> String {
    let names = names.map(quoted)
    return names.count < 2
      ? names.joined() : "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
  }

  private static let historyKinds = (HistorySource.Kind.allCases.map(\.rawValue) + ["server"]).map(quoted)
    .joined(separator: ", ")

  private static func within(_ section: String) -> String { section.isEmpty ? "" : " in \(quoted(section))" }

  /// The text with control characters escaped, and cut when it is long.
  static func quoted(_ text: String) -> String {
    let shown = text.count > 60 ? text.prefix(60) + "…" : text[...]
    return "\"\(shown.unicodeScalars.map { VisibleScalar.text(of: $0) }.joined())\""
  }
}

extension ListSyncMistake {
  fileprivate var words: String {
    switch self {
    case .noPlaylist:
      "\"sync: both\" exchanges changes of a playlist of a server: give \"subsonic\" a \"playlist\", or remove the key"
    case .notMerged(let key): "\(key.quoted) has no effect without \"sync: both\": add that, or remove the key"
    case .conflictsOfClassic: "\"merge: classic\" has no conflicts: remove \"on_conflict\", or \"merge\""
    }
  }
}
