// SPDX-License-Identifier: Apache-2.0
import Curl
import Glibc
package import SyncCore
package import SyncDisk
package import SyncFormats

/// The transfer engine of one run and the terms on which it is used.
package struct Network: Sendable {
  package let client: HTTPClient
  package var settings: DownloadSettings { client.settings }

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
    let reader = CredentialsReader(runner: POSIXProcessRunner(), emit: emit)
    let credentials = try await reader.credentials(of: manifest, scope: terms.scope)
    let loop: CurlLoop
    do throws(CurlLoop.Unavailable) { loop = try CurlLoop() } catch {
      switch error {
      case .noThread(let code): throw .process(.noThreads(ErrnoCode(code)))
      case .noLibcurl: throw .engineFailed(detail: "libcurl cannot be used")
      }
    }
    let settings = DownloadSettings(
      manifest, largest: library.rules.maximumFileSize, credentials: credentials, clock: terms.clock,
      userAgent: terms.userAgent)
    client = HTTPClient(
      loop: loop, settings: settings, hsts: HSTSStore(library: library).read(),
      seed: terms.seed ?? UInt64.random(in: .min ... .max), stopwatch: terms.stopwatch, emit: emit)
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

  /// Applies `downloads.bandwidth` from now on.
  package func begin() async { await client.keepBandwidth() }

  package func close() async { await client.loop.shutdown() }

  /// Saves the hosts that demand https for later runs.
  package func keepHSTS(in library: Library, at now: Timestamp) async {
    HSTSStore(library: library).write(await client.hsts, at: now)
  }
}
