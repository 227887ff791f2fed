// SPDX-License-Identifier: Apache-2.0

/// The examples at the end of each command's help.
package enum CommandExamples {
  /// - Parameter command: as it is typed; empty for the program itself.
  /// - Returns: nil for a command without examples.
  package static func text(of command: String) -> String? {
    guard let lines = examples[command] else { return nil }
    let width = lines.map(\.call.count).max() ?? 0
    let rows = lines.map { call, note in
      "  \(call)\(String(repeating: " ", count: width - call.count))  # \(note)"
    }
    return "EXAMPLES:\n\(rows.joined(separator: "\n"))\n"
  }

  /// - Parameter command: as it is typed.
  static func calls(of command: String) -> [(call: String, note: String)] { examples[command] ?? [] }

  private static let examples: [String: [(call: String, note: String)]] = [
    "": [
      ("syncjob init car.yaml", "write a manifest to start from"),
      ("syncjob plan car.yaml", "see what a run would do"), ("syncjob car.yaml", "do it"),
    ],
    "run": [
      ("syncjob car.yaml", "fetch what is missing"), ("syncjob -q car.yaml", "from cron: silent when all is well"),
      ("syncjob -n --playlist 'news*' car.yaml", "look first, at some playlists only"),
    ],
    "plan": [
      ("syncjob plan car.yaml", "show what a run would do"),
      ("syncjob plan -o car.plan car.yaml", "and save it for apply"),
    ],
    "apply": [
      ("syncjob apply car.plan", "carry out a saved plan"),
      ("syncjob apply -n car.plan", "only see whether it still holds"),
    ],
    "explain": [("syncjob explain -m car.yaml night-drive", "why it is here, or not")],
    "status": [
      ("syncjob status car.yaml", "items, bytes and failures"),
      ("syncjob status --json car.yaml | jq .counts", "the same for a script"),
    ],
    "report": [
      ("syncjob report car.yaml", "the last ten runs, a line each"),
      ("syncjob report --format html -o car.html car.yaml", "a page for a browser"),
    ],
    "health": [("syncjob health car.yaml", "how well the transfers went")],
    "list": [
      ("syncjob list --state failed car.yaml", "which items failed"),
      ("syncjob list --json car.yaml | jq -r .id", "the ids of all items"),
    ],
    "retry": [
      ("syncjob retry --all car.yaml", "every item that failed"),
      ("syncjob retry -m car.yaml night-drive", "one item, also a removed one"),
    ],
    "cancel": [("syncjob cancel -m car.yaml night-drive", "give up an unfinished item")],
    "pause": [
      ("syncjob pause -m car.yaml night-drive", "do not fetch it for now"),
      ("syncjob pause --all car.yaml", "nor anything else that waits"),
    ],
    "resume": [("syncjob resume --all car.yaml", "fetch what was paused, from the next run on")],
    "prioritize": [
      ("syncjob prioritize -m car.yaml night-drive high", "fetch it before all others"),
      ("syncjob prioritize -m car.yaml night-drive auto", "as the manifest says"),
    ],
    "choose": [
      ("syncjob choose -m car.yaml night-drive 2", "use the second candidate that explain shows"),
      ("syncjob choose -m car.yaml night-drive auto", "leave it to the rules again"),
    ],
    "pin": [("syncjob pin -m car.yaml night-drive", "never remove it")],
    "unpin": [("syncjob unpin -m car.yaml night-drive", "allow it to be removed again")],
    "played": [
      ("syncjob played -m car.yaml night-drive", "played just now"),
      ("syncjob played -m car.yaml --at 2026-01-05 --count 3 night-drive", "three times, on that day"),
    ],
    "playlist": [
      ("syncjob playlist add -m car.yaml gym night-drive", "one more song"),
      ("syncjob playlist remove -m car.yaml gym late-show", "one less"),
    ],
    "playlist add": [
      ("syncjob playlist add -m car.yaml gym night-drive", "at the end"),
      ("syncjob playlist add -m car.yaml --at 1 gym night-drive", "in front"),
    ],
    "playlist remove": [
      ("syncjob playlist remove -m car.yaml gym night-drive", "wherever it is in it"),
      ("syncjob playlist remove -m car.yaml --at 3 gym night-drive", "the one at place 3"),
    ],
    "playlist move": [("syncjob playlist move -m car.yaml gym night-drive --to 1", "to the front")],
    "playlist create": [
      ("syncjob playlist create -m car.yaml gym night-drive", "with one song"),
      ("syncjob playlist create -m car.yaml trips --title 'Trip north'", "one of several"),
    ],
    "playlist delete": [("syncjob playlist delete -m car.yaml --yes gym", "at the next sync")],
    "sync": [
      ("syncjob sync car.yaml", "exchange the changes of playlists"),
      ("syncjob sync -n car.yaml", "see what would be exchanged"),
    ],
    "remove": [
      ("syncjob remove -m car.yaml night-drive", "into the trash"),
      ("syncjob remove -n --playlist 'news*' car.yaml", "see what would go"),
    ],
    "undo": [
      ("syncjob undo car.yaml", "restore the latest removals"),
      ("syncjob undo -n car.yaml", "see what would be restored"),
    ],
    "evict": [
      ("syncjob evict --bytes 2GiB car.yaml", "free that much"),
      ("syncjob evict -n --to 70% car.yaml", "see what would go for it"),
    ],
    "simulate": [("syncjob simulate --budget 32GB --days 60 car.yaml", "60 days on a larger stick")],
    "clean": [("syncjob clean -n car.yaml", "see what would be deleted"), ("syncjob clean car.yaml", "remove it")],
    "verify": [
      ("syncjob verify --deep car.yaml", "read and compare every file"),
      ("syncjob verify --repair car.yaml", "queue what is damaged or missing"),
    ],
    "play": [
      ("syncjob play -m car.yaml gym", "a playlist, with mpv or MPD"),
      ("syncjob play -m car.yaml --shuffle --repeat all gym", "in any order, again and again"),
      ("syncjob play -m car.yaml", "go on where it was"),
    ],
    "cat": [
      ("syncjob cat -m car.yaml night-drive | mpv -", "listen to a sealed file"),
      ("syncjob cat -m car.yaml --offset 4MiB night-drive > rest", "from the middle"),
    ],
    "decrypt": [
      ("syncjob decrypt -m car.yaml night-drive -o night.mp3", "one item"),
      ("syncjob decrypt -m car.yaml --playlist commute -o ~/commute", "a playlist, in clear"),
    ],
    "key": [
      ("syncjob key new car.yaml", "before the first run that seals"), ("syncjob key rotate car.yaml", "a new key"),
    ],
    "key new": [("syncjob key new car.yaml", "make protect.keys_file")],
    "key add": [("syncjob key add car.yaml", "a key for later")],
    "key rotate": [
      ("syncjob key rotate car.yaml", "seal with a new key"),
      ("syncjob key rotate --to 1234567 car.yaml", "with one that was added before"),
    ],
    "key list": [("syncjob key list car.yaml", "see how far a rotation has come")],
    "licenses": [("syncjob licenses car.yaml", "what is licensed, and until when")],
    "licenses list": [("syncjob licenses list --json car.yaml", "what is licensed, for programs")],
    "licenses devices": [("syncjob licenses devices car.yaml", "who holds licences")],
    "licenses register": [("syncjob licenses register car.yaml", "register this device again")],
    "licenses release": [
      ("syncjob licenses release car.yaml", "before you sell this machine"),
      ("syncjob licenses release --device 0f3b car.yaml", "another one, by the beginning of its id"),
    ],
    "login": [
      ("syncjob login -m car.yaml home", "with a browser, or a code to type"),
      ("syncjob login -m car.yaml --print-url home", "on another machine, over SSH"),
    ],
    "logout": [("syncjob logout -m car.yaml home", "end it, here and at the provider")],
    "state": [
      ("syncjob state export -o state.json car.yaml", "on one machine"),
      ("syncjob state import state.json car.yaml", "on the other"),
    ],
    "state export": [("syncjob state export -o state.json car.yaml", "write the state into a file")],
    "state import": [("syncjob state import state.json car.yaml", "take it over")],
    "import": [
      ("syncjob import opml subscriptions.opml > car.yaml", "a manifest with every feed"),
      ("syncjob import files ~/Music car.yaml", "take what you have already"),
      ("syncjob import history .scrobbler.log car.yaml", "count what a player played"),
    ],
    "import files": [
      ("syncjob import files -n ~/Music car.yaml", "see what would come from there"),
      ("syncjob import files --move ~/Music/old car.yaml", "move it into the library"),
    ],
    "import opml": [("syncjob import opml subscriptions.opml > car.yaml", "a manifest with every feed")],
    "import history": [
      ("syncjob import history .scrobbler.log car.yaml", "what a portable player played"),
      ("syncjob import history -n ~/.mpd/sticker.sql car.yaml", "see what MPD would add"),
    ],
    "export": [
      ("syncjob export m3u8 --playlist road car.yaml > road.m3u8", "a playlist of URLs"),
      ("syncjob export opml -o feeds.opml car.yaml", "the feeds, for a podcast program"),
      ("syncjob export csv car.yaml", "every item, for a spreadsheet"),
    ],
    "init": [
      ("syncjob init car.yaml", "write a manifest, mark its library"),
      ("syncjob init --from-opml subscriptions.opml car.yaml", "with the feeds of a podcast program"),
      ("syncjob init --from-url https://feeds.example.org/world.rss car.yaml", "with one feed"),
    ],
    "manual-page": [("syncjob manual-page > syncjob.1", "for man -l")],
    "schema": [("syncjob schema > syncjob.schema.json", "for an editor")],
    "validate": [
      ("syncjob validate car.yaml", "check a manifest"),
      ("syncjob validate --effective car.yaml", "print it with every default"),
    ],
  ]
}
