// SPDX-License-Identifier: Apache-2.0

/// What libyaml tells of a text, piece by piece.
struct YAMLEvent {
  enum Kind {
    case streamStart, streamEnd, documentStart, documentEnd
    case alias(String)
    case scalar(YAMLScalar, Properties)
    case sequenceStart(Properties)
    case mappingStart(Properties)
    case collectionEnd
  }

  /// What may stand before a value.
  struct Properties {
    var anchor: String?
    var tag: String?
    /// YAML lets a NUL be written as an escape.
    var hasNUL = false
  }

  let kind: Kind
  let mark: YAMLMark
}
