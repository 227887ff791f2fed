// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncTestSupport
import Testing

@Suite("the policy, case by case")
struct PolicyCaseTests {
  static let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Cases"

  static let all: [PolicyCase] = {
    // Without them there are no sixty, and that fails.
    let names = (try? FileTree.names(folder)) ?? []
    return names.filter { $0.hasSuffix(".txt") }.sorted().compactMap { name in
      (try? FileBytes.text("\(folder)/\(name)")).map { PolicyCase(name: String(name.dropLast(4)), text: $0) }
    }
  }()

  @Test("there are at least sixty")
  func count() { #expect(Self.all.count >= 60) }

  @Test("the plan is as written", arguments: all)
  func plan(_ row: PolicyCase) throws {
    let plan = try row.library().plan()
    #expect(plan.picture == row.expected, "\(row.rule)")
    try Self.suggest(row.text(expecting: plan.picture), for: row, where: plan.picture != row.expected)
  }

  @Test("what was carried out leaves nothing to do", arguments: all)
  func settles(_ row: PolicyCase) throws {
    var library = try row.library()
    let first = library.plan()
    guard first.safetyStop == nil else { return #expect(first.hasPendingChanges) }
    library.carryOut(first)
    let second = library.plan()
    #expect(!second.hasPendingChanges, "\(second.picture)")
    #expect(second.storage.before == first.storage.after)
    if let budget = library.manifest.storage.budget, !first.warnings.contains(where: \.isOfBudget) {
      #expect(first.storage.after <= budget)
    }
  }

  /// With `SYNCJOB_POLICY_CASES=FOLDER` the files as they would be right are written there, to be compared and judged.
  private static func suggest(_ text: String, for row: PolicyCase, where isWrong: Bool) throws {
    guard isWrong, let folder = Command.variable("SYNCJOB_POLICY_CASES") else { return }
    try FileBytes.write(text, to: "\(folder)/\(row.name).txt")
  }
}

extension Warning {
  /// The budget cannot be kept, and that is said.
  fileprivate var isOfBudget: Bool {
    switch self {
    case .pinsOverBudget, .protectedOverBudget, .overBudget, .playlistOverBudget, .pinsOverShare: true
    default: false
    }
  }
}
