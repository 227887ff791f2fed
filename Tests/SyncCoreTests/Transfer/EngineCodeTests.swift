// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("what libcurl's codes mean")
struct EngineCodeTests {
  @Test("each of the hundred has one place, its own number and a name of its own")
  func whole() {
    #expect(EngineCode.all.map(\.number) == Array(0...99))
    #expect(Set(EngineCode.all.compactMap(\.name)).count == 100)
    #expect(EngineCode.all.allSatisfy { $0.meaning != .unknown })
  }

  /// The codes that a request over http or https can end with.
  @Test(
    "row by row",
    arguments: [
      (1, .badURL, .invalidURL, .elsewhere), (2, .noMemory, .network, .again), (3, .badURL, .invalidURL, .elsewhere),
      (4, .incapable, .network, .elsewhere), (5, .badProxy, .network, .again), (6, .unknownHost, .dns, .again),
      (7, .unconnected, .network, .again), (8, .malformed, .network, .elsewhere), (16, .broken, .network, .again),
      (18, .broken, .network, .again), (23, .broken, .network, .again), (27, .noMemory, .network, .again),
      (28, .tooSlow, .timeout, .again), (35, .noHandshake, .tls, .elsewhere), (41, .incapable, .network, .elsewhere),
      (42, .ended, .cancelled, Disposition(next: .giveUp, isTemporary: true)),
      (48, .incapable, .network, .elsewhere), (52, .broken, .network, .again), (53, .badTLS, .tls, .elsewhere),
      (54, .badTLS, .tls, .elsewhere), (55, .broken, .network, .again), (56, .broken, .network, .again),
      (58, .badTLS, .tls, .elsewhere), (59, .noHandshake, .tls, .elsewhere), (60, .untrusted, .tls, .elsewhere),
      (61, .malformed, .network, .elsewhere), (64, .noHandshake, .tls, .elsewhere), (65, .broken, .network, .again),
      (66, .badTLS, .tls, .elsewhere), (77, .badAuthorities, .tls, .elsewhere), (80, .broken, .network, .again),
      (81, .broken, .network, .again), (82, .badTLS, .tls, .elsewhere), (83, .untrusted, .tls, .elsewhere),
      (89, .broken, .network, .again), (90, .notPinned, .tls, .elsewhere), (91, .untrusted, .tls, .elsewhere),
      (92, .broken, .network, .again), (97, .badProxy, .network, .again), (98, .wantsCertificate, .tls, .elsewhere),
      (99, .broken, .network, .again),
    ] as [(Int32, EngineCode.Meaning, FailureKind, Disposition)])
  func row(number: Int32, meaning: EngineCode.Meaning, kind: FailureKind, disposition: Disposition) {
    let code = EngineCode(number)
    #expect(code.meaning == meaning)
    #expect(Failure.engine(code, detail: "").kind == kind)
    #expect(Failure.engine(code, detail: "").disposition == disposition)
  }

  @Test("OK is no failure by itself; all others are of no use here, which is no reason to ask again")
  func rest() {
    #expect(EngineCode(0).meaning.kind == nil)
    #expect(EngineCode(0).meaning.disposition == nil)
    let unexpected = EngineCode.all.filter { $0.meaning == .unexpected }
    #expect(unexpected.count == 100 - 1 - 41)
    #expect(unexpected.allSatisfy { Failure.engine($0, detail: "").disposition == .elsewhere })
  }

  @Test("a number that is not known is tried again", arguments: [-1, 100, Int32.max])
  func unknown(number: Int32) {
    #expect(EngineCode(number).meaning == .unknown)
    #expect(EngineCode(number).name == nil)
    #expect(Failure.engine(EngineCode(number), detail: "").disposition == .again)
  }
}

@Suite("what statuses mean")
struct StatusMeaningTests {
  @Test("the rows have every status once, in order")
  func rows() {
    var next = 100
    for row in StatusMeaning.rows {
      #expect(row.statuses.lowerBound == next)
      next = row.statuses.upperBound + 1
    }
    #expect(next == 1000)
  }

  @Test(
    "row by row",
    arguments: [
      (100, .interim), (103, .interim), (199, .interim), (200, .whole), (201, .unusable), (204, .unusable),
      (206, .part), (207, .unusable), (226, .unusable), (300, .final), (301, .redirect), (302, .redirect),
      (303, .redirect), (304, .unusable), (305, .final), (306, .final), (307, .redirect), (308, .redirect),
      (310, .final), (400, .final), (401, .final), (403, .final), (404, .final), (407, .final), (408, .transient),
      (409, .final), (410, .final), (416, .unsatisfiable), (421, .final), (425, .transient), (426, .final),
      (429, .pause), (431, .final), (451, .final), (499, .final), (500, .transient), (501, .final), (502, .transient),
      (503, .pause), (504, .transient), (505, .final), (506, .transient), (507, .transient), (520, .transient),
      (599, .transient), (600, .final), (999, .final), (0, .final),
    ] as [(Int, StatusMeaning)])
  func row(status: Int, meaning: StatusMeaning) { #expect(StatusMeaning(status) == meaning) }
}
