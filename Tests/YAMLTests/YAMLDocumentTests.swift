// SPDX-License-Identifier: Apache-2.0
import Testing
import YAML

@Suite("a YAML document becomes a tree with marks")
struct YAMLDocumentTests {
  @Test("scalars keep their spelling and are typed by nobody")
  func scalars() throws {
    let root = try read("a: no\nb: '08:30'\nc: 1e3\nd:\ne: |\n  two\n  lines\n")
    #expect(scalar(root["a"]) == YAMLScalar(text: "no", isPlain: true))
    #expect(scalar(root["b"]) == YAMLScalar(text: "08:30", isPlain: false))
    #expect(scalar(root["c"]) == YAMLScalar(text: "1e3", isPlain: true))
    #expect(scalar(root["d"]) == YAMLScalar(text: "", isPlain: true))
    #expect(scalar(root["e"]) == YAMLScalar(text: "two\nlines\n", isPlain: false))
  }

  @Test("marks count lines and characters from 1, and know how long a value is")
  func marks() throws {
    let root = try read("\u{FEFF}ключ: [ä, \"二\"]\r\nb:\r\n  c: d\r\n")
    guard case .mapping(let pairs) = root.content, case .sequence(let elements) = pairs[0].value.content else {
      Issue.record("not the tree that was written")
      return
    }
    #expect(pairs[0].keyMark == YAMLMark(line: 1, column: 1, length: 4))
    #expect(elements[0].mark == YAMLMark(line: 1, column: 8, length: 1))
    #expect(elements[1].mark == YAMLMark(line: 1, column: 11, length: 3))
    #expect(pairs[1].value["c"]?.mark == YAMLMark(line: 3, column: 6, length: 1))
  }

  @Test("an alias repeats its anchor, marks and all")
  func aliases() throws {
    let root = try read("a: &x { k: v }\nb: *x\n")
    #expect(root["b"]?["k"]?.mark == root["a"]?["k"]?.mark)
    #expect(scalar(root["b"]?["k"])?.text == "v")
  }

  @Test("an anchor may be set again, and later aliases mean the later one")
  func anchorSetAgain() throws {
    let root = try read("a: &x 1\nb: &x 2\nc: *x\n")
    #expect(scalar(root["c"])?.text == "2")
  }

  @Test("own keys win over merged ones, earlier mappings over later ones")
  func merges() throws {
    let root = try read("x: &x { a: 1, b: 1, c: 1 }\ny: &y { b: 2, d: 2 }\nz:\n  <<: [*y, *x]\n  a: 3\n")
    guard case .mapping(let pairs) = root["z"]?.content else {
      Issue.record("not a mapping")
      return
    }
    #expect(pairs.map(\.key) == ["a", "b", "d", "c"])
    #expect(pairs.compactMap { scalar($0.value)?.text } == ["3", "2", "2", "1"])
  }

  @Test("a quoted << is a key like any other")
  func quotedMerge() throws {
    let root = try read("'<<': 1\n")
    #expect(scalar(root["<<"])?.text == "1")
  }

  @Test("duplicate keys are told with both places, and the first one stays")
  func duplicates() throws {
    let document = try YAMLDocument(Array("a: 1\nb: 2\na: 3\n".utf8))
    #expect(document.problems == [YAMLError(.duplicateKey("a", firstLine: 1), at: YAMLMark(line: 3, column: 1))])
    #expect(scalar(document.root?["a"])?.text == "1")
  }

  @Test("duplicate keys are found in large mappings too", arguments: [15, 16, 17, 18, 40])
  func manyKeys(count: Int) throws {
    let keys = (0..<count).map { "k\($0): \($0)\n" }.joined()
    let document = try YAMLDocument(Array("\(keys)k0: x\nk\(count - 1): x\n".utf8))
    #expect(
      document.problems.map(\.problem) == [
        .duplicateKey("k0", firstLine: 1), .duplicateKey("k\(count - 1)", firstLine: count),
      ])
  }

  @Test("a text without a document has no root", arguments: ["", "# nothing\n", "\u{FEFF}", "\n\n"])
  func empty(text: String) throws {
    #expect(try YAMLDocument(Array(text.utf8)).root == nil)
  }

  private func read(_ text: String) throws -> YAMLNode {
    let document = try YAMLDocument(Array(text.utf8))
    #expect(document.problems.isEmpty)
    return try #require(document.root)
  }

  private func scalar(_ node: YAMLNode?) -> YAMLScalar? {
    if case .scalar(let scalar) = node?.content { scalar } else { nil }
  }
}
