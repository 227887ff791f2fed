// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("many items from many hosts")
struct ManyHostsTests {
  private static let (concurrency, perHost, retries) = (16, 2, 3)
  /// `MANY_ITEMS` of the environment, for slow builds.
  private static let count = Command.variable("MANY_ITEMS").flatMap { Int($0) } ?? 10_000
  /// Memory and time mean nothing in a build with a sanitizer.
  private static let isSanitized = Command.variable("SANITIZED") != nil
  /// So few that an occasional lost descriptor would be noticed.
  private static let descriptorLimit = 256

  @Test("one run fetches all that can be fetched, within its limits of connections, memory and descriptors")
  func manyHosts() throws {
    let home = try LibraryFixture(inMemory: true)
    let catalogue = ManyItems(count: Self.count, hosts: 50, seed: 7)
    let server = try FaultServer(addresses: catalogue.hosts)
    catalogue.serve(on: server)
    try home.declare(manifest(catalogue, server))

    let run = try limited(home.command("run", "--json", "--seed", "1")).start()
    let watch = try ProcessWatch(run.pid) { server.requestCount }
    let result = run.wait(timeout: 600)
    try #require(result.ending == .exited(3), "\(result.standardError.suffix(2000))")

    checkReport(try JSONValue(result.stdout), catalogue)
    checkLibrary(home, catalogue)
    #expect(try server.waitUntilIdle())
    checkRequests(server, catalogue)
    checkConnections(server)
    checkResources(watch.samples)
  }

  private func manifest(_ catalogue: ManyItems, _ server: FaultServer) -> String {
    """
    downloads:
      concurrency: \(Self.concurrency)
      per_host: \(Self.perHost)
      retries: \(Self.retries)
      backoff: { initial: 20ms, max: 100ms }
      timeouts: { stall: 1s }
    playlists:
      many:
        items:
    \(catalogue.lines(server))
    """
  }

  private func limited(_ command: Command) throws -> Command {
    var command = command
    command.arguments = ["--nofile=\(Self.descriptorLimit)", command.executable] + command.arguments
    command.executable = try #require(Tool("prlimit").path)
    return command
  }

  private func checkReport(_ report: JSONValue, _ catalogue: ManyItems) {
    let fatal = catalogue.items.filter(\.isFatal)
    #expect(report[path: "totals.downloaded"] == .number(Double(catalogue.items.count - fatal.count)))
    #expect(report[path: "totals.failed"] == .number(Double(fatal.count)))
    #expect(report[path: "totals.alternatives_used"] == .number(Double(catalogue.items.count(where: \.isReplaced))))
    // The catalogue contains the cases of this test.
    #expect(!fatal.isEmpty && catalogue.items.contains(where: \.isReplaced))
    #expect((0.03...0.07).contains(Double(catalogue.items.count(where: \.hasTrouble)) / Double(catalogue.items.count)))
  }

  private func checkLibrary(_ home: LibraryFixture, _ catalogue: ManyItems) {
    let whole = catalogue.items.filter { !$0.isFatal }
    do {
      #expect(try home.strays() == [])
      #expect(try home.ownedPaths().count == whole.count)
      let wrong = try whole.filter { item in
        let found = try FileBytes.read("\(home.library)/many/\(item.id).mp3")
        return found.count != item.bytes.count || memcmp(found, item.bytes, found.count) != 0
      }
      #expect(wrong.map(\.id) == [])
    } catch { Issue.record(error) }
  }

  /// Checks that every fault costs only the one request that it spoils.
  private func checkRequests(_ server: FaultServer, _ catalogue: ManyItems) {
    let counts = Dictionary(server.requests.map { ($0.path, 1) }, uniquingKeysWith: +)
    let wrong = catalogue.items.filter { item in
      !item.mayCost(counts[item.path] ?? 0, counts[item.otherPath] ?? 0, retries: Self.retries)
    }
    let costs = wrong.map { "\($0.id): \(counts[$0.path] ?? 0), \(counts[$0.otherPath] ?? 0), \($0.trouble)" }
    #expect(costs == [])
  }

  /// Checks that there are never more than allowed, but so many that the limit matters.
  private func checkConnections(_ server: FaultServer) {
    let expected = (Self.concurrency / 2 + 1)...Self.concurrency
    #expect(expected.contains(server.maxConcurrentRequests), "\(server.maxConcurrentRequests) requests")
    #expect(expected.contains(server.maxConcurrentConnections), "\(server.maxConcurrentConnections) connections")
    #expect(server.maxConcurrentRequestsPerHost == Self.perHost)
    #expect(server.maxConcurrentConnectionsPerHost == Self.perHost)
  }

  private func checkResources(_ samples: [ProcessWatch.Sample]) {
    // The limit would have ended a run that loses descriptors; the distance to it shows that none accumulate.
    let most = samples.map(\.descriptors).max() ?? .max
    #expect(most < Self.descriptorLimit, "\(most) descriptors")
    guard !Self.isSanitized, Self.count == 10_000 else { return }
    // The pages of the program's code, which a debug build has more of with each feature, say nothing about the items.
    let peak = samples.map(\.anonymousKiB).max() ?? .max
    #expect(peak < 68 << 10, "\(peak) KiB")
    // From 2,000 requests to the last item: the report's entry for each, and nothing else that remains of a transfer.
    let early = samples.first { $0.progress >= 2000 }.map(\.residentKiB) ?? 0
    let late = samples.last { $0.progress <= Self.count }.map(\.residentKiB) ?? .max
    #expect(late - early < 8 << 10, "\(early) KiB at 2,000 requests, \(late) KiB at \(Self.count)")
  }
}
