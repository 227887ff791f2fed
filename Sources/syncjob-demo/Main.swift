// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport

/// The origin of the demonstration: audio, a feed, licences and a few faults on loopback, for a limited time.
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
    let origin = try DemoOrigin(licenses: options.licenses, logins: options.logins)
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
