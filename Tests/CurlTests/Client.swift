// SPDX-License-Identifier: Apache-2.0

import Curl

/// An actor whose thread is the loop's, as the users of the wrapper are.
actor Client {
  nonisolated let loop: CurlLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// All that were used; what is kept here belongs to the actor.
  private(set) var recorders: [Recorder] = []
  var notes: [String] = []

  init(_ loop: CurlLoop) { self.loop = loop }

  func newRecorder() -> Recorder {
    let recorder = Recorder()
    recorders.append(recorder)
    return recorder
  }

  var recordings: [Recording] { recorders.map(\.recording) }

  /// Runs one transfer to its end. `prepare` sees the recorder, which knows the transfer's name by its first call.
  func fetch(
    _ request: TransferRequest, _ prepare: @Sendable (isolated Client, Recorder) -> Void = { _, _ in }
  ) async -> Recording {
    let recorder = newRecorder()
    await withCheckedContinuation { continuation in
      recorder.onFinish = { continuation.resume() }
      prepare(self, recorder)
      recorder.id = loop.start(request.patient, recorder)
    }
    return recorder.recording
  }

  func fetch(_ url: String, decision: HeadDecision = .receiveBody) async -> Recording {
    await fetch(TransferRequest(url: url)) { _, recorder in recorder.decision = decision }
  }

  /// Two transfers, the second at the end of the first. No step between them is taken on another thread: there a busy
  /// machine could keep it waiting for longer than libcurl keeps an idle connection (118 s).
  func fetchTwice(_ url: String, decision: HeadDecision = .receiveBody) async -> (
    Recording, Recording
  ) {
    let first = await fetch(url, decision: decision)
    return (first, await fetch(url))
  }

  /// One transfer, then so many at once, the first of them aborted; as `fetchTwice` without other threads.
  func fetch(_ request: TransferRequest, then count: Int) async -> (aborted: Recording, others: [Recording]) {
    _ = await fetch(request)
    let recorders = (0..<count).map { _ in newRecorder() }
    recorders[0].decision = .abort
    await withCheckedContinuation { continuation in
      var left = count
      for recorder in recorders {
        recorder.onFinish = {
          left -= 1
          if left == 0 { continuation.resume() }
        }
        recorder.id = loop.start(request.patient, recorder)
      }
    }
    return (recorders[0].recording, recorders.dropFirst().map(\.recording))
  }

  func perform<Value: Sendable>(_ body: @Sendable (isolated Client) -> Value) -> Value { body(self) }

  /// A loop for one test, ended with it.
  static func with<Value: Sendable>(_ body: (Client) async throws -> Value) async throws -> Value {
    let loop = try CurlLoop()
    do {
      let value = try await body(Client(loop))
      await loop.shutdown()
      return value
    } catch {
      await loop.shutdown()
      throw error
    }
  }
}

extension TransferRequest {
  /// A test that says nothing of stalls and slow connecting is not about them, however busy the machine is.
  var patient: TransferRequest {
    var request = self
    if stallTimeout == TransferRequest(url: "").stallTimeout { request.stallTimeout = .seconds(3600) }
    if connectTimeout == TransferRequest(url: "").connectTimeout { request.connectTimeout = .seconds(3600) }
    return request
  }
}
