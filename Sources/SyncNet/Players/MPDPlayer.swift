// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// MPD, by its protocol (MPD's manual, "Protocol"). It was running before, and its queue and settings are left as they
/// were.
package actor MPDPlayer: Player {
  package nonisolated var kind: PlaySource { .mpd }

  private let connection: MPDConnection
  private let address: MPDAddress
  private let settings: PlayerSettings
  /// The folder that its paths start from. Nil if it is not known.
  private var musicDirectory: String?
  /// The settings that were changed, as they were.
  private var modes: [(command: String, value: String)] = []
  /// The tracks that it was given, by MPD's number of the song, in their order.
  private var songs: [(id: Int, number: Int)] = []
  private var currentSong: Int?
  /// True once the present song has played.
  private var isOpen = false
  private var lastError: String?
  private var isPrepared = false

  private init(_ connection: MPDConnection, _ address: MPDAddress, _ settings: PlayerSettings) {
    (self.connection, self.address, self.settings) = (connection, address, settings)
    musicDirectory = settings.musicDirectory
  }

  /// Connects to MPD.
  package static func connect(
    _ address: MPDAddress, _ settings: PlayerSettings
  ) async throws(PlayerProblem) -> MPDPlayer {
    let connection = try await MPDConnection(address)
    return MPDPlayer(connection, address, settings)
  }

  /// The order is decided here, so MPD's own is off meanwhile.
  private func prepare() async throws(PlayerProblem) {
    isPrepared = true
    guard let status = MPDStatus(try await connection.ask("status")) else { throw .notUnderstood }
    lastError = status.error
    for mode in ["repeat", "random", "single", "consume"] {
      try await change(mode, from: status.modes[mode] ?? "0", to: "0")
    }
    if settings.crossfade > .zero {
      let seconds = String((settings.crossfade.milliseconds + 500) / 1000)
      try await change("crossfade", from: status.modes["xfade"] ?? "0", to: seconds)
    }
    if settings.replayGain != .unchanged {
      let before = try await connection.ask("replay_gain_status")["replay_gain_mode"] ?? "off"
      try await change("replay_gain_mode", from: before, to: settings.replayGain.rawValue)
    }
    guard musicDirectory == nil, address.isSocket else { return }
    musicDirectory = try await connection.ask("config")["music_directory"]
  }

  private func change(_ command: String, from before: String, to value: String) async throws(PlayerProblem) {
    guard before != value else { return }
    try await connection.perform(command, value)
    modes.append((command, before))
  }

  // MARK: Commands

  package func play(_ track: PlayerTrack) async throws(PlayerProblem) -> TrackProblem? {
    if !isPrepared { try await prepare() }
    for song in songs where song.id != currentSong { await delete(song.id) }
    let before = currentSong
    songs = []
    let id: Int
    switch try await add(track) {
    case .success(let added): id = added
    case .failure(let problem):
      if let before { await delete(before) }
      currentSong = nil
      return problem
    }
    // To seek also begins to play, and nothing of the beginning is heard.
    try await connection.perform("seekid", String(id), MPDCommand.seconds(track.start))
    if let before { await delete(before) }
    (currentSong, isOpen) = (id, false)
    return nil
  }

  package func enqueue(_ track: PlayerTrack) async throws(PlayerProblem) -> TrackProblem? {
    switch try await add(track) {
    case .success: nil
    case .failure(let problem): problem
    }
  }

  private func add(_ track: PlayerTrack) async throws(PlayerProblem) -> Result<Int, TrackProblem> {
    var problem = TrackProblem.outsideMusic(track.path)
    for name in try names(of: track, &problem) {
      switch try await connection.ask("addid", name) {
      case .refused(MPDAnswer.missing, let message) where !name.hasPrefix("/") && !name.contains("://"):
        // The file is newer than MPD's database.
        try await update(name)
        let answer = try await connection.ask("addid", name)
        if let id = answer["Id"].flatMap({ Int($0) }) { return .success(noted(id, track)) }
        problem = .refused(message)
      case .refused(_, let message): problem = .refused(message)
      case .ok(let pairs):
        guard let id = pairs.first(where: { $0.name == "Id" }).flatMap({ Int($0.value) }) else { throw .notUnderstood }
        return .success(noted(id, track))
      }
    }
    return .failure(problem)
  }

  private func noted(_ id: Int, _ track: PlayerTrack) -> Int {
    songs.append((id, track.number))
    return id
  }

  /// The names under which MPD may know a track. MPD takes any path from a client on its Unix socket that may read it
  /// itself, and else only paths below its music directory.
  private func names(of track: PlayerTrack, _ problem: inout TrackProblem) throws(PlayerProblem) -> [String] {
    switch track.source {
    case .stream(let url):
      if address.isLocal { return [url] }
      problem = .sealedElsewhere(track.path)
      return []
    case .file(let path):
      if musicDirectory == nil, !address.isSocket { problem = .musicUnknown(track.path) }
      let inside = musicDirectory.flatMap { folder -> String? in
        let root = folder.hasSuffix("/") ? folder : "\(folder)/"
        return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : nil
      }
      return (address.isSocket ? [path] : []) + [inside].compactMap(\.self)
    }
  }

  /// Waits for an update of MPD's database with one file, for a few seconds at most.
  private func update(_ name: String) async throws(PlayerProblem) {
    guard case .ok = try await connection.ask("update", name) else { return }
    for _ in 0..<100 {
      guard let status = MPDStatus(try await connection.ask("status")), status.isUpdating else { return }
      // Cancelled: the file is not played.
      do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
    }
  }

  package func setPaused(_ isPaused: Bool) async throws(PlayerProblem) {
    try await connection.perform("pause", isPaused ? "1" : "0")
  }

  package func seek(by distance: Duration) async throws(PlayerProblem) {
    let amount = MPDCommand.seconds(distance < .zero ? .zero - distance : distance)
    // Beyond its end MPD refuses.
    _ = try await connection.ask("seekcur", "\(distance < .zero ? "-" : "+")\(amount)")
  }

  package func end() async {
    do throws(PlayerProblem) {
      let status = MPDStatus(try await connection.ask("status"))
      if let song = status?.song, songs.contains(where: { $0.id == song }) { try await connection.perform("stop") }
      for song in songs { await delete(song.id) }
      for mode in modes.reversed() { try await connection.perform(mode.command, mode.value) }
    } catch {
      // It has ended, and nothing is left to undo.
    }
    connection.close()
  }

  private func delete(_ song: Int) async {
    do throws(PlayerProblem) { _ = try await connection.ask("deleteid", String(song)) } catch {
      // The next command meets the same problem and reports it.
    }
  }

  // MARK: Reports

  package func report(within time: Duration) async throws(PlayerProblem) -> PlayerReport {
    try await connection.wait(for: "player", within: time)
    guard let status = MPDStatus(try await connection.ask("status")) else { throw .notUnderstood }
    let error = status.error == lastError ? nil : status.error
    lastError = status.error
    let playing = status.state == .stop ? nil : status.song
    let place = playing.flatMap { song in songs.firstIndex { $0.id == song } }
    var report = PlayerReport(current: place.map { songs[$0].number })
    if place != nil {
      (report.position, report.duration, report.isPaused) = (status.elapsed, status.duration, status.state == .pause)
    }
    let over = place ?? (error != nil || currentSong == songs.last?.id ? songs.count : endedWithCurrent)
    for song in songs.prefix(over) {
      let isHeard = song.id == currentSong && isOpen
      let ending: PlayerReport.Ending = if !isHeard, let error { .failed(error) } else { .unknown }
      report.ended.append(.init(number: song.number, ending: ending))
      await delete(song.id)
    }
    songs.removeFirst(over)
    let current = place.map { _ in songs[0].id }
    isOpen = current != nil && (isOpen && current == currentSong || status.elapsed ?? .zero > .zero)
    currentSong = current
    return report
  }

  /// The number of songs up to the present one, if MPD was stopped or plays something else.
  private var endedWithCurrent: Int { songs.firstIndex { $0.id == currentSong }.map { $0 + 1 } ?? 0 }
}
