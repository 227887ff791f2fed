// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// Five hundred random cases of {validator, cut, change of the file, answer}. A finished file is one complete version;
/// two versions are never combined. `SYNCJOB_TEST_SEED` draws other cases.
@Suite("the lottery of resumed downloads")
struct ResumePropertyTests {
  private static let rounds = 25
  private static let items = 20

  private struct Tally {
    var completed = 0
    var resumed = 0
    var replaced = 0
  }

  @Test("a finished file is the old or the new version, never a mix of both")
  func lottery() throws {
    let seed = Command.variable("SYNCJOB_TEST_SEED").flatMap { UInt64($0) } ?? 20_260_105
    var chance = SplitMix64(seed: seed)
    let pool = AudioPool(seed: seed)
    let origins = try (0..<Self.items).map { try ResumeOrigin($0) }
    var tally = Tally()
    for round in 0..<Self.rounds {
      let draws = origins.map { _ in ResumeDraw(&chance, pool) }
      try play(draws, origins, "seed \(seed), round \(round)", &tally)
    }
    for origin in origins { origin.stop() }
    // Checks that the cases are varied enough: most end well, many resume, and many detect a new version.
    #expect(tally.completed > 420 && tally.resumed > 60 && tally.replaced > 150, "\(tally)")
  }

  private func play(_ draws: [ResumeDraw], _ origins: [ResumeOrigin], _ place: String, _ tally: inout Tally) throws {
    let home = try LibraryFixture()
    let checksums = try checksums(draws, home.folder)
    try declare(home, origins, checksums)
    for (draw, origin) in zip(draws, origins) { origin.begin(draw) }
    _ = try run(home, draws, origins, "\(place), first run", "--retries", "0")
    for (draw, origin) in zip(draws, origins) { origin.goOn(draw) }
    let report = try run(home, draws, origins, "\(place), second run")
    if case .number(let resumed)? = report[path: "totals.resumed"] { tally.resumed += Int(resumed) }
    for origin in origins { origin.beHonest() }
    _ = try run(home, draws, origins, "\(place), third run")
    let strays = try home.strays()
    #expect(strays == [], "\(place)")
    let owned = try home.ownedPaths()
    tally.completed += owned.count
    tally.replaced += try draws.indices.count { index in
      guard draws[index].isChanged, owned.contains("all/T\(index).mp3") else { return false }
      return try FileBytes.read("\(home.library)/all/T\(index).mp3") == draws[index].new
    }
  }

  private func run(
    _ home: LibraryFixture, _ draws: [ResumeDraw], _ origins: [ResumeOrigin], _ place: String, _ options: String...
  ) throws -> JSONValue {
    var command = home.command("run", "--json")
    command.arguments += options
    let result = try command.run(timeout: 60)
    #expect([0, 3, 5].contains { result.ending == .exited($0) }, "\(place): \(result.ending) \(result.standardError)")
    let files = try FileTree.files(home.library).filter { !$0.hasSuffix(".m3u8") }
    #expect(Set(files) == (try home.ownedPaths()), "\(place)")
    for (index, draw) in draws.enumerated() where files.contains("all/T\(index).mp3") {
      let bytes = try FileBytes.read("\(home.library)/all/T\(index).mp3")
      let isOld = bytes == draw.old && draw.checksum != .new
      let isNew = bytes == draw.new && draw.checksum != .old
      let log = origins[index].requests.map(\.line)
      #expect(isOld || isNew, "\(place), item \(index), \(bytes.count) bytes: \(draw); \(log)")
    }
    return try JSONValue(result.stdout)
  }

  private func declare(_ home: LibraryFixture, _ origins: [ResumeOrigin], _ checksums: [String?]) throws {
    let items = zip(origins, checksums).enumerated().map { index, pair in
      let checksum = pair.1.map { ", checksum: \"sha256:\($0)\"" } ?? ""
      return "      - { id: t\(index), title: T\(index), url: \"\(pair.0.url)\"\(checksum) }"
    }
    try home.declare(
      """
      downloads: { concurrency: 8, retries: 1, backoff: { initial: 1ms, max: 2ms } }
      playlists:
        all:
          items:
      \(items.joined(separator: "\n"))
      """)
  }

  /// The checksum of the version that each case wants.
  private func checksums(_ draws: [ResumeDraw], _ folder: TemporaryDirectory) throws -> [String?] {
    var sums = [String?](repeating: nil, count: draws.count)
    let wanted = draws.indices.filter { draws[$0].checksum != .none }
    guard !wanted.isEmpty else { return sums }
    for index in wanted {
      let draw = draws[index]
      try FileBytes.write(draw.checksum == .old ? draw.old : draw.new, to: folder.file("sums/\(index)"))
    }
    let result = try Command("/usr/bin/sha256sum", wanted.map { "\($0)" }, directory: folder.file("sums")).run()
    for (index, line) in zip(wanted, result.standardOutput.split(separator: "\n")) {
      sums[index] = String(line.prefix(64))
    }
    return sums
  }
}
