// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncJob

/// The terminal of `play`: keys come at once and are not shown. It is restored at the end; after a kill, `reset` or
/// `stty sane` does that.
final class PlayTerminal: Sendable {
  private let before: termios
  private let reader: Task<Void, Never>

  /// Nil if standard input is not a terminal.
  init?(_ keys: PlayKeys) {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    before = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    reader = Task {
      var rest: [UInt8] = []
      while !Task.isCancelled {
        var interest = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        if poll(&interest, 1, 0) > 0 {
          var buffer = [UInt8](repeating: 0, count: 64)
          let count = read(STDIN_FILENO, &buffer, buffer.count)
          // The terminal is gone.
          guard count > 0 else { return keys.press(.quit) }
          for key in KeyReader.keys(in: rest + buffer[..<count], rest: &rest) { keys.press(key) }
        }
        // Cancelled: the loop ends.
        do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
      }
    }
  }

  func restore() {
    reader.cancel()
    var settings = before
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }
}

/// The keys in what a terminal sends (the arrows as in ECMA-48).
enum KeyReader {
  static func keys(in bytes: [UInt8], rest: inout [UInt8]) -> [PlayKey] {
    var (keys, left) = ([PlayKey](), bytes[...])
    rest = []
    while let first = left.first {
      if first == 0x1B {
        guard left.count >= 3 else {
          // The rest of the sequence follows, unless this is the key Escape.
          rest = left.count == 2 ? Array(left) : []
          return keys
        }
        switch left[left.startIndex + 2] {
        case UInt8(ascii: "C"): keys.append(.forward)
        case UInt8(ascii: "D"): keys.append(.back)
        default: break
        }
        left = left.dropFirst(3)
        continue
      }
      switch first {
      case UInt8(ascii: " "): keys.append(.pause)
      case UInt8(ascii: "n"): keys.append(.next)
      case UInt8(ascii: "p"): keys.append(.previous)
      case UInt8(ascii: "q"): keys.append(.quit)
      default: break
      }
      left = left.dropFirst()
    }
    return keys
  }
}
