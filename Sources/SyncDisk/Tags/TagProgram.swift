// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
package import SyncCore
import Synchronization

/// The tags of files, read and written by the program `syncjob-tags`. It starts with the first file and ends with this
/// process. A file that brings it down is one that cannot be read: the next one gets a new process
/// (docs/decisions/0070).
package final class TagProgram: TagEditor {
  /// The time for a request in seconds, a little more than the program gives itself.
  package static let patience = 35
  /// The bytes for which a copy gets another second, as in the program.
  private static let bytesPerSecond: Int64 = 4 << 20

  private let path: String?
  private let patience: Int
  /// One file after another, on a thread that may wait.
  private let queue = DispatchQueue(label: "tags")
  private let process = Mutex<TagProcess?>(nil)

  /// - Parameter path: The program. Nil for the one that belongs to this program.
  package init(path: String? = nil, patience: Int = TagProgram.patience) {
    (self.path, self.patience) = (path, patience)
  }

  package func duration(of file: MediaFile, isExact: Bool) async throws(TagProblem) -> Duration? {
    let answer = try await ask([isExact ? "count" : "read", file.path, file.fileExtension])
    guard answer.count == 2, answer[0] == "ok" else { return nil }
    return Int64(answer[1]).map { .milliseconds($0) }
  }

  package func names(in file: MediaFile) async throws(TagProblem) -> MediaNames? {
    let answer = try await ask(["tags", file.path, file.fileExtension])
    guard answer.count == 5, answer[0] == "ok", let length = Int64(answer[1]) else { return nil }
    return MediaNames(
      title: answer[2], artist: answer[3], album: answer[4], duration: length > 0 ? .milliseconds(length) : nil)
  }

  package func write(_ order: TagOrder) async throws(TagProblem) -> TagResult {
    var request = ["write", order.file.path, order.copy ?? "", order.file.fileExtension]
    request.append(order.overwrites ? "overwrite" : "fill")
    for field in order.fields.fields { request += [field.name, field.value] }
    let size = Self.size(of: order.file.path)
    let reply = try await reply(to: request, patience: patience + Int(size / Self.bytesPerSecond))
    switch reply {
    case .ended(.signalled(SIGALRM)), .late: return .failed(.tooSlow)
    case .ended: return .failed(.crashed)
    case .answer(let answer):
      switch answer.first {
      case "ok": return .written
      case "same": return .unchanged
      case "differs": return .lacking
      case "unknown": return .failed(.unreadable)
      case "failed":
        let code = answer.count == 2 ? Int32(answer[1]) ?? 0 : 0
        return .failed(code == 0 ? .damaged : .refused(ErrnoCode(code)))
      default: throw .programTooOld
      }
    }
  }

  /// Zero for a file that cannot be examined.
  private static func size(of path: String) -> Int64 {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int64(facts.st_size) : 0
  }

  private enum Reply {
    case answer([String])
    /// The program ended and gave no answer.
    case ended(ProcessEnd.Status)
    /// The program gave no answer in time, and was ended.
    case late
  }

  /// - Returns: The answer. Empty if the file brought the program down.
  private func ask(_ request: [String]) async throws(TagProblem) -> [String] {
    if case .answer(let answer) = try await reply(to: request, patience: patience) { answer } else { [] }
  }

  private func reply(to request: [String], patience: Int) async throws(TagProblem) -> Reply {
    let result = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Result { () throws(TagProblem) in try self.askNow(request, patience) })
      }
    }
    return try result.get()
  }

  private func askNow(_ request: [String], _ patience: Int) throws(TagProblem) -> Reply {
    try process.withLock { process throws(TagProblem) in
      // The process may have ended by itself since it was last asked.
      while true {
        let isNew = process == nil
        let current: TagProcess
        if let running = process { current = running } else { current = try TagProcess(Self.find(path)) }
        process = current
        if let answer = current.ask(request, patience: patience) { return .answer(answer) }
        process = nil
        let isLate = current.isSilent
        let end = current.end()
        // The dynamic loader's status if a library is missing.
        if end == .exited(127) { throw .libraryMissing }
        if isLate { return .late }
        if isNew { return .ended(end) }
      }
    }
  }

  /// The program beside this one, as it is built, or where `make install` puts it.
  private static func find(_ path: String?) throws(TagProblem) -> String {
    guard let folder = OwnProgram.folder else { throw .programMissing }
    let places = path.map { [$0] } ?? ["\(folder)/syncjob-tags", "\(folder)/../libexec/syncjob/syncjob-tags"]
    guard let found = places.first(where: { access($0, X_OK) == 0 }) else { throw .programMissing }
    return found
  }
}
