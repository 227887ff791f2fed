// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// One candidate of an item while it is read.
struct CandidateDraft: Sendable {
  var url: RemoteURL?
  var title: String?
  var duration: Duration?

  static let section = Section<CandidateDraft>(
    [
      .optional("url", \.url, .url), .optional("title", \.title, .text),
      .optional("duration", \.duration, .duration()),
    ],
    check: { field, _, context in
      if field.node["url"] == nil {
        context.report(.key(.missing("url", section: field.path)), at: field.node.mark)
      }
    })

  /// Nil after a report.
  static func read(_ node: YAMLNode, _ context: ReadingContext) -> Candidate? {
    guard case .mapping = node.content else {
      context.report(
        .value(key: "alternatives", .wrongType(expected: .listOfMappings, found: node.found)), at: node.mark)
      return nil
    }
    var draft = CandidateDraft()
    section.read(Field(section: "", key: "alternatives", node: node), into: &draft, context)
    return draft.url.map { Candidate(url: $0, title: draft.title, duration: draft.duration) }
  }
}

extension CandidateDraft {
  init(_ candidate: Candidate) {
    url = candidate.url
    title = candidate.title
    duration = candidate.duration
  }
}
