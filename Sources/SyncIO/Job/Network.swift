// SPDX-License-Identifier: Apache-2.0
import Curl
import Glibc
import SyncCore
import SyncFormats

/// The transfer engine of one run and the terms on which it is used.
struct Network: Sendable {
  let loop: CurlLoop
  let settings: DownloadSettings
  private let keeper: BandwidthKeeper

  /// - Parameter tell: Receives warnings about the credentials.
  init(
    _ job: Job, _ library: Library, began: ContinuousClock.Instant = .now, tell: @escaping @Sendable (RunEvent) -> Void
  ) throws(JobError) {
    let manifest = job.manifest
    if let path = manifest.downloads.tls.caFile, access(path, R_OK) != 0 {
      throw .caFile(path: path, ErrnoCode(errno))
    }
    if let path = manifest.downloads.tls.caFile, !Self.holdsCertificate(path) { throw .caFileEmpty(path: path) }
    if manifest.downloads.proxy == .environment, case let names = ProxyEnvironment.current.unusable, !names.isEmpty {
      throw .proxyEnvironment(names: names)
    }
    let credentials = try CredentialsReader(tell: tell).credentials(of: manifest, scope: job.options.scope)
    do throws(CurlLoop.Unavailable) { loop = try CurlLoop() } catch {
      switch error {
      case .noThread(let code): throw .process(.noThreads(ErrnoCode(code)))
      case .noLibcurl: throw .engineFailed(detail: "libcurl cannot be used")
      }
    }
    settings = DownloadSettings(
      manifest, largest: library.rules.maximumFileSize, credentials: credentials, hsts: HSTSStore(of: library),
      clock: job.clock,
      seed: job.options.seed ?? UInt64.random(in: .min ... .max), userAgent: job.userAgent, began: began, tell: tell)
    keeper = BandwidthKeeper(loop: loop, bandwidth: manifest.downloads.bandwidth, clock: job.clock)
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
  func begin() async { await keeper.begin() }

  func close() async { await loop.shutdown() }
}
