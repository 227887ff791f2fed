// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

/// The options that both commands about logins have.
struct LoginOptions: ParsableArguments {
  @Argument(
    help: "A server, a playlist, or licenses: whatever has auth.oauth in the manifest.", completion: .logins)
  var name: String
  @OptionGroup var manifest: ManifestOption
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func session() throws -> Session {
    try Session(.read(manifest.path(besides: nil)), lock: nil, clock: clock, output: output, needsSecrets: true)
  }

  /// Reports each request with -vv.
  func reporter() -> @Sendable (RunEvent) -> Void {
    let isWanted = output.verbose > 1
    return { event in if isWanted, case .asked(let step) = event { Log.say(.debug, step.words) } }
  }

  /// Prints the result, for a program or for people.
  func show(_ text: String, _ session: Session, _ members: (inout JSONWriter) -> Void) {
    guard result.json else {
      if !session.isQuiet { Terminal.standardOutput.write(text + "\n") }
      return
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-login")
      writer.field("version", 1)
      members(&writer)
    }
    writer.endLine()
    Terminal.standardOutput.write(writer.bytes)
  }
}

struct LoginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Log in at the OAuth 2 provider of a server or a playlist.",
    discussion: """
      Opens a browser, which comes back to a port of this machine. Where no browser can be opened (no BROWSER, and no \
      display or a connection over SSH), the provider is asked for a code to type on any device; if it offers none, the \
      URL is printed. The tokens are kept in a file that only you can read, and runs renew them.
      """)

  @Flag(name: .long, help: "Type a code at a page, on any device.")
  var device = false
  @Flag(
    name: .customLong("print-url"),
    help: "Open no browser; print the URL on stdout. Over SSH, paste the address at which the browser ends.")
  var printsURL = false
  @OptionGroup var options: LoginOptions

  private var way: LoginWay? {
    get throws {
      guard device, printsURL else { return device ? .device : printsURL ? .url : nil }
      throw CommandExit("--device and --print-url are two ways to log in; give one of them", .usage)
    }
  }

  func run() async throws {
    let way = try way
    let session = try options.session()
    let login = Login(session.context)
    if options.rehearsal.dryRun { return try await rehearse(login, session) }
    let printsURL = printsURL
    let (made, place, warnings) = try await session.stopping { () async throws(JobError) in
      try await login.logIn(
        options.name, way, browser: BrowserSigns(session.environment.all), emit: options.reporter()
      ) { step in
        Log.say(.info, LoginTexts.text(step))
        if printsURL, case .open(let url, _) = step { Terminal.standardOutput.write("\(url)\n") }
      }
    }
    session.emit(warnings)
    let tokens: OAuthTokens
    do throws(LoginProblem) { tokens = try made.get().tokens } catch {
      throw CommandExit("\(place.name): \(error.words(place.command))", error.isTemporary ? .temporary : .partial)
    }
    let text = LoginTexts.made(
      place.name, provider: place.provider, path: place.path, isRenewable: tokens.refresh != nil)
    options.show(text, session) { writer in
      writer.field("name", place.name)
      writer.field("provider", place.provider)
      writer.field("path", place.path)
      writer.field("renewable", tokens.refresh != nil)
      writer.field("expires_at", tokens.lifetime.map { (tokens.issuedAt + $0).rfc3339 })
    }
  }

  private func rehearse(_ login: Login, _ session: Session) async throws {
    let (place, warnings) = try await session.stopping { () async throws(JobError) in
      try await login.place(options.name)
    }
    session.emit(warnings)
    options.show(LoginTexts.wouldMake(place.name, provider: place.provider, path: place.path), session) { writer in
      writer.field("name", place.name)
      writer.field("provider", place.provider)
      writer.field("path", place.path)
      writer.field("dry_run", true)
    }
  }
}

struct LogoutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "End a login, and remove its tokens.",
    discussion: """
      The provider is told to end the login, if it has a URL for that. The tokens are removed here even if it cannot be \
      reached; the exit status is 5 then.
      """)

  @OptionGroup var options: LoginOptions

  func run() async throws {
    let session = try options.session()
    let login = Login(session.context)
    if options.rehearsal.dryRun { return try await rehearse(login, session) }
    let (ended, place, warnings) = try await session.stopping { () async throws(JobError) in
      try await login.logOut(options.name, emit: options.reporter())
    }
    session.emit(warnings)
    func show(_ text: String, isRevoked: Bool?) {
      options.show(text, session) { writer in
        writer.field("name", place.name)
        writer.field("provider", place.provider)
        writer.field("path", place.path)
        writer.field("revoked", isRevoked)
      }
    }
    switch ended {
    case .none: show(LoginTexts.nothingToEnd(place.name), isRevoked: nil)
    case .removed(let isRevoked):
      show(LoginTexts.ended(place.name, provider: place.provider, isRevoked: isRevoked), isRevoked: isRevoked)
    case .notRevoked(let problem):
      throw CommandExit(LoginTexts.notRevoked(place.name, problem, command: place.command), .temporary)
    case .failed(let problem):
      throw CommandExit(
        "\(place.name): \(problem.words(place.command))", problem.isTemporary ? .temporary : .partial)
    }
  }

  private func rehearse(_ login: Login, _ session: Session) async throws {
    let (place, warnings) = try await session.stopping { () async throws(JobError) in
      try await login.place(options.name)
    }
    session.emit(warnings)
    options.show(LoginTexts.wouldEnd(place.name, provider: place.provider, path: place.path), session) { writer in
      writer.field("name", place.name)
      writer.field("provider", place.provider)
      writer.field("path", place.path)
      writer.field("dry_run", true)
    }
  }
}
