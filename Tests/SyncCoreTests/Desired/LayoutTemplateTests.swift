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

  @Test(
    "what cannot be meant is refused with its reason",
    arguments: [
      ("{title", LayoutTemplate.Problem.unclosedBrace), ("title}", .strayBrace), ("{title}}", .strayBrace),
      ("{name}", .unknownField("name")), ("{}", .unknownField("")), ("{Title}", .unknownField("Title")),
      ("{title:x}", .badFormat("title:x")), ("{title:}", .badFormat("title:")),
      ("{position:0}", .badFormat("position:0")),
      ("{position:10}", .badFormat("position:10")), ("{position:x}", .badFormat("position:x")),
      ("{title}{published:%B}", .badFormat("published:%B")),
      ("{title}{published:%Y/%m}", .badFormat("published:%Y/%m")),
      ("{title}{published:}", .badFormat("published:")),
      ("/{title}", .leavesLibrary), ("../{title}", .leavesLibrary), ("a/../{title}", .leavesLibrary),
      ("a//{title}", .leavesLibrary), ("{title}/", .leavesLibrary), ("./{title}", .leavesLibrary),
      ("{title}\n", .leavesLibrary), ("", .leavesLibrary),
      ("{playlist}.{ext}", .namesNoItem), ("{title}/{playlist}.{ext}", .namesNoItem), ("{title}/x", .namesNoItem),
      ("{published}", .namesNoItem),
    ])
  func refused(text: String, problem: LayoutTemplate.Problem) {
    #expect(throws: problem) { try LayoutTemplate(text) }
  }
}
