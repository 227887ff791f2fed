// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

/// Ninety days of a player with 64 GB: tracks that are played again and again, and feeds that are played once.
struct PlayerLife {
  static let start = Timestamp(secondsSince1970: 1_800_000_000)
  static let days = 90
  static let budget = ByteCount(64_000_000_000)

  private(set) var lives: [Simulation.Life] = []
  private(set) var plays: [Simulation.Play] = []
  private var random: SeededGenerator
  private let tracks: PlaylistName

  init(seed: Int, tracks count: Int = 2000, feeds: Int = 40) throws {
    random = SeededGenerator(seed)
    tracks = try playlistName("tracks")
    for number in 0..<count { try addTrack(number) }
    for number in 0..<feeds { try addFeed(number) }
    for day in 0..<Self.days { listen(on: day) }
  }

  var manifest: Manifest {
    get throws {
      var manifest = Manifest(name: "player", library: LibrarySettings(path: "/library"))
      manifest.storage.budget = Self.budget
      let names = Set(lives.compactMap { $0.memberships.first?.playlist }).sorted()
      manifest.playlists = names.map { name in
        var playlist = Playlist(name: name, source: .items([]))
        // Half of the feeds drop played episodes.
        if name != tracks, name.text.hashedHalf { playlist.retain.dropPlayedAfter = .days(2) }
        return playlist
      }
      return manifest
    }
  }

  func simulation() -> Simulation { Simulation(lives, plays: plays, from: Self.start, days: Self.days) }

  /// A track of 15 to 45 MB. All tracks exist from the first day on. Together they nearly fill the budget.
  private mutating func addTrack(_ number: Int) throws {
    let size = ByteCount(.random(in: 15_000_000...45_000_000, using: &random))
    lives.append(
      Simulation.Life(
        item: try item("track-\(number)"), memberships: [Membership(playlist: tracks, position: number + 1)],
        size: size,
        appearedAt: Self.start - .days(1)))
  }

  /// A feed with an episode of 20 to 90 MB every day to every other week.
  private mutating func addFeed(_ number: Int) throws {
    let playlist = try playlistName("feed-\(number)")
    let size = Int64.random(in: 20_000_000...90_000_000, using: &random)
    let pace = [1, 2, 7, 7, 14].randomElement(using: &random) ?? 7
    for day in stride(from: Int.random(in: 0..<pace, using: &random), to: Self.days, by: pace) {
      var episode = try item("\(playlist)-\(day)")
      episode.published = Self.start + .days(day) - .hours(1)
      lives.append(
        Simulation.Life(
          item: episode, memberships: [Membership(playlist: playlist, position: day + 1)],
          size: ByteCount(size + .random(in: -9_000_000...9_000_000, using: &random)),
          appearedAt: Self.start + .days(day) - .hours(1)))
    }
  }

  /// Plays thirty tracks, favourites first, which slowly change, and most of the new episodes of the liked feeds.
  private mutating func listen(on day: Int) {
    let count = lives.count { $0.memberships[0].playlist == tracks }
    for turn in 0..<30 {
      let rank = Int(Double(count) * pow4(Double.random(in: 0..<1, using: &random)))
      let track = (rank + day * 3) % count
      plays.append(
        Simulation.Play(id: lives[track].item.id, at: Self.start + .days(day) + .hours(3) + .minutes(turn * 4)))
    }
    for life in lives where life.memberships[0].playlist != tracks {
      let age = Int((Self.start + .days(day) - life.appearedAt).inSeconds / 86_400)
      guard (0...6).contains(age), life.appearedAt <= Self.start + .days(day) else { continue }
      if Int.random(in: 0..<12, using: &random) == 0 {
        plays.append(Simulation.Play(id: life.item.id, at: Self.start + .days(day) + .hours(12)))
      }
    }
  }

  private func pow4(_ value: Double) -> Double { value * value * value * value }
}

extension String {
  /// The same for one text in every run.
  fileprivate var hashedHalf: Bool { utf8.reduce(0) { $0 &* 31 &+ Int($1) } % 2 == 0 }
}
