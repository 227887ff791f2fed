// SPDX-License-Identifier: Apache-2.0
import Curl
import Glibc
package import SyncCore
package import SyncDisk
package import SyncFormats

/// The transfer engine of one run and the terms on which it is used.
///
/// The engine starts before the first request. A run that makes no request does not wait for libcurl and its thread.
package actor Network {
  package nonisolated let settings: DownloadSettings
  private let library: Library
  private let terms: Terms
  private let emit: @Sendable (RunEvent) -> Void
  /// Nil until `start`.
  private var client: HTTPClient?
  /// Nil if no request needs a token of a login.
  private var keeper: TokenKeeper?

  /// The facts about a run that its requests depend on.
  package struct Terms: Sendable {
    /// The playlists of the run. Nil for all.
    package var scope: Set<PlaylistName>?
    package var clock: any WallClock
    /// Makes the random choices of a run repeatable. Nil for other choices in each run.
    package var seed: UInt64?
    package var userAgent: String
    /// Runs since the start of the run, for its limit of time.
    package var stopwatch: Stopwatch
    /// For the commands that messages name.
    package var invocation = Invocation()

    package init(
      scope: Set<PlaylistName>?, clock: any WallClock, seed: UInt64?, userAgent: String, stopwatch: Stopwatch
    ) {
      self.scope = scope
      self.clock = clock
      self.seed = seed
      self.userAgent = userAgent
      self.stopwatch = stopwatch
    }
  }

  /// - Parameter emit: Receives warnings about the credentials.
  package init(
    _ manifest: Manifest, _ library: Library, _ terms: Terms, emit: @escaping @Sendable (RunEvent) -> Void
  ) async throws(JobError) {
    if let path = manifest.downloads.tls.caFile, access(path, R_OK) != 0 {
      throw .caFile(path: path, ErrnoCode(errno))
    }
    if let path = manifest.downloads.tls.caFile, !Self.holdsCertificate(path) { throw .caFileEmpty(path: path) }
    if manifest.downloads.proxy == .environment, case let names = ProxyEnvironment.current.unusable, !names.isEmpty {
      throw .proxyEnvironment(names: names)
    }
    let reader = CredentialsReader(
      runner: POSIXProcessRunner(), library: library, invocation: terms.invocation, emit: emit)
    settings = DownloadSettings(
      manifest, largest: library.rules.maximumFileSize,
      credentials: try await reader.credentials(of: manifest, scope: terms.scope), clock: terms.clock,
      userAgent: terms.userAgent)
    self.library = library
    self.terms = terms
    self.emit = emit
  }

  /// A hundred times the usual size.
  private static let largestCAFile = ByteCount(32 << 20)

  /// True for a plain file with a certificate in PEM (RFC 7468). OpenSSL knows three spellings of it.
  private static func holdsCertificate(_ path: String) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return false }
    do throws(FileError) {
      let text = String(decoding: try InputFile(path, limit: largestCAFile).read(), as: UTF8.self)
      return text.split(whereSeparator: \.isNewline).contains {
        $0.hasPrefix("-----BEGIN ") && $0.contains("CERTIFICATE-----")
      }
    } catch { return false }
  }

  /// Starts the engine if it does not run yet. `downloads.bandwidth` applies from now on.
  package func start() async throws(JobError) -> HTTPClient {
    if let client { return client }
    let client = HTTPClient(
      loop: try Self.loop(), settings: settings, hsts: HSTSStore(library: library).read(),
      seed: terms.seed ?? UInt64.random(in: .min ... .max), stopwatch: terms.stopwatch, emit: emit)
    self.client = client
    if !settings.accounts.isEmpty {
      let keeper = TokenKeeper(client, settings.accounts)
      self.keeper = keeper
      await client.take(keeper)
    }
    await client.keepBandwidth()
    return client
  }

  /// The time for which the answer to a renewal of tokens is awaited at the end. A run that is stopped has little more.
  private static let patience = Duration.seconds(1)

  static func loop() throws(JobError) -> CurlLoop {
    do throws(CurlLoop.Unavailable) { return try CurlLoop() } catch {
      switch error {
      case .noThread(let code): throw .process(.noThreads(ErrnoCode(code)))
      case .noLibcurl(let detail): throw .engineFailed(detail: detail)
      }
    }
  }

  /// Saves the hosts that demand https for later runs, and ends the engine if it runs.
  /// - Parameter now: Nil if nothing may be written.
  package func close(keepingHSTSAt now: Timestamp? = nil) async {
    guard let client else { return }
    await keeper?.close(within: Self.patience)
    if let now { HSTSStore(library: library).write(await client.hsts, at: now) }
    await client.loop.shutdown()
  }
}

/// The kernel's routes out of this machine.
enum Routes {
  /// Nil if the kernel cannot be asked.
  static func haveWayOut() -> Bool? {
    let v4 = table("/proc/net/route")
    let v6 = table("/proc/net/ipv6_route")
    // A kernel without IPv6 has no such table.
    guard let v4 else { return v6.map { RouteTables.haveWayOut(v4: "", v6: $0) } }
    return RouteTables.haveWayOut(v4: v4, v6: v6 ?? "")
  }

  private static func table(_ path: String) -> String? {
    do throws(FileError) { return String(decoding: try InputFile(path).read(), as: UTF8.self) } catch { return nil }
  }
}

/// Waits until this machine has a route to the outside.
package struct NetworkWait {
  private static let pause = Duration.milliseconds(500)

  private let emit: @Sendable (RunEvent) -> Void

  package init(emit: @escaping @Sendable (RunEvent) -> Void = { _ in }) { self.emit = emit }

  /// Returns when there is a route, when the time is over, or when the task is cancelled. Does not wait if the routes
  /// are unknown.
  package func run(for manifest: Manifest, upTo wait: Duration) async {
    guard wait > .zero, manifest.needsNetwork, !manifest.downloads.leadsThroughLocalHost, Routes.haveWayOut() == false
    else { return }
    emit(.awaitingNetwork(wait))
    let stopwatch = Stopwatch()
    while Routes.haveWayOut() == false, stopwatch.elapsed < wait {
      let rest = wait - stopwatch.elapsed
      do { try await Task.sleep(for: min(rest, Self.pause)) } catch { return }
    }
  }
}
