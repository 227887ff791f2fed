// SPDX-License-Identifier: Apache-2.0
import SyncCore
final class QueueStore {
  func record(_ changes: [QueueChange]) throws(Failure) {}
  func sync() throws(Failure) {}
  func close(_ queue: inout Queue, at now: Timestamp) throws(JobError) {}
}
