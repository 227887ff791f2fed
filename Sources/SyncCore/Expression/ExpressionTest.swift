// SPDX-License-Identifier: Apache-2.0

/// A condition on one character.
enum ExpressionTest: Hashable, Sendable {
  case any
  case anyButNewline
  case exactly(Character)
  /// The character in lower case.
  case ignoringCase(Character)
  case set(ExpressionSet, ignoresCase: Bool)

  func matches(_ subject: ExpressionSubject, _ place: Int) -> Bool {
    let character = subject.characters[place]
    return switch self {
    case .any: true
    case .anyButNewline: !character.isNewline
    case .exactly(let wanted): character == wanted
    case .ignoringCase(let wanted): character == wanted || character.lowered == wanted
    case .set(let set, ignoresCase: false): set.contains(character)
    case .set(let set, ignoresCase: true): set.containsIgnoringCase(character)
    }
  }
}

extension Character {
  /// The lower-case form, or the character itself if the form has several characters.
  var lowered: Character {
    let text = lowercased()
    return text.count == 1 ? text[text.startIndex] : self
  }

  fileprivate var raised: Character {
    let text = uppercased()
    return text.count == 1 ? text[text.startIndex] : self
  }
}

/// The contents of a set, between `[` and `]`.
struct ExpressionSet: Hashable, Sendable {
  enum Member: Hashable, Sendable {
    case character(Character)
    /// Matches characters that are one scalar in normalization form C.
    case range(ClosedRange<UInt32>)
    case ofClass(ExpressionClass, isNegated: Bool)
    indirect case nested(ExpressionSet)
  }

  var members: [Member] = []
  var isNegated = false

  func contains(_ character: Character) -> Bool { holds(character) != isNegated }

  func containsIgnoringCase(_ character: Character) -> Bool {
    (holds(character) || holds(character.lowered) || holds(character.raised)) != isNegated
  }

  private func holds(_ character: Character) -> Bool {
    members.contains { member in
      switch member {
      case .character(let wanted): wanted == character
      case .range(let range): character.onlyScalar.map { range.contains($0.value) } ?? false
      case .ofClass(let characterClass, let isNegated): characterClass.contains(character) != isNegated
      case .nested(let set): set.contains(character)
      }
    }
  }
}

extension Character {
  var onlyScalar: Unicode.Scalar? {
    let scalars = unicodeScalars
    return scalars.count == 1 ? scalars.first : nil
  }
}

/// A named class of characters.
enum ExpressionClass: Hashable, Sendable {
  case digit, word, space, horizontalSpace, newline
  case letter, upper, lower, punctuation, symbol, number, mark, control, hexDigit, ascii
  /// A Unicode general category, such as `Lu`.
  case category(String)

  func contains(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    return switch self {
    case .digit: scalar.properties.numericType == .decimal
    case .word: character.isLetter || character.isNumber || scalar.properties.generalCategory == .connectorPunctuation
    case .space: character.isWhitespace
    case .horizontalSpace: scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator
    case .newline: character.isNewline
    case .letter: character.isLetter
    case .upper: character.isUppercase
    case .lower: character.isLowercase
    case .punctuation: character.isPunctuation
    case .symbol: character.isSymbol
    case .number: character.isNumber
    case .mark: scalar.properties.generalCategory.code.hasPrefix("M")
    case .control: scalar.properties.generalCategory == .control
    case .hexDigit: character.isHexDigit && character.isASCII
    case .ascii: character.isASCII
    case .category(let code): scalar.properties.generalCategory.code == code
    }
  }

  /// Finds a class by the name in `\p{…}` or `[:…:]`. Returns nil for an unknown name.
  init?(named name: String) {
    let plain = name.lowercased().filter { $0 != "_" && $0 != " " && $0 != "-" }
    if let known = Self.names[plain] {
      self = known
    } else if Unicode.GeneralCategory.codes.contains(name) {
      self = .category(name)
    } else {
      return nil
    }
  }

  private static let names: [String: ExpressionClass] = [
    "l": .letter, "letter": .letter, "alpha": .letter, "alphabetic": .letter, "lu": .category("Lu"),
    "ll": .category("Ll"),
    "upper": .upper, "uppercase": .upper, "uppercaseletter": .category("Lu"), "lower": .lower, "lowercase": .lower,
    "lowercaseletter": .category("Ll"), "n": .number, "number": .number, "nd": .digit, "digit": .digit,
    "decimalnumber": .digit, "alnum": .word, "word": .word, "p": .punctuation, "punct": .punctuation,
    "punctuation": .punctuation, "s": .symbol, "symbol": .symbol, "m": .mark, "mark": .mark, "space": .space,
    "whitespace": .space, "z": .space, "blank": .horizontalSpace, "cntrl": .control, "control": .control,
    "cc": .control, "xdigit": .hexDigit, "hexdigit": .hexDigit, "ascii": .ascii,
  ]
}

extension Unicode.GeneralCategory {
  fileprivate static let codes: Set<String> = [
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
    "Sc",
    "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
  ]

  /// The two-letter code from the Unicode Standard, table 4-4.
  fileprivate var code: String {
    switch self {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    default: "Cn"
    }
  }
}
