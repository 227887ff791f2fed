// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport

/// The server of one case, on a separate host, since one bad response to a range makes the program distrust the whole
/// host.
struct ResumeOrigin: Sendable {
  private let server: FaultServer
  static let path = "/a.mp3"

  /// - Parameter number: the number of the host, from 0.
  init(_ number: Int) throws { server = try FaultServer(address: "127.0.0.\(number + 2)") }

  var url: String { server.url(Self.path) }
  var requests: [LoggedRequest] { server.requests }

  /// The first run: the old file, cut off.
  func begin(_ draw: ResumeDraw) {
    server.clearLog()
    server.serve(Self.path, draw.resource(draw.old, isNew: false))
    let cut = Behaviour.breakOff(after: draw.cut, draw.isReset ? .reset : .close)
    server.script(Self.path, [draw.isChunked ? cut.with { $0.framing = .chunked(complete: false) } : cut])
  }

  /// The second run: the new file, the trick, and an honest response to another request.
  func goOn(_ draw: ResumeDraw) {
    server.clearLog()
    server.serve(Self.path, draw.resource(draw.new, isNew: draw.isChanged && !draw.isLying))
    // The same validator for other bytes at another path.
    server.serve("/moved.mp3", draw.resource(draw.new, isNew: false))
    server.script(Self.path, draw.trick == .moved ? [.redirect(to: "/moved.mp3")] : [draw.secondAnswer, .honest])
  }

  func beHonest() { server.script(Self.path, []) }
  func stop() { server.stop() }
}

extension ResumeDraw {
  /// - Parameter isNew: true for a validator other than the old one.
  fileprivate func resource(_ bytes: [UInt8], isNew: Bool) -> Resource {
    let tag = isNew ? "new" : "old"
    let date = HTTPDate.text(isNew ? 1_700_000_000 : 1_600_000_000)
    let resource = Resource(bytes: bytes)
    switch validator {
    case .strong: return resource.with { $0.etag = "\"\(tag)\"" }
    case .weak: return resource.with { $0.etag = "W/\"\(tag)\"" }
    case .malformed: return resource.with { $0.etag = tag }
    case .oldDate: return resource.with { $0.lastModified = date }
    case .freshDate: return resource.with { $0.lastModified = HTTPDate.text(time(nil) - 5) }
    case .both:
      return resource.with {
        $0.etag = "\"\(tag)\""
        $0.lastModified = date
      }
    case .none: return resource
    }
  }

  fileprivate var secondAnswer: Behaviour {
    switch trick {
    case .honest, .moved: .honest
    case .ignored: .rangesIgnored
    case .fromZero: .partialFromZero
    case .shifted: .partialShifted
    case .unlabelled: .partialUnlabelled
    case .multipart: .multipart
    case .otherStart: .contentRange(start: number)
    case .otherTotal: .contentRange(total: "\(new.count + 1 + number)")
    case .noTotal: .contentRange(total: "*")
    case .unsatisfiable: .unsatisfiable()
    case .unsatisfiableAtCut: .unsatisfiable(total: cut)
    case .unsatisfiableBare: .status(416)
    case .encoded: .contentEncoding("gzip")
    case .ifRangeIgnored: .ifRangeIgnored
    case .validatorsLeftOut: Behaviour.ifRangeIgnored.with { $0.entity = Resource(bytes: new) }
    case .brokenAgain: .breakOff(after: number / 3)
    case .chunked: .chunked()
    case .chunkedCut: Behaviour.chunked(complete: false).with { $0.interruption = (number / 3, .breakOff(.close)) }
    case .untilClose: .untilClose
    case .otherLength: .contentLength("\(number)")
    case .serverError: .status(503)
    }
  }
}

extension Resource {
  fileprivate func with(_ change: (inout Resource) -> Void) -> Resource {
    var copy = self
    change(&copy)
    return copy
  }
}
