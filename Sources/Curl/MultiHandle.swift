// SPDX-License-Identifier: Apache-2.0

import CCurl
import DynamicLibrary

/// libcurl's multi handle. Everything but `wake` is confined to the loop's thread. Unchecked, because libcurl allows
/// that one call from any thread, and `TransferTable`, the only other user, runs on the loop's thread.
final class MultiHandle: @unchecked Sendable {
  let curl: LibCurl
  private let raw: UnsafeMutableRawPointer

  init() throws(CurlLoop.Unavailable) {
    do throws(DynamicLibrary.Unavailable) { curl = try LibCurl.loaded.get() } catch {
      throw .noLibcurl(detail: error.detail)
    }
    guard let raw = curl.multiInit() else { throw .noLibcurl(detail: "no memory for it") }
    self.raw = raw
  }

  deinit { _ = curl.multiCleanup(raw) }

  /// Limits the number of open connections, including idle ones. An idle connection is closed when a new one is needed;
  /// a transfer without a connection waits.
  func limitConnections(total: Int, perHost: Int) throws(TransferError) {
    for (option, value) in [
      (CURLMOPT_MAX_TOTAL_CONNECTIONS, total), (CURLMOPT_MAXCONNECTS, total), (CURLMOPT_MAX_HOST_CONNECTIONS, perHost),
    ] {
      let code = ccurl_multi_set_long(curl.multiSetOption, raw, option, value)
      guard code == CURLM_OK else { throw error(code) }
    }
  }

  func add(_ handle: EasyHandle) throws(TransferError) {
    let code = curl.multiAdd(raw, handle.raw)
    guard code == CURLM_OK else { throw error(code) }
  }

  /// Removes a transfer. A running transfer loses its connection.
  func remove(_ handle: EasyHandle) { _ = curl.multiRemove(raw, handle.raw) }

  /// Moves all bytes that can be moved without waiting.
  func perform() throws(TransferError) {
    var running: Int32 = 0
    let code = curl.multiPerform(raw, &running)
    guard code == CURLM_OK else { throw error(code) }
  }

  /// The next transfer that has ended.
  func nextEnd() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
    var left: Int32 = 0
    while let message = curl.multiInfoRead(raw, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      return (handle, message.pointee.data.result)
    }
    return nil
  }

  /// Waits for a socket, one of libcurl's timers, `wake`, or the timeout.
  func poll(milliseconds: Int32) throws(TransferError) {
    let code = curl.multiPoll(raw, nil, 0, milliseconds, nil)
    guard code == CURLM_OK else { throw error(code) }
  }

  /// The only call that any thread may make.
  func wake() { _ = curl.multiWakeup(raw) }

  private func error(_ code: CURLMcode) -> TransferError {
    // CURLMcode values differ from CURLcode values.
    guard code != CURLM_OUT_OF_MEMORY else { return .outOfMemory }
    let detail = curl.multiErrorText(code).map { String(cString: $0) } ?? ""
    return .other(code: Int32(CURLE_FAILED_INIT.rawValue), detail: detail)
  }
}
