// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("regular expressions for titles")
struct RegularExpressionTests {
  @Test(
    "match as people know it",
    arguments: [
      ("^S[0-9]+E1$", ["S1E1", "S12E1"], ["S1E12", "s1E1"]), ("(?i)ad:|werbung", ["AD: x", "Werbung"], ["add"]),
      ("^(\\w+\\s?)+$", ["a b c"], ["a-b"]), ("a|b|", ["", "c"], []), ("\\bdog\\b", ["the dog!"], ["dogs"]),
      ("dog\\B", ["dogs"], ["dog"]), ("colou?r", ["color", "colour"], ["colr"]), ("[^a-z ]", ["ab1"], ["abc"]),
      ("^.{3,5}$", ["abc", "abcde"], ["ab", "abcdef"]), ("(?:foo|bar)+baz", ["foobarbaz"], ["baz"]),
      ("#\\d{2,}", ["#12"], ["#1"]), ("(?i:x)y", ["Xy"], ["XY"]), ("a(?-i:b)", ["ab"], ["aB"]),
      ("[[:digit:]]+", ["4"], ["a"]), ("\\p{Lu}", ["É"], ["é"]), ("\\P{Letter}", ["1"], ["a"]),
      ("\\.mp3$", ["a.mp3"], ["amp3"]), ("^\\s*$", ["  ", ""], ["x"]), ("(?<n>a)(?P<m>b)", ["ab"], ["a"]),
      ("a{2}b{,2}c", ["aac", "aabbc"], ["abc", "aabbbc"]), ("x{y", ["x{y"], ["xy"]), ("[]a]", ["]", "a"], ["b"]),
      ("[a\\]b-]", ["]", "-"], ["c"]), ("\\Qa.b\\E+", ["a.bb"], ["axb"]), ("a(?#why)b", ["ab"], ["a"]),
      ("\\u{e9}|\\x41|\\u0042", ["é", "A", "B"], ["C"]), ("[A-Z]{3}", ["xABC"], ["abC"]), ("(a*)*b", ["aaab"], ["aaa"]),
      ("(?s)a.b", ["a\nb"], []), ("a.b", ["axb"], ["a\nb"]), ("(?m)^b$", ["a\nb\nc"], ["ab"]), ("^b$", ["b"], ["a\nb"]),
      ("a+?b*?c??$", ["a", "abc"], ["b"]), ("[[a-c][x-z]]", ["y"], ["m"]), ("(?i)[A-C]É", ["bé"], ["dé"]),
    ] as [(String, [String], [String])])
  func matches(source: String, matching: [String], others: [String]) throws {
    let expression = try RegularExpression(source)
    for text in matching { #expect(expression.matches(in: text), "\(source): \(text)") }
    for text in others { #expect(!expression.matches(in: text), "\(source): \(text)") }
  }

  @Test("characters are those that a person sees")
  func composition() throws {
    #expect(try RegularExpression("^caf.$").matches(in: "cafe\u{301}"))
    #expect(try RegularExpression("é").matches(in: "e\u{301}"))
    #expect(try RegularExpression("[à-ü]").matches(in: "e\u{301}"))
    #expect(try !RegularExpression("e").matches(in: "e\u{301}"))
  }

  @Test(
    "what cannot be used is told apart",
    arguments: [
      ("(a", .openGroup), ("(?i", .openGroup), ("a)", .strayParenthesis), ("[a", .openSet), ("\\Qa", .openQuotation),
      ("a\\", .endsInBackslash), ("*a", .nothingToRepeat("*")), ("a**", .nothingToRepeat("*")),
      ("a{3,1}", .reversedBounds("{3,1}")), ("[z-a]", .reversedBounds("z-a")), ("[a-\\d]", .badRange("a-\\d")),
      ("\\y", .unknownEscape("\\y")), ("\\x{zz}", .badCharacterNumber("\\x{")), ("\\p{Foo}", .unknownProperty("Foo")),
      ("[[:foo:]]", .unknownProperty("foo")), ("(a)\\1", .unsupported(.backreference, "\\1")),
      ("(?=a)", .unsupported(.lookaround, "(?=")), ("(?<!a)", .unsupported(.lookaround, "(?<!")),
      ("(?>a)", .unsupported(.atomicGroup, "(?>")), ("a++", .unsupported(.possessiveQuantifier, "++")),
      ("[a&&b]", .unsupported(.setOperation, "&&")), ("(?x)a", .unsupported(.flag, "(?x")),
      ("(?R)", .unsupported(.specialGroup, "(?R")), ("a{1001}", .tooLarge), ("((a{999}){999}){999}", .tooLarge),
      ("((){999}){999}", .tooLarge), (String(repeating: "(", count: 5000), .tooLarge),
      (String(repeating: "[", count: 5000), .tooLarge),
    ] as [(String, ExpressionProblem)])
  func problems(source: String, problem: ExpressionProblem) {
    #expect(throws: problem) { try RegularExpression(source) }
  }

  @Test(
    "no title takes long, whatever a pattern repeats", .timeLimit(.minutes(1)),
    arguments: ["^(\\w+\\s?)+$", "(a+)+$", "(a|a)*b", "(a|aa)+$", "(.*a){20}$", "(a?){300}a{300}b", "(((a*)*)*)*b"])
  func boundedTime(source: String) throws {
    let expression = try RegularExpression(source)
    #expect(!expression.matches(in: String(repeating: "a", count: 1000) + "!"))
  }
}
