// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("players in words")
struct PlayerWordsTests {
  private static let problems: [(PlayerProblem, String, SyncCore.ExitStatus)] = [
    (.none, "Install the package mpv, or mpd", .fatal), (.noMpv, "install the package mpv", .fatal),
    (.notStarted(.eio), "mpv cannot be started: ", .fatal),
    (.notReached("/run/mpd/socket", .enoent), "\"/run/mpd/socket\"", .fatal),
    (.unknownHost("box"), "the host \"box\" of MPD is not known", .fatal), (.notUnderstood, "something else", .fatal),
    (.noAnswer, "does not answer", .fatal), (.gone, "`syncjob play` goes on from there", .fatal),
    (.refused(command: "seekid", message: "Bad \u{1B}song"), "MPD refuses the command seekid: Bad ", .fatal),
    (.wrongPassword, "MPD_HOST", .fatal), (.badHost("x@"), "\"x@\" names no host", .usage),
    (.badPort("a"), "MPD_PORT is \"a\"", .usage), (.busy, "--queue add", .locked),
    (.nothingToPlay, "name a playlist", .usage), (.listLocked, "try again", .locked),
  ]

  @Test("every reason why there is no player", arguments: problems)
  func problem(_ problem: PlayerProblem, _ part: String, _ status: SyncCore.ExitStatus) {
    let words = JobError.player(problem).words()
    #expect(words.contains(part) && !words.hasSuffix(".") && !words.contains("\u{1B}"), "\(words)")
    #expect(JobError.player(problem).status == status)
  }

  @Test("every reason why an item is not played")
  func track() throws {
    let (id, path) = (try #require(ItemID("a")), try #require(LibraryPath("mix/a.mp3")))
    func words(_ problem: TrackProblem) -> String { problem.words(id, Invocation(manifest: "car.yaml")) }
    #expect(
      words(.media(.noFile(id, .removed))) == "not played: \"a\" has no file in the library: it is removed")
    #expect(words(.refused("loading failed")) == "\"a\" was not played: the player says \"loading failed\"")
    #expect(words(.outsideMusic(path)).contains("\"mix/a.mp3\" is not below the music directory"))
    #expect(words(.musicUnknown(path)).contains("player.music_directory"))
    #expect(words(.sealedElsewhere(path)).contains("only for a player on this machine"))
  }

  @Test("lengths are written as on a clock")
  func clock() {
    let texts = [0, 59, 60, 187, 3599, 3723].map { PlayWords.clock(.seconds($0)) }
    #expect(texts == ["0:00", "0:59", "1:00", "3:07", "59:59", "1:02:03"])
  }
}
