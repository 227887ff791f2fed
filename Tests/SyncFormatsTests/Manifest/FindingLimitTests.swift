// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("very many findings")
struct FindingLimitTests {
  private func shown(_ manifest: String) -> [Substring] {
    let reading = ManifestReading(of: manifest)
    return DiagnosticRenderer(file: "car.yaml", source: Array(manifest.utf8)).render(reading.findings).split(
      separator: "\n")
  }

  private let head = "version: 1\nlibrary: { path: x }\nplaylists: { p: { items: [] } }\n"

  @Test("fifty are shown, and the rest is counted")
  func limit() {
    let lines = shown(head + (1...60).map { "zzz\($0): 1\n" }.joined())
    #expect(lines.count { $0.contains(": error: ") } == 50)
    #expect(lines.last == "car.yaml: 10 more are not shown; mend the first ones and check again")
  }

  @Test("fifty and fewer are shown without a word more")
  func few() {
    let lines = shown(head + (1...50).map { "zzz\($0): 1\n" }.joined())
    #expect(lines.count { $0.contains(": error: ") } == 50)
    #expect(!lines.contains { $0.contains("not shown") })
  }

  @Test("the keys inside a misspelt section are checked, too")
  func misspelt() {
    let lines = shown(head + "download: { concurency: 3, per_host: many }\n").filter { $0.contains(": error: ") }
    #expect(
      lines == [
        "car.yaml:4:1: error: unknown key \"download\": did you mean \"downloads\"?",
        "car.yaml:4:13: error: unknown key \"concurency\" in \"download\": did you mean \"concurrency\"?",
        "car.yaml:4:38: error: \"download.per_host\" must be a whole number, but is \"many\"",
      ])
  }

  @Test("a layout has 32 folders at most")
  func folders() {
    func findings(_ count: Int) -> [Substring] {
      let layout = String(repeating: "f/", count: count) + "{title}.{ext}"
      return shown("version: 1\nlibrary: { path: x, layout: \"\(layout)\" }\nplaylists: { p: { items: [] } }\n")
        .filter { $0.contains(": error: ") }
    }
    #expect(findings(32).isEmpty)
    #expect(findings(33).count == 1)
    #expect(findings(33).first?.hasSuffix("it has more than 32 folders inside each other: use fewer") ?? false)
  }
}
