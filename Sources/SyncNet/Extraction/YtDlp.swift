// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
import SyncFormats

/// The program yt-dlp, which knows what is on web pages. It gets an address and no credentials, and syncjob reads what it
/// prints: a list, or the place of one file.
package actor YtDlp {
  private let runner: any ProcessRunner
  private let stall: Duration
  private let addresses: AddressPolicy
  private let variables: [String: String]
  private let mask: SecretMask
  /// Nil until the program was asked for its version.
  private var version: Result<Void, ExtractionProblem>?

  private static let largestMessage = ByteCount(64 << 10)
  private static let longestMessage = 300

  init(_ policy: DownloadPolicy, mask: SecretMask, runner: any ProcessRunner = POSIXProcessRunner()) {
    self.runner = runner
    self.mask = mask
    stall = policy.stallTimeout
    addresses = policy.addresses
    variables = Self.variables(policy.proxy)
  }

  /// The manifest's proxy, by the variables that Python's programs read, where other users of the machine cannot see
  /// them.
  private static func variables(_ proxy: ProxyPolicy) -> [String: String] {
    let names = ["http_proxy", "https_proxy", "all_proxy"]
    let text: String
    switch proxy {
    case .environment: return [:]
    case .none: text = ""
    case .url(let url): text = url.text
    }
    return names.reduce(into: [:]) { ($0[$1], $0[$1.uppercased()]) = (text, text) }
  }

  /// The results of a search, with the message about those that could not be read.
  struct Results {
    var entries: [ListingEntry]
    var missing: String?
  }

  /// The results of a search for an item. Another day's search has others, so that no failure of one is final.
  func results(_ query: YtDlpQuery, atMost count: Int) async throws(Failure) -> Results {
    let (read, failure) = try await answer(query)
    let entries = read?.listing.entries ?? []
    if let failure, entries.isEmpty {
      guard case .extraction(.unavailable(let message)) = failure, read?.failedEntries ?? 0 > 0 else { throw failure }
      return Results(entries: [], missing: message)
    }
    return Results(entries: Array(entries.prefix(count)), missing: failure?.extractionMessage)
  }

  /// The entries of a page, a list or a search.
  /// - Returns: The problem of entries that could not be read, beside the others.
  func listing(_ query: YtDlpQuery) async throws(Failure) -> (listing: Listing, problem: Failure?) {
    let (read, failure) = try await answer(query)
    guard let failure else { return (read?.listing ?? Listing(completeness: .whole), nil) }
    guard let read, !read.listing.entries.isEmpty else { throw failure }
    return (read.listing, failure)
  }

  /// Runs the program.
  /// - Returns: Its listing, nil if its output cannot be read, and the problem that it reported.
  private func answer(_ query: YtDlpQuery) async throws(Failure) -> (read: YtDlpListing?, failure: Failure?) {
    let words = YtDlpArguments(own: query.arguments, stall: stall).listing(query.text)
    let end = try await run(words, time: stall * 10, limit: YtDlpListing.maximumSize)
    // Entries that fail are null in the output, which is complete all the same, and the status is 1.
    let read = YtDlpListing(end.output)
    if end.status == .exited(0) {
      guard let read else { throw .extraction(.notUnderstood) }
      guard read.failedEntries > 0 else { return (read, nil) }
    }
    return (read, failure(end))
  }

  /// The file of a page.
  /// - Parameter isDeclared: True if the manifest names the page, which then may be in a private network.
  func media(
    of page: RemoteURL, _ extraction: Extraction, isDeclared: Bool
  ) async throws(Failure) -> YtDlpMedia {
    if !isDeclared, let address = addresses.refusal(ofUnresolved: page.host) { throw .forbiddenAddress(address) }
    let words = YtDlpArguments(own: extraction.arguments, stall: stall).media(page, format: extraction.format)
    let end = try await run(words, time: stall * 4, limit: YtDlpMedia.maximumSize)
    let result: YtDlpMedia
    do throws(ExtractionProblem) {
      guard let media = try YtDlpMedia(end.output), end.status == .exited(0) else { throw .notUnderstood }
      result = media
    } catch {
      throw end.status == .exited(0) || error == .live ? .extraction(error) : failure(end)
    }
    // Nothing is asked here of the place of a stream, so that nobody else looks at its address.
    let isOfPage = isDeclared && result.url.host == page.host
    if result.isFragmented, !isOfPage, let address = addresses.refusal(ofUnresolved: result.url.host) {
      throw .forbiddenAddress(address)
    }
    return result
  }

  /// Fetches the stream of a page, which comes in fragments, and hands its bytes on as they come.
  /// - Parameters:
  ///   - largest: The size of the largest file, which is also that of the largest fragment.
  ///   - rate: The limit of the run at this time of day.
  func stream(
    of page: RemoteURL, _ extraction: Extraction, largest: ByteCount, rate: ByteRate?, into sink: any ProcessSink
  ) async throws(Failure) {
    let words = YtDlpArguments(own: extraction.arguments, stall: stall)
      .stream(page, format: extraction.format, rate: rate)
    // It keeps each fragment in its folder until it has written it out.
    let folder: ScratchFolder
    do throws(ProcessFailure) { folder = try ScratchFolder() } catch {
      if case .notStarted(let code) = error { throw .extraction(.noFolder(code)) }
      throw .cancelled
    }
    defer { folder.remove() }
    var call = call(words, time: stall * 4, limit: .zero)
    (call.folder, call.largestFile) = (folder.path, largest)
    let end: ProcessEnd
    do throws(ProcessFailure) { end = try await runner.run(call, into: sink) } catch {
      if case .tookTooLong = error { throw .extraction(.wentSilent(after: call.time)) }
      throw Self.failure(error, call)
    }
    guard end.status == .exited(0) else { throw failure(end) }
  }

  private func failure(_ end: ProcessEnd) -> Failure {
    mask.masked(.extraction(ExtractionProblem(message: Self.message(end.errors))))
  }

  /// The last error among the lines that the program wrote.
  private static func message(_ bytes: [UInt8]) -> String {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let line = lines.last { $0.hasPrefix("ERROR:") } ?? lines.last { $0.contains { !$0.isWhitespace } } ?? ""
    let text = (line.hasPrefix("ERROR:") ? line.dropFirst(6) : line).drop(while: \.isWhitespace)
    // The program asks for reports of its own errors, which is of no use here.
    let end = text.firstRange(of: "; please report this issue on")?.lowerBound ?? text.endIndex
    let kept = text[..<end]
    return kept.count > longestMessage ? "\(kept.prefix(longestMessage))…" : String(kept)
  }

  /// The reason why the program cannot be used; nil if it can, or if the task was cancelled.
  package func problem() async -> ExtractionProblem? {
    do throws(Failure) { try await checkVersion() } catch {
      if case .extraction(let problem) = error { return problem }
    }
    return nil
  }

  private func checkVersion() async throws(Failure) {
    if version == nil {
      let result = await probe()
      // A probe that was cut off says nothing.
      if Task.isCancelled { throw .cancelled }
      version = result
    }
    do throws(ExtractionProblem) { try version?.get() } catch { throw .extraction(error) }
  }

  private func run(_ words: [String], time: Duration, limit: ByteCount) async throws(Failure) -> ProcessEnd {
    try await checkVersion()
    return try await run(call(words, time: time, limit: limit))
  }

  private func probe() async -> Result<Void, ExtractionProblem> {
    let end: ProcessEnd
    do throws(Failure) {
      end = try await run(call(YtDlpArguments.version, time: stall * 4, limit: Self.largestMessage))
    } catch {
      if case .extraction(let problem) = error { return .failure(problem) }
      return .failure(.notUnderstood)
    }
    let text = String(decoding: end.output.prefix(40), as: UTF8.self).prefix { !$0.isNewline }
    // Versions are dates, so that their texts have the order of time.
    let isDate = text.count >= 10 && text.prefix(10).utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    guard end.status == .exited(0), isDate else { return .failure(.notUnderstood) }
    return text >= ExtractionProblem.oldestVersion ? .success(()) : .failure(.tooOld(version: String(text)))
  }

  private func run(_ call: ProcessCall) async throws(Failure) -> ProcessEnd {
    do throws(ProcessFailure) { return try await runner.run(call) } catch { throw Self.failure(error, call) }
  }

  private func call(_ words: [String], time: Duration, limit: ByteCount) -> ProcessCall {
    var call = ProcessCall(words, time: time, output: limit)
    call.variables = variables
    call.errors = Self.largestMessage
    call.endsGroup = true
    return call
  }

  private static func failure(_ failure: ProcessFailure, _ call: ProcessCall) -> Failure {
    switch failure {
    case .notStarted(.enoent): .extraction(.notInstalled)
    case .notStarted(let code): .extraction(.notStarted(code))
    case .tookTooLong: .extraction(.timedOut(after: call.time))
    case .wroteTooMuch: .extraction(.tooMuchOutput(limit: call.output))
    case .cancelled: .cancelled
    }
  }
}

/// The way in which the files of a playlist are found.
struct Extraction: Equatable, Sendable {
  var format: String
  var arguments: [String] = []
}

extension Extraction {
  /// Nil for a playlist whose items are files.
  init?(_ playlist: Playlist) {
    guard let query = playlist.source.extraction, let format = playlist.extractedFormat else { return nil }
    (self.format, arguments) = (format, query.arguments)
  }
}

extension Failure {
  /// The program's own words, which are empty if it had none.
  fileprivate var extractionMessage: String {
    switch self {
    case .extraction(.failed(let message)), .extraction(.unavailable(let message)): message
    default: ""
    }
  }
}
