// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncDisk
import SyncFormats

/// The call of the program: its arguments, and the flags that variables add to them.
struct Call: Sendable {
  /// The arguments for the argument parser.
  let arguments: [String]
  /// The variable that set a flag, by the flag.
  private let origins: [String: String]

  /// The call of this process.
  static let current = Result { try Call(typed: ProgramArguments.texts(), environment: .current) }

  /// - Throws: `UsageProblem`.
  init(typed: [String], environment: ProcessEnvironment) throws {
    guard !Self.isQuestion(typed) else {
      if typed.first == "help" || typed.first?.hasPrefix("-") == false { _ = try CommandWords(typed) }
      (arguments, origins) = (typed, [:])
      return
    }
    let words = try CommandWords(typed)
    try Self.checkManifest(words)
    try Self.checkOneManifest(words)
    let settings = try Self.settings(words, environment)
    if let settings, !settings.arguments.isEmpty {
      arguments = words.names + settings.arguments + words.rest
    } else {
      arguments = typed
    }
    origins = settings?.origins ?? [:]
  }

  /// True if help, the version or a completion script is requested, and nothing else is to happen.
  static func isQuestion(_ typed: [String]) -> Bool {
    if typed.first == "help" { return true }
    let questions: Set<String> = ["-h", "--help", "--help-hidden", "--version", "--experimental-dump-help"]
    return typed.prefix { $0 != "--" }.contains {
      questions.contains($0) || $0.hasPrefix("--generate-completion-script") || $0 == "---completion"
    }
  }

  private static func settings(_ words: CommandWords, _ environment: ProcessEnvironment) throws -> VariableSettings? {
    if let name = environment.unreadable.sorted().first(where: { $0.hasPrefix(VariableSettings.prefix) }) {
      throw UsageProblem.variableNotUTF8(name)
    }
    guard environment.all.contains(where: { VariableSettings.isSetting($0.key, $0.value) }) else { return nil }
    return try VariableSettings(
      environment.all, for: words.type.definition, of: { () throws(JSONError) in try Syncjob.definition },
      typed: words.rest, typedOnly: (words.type as? any OrderedByHand.Type)?.typedFlags ?? [])
  }

  /// Rejects a command's name in place of the manifest in a run whose options come first: `--json plan`.
  private static func checkManifest(_ words: CommandWords) throws {
    guard words.count == 0, words.rest.first?.hasPrefix("-") ?? false else { return }
    let suspects = words.rest.filter { !$0.hasPrefix("-") }.contains { CommandWords.problem(manifest: $0) != nil }
    guard suspects else { return }
    let scan = ArgumentScan(words.rest, of: try words.type.definition, named: words.typed)
    guard let word = scan.positionals.first, let problem = CommandWords.problem(manifest: word) else { return }
    // A run does not take what follows the name of another command.
    if case .misplacedCommand = problem { throw problem }
    if scan.problem == nil { throw problem }
  }

  /// Rejects a second `-m` with another manifest. The argument parser would believe the last one.
  private static func checkOneManifest(_ words: CommandWords) throws {
    guard words.rest.count(where: { $0.hasPrefix("-m") || $0.hasPrefix("--manifest") }) > 1 else { return }
    let named = ArgumentScan(words.rest, of: try words.type.definition, named: words.typed).values["manifest"] ?? []
    if let first = named.first, let other = named.first(where: { $0 != first }) {
      throw UsageProblem.twoManifests(first, other)
    }
  }

  static let logFormatFlag = "--log-format"

  /// The word that is given for the format of the log. It is looked for before the arguments are parsed, so that their
  /// errors have the format, too.
  static var logFormat: String? {
    let arguments: [String]
    // The error is reported when the arguments are parsed.
    do { arguments = try current.get().arguments } catch { arguments = ProgramArguments.readable }
    var word: Substring?
    for (index, argument) in arguments.prefix(while: { $0 != "--" }).enumerated() {
      if argument == logFormatFlag { word = arguments.dropFirst(index + 1).first?[...] }
      if argument.hasPrefix("\(logFormatFlag)=") { word = argument.dropFirst(logFormatFlag.count + 1) }
    }
    return word.map(String.init)
  }

  /// The format that the variable asks for, where no argument does: a call that cannot be understood, and a command
  /// without the flag.
  static var logFormatVariable: String? { ProcessEnvironment.current["SYNCJOB_LOG_FORMAT"] }

  /// The command with its arguments, ready to run.
  /// - Throws: `UsageProblem`; `Answer`; the argument parser's own error where a completion script or the like was
  ///   requested.
  func command() throws -> any ParsableCommand {
    if isAskingForHelp { throw Answer(text: try helpText()) }
    // The argument parser would look through every option of a run first, which takes a third of the whole time.
    if arguments == ["--version"] { throw Answer(text: "\(Version.text)\n") }
    if let shell = scriptShell, let known = CompletionScript.Shell(rawValue: shell.rawValue) {
      throw Answer(text: CompletionScript.text(Syncjob.completionScript(for: shell), for: known))
    }
    // The parser takes the last letter of `-xh` for a question, even if there is no option -x.
    if arguments.contains(where: \.isBundleWithHelp), let problem = try scannedProblem { throw problem }
    do {
      let command = try parsed()
      let type = Swift.type(of: command)
      guard type.configuration.subcommands.isEmpty || type is Syncjob.Type else { throw missingSubcommand(of: type) }
      return command
    } catch {
      guard !Syncjob.exitCode(for: error).isSuccess else { throw error }
      throw try problem(error)
    }
  }

