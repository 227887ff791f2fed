// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("words about values of options")
struct OptionWordsTests {
  @Test(
    "a message names the flag, or the variable that set it, and the value",
    arguments: [
      (
        OptionWords.bothWantStdout(events: "$SYNCJOB_EVENTS", json: "--json"),
        "$SYNCJOB_EVENTS - and --json both want stdout; write one of them to a file"
      ),
      (OptionWords.badScore("$SYNCJOB_SCORE", "x"), "$SYNCJOB_SCORE takes balanced, classic or oldest, not \"x\""),
      (OptionWords.noBudgetToSimulate, "the manifest sets no storage.budget: give one with --budget 32GB"),
      (OptionWords.stdinNeedsFormat, "reading from stdin needs --format"),
      (
        OptionWords.badFormat("--format", "listen"),
        "--format takes one of scrobbler_log, listens, mpd_stickers, mpdcron, not \"listen\"; did you mean \"listens\"?"
      ),
      (
        OptionWords.badZone("$SYNCJOB_TIMEZONE", "Mars"),
        "$SYNCJOB_TIMEZONE takes a name such as Europe/Berlin or an offset such as +02:00, not \"Mars\""
      ),
      (
        OptionWords.twoMappings("$SYNCJOB_MUSIC_DIRECTORY", "--prefix"),
        "$SYNCJOB_MUSIC_DIRECTORY and --prefix say the same in two ways: give one of them"
      ),
      (OptionWords.badMusicDirectory("--music-directory", "m"), "--music-directory takes an absolute path, not \"m\""),
      (
        OptionWords.badPrefix("--prefix", "/m"),
        "--prefix takes a folder as the player knows it, such as stick, not \"/m\""
      ),
    ])
  func sentences(_ sentence: String, _ expected: String) { #expect(sentence == expected) }
}
