// SPDX-License-Identifier: Apache-2.0

/// The flags that `SYNCJOB_*` variables set, as arguments that are parsed before the typed ones.
package struct VariableSettings: Equatable, Sendable {
  package static let prefix = "SYNCJOB_"
  /// Variables that are not flags: the manifest if none is named, and the variables that hooks are given. `--help` and
  /// `--version` are questions, not settings, and containers often have a variable for the version of a program.
  private static let exceptions: Set<String> = [
    "SYNCJOB_MANIFEST", "SYNCJOB_METERED", "SYNCJOB_HELP", "SYNCJOB_VERSION",
  ]
  private static let hookPrefix = "SYNCJOB_HOOK_"

  /// For example `--dry-run`, `--max-delete=5`.
  package var arguments: [String] = []
  /// The variable that set each flag, by the flag: `--max-delete`.
  package var origins: [String: String] = [:]

  /// True if a variable of that name stands for a flag, so that the flags have to be checked. An empty variable counts
  /// as unset.
  package static func isSetting(_ name: String, _ value: String) -> Bool {
    name.hasPrefix(prefix) && !name.hasPrefix(hookPrefix) && !exceptions.contains(name) && !value.isEmpty
  }

  /// `SYNCJOB_MAX_DELETE` for `max-delete`.
  package static func variable(of flag: String) -> String {
    prefix + flag.uppercased().replacing("-", with: "_")
  }

  /// - Parameters:
  ///   - variables: the whole environment.
  ///   - command: the command that is called.
  ///   - program: the program with all its commands; evaluated only when a variable matches no flag of `command`.
  ///   - typed: the arguments after the command's name. A flag among them overrides its variable.
  ///   - typedOnly: the flags of `command` that no variable may set.
  package init(
    _ variables: [String: String], for command: CommandDefinition,
    of program: () throws(JSONError) -> CommandDefinition,
    typed: [String], typedOnly: Set<String> = []
  ) throws {
    let settings = variables.filter { Self.isSetting($0.key, $0.value) }.sorted { $0.key < $1.key }
    var everyFlag: [CommandDefinition.Flag]?
    for (variable, value) in settings {
      if let (name, flag) = Self.flag(of: variable, among: command.flags) {
        let count = try count(flag, value, variable, typed)
        guard count > 0 else { continue }
        guard !typedOnly.contains(name) else {
          throw UsageProblem.flagOnlyTyped(variable, flag: "--\(name)", command: command.name)
        }
        set(name, flag, value, variable, count)
        continue
      }
      let flags = try everyFlag ?? program().allFlags
      everyFlag = flags
      guard let (_, flag) = Self.flag(of: variable, among: flags) else {
        throw UsageProblem.unknownVariable(variable, nearest: Self.nearest(variable, among: flags))
      }
      if !flag.takesValue { _ = try Self.count(value, flag, variable) }
    }
  }

  private static func flag(
    of variable: String, among flags: [CommandDefinition.Flag]
  ) -> (name: String, flag: CommandDefinition.Flag)? {
    for flag in flags {
      if let name = flag.long.first(where: { Self.variable(of: $0) == variable }) { return (name, flag) }
    }
    return nil
  }

  private static func nearest(_ variable: String, among flags: [CommandDefinition.Flag]) -> String? {
    let names = Set(flags.flatMap(\.long).map { $0.replacing("-", with: "_") } + ["manifest", "metered"])
    let near = NearestName.of(String(variable.dropFirst(prefix.count)), among: names.sorted())
    return near.map { prefix + $0.uppercased() }
  }

  private mutating func set(
    _ name: String, _ flag: CommandDefinition.Flag, _ value: String, _ variable: String, _ count: Int
  ) {
    arguments += Array(repeating: flag.takesValue ? "--\(name)=\(value)" : "--\(name)", count: count)
    origins["--\(name)"] = variable
  }

  /// The number of times that a variable sets its flag: zero if it says no, or if the flag is typed.
  private func count(
    _ flag: CommandDefinition.Flag, _ value: String, _ variable: String, _ typed: [String]
  ) throws -> Int {
    let count = try flag.takesValue ? 1 : Self.count(value, flag, variable)
    return Self.isTyped(flag, typed) ? 0 : count
  }

  /// The number of times that a flag without a value is set: at most once, unless it may be repeated
  /// (`SYNCJOB_VERBOSE=2`).
  private static func count(_ value: String, _ flag: CommandDefinition.Flag, _ variable: String) throws -> Int {
    if let isOn = SwitchWord.read(value) { return isOn ? 1 : 0 }
    if flag.isRepeating, let count = Int(value), (0...9).contains(count) { return count }
    throw UsageProblem.badSwitch(variable, value)
  }

  private static func isTyped(_ flag: CommandDefinition.Flag, _ typed: [String]) -> Bool {
    typed.prefix { $0 != "--" }.contains { word in
      if word.hasPrefix("--") { return flag.long.contains { word == "--\($0)" || word.hasPrefix("--\($0)=") } }
      guard word.hasPrefix("-"), let first = word.dropFirst().first else { return false }
      // `-o=FILE`; otherwise several flags may be combined: -qv.
      return flag.short.contains(first)
        || !flag.takesValue && !word.contains("=") && word.dropFirst().contains { flag.short.contains($0) }
    }
  }
}
