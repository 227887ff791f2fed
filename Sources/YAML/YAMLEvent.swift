// SPDX-License-Identifier: Apache-2.0

/// One parsing event of libyaml.
struct YAMLEvent {
  enum Kind {
    case streamStart, streamEnd, documentStart, documentEnd
    case alias(String)
    case scalar(YAMLScalar, Properties)
    case sequenceStart(Properties)
    case mappingStart(Properties)
    case collectionEnd
  }

  /// The properties that may precede a value.
  struct Properties {
    var anchor: String?
    var tag: String?
    /// True if the value contains a NUL, which YAML allows as an escape.
    var hasNUL = false
  }

  let kind: Kind
  let mark: YAMLMark
}
