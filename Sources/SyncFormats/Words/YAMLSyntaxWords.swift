// SPDX-License-Identifier: Apache-2.0

/// The messages of libyaml (0.2.5, `scanner.c` and `parser.c`) in words for the author of a manifest: the part that was
/// read, its beginning, and the remedy.
enum YAMLSyntaxWords {
  /// - Parameters:
  ///   - problem: libyaml's message: `did not find expected key`.
  ///   - context: the part that it was reading: `while parsing a block mapping`.
  ///   - line: the line where that part began.
  static func sentence(_ problem: String, _ context: String?, _ line: Int?) -> String {
    let place = line.map { " that began in line \($0)" } ?? ""
    let text = words(problem, context ?? "", place) ?? "\(subject(context))\(place) cannot be read on from here"
    return "not valid YAML: \(text)"
  }

  private static func words(_ problem: String, _ context: String, _ place: String) -> String? {
    if context.hasSuffix("tag") || context.hasSuffix("%TAG directive") || problem == "found undefined tag handle" {
      return "a value that begins with \"!\" is a tag, and this one is not complete; quote the value"
    }
    return structure(problem, place) ?? text(problem, context, place) ?? directive(problem, context)
  }

  /// Messages about keys, lists and brackets.
  private static func structure(_ problem: String, _ place: String) -> String? {
    switch problem {
    case "did not find expected key":
      "this line does not fit the keys\(place); indent it like them, and close every quote and bracket above it"
    case "did not find expected '-' indicator":
      "this line does not fit the list\(place); begin it with \"- \" and indent it like the others"
    case "did not find expected ',' or ']'":
      "the list in brackets\(place) is not closed here; close it, and quote a value that has braces, brackets or commas in it"
    case "did not find expected ',' or '}'":
      "the mapping in braces\(place) is not closed here; close it, and quote a value that has braces, brackets or commas in it"
    case "could not find expected ':'":
      "the key\(place) has no \":\" behind it; write \"key: value\", or indent the line that goes on with a text"
    case "mapping values are not allowed in this context":
      "a \":\" cannot stand here; indent the key like its neighbours, or quote a value that has \": \" in it"
    case "block sequence entries are not allowed in this context":
      "a list cannot begin here; begin it in a line of its own, or quote a value that begins with \"- \""
    case "did not find expected node content": "a value is missing here; write one, or remove the comma before it"
    default: nil
    }
  }

  /// Messages about quotes, escapes and long texts.
  private static func text(_ problem: String, _ context: String, _ place: String) -> String? {
    switch problem {
    case "found unexpected end of stream": "the quoted text\(place) is never closed; close its quote"
    case "found unexpected document indicator":
      "the quoted text\(place) is not closed before a line with \"---\" or \"...\"; close its quote"
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      "the quoted text\(place) has an escape that YAML does not know; write \"\\\\\" for a backslash, or use single quotes"
    case "found character that cannot start any token":
      "a value cannot begin with this character; quote a value that begins with it"
    case "found unexpected ':'": "a \":\" cannot stand in the value\(place); quote the value"
    case "found an indentation indicator equal to 0":
      "the indentation behind \"|\" or \">\" cannot be 0; leave the number out"
    case "did not find expected comment or line break":
      "a text after \"|\" or \">\" begins in the next line; move it there"
    case "found a tab character where an indentation space is expected",
      "found a tab character that violates indentation":
      "a tab cannot stand here; YAML is indented with spaces"
    case "did not find expected alphabetic or numeric character":
      context.hasSuffix("alias")
        ? "a value that begins with \"*\" is an alias, and this one has no name; quote the value"
        : "a value that begins with \"&\" is an anchor, and this one has no name; quote the value"
    case "found duplicate anchor; first occurrence": "an anchor of this name stands above already; rename one of them"
    default: nil
    }
  }

  /// Messages about lines that begin with `%`, which no manifest needs.
  private static func directive(_ problem: String, _ context: String) -> String? {
    let isDirective =
      context.contains("directive") || problem.contains("directive") || problem.contains("YAML document")
    if isDirective || problem == "found extremely long version number" {
      return "a line that begins with \"%\" is a directive, and this one is not known; remove it"
    }
    if problem == "did not find expected <document start>" {
      return
        "the manifest goes on behind its end; indent this line like its neighbours, or remove \"...\" and \"%\" above it"
    }
    return nil
  }

  private static func subject(_ context: String?) -> String {
    switch context {
    case "while parsing a block mapping": "the keys"
    case "while parsing a flow mapping": "the mapping in braces"
    case "while parsing a block collection": "the list"
    case "while parsing a flow sequence": "the list in brackets"
    case "while scanning a block scalar": "the text after \"|\" or \">\""
    case "while scanning a quoted scalar", "while parsing a quoted scalar": "the quoted text"
    case "while scanning a simple key": "the key"
    default: "the value"
    }
  }
}
