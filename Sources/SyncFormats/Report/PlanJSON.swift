// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension Plan {
  package static let format = "syncjob-plan"
  static let version = 1

  /// The plan of SPEC §8 as JSON, one change a line.
  /// - Parameters:
  ///   - record: with it, `SavedPlan.decode` reads the plan, to have it carried out.
  ///   - invocation: for the commands that its sentences suggest.
  package func json(with record: PlanRecord? = nil, _ invocation: Invocation = Invocation()) -> [UInt8] {
    var writer = JSONWriter()
    let failedUpgrades = Dictionary(
      standing.lazy.filter(\.standing.isFailedUpgrade).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    writer.object { writer in
      writer.field("format", Self.format)
      writer.field("version", Self.version)
      writer.field("generated_at", generatedAt.rfc3339)
      writer.key("changes")
      writer.array { writer in
        for change in changes {
          writer.startLine()
          writer.write(change, failedUpgrades[change.id], invocation)
        }
        writer.endLine()
      }
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
      writer.key("totals")
      writer.object { writer in
        for action in Change.Action.allCases {
          writer.field(action.rawValue, count(action))
          writer.field("bytes_\(action.rawValue)", bytes(action).bytes)
        }
      }
      writer.key("storage")
      writer.write(storage)
      let trash = PlanOutline(self).trash
      writer.field("trash", trash == .kept ? nil : trash.rawValue)
      writer.field("safety_stop", safetyStop?.words)
      writer.key("warnings")
      writer.array { writer in for warning in warnings { writer.value(warning.words) } }
      if let record { writer.members(record) }
    }
    writer.endLine()
    return writer.bytes
  }
}

extension JSONWriter {
  /// - Parameter failedUpgrade: The reason why a file that stays is not the wanted one.
  fileprivate mutating func write(_ change: Change, _ failedUpgrade: StandingItem?, _ invocation: Invocation) {
    object { writer in
      writer.field("id", change.id.text)
      writer.field("playlist", change.playlist?.text)
      writer.field("title", change.title)
      writer.field("duration", change.duration.map { ($0.inSeconds * 1000).rounded() / 1000 })
      writer.field("action", change.action.rawValue)
      if change.action == .keep, let failedUpgrade {
        let standing = failedUpgrade.standing
        writer.write(standing.facts, standing.words(id: change.id, invocation))
      } else {
        writer.write(change.reason.facts, change.reason.words)
      }
      writer.field("bytes", change.bytes?.bytes)
      writer.field("path", change.path?.text)
      writer.field("url", change.url?.redacted)
      writer.field("score", change.score)
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
