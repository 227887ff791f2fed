// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("no manifest, however broken, brings the reader down")
struct ManifestFuzzTests {
  @Test("a mutated manifest is read or refused, with every place inside the text", arguments: 0..<40)
  func mutations(seed: Int) {
    var random = SplitMix(state: UInt64(seed))
    for _ in 0..<50 {
      let source = mutated(Array(good.utf8), &random)
      let reading = ManifestReader.read(
        source, directory: "/m", fileStem: "car", environment: ManifestEnvironment(home: "/home/u"))
      let lines = 1 + source.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      let hasError = reading.findings.contains { $0.severity == .error }
      #expect((reading.manifest == nil) == hasError)
      let picture = DiagnosticRenderer(file: "car.yaml", source: source)
      for finding in reading.findings {
        #expect((1...lines).contains(finding.mark.line) && finding.mark.column <= source.count + 1)
        #expect(picture.render(finding).unicodeScalars.allSatisfy { $0 == "\n" || !$0.isControl })
      }
    }
  }

  private func mutated(_ source: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var source = source
    for _ in 0...random.number(below: 4) {
      let position = random.number(below: source.count)
      switch random.number(below: 5) {
      case 0: source[position] = UInt8.random(in: .min ... .max, using: &random)
      case 1: source.remove(at: position)
      case 2: source.insert(contentsOf: Array(random.element(of: tokens).utf8), at: position)
      case 3: source.removeSubrange(position..<min(source.count, position + random.number(below: 40)))
      default:
        let end = min(source.count, position + random.number(below: 60))
        source.insert(contentsOf: source[position..<end], at: random.number(below: source.count))
      }
      if source.isEmpty { source = [0x61] }
    }
    return source
  }

  private let tokens = [
    "[", "]", "{", "}", ": ", "- ", "? ", "*n", "&n ", "<<: ", "!t ", "|\n", "\"", "'", "#", "\t", "\r", "${", "$",
    "---\n",
    "\u{85}", "\u{2028}", "\u{FEFF}", "日本", "%", "0", "-", "  ", "\n",
  ]

  private let good = """
    version: 1
    name: car
    library: { path: ~/lib, layout: "{playlist}/{title}.{ext}" }
    storage:
      budget: 10GiB
      evict: { trigger: 95%, target: 85%, min_age: 1h30m }
      trash: { keep: 7d }
    downloads:
      concurrency: 3
      backoff: { initial: 2s, factor: 1.5, jitter: full }
      headers: { Accept: "text/html", Authorization: "Bearer ${T:-x}" }
      network: { allow_private: false }
    x-news: &n { priority: high, select: { latest: 2 } }
    playlists:
      news: { <<: *n, feed: "https://anna:pw@feeds.example.org/n.rss?k=1" }
      mix:
        items:
          - id: a
            url: https://h.example/a.mp3
            duration: 3:45
            size: 8.6MB
            published: 2026-01-05
            alternatives: [{ url: "https://g.example/a.mp3", duration: 3:50 }]
          - urls: { low: "https://h.example/l.mp3", high: "https://h.example/ü.mp3" }
    report: { json: ./r.json }
    """
}
