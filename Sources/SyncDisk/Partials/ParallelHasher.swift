// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import Synchronization

/// Reads and hashes many files, several at once: a single disk is rarely faster than one core, but several may be.
package struct ParallelHasher: Sendable {
  package struct Order: Sendable {
    var place: FilePlace
    /// A second algorithm, in addition to SHA-256.
    var algorithm: Checksum.Algorithm?

    package init(place: FilePlace, algorithm: Checksum.Algorithm? = nil) {
      self.place = place
      self.algorithm = algorithm
    }
  }

  let files: any FileSystem

  package init(files: any FileSystem) {
    self.files = files
  }

  /// Returns the digests in the order of `orders`; nil for those that a cancelled task did not reach.
  /// - Parameter emit: called for each file as soon as it is read.
  package func digests(
    of orders: [Order], emitting emit: @escaping @Sendable (Result<FileDigest, Failure>) -> Void = { _ in }
  ) async -> [Result<FileDigest, Failure>?] {
    await withTaskGroup(of: (Int, Result<FileDigest, Failure>).self) { group in
      var results: [Result<FileDigest, Failure>?] = Array(repeating: nil, count: orders.count)
      var next = 0
      func begin() {
        guard next < orders.count, !Task.isCancelled else { return }
        let (index, order) = (next, orders[next])
        next += 1
        group.addTask { (index, digest(of: order)) }
      }
      for _ in 0..<ParallelParts().width { begin() }
      while let (index, result) = await group.next() {
        results[index] = result
        emit(result)
        begin()
      }
      return results
    }
  }

  /// The same, with an event for the progress after each file.
  package func digests(
    of orders: [Order], telling tell: @escaping @Sendable (RunEvent) -> Void
  ) async -> [Result<FileDigest, Failure>?] {
    let done = Mutex(0)
    if !orders.isEmpty { tell(.worked(RunWork(.readingFiles, done: 0, of: orders.count))) }
    return await digests(
      of: orders,
      emitting: { _ in
        let count = done.withLock { done in
          done += 1
          return done
        }
        tell(.worked(RunWork(.readingFiles, done: count, of: orders.count)))
      })
  }

  private func digest(of order: Order) -> Result<FileDigest, Failure> {
    do throws(Failure) {
      return .success(try FileDigest.compute(order.place, in: files, also: order.algorithm))
    } catch { return .failure(error) }
  }
}
