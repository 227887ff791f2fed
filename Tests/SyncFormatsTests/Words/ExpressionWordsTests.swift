// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("words about regular expressions")
struct ExpressionWordsTests {
  @Test(
    "say what is wrong and what to write",
    arguments: [
      ("(a", "nothing closes one of its \"(\""),
      ("a)", "a \")\" closes nothing: write \"\\)\" for the character itself"),
      ("[a", "nothing closes one of its \"[\""),
      ("\\Qa", "nothing ends its \"\\Q\": write \"\\E\" behind the quotation"),
      ("a\\", "it ends in a backslash: write two for the character itself"),
      ("*a", "nothing that can be repeated stands before \"*\""),
      ("a{3,1}", "\"{3,1}\" is the wrong way round: put the lesser first"),
      ("[a-\\d]", "\"a-\\d\" is not a range of characters"),
      ("\\y", "\"\\y\" has no meaning here"),
      ("\\x{zz}", "\"\\x{\" is not the number of a character: write \"\\u{E9}\", for instance"),
      (
        "\\p{Foo}",
        "no kind of characters is called \"Foo\": write Letter, Uppercase, Digit, Punctuation, or a category of Unicode such as Lu"
      ),
      (
        "(a)\\1",
        "\"\\1\" is a reference to an earlier group, which syncjob does not have, so that every title is judged in a short time"
      ),
      (
        "(?!a)",
        "\"(?!\" is a look ahead or behind (write another pattern under exclude, for instance), which syncjob does not have, so"
          + " that every title is judged in a short time"
      ),
      ("a{1001}", "it has too many parts once its repetitions are written out: make its numbers smaller"),
    ])
  func words(source: String, words: String) {
    #expect {
      _ = try RegularExpression(source)
    } throws: { error in
      (error as? ExpressionProblem)?.words == words
    }
  }
}
