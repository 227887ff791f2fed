// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDisk
import SyncFormats
import Synchronization

/// The log of this process: everything on standard error but live progress.
enum Log {
  enum Format: String, CaseIterable, Sendable { case text, json }

  private static let chosen = Mutex(Format.text)

  /// Chosen before anything is written.
  static var format: Format {
    get { chosen.withLock { $0 } }
    set { chosen.withLock { $0 = newValue } }
  }

  /// - Parameter isResult: True for a line that is a result of the command. For people it has no label.
  static func say(_ line: LogLine, isResult: Bool = false) {
    switch format {
    case .json: Terminal.standardError.write(bytes(line))
    case .text: Terminal.standardError.say((isResult ? "" : label(line)) + line.message, line.level)
    }
  }

  static func say(_ level: LogLevel, _ message: String) { say(LogLine(level, message)) }
  static func warn(_ message: String) { say(.warning, message) }

  /// The beginning of the line in a log for people.
  static func label(_ line: LogLine) -> String {
    switch line.level {
    case .error: errorLabel
    case .warning: "warning: "
    case .info, .debug: ""
    }
  }

  private static let errorLabel = "syncjob: error: "

  /// The line of a failed end as it is written.
  /// - Parameter status: Nil if it is not known yet.
  static func end(_ message: String, _ status: ExitStatus?) -> String {
    let line = status.map { LogLine(message, $0) } ?? LogLine(.error, message)
    switch format {
    case .json: return String(decoding: bytes(line), as: UTF8.self)
    case .text: return Terminal.standardError.marked("\(errorLabel)\(message)\n", line.level)
    }
  }

  private static func bytes(_ line: LogLine) -> [UInt8] {
    let bytes = line.json(at: SystemClock().now())
    return Terminal.standardError.isJournal ? Array(line.level.journalPrefix.utf8) + bytes : bytes
  }
}

extension Terminal {
  /// Writes a text for people. In a log of JSON lines it is the message of one line.
  func show(_ text: String, _ level: LogLevel) {
    guard isLog, Log.format == .json else { return write(marked(text, level)) }
    let message = text.split(separator: "\n").joined(separator: "\n")
    if !message.isEmpty { Log.say(level, message) }
  }

  /// Writes a line that a person reads; on a terminal it is broken between words.
  func say(_ line: String, _ level: LogLevel) {
    write(marked((isInteractive ? line.fitted(toColumns: size.columns) : line) + "\n", level))
  }

  /// The text with the priority of each line, where journald reads it.
  fileprivate func marked(_ text: String, _ level: LogLevel) -> String {
    guard isJournal else { return text }
    return text.split(separator: "\n").map { "\(level.journalPrefix)\($0)\n" }.joined()
  }
}
