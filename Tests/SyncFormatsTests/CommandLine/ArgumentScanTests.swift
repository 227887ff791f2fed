// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("what is wrong with arguments")
struct ArgumentScanTests {
  private let plan = CommandDefinition(
    "plan",
    flags: [
      .init("json"), .init("quiet", short: "q"), .init("output", short: "o", takesValue: true, valueName: "file"),
      .init("max-delete", takesValue: true, takesAnyValue: true, valueName: "n"),
    ], positionals: [.init("manifest", isOptional: true)])
  private let pin = CommandDefinition("pin", positionals: [.init("items", isRepeating: true)])

  private func problem(_ arguments: String...) -> UsageProblem? {
    ArgumentScan(arguments, of: plan, named: "plan").problem
  }

  @Test("arguments that fit have no problem")
  func fitting() {
    #expect(problem("--json", "-q", "-o", "x", "--max-delete", "-1", "a.yaml") == nil)
    #expect(problem("-qo", "x", "-o=x", "--output=x", "--", "-a") == nil)
    #expect(problem("-o", "-") == nil)
    #expect(ArgumentScan(["--json", "-o", "x", "a", "--", "-b"], of: plan, named: "plan").positionals == ["a", "-b"])
  }

  @Test("an unknown option gets the nearest one")
  func unknown() {
    #expect(problem("--jsn") == .unknownFlag("--jsn", command: "plan", nearest: "--json", takesArguments: true))
    #expect(
      problem("--max_delete=3")
        == .unknownFlag("--max_delete", command: "plan", nearest: "--max-delete", takesArguments: true))
    #expect(problem("-qx") == .unknownFlag("-x", command: "plan", nearest: nil, takesArguments: true))
    #expect(problem("--shard", "1/2") == .plannedFlag("--shard"))
  }

  @Test("a value that lacks, and one that nobody wants")
  func values() {
    #expect(problem("--output") == .missingValue(flag: "--output", name: "file"))
    #expect(problem("-o", "--json") == .missingValue(flag: "-o", name: "file"))
    #expect(problem("--json=yes") == .needlessValue(flag: "--json", "yes"))
  }

  @Test("too many arguments, and too few")
  func counts() {
    #expect(problem("a", "b", "c") == .unexpectedArguments(["b", "c"], command: "plan"))
    #expect(ArgumentScan([], of: pin, named: "pin").problem == .missingArgument("items", command: "pin"))
    #expect(ArgumentScan(["a", "b"], of: pin, named: "pin").problem == nil)
  }

  @Test("the first thing that is wrong is the one that is said")
  func first() {
    #expect(problem("--json=1", "--frobnicate") == .needlessValue(flag: "--json", "1"))
  }
}
