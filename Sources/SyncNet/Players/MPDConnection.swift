// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// A connection to MPD. Each command is answered before the next one is sent.
final class MPDConnection: Sendable {
  private let socket: PlayerSocket
  private let state: ConnectionState

  /// The bytes that were received and not yet used. An actor, because an answer arrives in parts.
  private actor ConnectionState {
    var lines = LineBuffer()
    var reader = MPDAnswerReader()

    func append(_ bytes: [UInt8]) throws(PlayerProblem) { try lines.append(bytes) }

    func next() -> MPDAnswer? {
      while let line = lines.next() {
        if let answer = reader.take(String(decoding: line, as: UTF8.self)) { return answer }
      }
      return nil
    }

    func firstLine() -> String? { lines.next().map { String(decoding: $0, as: UTF8.self) } }
  }

  private static let patience = Duration.seconds(20)
  private static let connectPatience = Duration.seconds(3)

  /// Connects, and gives the password if there is one.
  init(_ address: MPDAddress) async throws(PlayerProblem) {
    switch address.place {
    case .socket(let path): socket = try .connect(unix: path)
    case .host(let name, let port):
      socket = try await .connect(host: name, port: port, within: Self.connectPatience)
    }
    state = ConnectionState()
    let deadline = ContinuousClock.now + Self.connectPatience
    while true {
      if let greeting = await state.firstLine() {
        guard greeting.hasPrefix("OK MPD ") else { throw .notUnderstood }
        break
      }
      guard let bytes = try await socket.receive(within: deadline - .now) else { throw .notUnderstood }
      try await state.append(bytes)
    }
    guard let password = address.password else { return }
    if case .refused = try await ask("password", password.exposed) { throw .wrongPassword }
  }

  func close() { socket.shutDown() }

  /// Sends a command and returns its answer.
  func ask(_ words: String...) async throws(PlayerProblem) -> MPDAnswer { try await ask(words) }

  private func ask(_ words: [String]) async throws(PlayerProblem) -> MPDAnswer {
    guard let line = MPDCommand.line(words) else {
      return .refused(code: 0, message: "its name has a line break, which MPD cannot be told")
    }
    try socket.send(line)
    return try await answer()
  }

  /// Sends a command that must succeed.
  func perform(_ words: String...) async throws(PlayerProblem) {
    guard case .refused(_, let message) = try await ask(words) else { return }
    throw .refused(command: words.first ?? "", message: message)
  }

  /// Waits for a change of a part of MPD, for some time at most.
  func wait(for part: String, within time: Duration) async throws(PlayerProblem) {
    guard time > .zero, let idle = MPDCommand.line(["idle"] + [part]), let end = MPDCommand.line(["noidle"]) else {
      return
    }
    try socket.send(idle)
    let deadline = ContinuousClock.now + time
    while true {
      if await state.next() != nil { return }
      let rest = deadline - ContinuousClock.now
      guard rest > .zero, let bytes = try await socket.receive(within: rest) else { break }
      try await state.append(bytes)
    }
    try socket.send(end)
    _ = try await answer()
  }

  private func answer() async throws(PlayerProblem) -> MPDAnswer {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      if let answer = await state.next() { return answer }
      let rest = deadline - ContinuousClock.now
      guard rest > .zero, let bytes = try await socket.receive(within: rest) else { throw .noAnswer }
      try await state.append(bytes)
    }
  }
}
