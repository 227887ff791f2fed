// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension Plan {
  package static let format = "syncjob-plan"
  static let version = 1

  /// The plan as JSON, one step a line.
  /// - Parameters:
  ///   - record: with it, `SavedPlan.decode` reads the plan, to have it carried out.
  ///   - invocation: for the commands that its sentences suggest.
  package func json(with record: PlanRecord? = nil, _ invocation: Invocation = Invocation()) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", Self.format)
      writer.field("version", Self.version)
      writer.field("generated_at", generatedAt.rfc3339)
      writeSteps(&writer, invocation)
      writer.key("totals")
      writer.object { writer in
        for action in Step.Action.allCases {
          writer.field(action.rawValue, count(action))
          writer.field("bytes_\(action.rawValue)", bytes(action).bytes)
        }
      }
      writer.key("storage")
      writer.write(storage)
      let trash = PlanOutline(self).trash
      writer.field("trash", trash == .kept ? nil : trash.rawValue)
      if let safetyStop {
        writer.field("safety_stop", safetyStop.words)
        writer.object("safety_stop_reason") { writer in writer.write(safetyStop.facts) }
      }
      writeWarnings(&writer)
      if let record { writer.members(record) }
    }
    writer.endLine()
    return writer.bytes
  }

  private func writeSteps(_ writer: inout JSONWriter, _ invocation: Invocation) {
    writer.key("changes")
    writer.array { writer in
      for step in steps {
        guard let action = step.action, let item = step.item else { continue }
        writer.startLine()
        writer.write(step, action, item, invocation)
      }
      writer.endLine()
    }
    let unselected = unselected
    if !unselected.isEmpty {
      writer.key("passed_over")
      writer.array { writer in
        for item in unselected {
          writer.startLine()
          writer.object { writer in
            writer.field("id", item.id.text)
            writer.field("playlist", item.playlist?.text)
            writer.field("title", item.title)
            writer.write(item.reason.facts, item.reason.words)
          }
        }
        writer.endLine()
      }
      let omitted = unlisted.values.reduce(0, +)
      if omitted > 0 { writer.field("passed_over_omitted", omitted) }
    }
  }

  private func writeWarnings(_ writer: inout JSONWriter) {
    writer.key("warnings")
    writer.array { writer in for warning in warnings { writer.value(warning.words) } }
    if !warnings.isEmpty {
      writer.array("warning_details") { writer in
        for warning in warnings {
          writer.object { writer in
            writer.field("kind", warning.kind)
            writer.field("message", warning.words)
          }
        }
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(
    _ step: Step, _ action: Step.Action, _ item: PlannedItem, _ invocation: Invocation
  ) {
    object { writer in
      writer.field("id", step.id.text)
      writer.field("playlist", step.playlist?.text)
      writer.field("title", step.title)
      writer.field("matched_by", item.queued.matchedBy?.rawValue)
      writer.field("duration", step.duration.map { ($0.inSeconds * 1000).rounded() / 1000 })
      writer.field("action", action.rawValue)
      if action == .keep, let failed = item.failedUpgrade {
        writer.write(failed.facts, failed.words(id: step.id, invocation))
      } else {
        writer.write(item.reason.facts, item.reason.words)
      }
      writer.field("bytes", step.bytes?.bytes)
      writer.field("path", step.path?.text)
      writer.field("quality", step.quality?.rawValue)
      writer.field("url", step.url?.redacted)
      writer.field("origin", item.queued.state.storedFile?.origin?.named)
      writer.field("score", item.score)
    }
  }

  fileprivate mutating func write(_ storage: StorageForecast) {
    object { writer in
      writer.field("before", storage.before.bytes)
      writer.field("after", storage.after.bytes)
      writer.field("budget", storage.budget?.bytes)
      writer.field("deferred", storage.deferred.bytes)
      writer.field("free", storage.free.bytes)
    }
  }
}
