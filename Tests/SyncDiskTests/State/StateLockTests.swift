// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncDiskTestSupport
import Testing

@Suite("the lock")
struct StateLockTests {
  private let first = StateLock.Holder(pid: 4711, since: Timestamp(secondsSince1970: 1_763_704_803))
  private let second = StateLock.Holder(pid: 4712, since: Timestamp(secondsSince1970: 1_763_704_900))

  private func folder(_ twin: FileSystemTwin) throws -> (Workshop, StateFolder) {
    let work = try twin.workshop()
    return (work, try StateFolder.open(work.files, inLibrary: work.root, making: true))
  }

  @Test("the second one is told who holds it", arguments: FileSystemTwin.allCases)
  func held(_ twin: FileSystemTwin) async throws {
    let (work, folder) = try folder(twin)
    guard case .acquired(let lock) = try await StateLock.acquire(folder, as: first) else {
      Issue.record("a free lock was not given")
      return
    }
    guard case .held(by: let holder) = try await StateLock.acquire(folder, as: second) else {
      Issue.record("a held lock was given")
      return
    }
    #expect(holder == first)
    try lock.release()
    guard case .acquired = try await StateLock.acquire(folder, as: second) else {
      Issue.record("a released lock was not given")
      return
    }
    #expect(try work.text(".syncjob/lock") == "4712 2025-11-21T06:01:40Z\n")
  }

  @Test(
    "waiting ends when the lock is free, after the time, or when waiting is given up",
    arguments: FileSystemTwin.allCases)
  func waits(_ twin: FileSystemTwin) async throws {
    let (work, folder) = try folder(twin)
    defer { withExtendedLifetime(work) {} }
    guard case .acquired(let lock) = try await StateLock.acquire(folder, as: first) else { return }
    var pauses = 0
    let inVain = try await StateLock.acquire(folder, as: second, waiting: .seconds(1)) { _ in
      pauses += 1
      return true
    }
    guard case .held = inVain else {
      Issue.record("a held lock was given")
      return
    }
    #expect(pauses == 10)
    guard case .held = try await StateLock.acquire(folder, as: second, waiting: .seconds(1), sleep: { _ in false })
    else {
      Issue.record("a held lock was given")
      return
    }
    let inTime = try await StateLock.acquire(folder, as: second, waiting: .seconds(1)) { _ in
      do { try lock.release() } catch { Issue.record(error) }
      return true
    }
    guard case .acquired = inTime else {
      Issue.record("a released lock was not given")
      return
    }
  }

  @Test("a lock that is forgotten is free", arguments: FileSystemTwin.allCases)
  func forgotten(_ twin: FileSystemTwin) async throws {
    let (work, folder) = try folder(twin)
    defer { withExtendedLifetime(work) {} }
    _ = try await StateLock.acquire(folder, as: first)
    guard case .acquired = try await StateLock.acquire(folder, as: second) else {
      Issue.record("a forgotten lock was not given")
      return
    }
  }
}
