// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// Tells the monitor of `report.ping` how a run goes.
package struct RunPing: Sendable {
  private let context: JobContext
  private var settings: PingSettings? { context.manifest.report.ping }

  /// Monitors keep this much of a body, or more.
  private static let longest = 10_000

  package init(_ context: JobContext) { self.context = context }

  /// Performs a run between its pings.
  /// - Parameters:
  ///   - tellsStart: False for a run that ends as soon as it begins.
  ///   - warn: Called for each ping that the monitor did not get. The report that is returned has these warnings, too.
  package func around(
    tellsStart: Bool, warn: @escaping @Sendable (Warning) -> Void,
    _ run: () async throws(JobError) -> RunReport
  ) async throws(JobError) -> RunReport {
    guard let settings else { return try await run() }
    // The run does not wait for the monitor.
    let start = Task { tellsStart && settings.tellsStart ? await send(.start, "", to: settings.address) : nil }
    do throws(JobError) {
      var report = try await run()
      let style = TextStyle(
        hasColor: false, invocation: Invocation(manifest: context.options.manifestPath), limit: TextStyle.usualLimit)
      let text = ReportText(report, style: style).text
      let warnings = [await start.value, await tell(report.status, text, to: settings.address)]
      for warning in warnings.compactMap(\.self) {
        warn(warning)
        report.fold(.warned(warning))
      }
      return report
    } catch {
      let text = error.words(Invocation(manifest: context.options.manifestPath)) + "\n"
      for warning in [await start.value, await tell(error.status, text, to: settings.address)].compactMap(\.self) {
        warn(warning)
      }
      throw error
    }
  }

  private func tell(_ status: ExitStatus, _ text: String, to address: PingSettings.Address) async -> Warning? {
    await send(PingSignal(status), text, to: address, isStopped: !status.endedByItself)
  }

  /// - Parameter isStopped: True if a signal has ended the run, so that little time is left.
  private func send(
    _ signal: PingSignal, _ text: String, to address: PingSettings.Address, isStopped: Bool = false
  ) async -> Warning? {
    do throws(PingProblem) {
      let url = try Self.url(address)
      let pinger = try pinger(signal, url)
      let body = Array(text.utf8.prefix(Self.longest))
      let problem =
        isStopped
        ? await pinger.send(body, tries: 1, timeout: Pinger.timeoutAfterSignal) : await pinger.send(body)
      await pinger.close()
      return problem.map { .pingFailed(signal, $0) }
    } catch { return .pingFailed(signal, error) }
  }

  private func pinger(_ signal: PingSignal, _ url: RemoteURL) throws(PingProblem) -> Pinger {
    let target: RemoteURL
    do throws(RemoteURL.Problem) { target = try signal.url(url) } catch {
      throw .request(host: url.host, .invalidURL(url.redacted))
    }
    do throws(JobError) {
      return try Pinger(
        target, context.manifest.downloads, clock: context.clock, userAgent: context.userAgent)
    } catch { throw .request(host: url.host, .network(detail: error.words())) }
  }

  private static func url(_ address: PingSettings.Address) throws(PingProblem) -> RemoteURL {
    switch address {
    case .url(let url): return url
    case .file(let file):
      let text: String
      do throws(SecretProblem) { text = try CredentialsReader.line(of: file).exposed } catch { throw .file(error) }
      do throws(RemoteURL.Problem) { return try RemoteURL(text) } catch { throw .notURL(path: file.path) }
    }
  }
}
