// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport

/// The origin of the demonstration: audio, a feed and a few faults on loopback, for a limited time.
@main
struct Main {
  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      switch options.mode {
      case .help: print(Options.help)
      case .list: for track in Catalogue.all { print(track.summary) }
      case .serve: try serve(options)
      }
    } catch {
      let message = Array("syncjob-demo: \(error)\n".utf8)
      write(2, message, message.count)
      exit(error is Options.Problem ? 64 : 1)
    }
  }

  private static func serve(_ options: Options) throws {
    let lifetime = try Lifetime()
    let origin = try DemoOrigin()
    print(origin.announcement)
    fflush(nil)
    if let path = options.portFile { try announce(origin.announcement + "\n", at: path) }
    lifetime.wait(seconds: options.seconds)
    origin.stop()
  }

  /// Writes the file so that it appears whole and may be read at once.
  private static func announce(_ text: String, at path: String) throws {
    let temporary = "\(path).\(getpid())"
    try FileBytes.write(text, to: temporary)
    guard rename(temporary, path) == 0 else { throw SystemCallError("rename \(path)") }
  }
}

/// The command line of `syncjob-demo`.
struct Options: Equatable {
  enum Mode: Equatable { case serve, list, help }

  enum Problem: Error, Equatable, CustomStringConvertible {
    case unknown(String)
    case missingValue(String)
    case badSeconds(String)

    var description: String {
      switch self {
      case .unknown(let word): "unknown argument “\(word)”; see syncjob-demo --help"
      case .missingValue(let flag): "\(flag) needs a value"
      case .badSeconds(let text): "--for needs a number of seconds from 1 to 86400, not “\(text)”"
      }
    }
  }

  static let help = """
    usage: syncjob-demo [--port-file PATH] [--for SECONDS] [--list]

    Serves generated audio, a feed and a few faults on loopback. The first line of standard output names the
    origins: origin=URL slow=URL nonce=PATH. It stops on SIGTERM, on SIGINT, when a pipe at its standard input is
    closed, and after the time.

      --port-file PATH   write the same line to a file, which appears whole
      --for SECONDS      live at most so long (default 600)
      --list             print path, bytes, seconds and title of every track, and exit
    """

  var mode = Mode.serve
  var portFile: String?
  var seconds = 600.0

  init(_ arguments: some Sequence<String>) throws(Problem) {
    var rest = Array(arguments)[...]
    while let flag = rest.popFirst() {
      switch flag {
      case "--port-file": portFile = try Self.value(of: flag, &rest)
      case "--for": seconds = try Self.seconds(try Self.value(of: flag, &rest))
      case "--list": mode = .list
      case "--help", "-h": mode = .help
      default: throw .unknown(flag)
      }
    }
  }

  private static func value(of flag: String, _ rest: inout ArraySlice<String>) throws(Problem) -> String {
    guard let value = rest.popFirst() else { throw .missingValue(flag) }
    return value
  }

  private static func seconds(_ text: String) throws(Problem) -> Double {
    guard let seconds = Double(text), (1...86_400).contains(seconds) else { throw .badSeconds(text) }
    return seconds
  }
}
