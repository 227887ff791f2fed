// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("YAML's syntax errors in our own words")
struct YAMLSyntaxWordsTests {
  @Test(
    "a syntax error names what was read, where it began, and how to mend it",
    arguments: [
      (
        "a: b: c\n", 1,
        "a \":\" cannot stand here; indent the key like its neighbours, or quote a value that has \": \" in it"
      ),
      (
        "a: 1\nb:\n  c: 2\n d: 3\n", 4,
        "this line does not fit the keys that began in line 1; indent it like them, and close every quote and bracket"
          + " above it"
      ),
      (
        "a:\n  - b\n  c: d\n", 3,
        "this line does not fit the list that began in line 2; begin it with \"- \" and indent it like the others"
      ),
      (
        "a: [1, 2\nb: 3\n", 2,
        "the list in brackets that began in line 1 is not closed here; close it, and quote a value that has braces,"
          + " brackets or commas in it"
      ),
      (
        "a: { b: 1\nc: 3\n", 2,
        "the mapping in braces that began in line 1 is not closed here; close it, and quote a value that has braces,"
          + " brackets or commas in it"
      ),
      ("a: \"b\nc: d\n", 3, "the quoted text that began in line 1 is never closed; close its quote"),
      (
        "a: \"b\n---\nc: d\n", 2,
        "the quoted text that began in line 1 is not closed before a line with \"---\" or \"...\"; close its quote"
      ),
      (
        "a: 1\nb\nc: d\n", 3,
        "the key that began in line 2 has no \":\" behind it; write \"key: value\", or indent the line that goes on with"
          + " a text"
      ),
      (
        "a: \"\\q\"\n", 1,
        "the quoted text that began in line 1 has an escape that YAML does not know; write \"\\\\\" for a backslash, or"
          + " use single quotes"
      ),
      ("a: @b\n", 1, "a value cannot begin with this character; quote a value that begins with it"),
      (
        "a: - b\n", 1,
        "a list cannot begin here; begin it in a line of its own, or quote a value that begins with \"- \""
      ),
      ("a: *\n", 1, "a value that begins with \"*\" is an alias, and this one has no name; quote the value"),
      ("a: &\n", 1, "a value that begins with \"&\" is an anchor, and this one has no name; quote the value"),
      ("a: !<x\n", 1, "a value that begins with \"!\" is a tag, and this one is not complete; quote the value"),
      ("a: |0\n  b\n", 1, "the indentation behind \"|\" or \">\" cannot be 0; leave the number out"),
      ("a: | b\n", 1, "a text after \"|\" or \">\" begins in the next line; move it there"),
      (
        "%YAML x\n---\na: b\n", 1,
        "a line that begins with \"%\" is a directive, and this one is not known; remove it"
      ),
    ])
  func sentences(_ manifest: String, _ line: Int, _ words: String) throws {
    let finding = try #require(ManifestReading(of: manifest).findings.first)
    guard case .document(.syntax) = finding.fact else {
      Issue.record("\(finding.fact)")
      return
    }
    let picture = DiagnosticRenderer(file: "car.yaml", source: Array(manifest.utf8)).render(finding)
    let headline = picture.split(separator: "\n").first.map(String.init) ?? ""
    #expect(headline.hasPrefix("car.yaml:\(line):"), "\(headline)")
    #expect(headline.hasSuffix(": error: not valid YAML: \(words)"), "\(headline)")
  }

  @Test(
    "no message of libyaml is printed as it is",
    arguments: [
      "could not find expected ':'", "did not find expected '!'", "did not find expected tag URI",
      "found unexpected ':'", "found unknown directive name", "did not find the expected '>'",
      "found extremely long version number", "did not find expected version number",
      "found a tab character where an indentation space is expected", "did not find URI escaped octet",
      "found a tab character that violates indentation", "found an indentation indicator equal to 0",
      "did not find expected comment or line break", "found unexpected document indicator",
      "found unexpected end of stream", "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code", "did not find expected alphabetic or numeric character",
      "could not find expected directive name", "found unexpected non-alphabetical character",
      "did not find expected digit or '.' character", "did not find expected whitespace",
      "did not find expected whitespace or line break", "block sequence entries are not allowed in this context",
      "mapping values are not allowed in this context", "found character that cannot start any token",
      "found duplicate %TAG directive", "found duplicate %YAML directive", "found incompatible YAML document",
      "did not find expected <document start>", "did not find expected node content",
      "did not find expected ',' or ']'", "did not find expected '-' indicator", "did not find expected ',' or '}'",
      "found undefined tag handle", "did not find expected key", "found duplicate anchor; first occurrence",
      "something of a later libyaml",
    ])
  func own(_ message: String) {
    for context in [nil, "while parsing a block mapping", "while scanning a %YAML directive"] {
      let fact = Finding.Fact.document(.syntax(message, context: context, contextLine: context.map { _ in 3 }))
      let text = DiagnosticRenderer(file: "m", source: []).render(Finding(fact, at: SourceMark(line: 1, column: 1)))
      #expect(text.hasPrefix("m:1:1: error: not valid YAML: "))
      #expect(!text.contains(message) && !text.contains("while "), "\(text)")
    }
  }
}
