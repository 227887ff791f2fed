// SPDX-License-Identifier: Apache-2.0

/// The encoding of a document.
enum TextEncoding: Equatable {
  case utf8
  /// Stands for ISO-8859-1, US-ASCII and windows-1252. The last contains the others and is what is usually meant.
  case windows1252
  case utf16(bigEndian: Bool)
  case utf32(bigEndian: Bool)
  /// The name that the C library uses.
  case named(String)

  /// Returns nil for an unknown name, and for an encoding that is not for documents, such as UTF-7.
  /// - Parameter name: The name as servers and documents write it, in any case.
  init?(name: String) {
    let name = name.lowercased()
    if let known = Self.byName[name] {
      self = known
    } else if let converted = Self.convertedNames[name] {
      self = .named(converted)
    } else {
      return nil
    }
  }

  /// True if every character of markup takes several bytes.
  var isWide: Bool {
    switch self {
    case .utf16, .utf32: true
    default: false
    }
  }

  private static let byName: [String: TextEncoding] = {
    var names: [String: TextEncoding] = [
      "utf-16le": .utf16(bigEndian: false), "utf-32le": .utf32(bigEndian: false), "utf-32be": .utf32(bigEndian: true),
      "utf-32": .utf32(bigEndian: true), "iso-10646-ucs-4": .utf32(bigEndian: true), "ucs-4": .utf32(bigEndian: true),
    ]
    for name in ["utf-8", "utf8", "unicode-1-1-utf-8"] { names[name] = .utf8 }
    // Big-endian unless stated otherwise (RFC 2781 §4.3).
    for name in ["utf-16", "utf16", "utf-16be", "iso-10646-ucs-2", "ucs-2", "unicode"] {
      names[name] = .utf16(bigEndian: true)
    }
    for name in [
      "iso-8859-1", "iso8859-1", "iso_8859-1", "iso88591", "latin1", "latin-1", "l1", "us-ascii", "ascii",
      "windows-1252", "cp1252", "x-cp1252",
    ] {
      names[name] = .windows1252
    }
    return names
  }()

  /// The names in the WHATWG Encoding Standard that feeds use, and those of XML 1.0 §4.3.3. Where browsers read a
  /// larger character set than the name says, this does the same.
  private static let convertedNames: [String: String] = {
    var names: [String: String] = [:]
    for part in [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16] {
      for spelling in ["iso-8859-\(part)", "iso8859-\(part)", "iso_8859-\(part)"] {
        names[spelling] = "ISO-8859-\(part)"
      }
    }
    for page in [1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258] {
      for spelling in ["windows-\(page)", "cp\(page)", "x-cp\(page)"] { names[spelling] = "CP\(page)" }
    }
    for line in others.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      for spelling in words.dropFirst() { names[spelling] = words[0] }
    }
    return names
  }()

  /// The C library's name, followed by the names that map to it.
  private static let others = """
    CP1254 iso-8859-9 iso8859-9 iso_8859-9 latin5
    ISO-8859-2 latin2 l2
    CP874 iso-8859-11 tis-620 windows-874 cp874
    KOI8-R koi8-r koi8 koi
    KOI8-U koi8-u koi8-ru
    GB18030 gb18030 gbk x-gbk gb2312 gb_2312-80 cp936 chinese
    BIG5-HKSCS big5 big5-hkscs cn-big5 x-x-big5
    EUC-TW euc-tw
    CP932 shift_jis shift-jis sjis x-sjis ms_kanji windows-31j cp932
    EUC-JP-MS euc-jp x-euc-jp
    ISO-2022-JP iso-2022-jp
    UHC euc-kr ks_c_5601-1987 ksc5601 korean windows-949 cp949 uhc
    MACINTOSH macintosh mac x-mac-roman
    MAC-CYRILLIC x-mac-cyrillic x-mac-ukrainian
    IBM866 ibm866 cp866 866
    IBM850 ibm850 cp850
    IBM437 ibm437 cp437
    IBM037 ibm037 cp037 ebcdic-cp-us ebcdic-cp-ca ebcdic-cp-nl ebcdic-cp-wt
    IBM500 ibm500 cp500 ebcdic-cp-be ebcdic-cp-ch
    IBM1047 ibm1047 cp1047
    """
}

/// The encoding that is usually meant if ISO-8859-1 is declared, or if UTF-8 contains bytes of another encoding.
package enum Windows1252 {
  /// Returns the windows-1252 character for the number of a C1 control character, U+FFFD if there is none, and any
  /// other character unchanged. No text uses C1 control characters: where they appear, the text was decoded with a
  /// wrong label.
  package static func meaning(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0x80..<0xA0).contains(scalar.value) else { return scalar }
    return Unicode.Scalar(controls[Int(scalar.value) - 0x80]) ?? "\u{FFFD}"
  }

  /// 0x80 to 0x9F (WHATWG Encoding, index windows-1252). U+FFFD is used for the five without a character.
  private static let controls: [UInt16] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
    0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0xFFFD, 0x017E, 0x0178,
  ]
}
