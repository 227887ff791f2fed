// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport

/// The command line of `syncjob-demo`.
struct Options: Equatable {
  enum Mode: Equatable { case serve, list, help }

  /// The licences that the server grants.
  struct Licenses: Equatable {
    var days = 30
    var hasContentKeys = false
    var maxDevices = 2
    /// By the id of the track.
    var refusals: [String: LicenseServer.Refusal] = [:]
  }

  /// The logins of the OAuth 2 provider.
  struct Logins: Equatable {
    var tokenSeconds = 3600
    var fault: OAuthFault?
  }

  /// The ways in which the provider misbehaves.
  enum OAuthFault: String, CaseIterable {
    /// Logins are refused.
    case deny
    /// Codes of devices are asked for too often: the first answer is `slow_down`.
    case slowDown = "slow-down"
    /// No refresh tokens are given.
    case noRefresh = "no-refresh"
    /// Refresh tokens stay as they are.
    case noRotation = "no-rotation"
    /// The answer to the second request for tokens breaks off, with the new tokens in it.
    case lostAnswer = "lost-answer"
    /// The first request for tokens is answered with 503.
    case unavailable
    /// The browser comes back with another state.
    case wrongState = "wrong-state"
    /// There is no way to log in without a browser.
    case noDevice = "no-device"
  }

  enum Problem: Error, Equatable, CustomStringConvertible {
    case unknown(String)
    case missingValue(String)
    case badSeconds(String)
    case badNumber(flag: String, ClosedRange<Int>, String)
    case badRefusal(String)
    case badFault(String)

    var description: String {
      switch self {
      case .unknown(let word): "unknown argument “\(word)”; see syncjob-demo --help"
      case .missingValue(let flag): "\(flag) needs a value"
      case .badSeconds(let text): "--for needs a number of seconds from 1 to 86400, not “\(text)”"
      case .badNumber(let flag, let range, let text):
        "\(flag) needs a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”"
      case .badFault(let text): "--login-fault needs one of \(Options.faults), not “\(text)”"
      case .badRefusal(let text): "--refuse needs ID=CODE, where CODE is \(Options.codes), not “\(text)”"
      }
    }
  }

  static let help = """
    usage: syncjob-demo [--port-file PATH] [--for SECONDS] [--license-days N] [--content-keys]
                        [--refuse ID=CODE]... [--max-devices N] [--token-seconds N] [--login-fault FAULT]
           syncjob-demo --list

    Serves generated audio, a feed, licences and a few faults on loopback. The first line of standard output names
    the origins: origin=URL slow=URL licenses=URL oauth=URL nonce=PATH. It stops on SIGTERM, on SIGINT, when a pipe at
    its standard input is closed, and after the time.

    oauth=URL is the issuer of an OAuth 2 provider for the client syncjob-demo, without a secret. Its page agrees at
    once, a device is granted at the second request for its tokens, refresh tokens rotate, and a second use of one ends
    its login. URL/club.mp3 wants a token.

      --port-file PATH   write the same line to a file, which appears whole
      --for SECONDS      live at most so long (default 600)
      --list             print path, bytes, seconds and title of every track, and exit
      --license-days N   grant licences for at most so many days (default 30)
      --content-keys     put a content key into each licence
      --refuse ID=CODE   refuse a licence for the track with that id; may be repeated. CODE is
                         \(codes)
      --max-devices N    register at most so many devices (default 2)
      --token-seconds N  let access tokens live so long (default 3600)
      --login-fault FAULT  misbehave as an OAuth 2 provider. FAULT is
                         \(faults)
    """

  private static var faults: String { OAuthFault.allCases.map(\.rawValue).joined(separator: ", ") }

  private static var codes: String {
    LicenseServer.Refusal.allCases.map(\.rawValue).joined(separator: ", ")
  }

  var mode = Mode.serve
  var portFile: String?
  var seconds = 600.0
  var licenses = Licenses()
  var logins = Logins()

  init(_ arguments: some Sequence<String>) throws(Problem) {
    var rest = Array(arguments)[...]
    while let flag = rest.popFirst() {
      switch flag {
      case "--port-file": portFile = try Self.value(of: flag, &rest)
      case "--for": seconds = try Self.seconds(try Self.value(of: flag, &rest))
      case "--license-days": licenses.days = try Self.number(of: flag, &rest, in: 1...36_500)
      case "--max-devices": licenses.maxDevices = try Self.number(of: flag, &rest, in: 0...1000)
      case "--token-seconds": logins.tokenSeconds = try Self.number(of: flag, &rest, in: 0...86_400)
      case "--login-fault":
        let text = try Self.value(of: flag, &rest)
        guard let fault = OAuthFault(rawValue: text) else { throw .badFault(text) }
        logins.fault = fault
      case "--content-keys": licenses.hasContentKeys = true
      case "--refuse":
        let (track, refusal) = try Self.refusal(try Self.value(of: flag, &rest))
        licenses.refusals[track] = refusal
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

  private static func number(
    of flag: String, _ rest: inout ArraySlice<String>, in range: ClosedRange<Int>
  ) throws(Problem) -> Int {
    let text = try value(of: flag, &rest)
    guard let number = Int(text), range.contains(number) else { throw .badNumber(flag: flag, range, text) }
    return number
  }

  /// The id may contain `=` itself, the code does not.
  private static func refusal(_ text: String) throws(Problem) -> (track: String, LicenseServer.Refusal) {
    guard let sign = text.lastIndex(of: "="), sign != text.startIndex,
      let refusal = LicenseServer.Refusal(rawValue: String(text[text.index(after: sign)...]))
    else { throw .badRefusal(text) }
    return (String(text[..<sign]), refusal)
  }
}
