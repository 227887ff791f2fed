// SPDX-License-Identifier: Apache-2.0
import Curl
import Glibc
import SyncCore
import SyncNet
import SyncTestSupport
import Testing

@testable import SyncJob

@Suite("a code of libcurl's becomes a failure")
struct EngineFailureTests {
  private func failure(_ number: Int32) throws -> Failure {
    let isEarly = [1, 3, 5, 6, 7, 28, 35, 60, 97].contains(number)
    let error = TransferError(
      code: number, detail: "what libcurl says", at: isEarly ? .connecting(.connecting, hasProxy: false) : .body,
      received: 5, expected: 10)
    return Failure(error, url: try RemoteURL("https://a.example/x"), proxy: nil, connect: .seconds(15))
  }

  @Test("as the table has it, every one", arguments: EngineCode.all)
  func row(code: EngineCode) throws {
    guard let kind = code.meaning.kind else { return #expect(code.number == 0) }
    let failure = try failure(code.number)
    #expect(failure.kind == kind, "\(failure)")
    #expect(failure.disposition == code.meaning.disposition, "\(failure)")
  }

  @Test("the numbers of later versions are tried again", arguments: [100, 101, 9999])
  func later(number: Int32) throws {
    #expect(try failure(number) == .engine(EngineCode(number), detail: "what libcurl says"))
    #expect(try failure(number).disposition.next == .retry)
  }

  @Test("behind a proxy it is the proxy that cannot be reached, and its user is not named")
  func proxy() throws {
    let proxy = try #require(ProxyURL("http://anna:hush@proxy.example:3128"))
    let url = try RemoteURL("https://a.example/x")
    for error in [
      TransferError.couldNotConnect(errno: 111, detail: ""), .couldNotResolveProxy(detail: "connection refused"),
      .proxyFailed(detail: "connection refused"),
    ] {
      #expect(
        Failure(error, url: url, proxy: proxy, connect: .seconds(1))
          == .proxy("http://***@proxy.example:3128", detail: "connection refused"))
    }
  }

  /// Where distributions put it.
  private static let header: String? = [
    "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu", "/usr/include",
  ]
  .map { "\($0)/curl/curl.h" }.first { path in access(path, R_OK) == 0 }

  @Test("the names are those of the installed header", .enabled(if: header != nil, "no curl.h is installed"))
  func names() throws {
    let text = try FileBytes.text(try #require(Self.header))
    let enumeration = try #require(text.split(separator: "typedef enum {").first { $0.contains("CURLE_OK = 0") })
    let names = enumeration.split(separator: "\n").compactMap { line -> String? in
      let word = line.drop { $0 == " " }
      guard word.hasPrefix("CURLE_") else { return nil }
      return String(word.dropFirst("CURLE_".count).prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    // A later libcurl has more, and gives those that are out of use another name.
    let old = names.prefix(100).enumerated().filter { !$0.element.hasPrefix("OBSOLETE") }
    #expect(old.count > 80)
    for (number, name) in old { #expect(EngineCode(Int32(number)).name == name) }
  }
}
