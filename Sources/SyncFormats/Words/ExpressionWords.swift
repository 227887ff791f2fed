// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension ExpressionProblem {
  /// The problem and the remedy, without a full stop.
  package var words: String {
    switch self {
    case .openGroup: "nothing closes one of its \"(\""
    case .strayParenthesis: "a \")\" closes nothing: write \"\\)\" for the character itself"
    case .openSet: "nothing closes one of its \"[\""
    case .openQuotation: "nothing ends its \"\\Q\": write \"\\E\" behind the quotation"
    case .endsInBackslash: "it ends in a backslash: write two for the character itself"
    case .nothingToRepeat(let text): "nothing that can be repeated stands before \(text.quoted)"
    case .reversedBounds(let text): "\(text.quoted) is the wrong way round: put the lesser first"
    case .badRange(let text): "\(text.quoted) is not a range of characters"
    case .unknownEscape(let text): "\(text.quoted) has no meaning here"
    case .badCharacterNumber(let text):
      "\(text.quoted) is not the number of a character: write \"\\u{E9}\", for instance"
    case .unknownProperty(let name):
      "no kind of characters is called \(name.quoted): write Letter, Uppercase, Digit, Punctuation, or a category of Unicode"
        + " such as Lu"
    case .unsupported(let feature, let text):
      "\(text.quoted) is \(feature.words), which syncjob does not have, so that every title is judged in a short time"
    case .tooLarge: "it has too many parts once its repetitions are written out: make its numbers smaller"
    }
  }
}

extension ExpressionProblem.Feature {
  fileprivate var words: String {
    switch self {
    case .backreference: "a reference to an earlier group"
    case .lookaround: "a look ahead or behind (write another pattern under exclude, for instance)"
    case .atomicGroup: "an atomic group (write \"(?:…)\")"
    case .possessiveQuantifier: "a possessive quantifier (leave its last \"+\" out)"
    case .setOperation: "an operation on sets"
    case .flag: "a flag other than i, m and s"
    case .specialGroup: "a group of a special kind"
    }
  }
}
