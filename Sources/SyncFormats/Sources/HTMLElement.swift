// SPDX-License-Identifier: Apache-2.0

/// An element of HTML, and the effect of its tags on a text.
struct HTMLElement {
  /// Lower case.
  let name: String
  /// True if its tags separate the words before and after them.
  var breaksText: Bool { Self.breaking.contains(name) }
  /// True if its content is not shown.
  var hidesContent: Bool { name == "script" || name == "style" }

  static let longestName = 10

  /// - Parameter name: lower case.
  /// - Returns: nil for a name that HTML does not have.
  init?(name: String) {
    guard Self.names.contains(name) else { return nil }
    self.name = name
  }

  private static let breaking = Set(
    """
    address article aside blockquote br center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
    header hr li main nav ol p pre section table td th tr ul
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// HTML Standard §15.3 and the elements of earlier versions.
  private static let names = breaking.union(
    """
    a abbr acronym applet area audio b base basefont bdi bdo big blink body button canvas caption cite code col colgroup
    data datalist del details dfn dialog dir em embed font frame frameset head hgroup html i iframe img input ins kbd
    label legend link map mark marquee menu meta meter nobr noframes noscript object optgroup option output param picture
    progress q rp rt ruby s samp script search select slot small source span strike strong style sub summary sup svg
    tbody template textarea tfoot thead time title track tt u var video wbr
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
