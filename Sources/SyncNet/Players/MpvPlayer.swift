// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// mpv, by its JSON IPC (mpv(1)): one that was started here, or one that was running.
package actor MpvPlayer: Player {
  package nonisolated var kind: PlaySource { .mpv }

  private let socket: PlayerSocket
  /// Nil for an mpv that was running before.
  private let process: PlayerProcess?
  private var lines = LineBuffer()
  private var lastRequest = 0
  /// The numbers of tracks by mpv's number of the entry.
  private var tracks: [Int: Int] = [:]
  private var currentEntry: Int?
  private var isOpen = false
  private var ended: [PlayerReport.Ended] = []

  /// The time within which mpv answers. It may be opening a file on a slow disk.
  private static let patience = Duration.seconds(20)
  private static let grace = Duration.milliseconds(800)

  /// Nothing of the media is kept on a disk, and the order is decided here. Settings of the user, such as the output,
  /// hold.
  private static let options = [
    "--idle=yes", "--no-video", "--no-terminal", "--input-ipc-client=fd://0", "--gapless-audio=yes", "--keep-open=no",
    "--loop-file=no", "--loop-playlist=no", "--shuffle=no", "--resume-playback=no", "--save-position-on-quit=no",
    "--pause=no", "--start=none", "--cache-on-disk=no", "--ytdl=no",
  ]

  private init(_ socket: PlayerSocket, _ process: PlayerProcess?) { (self.socket, self.process) = (socket, process) }

  /// Starts an mpv.
  package static func start(_ settings: PlayerSettings) async throws(PlayerProblem) -> MpvPlayer {
    let process: PlayerProcess
    do throws(ProcessFailure) {
      // A proxy would not find a server on this machine.
      process = try PlayerProcess(["mpv"] + options, variables: ["no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"])
    } catch {
      guard case .notStarted(let code) = error, code != .enoent else { throw .noMpv }
      throw .notStarted(code)
    }
    let player = MpvPlayer(PlayerSocket(descriptor: process.socket), process)
    try await player.apply(settings)
    return player
  }

  /// Connects to an mpv that is running.
  package static func connect(_ path: String, _ settings: PlayerSettings) async throws(PlayerProblem) -> MpvPlayer {
    let player = MpvPlayer(try .connect(unix: path), nil)
    for (name, value) in [("idle", "yes"), ("loop-file", "no"), ("loop-playlist", "no"), ("shuffle", "no")] {
      _ = try await player.request("set_property_string", .string(name), .string(value))
    }
    _ = try await player.request("set_property", .string("pause"), .bool(false))
    try await player.apply(settings)
    return player
  }

  private func apply(_ settings: PlayerSettings) async throws(PlayerProblem) {
    let gain: String? =
      switch settings.replayGain {
      case .unchanged: nil
      case .off: "no"
      case .track, .album: settings.replayGain.rawValue
      }
    guard let gain else { return }
    _ = try await request("set_property_string", .string("replaygain"), .string(gain))
  }

  // MARK: Commands

  package func play(_ track: PlayerTrack) async throws(PlayerProblem) -> TrackProblem? {
    tracks = [:]
    return try await load(track, isNext: false)
  }

  package func enqueue(_ track: PlayerTrack) async throws(PlayerProblem) -> TrackProblem? {
    try await load(track, isNext: true)
  }

  private func load(_ track: PlayerTrack, isNext: Bool) async throws(PlayerProblem) -> TrackProblem? {
    let url =
      switch track.source {
      case .file(let path): path
      case .stream(let url): url
      }
    lastRequest += 1
    let answer = try await answer(lastRequest, MpvCommand.load(lastRequest, url, isNext: isNext, from: track.start))
    switch answer {
    case .success(let data):
      guard let entry = data?["playlist_entry_id"]?.integer.flatMap({ Int(exactly: $0) }) else { throw .notUnderstood }
      tracks[entry] = track.number
      return nil
    case .failure(let refusal): return .refused(refusal.text)
    }
  }

  package func setPaused(_ isPaused: Bool) async throws(PlayerProblem) {
    _ = try await request("set_property", .string("pause"), .bool(isPaused))
  }

  package func seek(by distance: Duration) async throws(PlayerProblem) {
    _ = try await request("seek", .double(distance.inSeconds), .string("relative"))
  }

  package func end() async {
    do throws(PlayerProblem) {
      if process != nil {
        lastRequest += 1
        try socket.send(MpvCommand.line(lastRequest, [.string("quit")]))
      } else if let currentEntry, tracks[currentEntry] != nil {
        _ = try await request("stop")
      }
    } catch {
      // It has ended already.
    }
    socket.shutDown()
    process?.end(after: Self.grace)
  }

  // MARK: Reports

  package func report(within time: Duration) async throws(PlayerProblem) -> PlayerReport {
    try await receive(within: ended.isEmpty ? time : .zero)
    var report = PlayerReport()
    if isOpen, currentEntry != nil {
      let entry = currentEntry
      let position = try await value(of: "time-pos")
      report.duration = try await value(of: "duration")
      report.isPaused = try await request("get_property", .string("pause")).value?.bool ?? false
      // The track may have changed between the answers.
      if entry == currentEntry { report.position = position } else { report.duration = nil }
    }
    report.current = currentEntry.flatMap { tracks[$0] }
    (report.ended, ended) = (ended, [])
    return report
  }

  /// Nil while mpv does not know it.
  private func value(of property: String) async throws(PlayerProblem) -> Duration? {
    guard let seconds = try await request("get_property", .string(property)).value?.double, seconds >= 0, seconds < 1e9
    else { return nil }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }

  private func take(_ message: MpvMessage) {
    switch message {
    case .started(let entry): (currentEntry, isOpen) = (entry, false)
    case .playing: isOpen = true
    case .ended(let entry, let reason, let detail):
      if currentEntry == entry { (currentEntry, isOpen) = (nil, false) }
      guard let number = tracks[entry] else { return }
      let ending: PlayerReport.Ending =
        switch reason {
        case .eof: .end
        case .error, .unknown: .failed(detail ?? reason.rawValue)
        case .redirect: .failed("it is a playlist")
        case .stop, .quit: .left
        }
      ended.append(.init(number: number, ending: ending))
    case .answer, .other: break
    }
  }

  // MARK: Messages

  private struct Refusal: Error { var text: String }

  @discardableResult
  private func request(_ name: String, _ arguments: JSONValue...) async throws(PlayerProblem) -> Result<
    JSONValue?, Refusal
  > {
    lastRequest += 1
    return try await answer(lastRequest, MpvCommand.line(lastRequest, [.string(name)] + arguments))
  }

  private func answer(_ request: Int, _ line: [UInt8]) async throws(PlayerProblem) -> Result<JSONValue?, Refusal> {
    try socket.send(line)
    let deadline = ContinuousClock.now + Self.patience
    while true {
      while let line = lines.next() {
        guard let message = MpvMessage(line) else { throw .notUnderstood }
        take(message)
        guard case .answer(request, let data, let error) = message else { continue }
        return error.map { .failure(Refusal(text: $0)) } ?? .success(data)
      }
      let rest = deadline - ContinuousClock.now
      guard rest > .zero, let bytes = try await socket.receive(within: rest) else { throw .noAnswer }
      try lines.append(bytes)
    }
  }

  private func receive(within time: Duration) async throws(PlayerProblem) {
    if let bytes = try await socket.receive(within: time) { try lines.append(bytes) }
    while let line = lines.next() {
      guard let message = MpvMessage(line) else { throw .notUnderstood }
      take(message)
    }
  }
}

extension Result where Success == JSONValue? {
  fileprivate var value: JSONValue? { if case .success(let value) = self { value } else { nil } }
}
