// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The answer of MPD to one command (MPD's manual, "Protocol").
package enum MPDAnswer: Hashable, Sendable {
  /// Its lines, each a name and a value.
  case ok([Pair])
  case refused(code: Int, message: String)

  package struct Pair: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  /// The number of a refusal of a file that does not exist (`ACK_ERROR_NO_EXIST`).
  package static let missing = 50
  /// The number of a refusal of a password (`ACK_ERROR_PASSWORD`).
  package static let password = 3
  /// The number of a refusal for lack of a permission (`ACK_ERROR_PERMISSION`).
  package static let permission = 4

  /// The first value with that name.
  package subscript(name: String) -> String? {
    guard case .ok(let pairs) = self else { return nil }
    return pairs.first { $0.name == name }?.value
  }
}

/// Collects the lines of answers.
package struct MPDAnswerReader: Sendable {
  private var pairs: [MPDAnswer.Pair] = []

  package init() {}

  /// Takes a line without its end.
  /// - Returns: The answer that it completes, or nil.
  package mutating func take(_ line: String) -> MPDAnswer? {
    if line == "OK" || line.hasPrefix("OK MPD ") {
      defer { pairs = [] }
      return .ok(pairs)
    }
    if line.hasPrefix("ACK ") {
      pairs = []
      // ACK [error@command_listNum] {current_command} message_text
      let code = line.dropFirst(5).prefix { $0.isASCII && $0.isNumber }
      let message = line.split(separator: "}", maxSplits: 1).last.map { $0.drop { $0 == " " } } ?? ""
      return .refused(code: Int(code) ?? 0, message: String(message))
    }
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { pairs.append(.init(name: String(parts[0]), value: String(parts[1].drop { $0 == " " }))) }
    return nil
  }
}

/// Commands to MPD.
package enum MPDCommand {
  /// A command with its arguments, as a line. Nil if an argument cannot be sent: it has a line break.
  package static func line(_ words: [String]) -> [UInt8]? {
    guard let name = words.first, !words.contains(where: { $0.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 } })
    else {
      return nil
    }
    let arguments = words.dropFirst().map {
      " \"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
    return Array((name + arguments.joined() + "\n").utf8)
  }

  /// Seconds with a fraction, as commands take them.
  package static func seconds(_ duration: Duration) -> String {
    let milliseconds = max(0, duration.milliseconds)
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }
}

/// The state that MPD's `status` tells.
package struct MPDStatus: Hashable, Sendable {
  package enum State: String, Sendable {
    case play, pause, stop
  }

  package var state: State
  package var song: Int?
  package var elapsed: Duration?
  package var duration: Duration?
  package var error: String?
  package var isUpdating: Bool
  /// The settings of the player that `play` changes for a while.
  package var modes: [String: String]

  private static let modeNames: Set<String> = ["repeat", "random", "single", "consume", "xfade"]

  /// Nil for an answer without a state.
  package init?(_ answer: MPDAnswer) {
    guard case .ok(let pairs) = answer, let state = answer["state"].flatMap(State.init) else { return nil }
    self.state = state
    song = answer["songid"].flatMap { Int($0) }
    elapsed = answer["elapsed"].flatMap(Self.length)
    duration = answer["duration"].flatMap(Self.length)
    error = answer["error"]
    isUpdating = answer["updating_db"] != nil
    modes = pairs.reduce(into: [:]) { modes, pair in
      if Self.modeNames.contains(pair.name) { modes[pair.name] = pair.value }
    }
  }

  private static func length(_ text: String) -> Duration? {
    guard let seconds = Double(text), seconds >= 0, seconds < 1e9 else { return nil }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }
}

/// The place where MPD listens, as `MPD_HOST` and `MPD_PORT` name it to mpc(1).
package struct MPDAddress: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// The path of a socket. An abstract one begins with `@`.
    case socket(String)
    case host(String, port: Int)
  }

  package var place: Place
  package var password: Secret?

  package static let usualPort = 6600

  /// - Parameters:
  ///   - host: `host`, `password@host`, `/path`, `password@/path`, or `@abstract`.
  package init?(_ host: String, port: Int?) {
    // An `@` at the beginning marks an abstract socket, any later one the end of a password.
    let mark = host.dropFirst().firstIndex(of: "@")
    let name = mark.map { String(host[host.index(after: $0)...]) } ?? host
    guard !name.isEmpty else { return nil }
    password = mark.map { Secret(String(host[..<$0])) }
    place =
      name.hasPrefix("/") || name.hasPrefix("@") ? .socket(name) : .host(name, port: port ?? Self.usualPort)
  }

  package init(_ place: Place) { (self.place, password) = (place, nil) }

  /// The host of another machine cannot read from a server on this one.
  package var isLocal: Bool {
    switch place {
    case .socket: true
    case .host(let name, _): name == "localhost" || name == "::1" || name.hasPrefix("127.")
    }
  }

  package var isSocket: Bool { if case .socket = place { true } else { false } }
}
