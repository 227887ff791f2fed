// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Episode actions in the JSON of the gpodder.net API, version 2
/// (https://gpoddernet.readthedocs.io/en/latest/api/reference/events.html).
package enum EpisodeActions {
  /// About 300,000 actions.
  package static let maximumSize = ByteCount(64 << 20)

  /// The actions in an answer.
  package struct Answer: Equatable, Sendable {
    package var actions: [EpisodeAction] = []
    /// The server's time, for the next question.
    package var timestamp: Timestamp?
    /// The number of elements that are no action, or whose time is unknown.
    package var passedOver = 0
  }

  /// Nil for a document that is not such an answer. Bytes and escapes that are not text are replaced, so that one device
  /// cannot hide the actions of the others.
  package static func read(_ bytes: [UInt8]) -> Answer? { readOnce(bytes) ?? readOnce(mended(bytes)) }

  /// The URLs that the server keeps in another form, in the answer to pushed actions or subscriptions. Nil for a document
  /// that is not such an answer: it is a JSON object.
  package static func changes(in bytes: [UInt8]) -> [URLChange]? {
    do throws(JSONError) {
      let answer = try JSONValue(parsing: bytes)
      guard case .object = answer else { return nil }
      return (answer["update_urls"]?.array ?? []).compactMap { pair in
        guard let pair = pair.array, pair.count == 2, let sent = pair[0].string else { return nil }
        let kept = pair[1].string.flatMap { $0.isEmpty ? nil : $0 }
        return sent == kept ? nil : URLChange(sent: sent, kept: kept)
      }
    } catch { return nil }
  }

  /// The bytes with a replacement character for what is not UTF-8 and for halves of surrogate pairs, and with blanks for
  /// control characters.
  private static func mended(_ bytes: [UInt8]) -> [UInt8] {
    var text = Array(String(decoding: bytes, as: UTF8.self).utf8)
    for index in text.indices where text[index] < 0x20 { text[index] = 0x20 }
    var (result, index): ([UInt8], Int) = ([], 0)
    while index < text.count {
      guard text[index] == UInt8(ascii: "\\") else {
        result.append(text[index])
        index += 1
        continue
      }
      let unit = surrogate(text, at: index)
      if unit == .high, surrogate(text, at: index + 6) == .low {
        result += text[index..<index + 12]
        index += 12
      } else if unit == nil {
        result += text[index..<min(index + 2, text.count)]
        index += 2
      } else {
        result += Array("\\ufffd".utf8)
        index += 6
      }
    }
    return result
  }

  private enum Surrogate { case high, low }

  /// Nil if there is no escape of half a surrogate pair.
  private static func surrogate(_ text: [UInt8], at index: Int) -> Surrogate? {
    guard index + 6 <= text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u"),
      let unit = UInt32(String(decoding: text[index + 2..<index + 6], as: UTF8.self), radix: 16)
    else { return nil }
    return (0xD800..<0xDC00).contains(unit) ? .high : (0xDC00..<0xE000).contains(unit) ? .low : nil
  }

  private static func readOnce(_ bytes: [UInt8]) -> Answer? {
    var reader = JSONReader(bytes)
    do throws(JSONError) {
      let answer = try reader.episodeActions()
      try reader.finish()
      return answer
    } catch { return nil }
  }

  /// The body of a request that pushes plays.
  package static func encode(_ actions: [EpisodeAction]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      for action in actions {
        writer.object { writer in
          writer.field("podcast", action.podcast)
          writer.field("episode", action.episode)
          writer.field("device", action.device)
          writer.field("action", action.kind.rawValue)
          // In UTC, without saying so.
          writer.field("timestamp", String(action.at.rfc3339.prefix { $0 != "Z" }))
          writer.field("started", action.started?.wholeSeconds)
          writer.field("position", action.position?.wholeSeconds)
          writer.field("total", action.total?.wholeSeconds)
        }
      }
    }
    return writer.bytes
  }
}

private enum ActionField: String, CaseIterable {
  case podcast, episode, device, action, timestamp, started, position, total
  static let keys = JSONKeys<Self>()
}

private enum ActionsField: String, CaseIterable {
  case actions, timestamp
  static let keys = JSONKeys<Self>()
}

extension JSONReader {
  /// Nil without a list of actions.
  fileprivate mutating func episodeActions() throws(JSONError) -> EpisodeActions.Answer? {
    var answer = EpisodeActions.Answer()
    var hasActions = false
    try beginObject()
    while let key = try nextKey(ActionsField.keys) {
      switch key {
      case .known(.actions):
        hasActions = true
        try beginArray()
        while try nextElement() {
          if let action = try episodeAction() { answer.actions.append(action) } else { answer.passedOver += 1 }
        }
      case .known(.timestamp): answer.timestamp = try moment()
      case .unknown: try skipValue()
      }
    }
    return hasActions ? answer : nil
  }

  /// Nil for an element that says nothing usable.
  private mutating func episodeAction() throws(JSONError) -> EpisodeAction? {
    guard try peekKind() == .object else {
      try skipValue()
      return nil
    }
    var (podcast, episode, device, kind): (String?, String?, String?, String?)
    var at: Timestamp?
    var (started, position, total): (Duration?, Duration?, Duration?)
    try beginObject()
    while let key = try nextKey(ActionField.keys) {
      switch key {
      case .known(.podcast): podcast = try text()
      case .known(.episode): episode = try text()
      case .known(.device): device = try text()
      case .known(.action): kind = try text()
      case .known(.timestamp): at = try moment()
      case .known(.started): started = try span()
      case .known(.position): position = try span()
      case .known(.total): total = try span()
      case .unknown: try skipValue()
      }
    }
    guard let podcast, let episode, let kind, let at else { return nil }
    var action = EpisodeAction(
      podcast: podcast, episode: episode, device: device,
      kind: EpisodeAction.Kind(rawValue: kind) ?? EpisodeAction.Kind(rawValue: kind.lowercased()) ?? .other, at: at)
    (action.started, action.position, action.total) = (started, position, total)
    return action
  }

  /// A text without blanks around it. Nil for anything else.
  private mutating func text() throws(JSONError) -> String? {
    guard try peekKind() == .string else {
      try skipValue()
      return nil
    }
    let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
    let text = try readString()
    let rest = text.drop { blanks.contains($0) }
    let end = rest.lastIndex { !blanks.contains($0) }
    return end.map { String(rest[...$0]) }
  }

  /// A time in RFC 3339, which is in UTC without a zone, or in seconds since 1970.
  private mutating func moment() throws(JSONError) -> Timestamp? {
    switch try peekKind() {
    case .number:
      let seconds = try readDouble()
      return abs(seconds) < 1e12 ? Timestamp(secondsSince1970: Int64(seconds)) : nil
    case .string:
      let text = try readString()
      return Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "Z")
        ?? Int64(text).map { Timestamp(secondsSince1970: $0) }
    default:
      try skipValue()
      return nil
    }
  }

  /// Seconds, of some servers as a text. Some write -1 for a number that they do not know.
  private mutating func span() throws(JSONError) -> Duration? {
    let seconds: Double
    switch try peekKind() {
    case .number: seconds = try readDouble()
    case .string: seconds = Double(try readString()) ?? -1
    default:
      try skipValue()
      return nil
    }
    return (0..<1e9).contains(seconds) ? .milliseconds(Int64((seconds * 1000).rounded())) : nil
  }
}

extension Duration {
  fileprivate var wholeSeconds: Int { Int(components.seconds) }
}
