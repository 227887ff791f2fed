// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
package import SyncCore
import Synchronization

/// The tags of files, read by the program `syncjob-tags`. It starts with the first file and ends with this process. A
/// file that brings it down is one that cannot be read: the next one gets a new process (docs/decisions/0070).
package final class TagProgram: TagEditor {
  private let path: String?
  /// One file after another, on a thread that may wait.
  private let queue = DispatchQueue(label: "tags")
  private let process = Mutex<TagProcess?>(nil)

  /// - Parameter path: The program. Nil for the one that belongs to this program.
  package init(path: String? = nil) { self.path = path }

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

  /// - Returns: The answer. Empty if the file brought the program down.
  private func ask(_ request: [String]) async throws(TagProblem) -> [String] {
    let result = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Result { () throws(TagProblem) in try self.askNow(request) })
      }
    }
    return try result.get()
  }

  private func askNow(_ request: [String]) throws(TagProblem) -> [String] {
    try process.withLock { process throws(TagProblem) in
      // The process may have ended by itself since it was last asked.
      for _ in 0..<2 {
        let isNew = process == nil
        let current: TagProcess
        if let running = process { current = running } else { current = try TagProcess(Self.find(path)) }
        process = current
        if let answer = current.ask(request) { return answer }
        process = nil
        let end = current.end()
        // The dynamic loader's status if a library is missing.
        if end == .exited(127) { throw .libraryMissing }
        if isNew { return [] }
      }
      return []
    }
  }

  /// The program beside this one, as it is built, or where `make install` puts it.
  private static func find(_ path: String?) throws(TagProblem) -> String {
    var own = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink("/proc/self/exe", &own, own.count - 1) > 0 else { throw .programMissing }
    let folder = String(cString: own).split(separator: "/").dropLast().joined(separator: "/")
    let places = path.map { [$0] } ?? ["/\(folder)/syncjob-tags", "/\(folder)/../libexec/syncjob/syncjob-tags"]
    guard let found = places.first(where: { access($0, X_OK) == 0 }) else { throw .programMissing }
    return found
  }
}