  /// Parses the arguments as those of the command that they name. The argument parser would first look through every
  /// option of `run`, which is meant when no command is named, several times.
  private func parsed() throws -> any ParsableCommand {
    guard !Self.isQuestion(arguments), case let words = try CommandWords(arguments),
      words.type.configuration.subcommands.isEmpty
    else { return try Syncjob.parseAsRoot(arguments) }
    return try words.type.parseAsRoot(words.rest)
  }

  /// The shell whose completion script is requested by name.
  private var scriptShell: CompletionShell? {
    let flag = "--generate-completion-script"
    guard let first = arguments.first, first.hasPrefix(flag) else { return nil }
    if first.hasPrefix("\(flag)=") { return CompletionShell(rawValue: String(first.dropFirst(flag.count + 1))) }
    return first == flag && arguments.count == 2 ? CompletionShell(rawValue: arguments[1]) : nil
  }

  private var isAskingForHelp: Bool {
    arguments.first == "help" || arguments.prefix { $0 != "--" }.contains { $0 == "-h" || $0 == "--help" }
  }

  /// The parser's help with a usage line that fits, and with examples below.
  private func helpText() throws -> String {
    let words = try CommandWords(arguments)
    // If no command is named, the help is the program's.
    let isOfProgram = words.count == 0 && arguments.allSatisfy { ["help", "-h", "--help"].contains($0) }
    let help = UsageLine.fitted(isOfProgram ? Syncjob.helpMessage() : Syncjob.helpMessage(for: words.type))
    return [help, CommandExamples.text(of: isOfProgram ? "" : words.typed)].compactMap(\.self)
      .joined(separator: help.hasSuffix("\n") ? "\n" : "\n\n")
  }

  private func missingSubcommand(of type: any ParsableCommand.Type) -> UsageProblem {
    .missingSubcommand(
      of: type.configuration.commandName ?? "",
      type.configuration.subcommands.compactMap { $0.configuration.commandName })
  }

  /// The argument parser's error, in the program's own words.
  private func problem(_ error: any Error) throws -> UsageProblem {
    if let problem = error as? UsageProblem { return problem }
    if let problem = try scannedProblem { return problem }
    return .parser(Syncjob.message(for: error), command: try CommandWords(arguments).typed)
  }

  private var scannedProblem: UsageProblem? {
    get throws {
      let words = try CommandWords(arguments)
      return ArgumentScan(words.rest, of: try words.type.definition, named: words.typed).problem
    }
  }

  /// The name for a flag in messages: the flag, or the variable that set it.
  static func name(of flag: String) -> String {
    guard case .success(let call) = current, let variable = call.origins[flag] else { return flag }
    return "$\(variable)"
  }

  static func isFromVariable(_ flag: String) -> Bool { name(of: flag) != flag }

  /// The origin of a limit that a flag sets.
  static func limitOrigin(_ flag: String) -> LimitOrigin { isFromVariable(flag) ? .environment : .flag }
}

/// A command some of whose flags order a removal. No variable may set those: one that is left in an environment would
/// turn another command into that order.
protocol OrderedByHand: ParsableCommand {
  /// Without dashes: `all`.
  static var typedFlags: Set<String> { get }
}

/// The help or the version that was requested.
struct Answer: Error {
  /// Ends with a newline.
  let text: String
}

/// The arguments of the process, without its own name.
enum ProgramArguments {
  static func texts() throws -> [String] {
    var texts: [String] = []
    for pointer in ProcessArguments.pointers.dropFirst() {
      guard let text = String(validatingCString: pointer) else {
        throw UsageProblem.argumentNotUTF8(EscapedBytes.text(pointer))
      }
      texts.append(text)
    }
    return texts
  }

  /// Those that are UTF-8.
  static var readable: [String] { ProcessArguments.pointers.dropFirst().compactMap { String(validatingCString: $0) } }
}

/// Bytes that are not UTF-8, in a form that a person can read.
enum EscapedBytes {
  /// ASCII as it is, every other byte as `\xE9`.
  static func text(_ pointer: UnsafePointer<CChar>) -> String {
    var result = ""
    var next = pointer
    while next.pointee != 0 {
      let byte = UInt8(bitPattern: next.pointee)
      if (0x20..<0x7F).contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
      next += 1
    }
    return result
  }
}

extension String {
  /// True for several short options in one word, `h` among them.
  fileprivate var isBundleWithHelp: Bool {
    utf8.count > 2 && hasPrefix("-") && !hasPrefix("--") && dropFirst().allSatisfy(\.isLetter) && contains("h")
  }
}
