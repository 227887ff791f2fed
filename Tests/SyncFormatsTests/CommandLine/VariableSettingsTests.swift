// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("variables for flags")
struct VariableSettingsTests {
  private let run = CommandDefinition(
    "run",
    flags: [
      .init("dry-run", short: "n"), .init("verbose", short: "v", isRepeating: true),
      .init("max-delete", takesValue: true, takesAnyValue: true), .init("output", short: "o", takesValue: true),
      .init("playlist", takesValue: true, isRepeating: true),
    ])

  private func settings(_ variables: [String: String], typed: String...) throws -> VariableSettings {
    let verify = CommandDefinition("verify", flags: [.init("deep"), .init("to", takesValue: true)])
    let program = CommandDefinition("syncjob", subcommands: [run, verify])
    return try VariableSettings(variables, for: run, of: { () throws(JSONError) in program }, typed: typed)
  }

  @Test(
    "yes sets a flag, and no leaves it alone",
    arguments: [
      ("1", true), ("true", true), ("yes", true), ("on", true), ("YES", true), ("0", false), ("false", false),
      ("no", false), ("off", false), ("", false),
    ])
  func switches(_ word: String, _ isSet: Bool) throws {
    #expect(try settings(["SYNCJOB_DRY_RUN": word]).arguments == (isSet ? ["--dry-run"] : []))
  }

  @Test("any other word for a flag without a value is refused, also where the flag is another command's")
  func otherWords() {
    #expect(throws: UsageProblem.badSwitch("SYNCJOB_DRY_RUN", "y")) { try settings(["SYNCJOB_DRY_RUN": "y"]) }
    #expect(throws: UsageProblem.badSwitch("SYNCJOB_DEEP", "2")) { try settings(["SYNCJOB_DEEP": "2"]) }
  }

  @Test("a value is handed on as it is, whatever it begins with")
  func values() throws {
    let settings = try settings(["SYNCJOB_MAX_DELETE": "-1", "SYNCJOB_OUTPUT": "a=b c"])
    #expect(settings.arguments == ["--max-delete=-1", "--output=a=b c"])
    #expect(settings.origins == ["--max-delete": "SYNCJOB_MAX_DELETE", "--output": "SYNCJOB_OUTPUT"])
  }

  @Test("a flag that may be repeated takes a number")
  func repeated() throws {
    #expect(try settings(["SYNCJOB_VERBOSE": "2"]).arguments == ["--verbose", "--verbose"])
    #expect(try settings(["SYNCJOB_VERBOSE": "yes"]).arguments == ["--verbose"])
    #expect(throws: UsageProblem.badSwitch("SYNCJOB_VERBOSE", "-1")) { try settings(["SYNCJOB_VERBOSE": "-1"]) }
  }

  @Test(
    "a flag that was typed counts more than its variable",
    arguments: [["--max-delete", "3"], ["--max-delete=3"]])
  func typed(_ words: [String]) throws {
    let variables = ["SYNCJOB_MAX_DELETE": "5"]
    let program = CommandDefinition("syncjob", subcommands: [run])
    func arguments(_ typed: [String]) throws -> [String] {
      try VariableSettings(variables, for: run, of: { () throws(JSONError) in program }, typed: typed).arguments
    }
    #expect(try arguments(words) == [])
    #expect(try arguments(["--"] + words) == ["--max-delete=5"])
  }

  @Test("short flags that were typed count, alone, together and with a value")
  func typedShort() throws {
    #expect(try settings(["SYNCJOB_VERBOSE": "1"], typed: "-nv").arguments == [])
    #expect(try settings(["SYNCJOB_OUTPUT": "x"], typed: "-o=y").arguments == [])
    #expect(try settings(["SYNCJOB_OUTPUT": "x"], typed: "-n").arguments == ["--output=x"])
  }

  @Test("a flag that has to be typed is refused from its variable, unless that says no or the flag is typed")
  func typedOnly() throws {
    func settings(_ value: String, typed: String...) throws -> VariableSettings {
      try VariableSettings(
        ["SYNCJOB_DRY_RUN": value, "SYNCJOB_OUTPUT": "x"], for: run, of: { () throws(JSONError) in run }, typed: typed,
        typedOnly: ["dry-run"])
    }
    #expect(throws: UsageProblem.flagOnlyTyped("SYNCJOB_DRY_RUN", flag: "--dry-run", command: "run")) {
      try settings("yes")
    }
    #expect(try settings("no").arguments == ["--output=x"])
    #expect(try settings("yes", typed: "-n").arguments == ["--output=x"])
  }

  @Test("a variable of another command's flag sets nothing")
  func others() throws { #expect(try settings(["SYNCJOB_DEEP": "1", "SYNCJOB_TO": "x"]).arguments == []) }

  @Test("a variable of no flag is refused, with the nearest one that there is")
  func unknown() {
    #expect(throws: UsageProblem.unknownVariable("SYNCJOB_MAXDELETE", nearest: "SYNCJOB_MAX_DELETE")) {
      try settings(["SYNCJOB_MAXDELETE": "5"])
    }
    #expect(throws: UsageProblem.unknownVariable("SYNCJOB_MANIFST", nearest: "SYNCJOB_MANIFEST")) {
      try settings(["SYNCJOB_MANIFST": "5"])
    }
    #expect(throws: UsageProblem.unknownVariable("SYNCJOB_FROBNICATE", nearest: nil)) {
      try settings(["SYNCJOB_FROBNICATE": "5"])
    }
  }

  @Test("the manifest, the network and hooks have variables that are not flags")
  func exceptions() throws {
    let variables = ["SYNCJOB_MANIFEST": "x", "SYNCJOB_METERED": "1", "SYNCJOB_HOOK_ITEM": "y", "HOME": "/"]
    #expect(try settings(variables).arguments == [])
    #expect(variables.allSatisfy { !VariableSettings.isSetting($0.key, $0.value) })
  }
}
