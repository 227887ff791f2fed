// SPDX-License-Identifier: Apache-2.0
import SyncDisk
import Testing

@testable import SyncNet

@Suite("a metered network")
struct MeteredNetworkTests {
  /// Runs no program, and answers for those that it knows.
  private struct Programs: ProcessRunner {
    var answers: [String: ProcessEnd] = [:]

    func run(_ call: ProcessCall) async throws(ProcessFailure) -> ProcessEnd {
      guard let answer = answers[call.words[0]] else { throw .tookTooLong }
      return answer
    }

    func run(_ call: ProcessCall, into sink: any ProcessSink) async throws(ProcessFailure) -> ProcessEnd {
      throw .cancelled
    }
  }

  private static func end(_ text: String, _ status: Int32 = 0) -> ProcessEnd {
    ProcessEnd(.exited(status), output: Array(text.utf8))
  }

  private static let answers: [([String: ProcessEnd], Bool?)] = [
    ([:], nil), (["busctl": end("u 1\n")], true), (["busctl": end("u 3\n")], true), (["busctl": end("u 2\n")], false),
    (["busctl": end("u 4\n")], false), (["busctl": end("u 0\n")], nil), (["busctl": end("", 1)], nil),
    (["busctl": end("", 1), "nmcli": end("yes (guessed)\n\nunknown\n")], true),
    (["nmcli": end("no (guessed)\n\nunknown\n")], false), (["nmcli": end("unknown\n")], nil),
    (["nmcli": end("no\n", 8)], nil), (["busctl": end("nonsense")], nil),
  ]

  @Test("is what NetworkManager says, also if it guesses; nobody knows without it", arguments: answers)
  func asked(_ answers: [String: ProcessEnd], _ isMetered: Bool?) async {
    #expect(await MeteredNetwork(Programs(answers: answers)).isMetered() == isMetered)
  }
}
