// SPDX-License-Identifier: Apache-2.0

/// The part of a reference between `&` and `;`.
enum Reference: Equatable {
  /// A reference that XML defines: one of the five names, or a character number.
  case known
  /// A name from HTML, with the number of its character.
  case html(UInt32)
  /// The number of a character that XML 1.0 §2.2 forbids.
  case forbiddenCharacter
  case unknown

  init(_ name: String) {
    if name.hasPrefix("#") {
      self = Self.character(name.dropFirst())
    } else if ["amp", "lt", "gt", "quot", "apos"].contains(name) {
      self = .known
    } else {
      self = htmlNames[name].map { .html($0) } ?? .unknown
    }
  }

  /// The character with this number, `#65` or `#x41`. A space for one that XML forbids, and nil for no number.
  static func text(ofCharacter number: String) -> [UInt8]? {
    switch Reference(number) {
    case .known: UTF8.encode(number.dropFirst().scalar ?? "\u{FFFD}").map { Array($0) }
    case .forbiddenCharacter: [0x20]
    default: nil
    }
  }

  private static func character(_ digits: Substring) -> Reference {
    let isHexadecimal = digits.first == "x"
    let text = isHexadecimal ? digits.dropFirst() : digits
    guard !text.isEmpty, text.allSatisfy({ isHexadecimal ? $0.isHexDigit : $0.isNumber }) else { return .unknown }
    switch UInt32(text, radix: isHexadecimal ? 16 : 10) ?? 0 {
    case 0x9, 0xA, 0xD, 0x20..<0xD800, 0xE000..<0xFFFE, 0x10000...0x10FFFF: return .known
    default: return .forbiddenCharacter
    }
  }
}

extension Substring {
  /// The character with the number in decimal digits, or in hexadecimal ones after `x`.
  fileprivate var scalar: Unicode.Scalar? {
    let value = first == "x" ? UInt32(dropFirst(), radix: 16) : UInt32(self)
    return value.flatMap { Unicode.Scalar($0) }
  }
}

extension Unicode.Scalar {
  /// Returns the character that a reference means in HTML, by the part between `&` and `;`: a name of HTML 4.01 or XML,
  /// or a number. Numbers from 128 to 159 mean windows-1252 (HTML Standard, numeric character reference end state).
  /// - Returns: Nil if this is not a reference, or if it names a character that no text may contain.
  package init?(htmlReference name: String) {
    let value: UInt32?
    if name.hasPrefix("#") {
      let isHexadecimal = name.dropFirst().first.map { $0 == "x" || $0 == "X" } ?? false
      value = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
    } else {
      value = xmlNames[name] ?? htmlNames[name]
    }
    guard let value, value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value), value != 0x7F,
      let scalar = Unicode.Scalar(value)
    else { return nil }
    self = Windows1252.meaning(of: scalar)
  }
}

private let xmlNames: [String: UInt32] = ["amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27]

/// The names of HTML 4.01 §24 in addition to those of XML.
private let htmlNames: [String: UInt32] = {
  var names: [String: UInt32] = [:]
  for (offset, name) in latin1Names.split(whereSeparator: \.isWhitespace).enumerated() {
    names[String(name)] = 0xA0 + UInt32(offset)
  }
  for pair in otherNames.split(whereSeparator: \.isWhitespace) {
    let parts = pair.split(separator: ":")
    names[String(parts[0])] = UInt32(parts[1], radix: 16)
  }
  return names
}()

/// From U+00A0 to U+00FF.
private let latin1Names = """
  nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro
  para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
  Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
  Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
  igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute
  thorn yuml
  """

/// Each name with its character number in hexadecimal.
private let otherNames = """
  OElig:152 oelig:153 Scaron:160 scaron:161 Yuml:178 fnof:192 circ:2C6 tilde:2DC Alpha:391 Beta:392 Gamma:393
  Delta:394 Epsilon:395 Zeta:396 Eta:397 Theta:398 Iota:399 Kappa:39A Lambda:39B Mu:39C Nu:39D Xi:39E Omicron:39F
  Pi:3A0 Rho:3A1 Sigma:3A3 Tau:3A4 Upsilon:3A5 Phi:3A6 Chi:3A7 Psi:3A8 Omega:3A9 alpha:3B1 beta:3B2 gamma:3B3
  delta:3B4 epsilon:3B5 zeta:3B6 eta:3B7 theta:3B8 iota:3B9 kappa:3BA lambda:3BB mu:3BC nu:3BD xi:3BE omicron:3BF
  pi:3C0 rho:3C1 sigmaf:3C2 sigma:3C3 tau:3C4 upsilon:3C5 phi:3C6 chi:3C7 psi:3C8 omega:3C9 thetasym:3D1 upsih:3D2
  piv:3D6 ensp:2002 emsp:2003 thinsp:2009 zwnj:200C zwj:200D lrm:200E rlm:200F ndash:2013 mdash:2014 lsquo:2018
  rsquo:2019 sbquo:201A ldquo:201C rdquo:201D bdquo:201E dagger:2020 Dagger:2021 bull:2022 hellip:2026 permil:2030
  prime:2032 Prime:2033 lsaquo:2039 rsaquo:203A oline:203E frasl:2044 euro:20AC image:2111 weierp:2118 real:211C
  trade:2122 alefsym:2135 larr:2190 uarr:2191 rarr:2192 darr:2193 harr:2194 crarr:21B5 lArr:21D0 uArr:21D1 rArr:21D2
  dArr:21D3 hArr:21D4 forall:2200 part:2202 exist:2203 empty:2205 nabla:2207 isin:2208 notin:2209 ni:220B prod:220F
  sum:2211 minus:2212 lowast:2217 radic:221A prop:221D infin:221E ang:2220 and:2227 or:2228 cap:2229 cup:222A int:222B
  there4:2234 sim:223C cong:2245 asymp:2248 ne:2260 equiv:2261 le:2264 ge:2265 sub:2282 sup:2283 nsub:2284 sube:2286
  supe:2287 oplus:2295 otimes:2297 perp:22A5 sdot:22C5 lceil:2308 rceil:2309 lfloor:230A rfloor:230B lang:2329
  rang:232A loz:25CA spades:2660 clubs:2663 hearts:2665 diams:2666
  """
