// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a layout template")
struct LayoutTemplateTests {
  @Test("is text with fields in braces")
  func parts() throws {
    let template = try LayoutTemplate("{playlist}/{position:3} {published:%Y-%m} {title}.{ext}")
    #expect(
      template.parts == [
        .field(.playlist), .text("/"), .field(.position(width: 3)), .text(" "), .field(.published(format: "%Y-%m")),
        .text(" "), .field(.title), .text("."), .field(.ext),
      ])
    #expect(template.text == "{playlist}/{position:3} {published:%Y-%m} {title}.{ext}")
  }

  @Test("fields have defaults")
  func defaults() throws {
    #expect(
      try LayoutTemplate("{position}{published}").parts
        == [.field(.position(width: 1)), .field(.published(format: "%Y-%m-%d"))])
  }

  @Test("the built-in ones are what their text says", arguments: [LayoutTemplate.item, .episode])
  func builtIn(template: LayoutTemplate) throws { #expect(try LayoutTemplate(template.text) == template) }

  @Test("every field has its name", arguments: LayoutTemplate.fieldNames)
  func names(name: String) throws {
    let template = try LayoutTemplate("{title}{\(name)}")
    #expect(template.parts.count == 2)
  }

  @Test("alternatives are tried from left to right, and may end in a text of their own")
  func alternatives() throws {
    #expect(
      try LayoutTemplate("{album|artist|'Various'}/{title|id}").parts == [
        .anyOf([.album, .artist, .literal("Various")]), .text("/"), .anyOf([.title, .id]),
      ])
    #expect(try LayoutTemplate("{title}{position:03|published:%Y}").parts.count == 2)
  }

  @Test("a width may be written with a zero in front", arguments: ["{position:3}", "{position:03}"])
  func width(text: String) throws { #expect(try LayoutTemplate(text).parts == [.field(.position(width: 3))]) }

  @Test(
    "what cannot be meant is refused with its reason and its place",
    arguments: [
      ("{title", LayoutTemplate.Problem.Kind.unclosedBrace, 1), ("title}", .strayBrace, 6),
      ("{title}}", .strayBrace, 8),
      ("{name}", .unknownField("name"), 2), ("{}", .unknownField(""), 2), ("{Title}", .unknownField("Title"), 2),
      ("{artist}/{titel}", .unknownField("titel"), 11), ("{title|}", .unknownField(""), 8),
      ("{title|albun}", .unknownField("albun"), 8), ("{|title}", .unknownField(""), 2),
      ("{title}{'a/b'}", .unknownField("'a/b'"), 9), ("{title}{''}", .unknownField("''"), 9),
      ("{title:x}", .badFormat("title:x"), 2), ("{title:}", .badFormat("title:"), 2),
      ("{position:0}", .badFormat("position:0"), 2), ("{position:-1}", .badFormat("position:-1"), 2),
      ("{position:10}", .badFormat("position:10"), 2), ("{position:x}", .badFormat("position:x"), 2),
      ("{title}{published:%B}", .badFormat("published:%B"), 9),
      ("{title}{published:%Y/%m}", .badFormat("published:%Y/%m"), 9),
      ("{title}{published:}", .badFormat("published:"), 9), ("{title}{published:%}", .badFormat("published:%"), 9),
    ])
  func refused(text: String, kind: LayoutTemplate.Problem.Kind, place: Int) {
    #expect(throws: LayoutTemplate.Problem(kind, at: place)) { try LayoutTemplate(text) }
  }

  @Test(
    "a path that would not do is refused as a whole",
    arguments: [
      ("/{title}", LayoutTemplate.Problem.Kind.leavesLibrary), ("../{title}", .leavesLibrary),
      ("a/../{title}", .leavesLibrary), ("a//{title}", .leavesLibrary), ("{title}/", .leavesLibrary),
      ("./{title}", .leavesLibrary), ("{title}\n", .leavesLibrary), ("", .leavesLibrary),
      ("{playlist}.{ext}", .namesNoItem), ("{title}/{playlist}.{ext}", .namesNoItem), ("{title}/x", .namesNoItem),
      ("{published}", .namesNoItem), ("{artist|title}", .namesNoItem), ("{title|'x'}", .namesNoItem),
    ])
  func refusedWhole(text: String, kind: LayoutTemplate.Problem.Kind) {
    #expect(throws: LayoutTemplate.Problem(kind)) { try LayoutTemplate(text) }
  }
}
