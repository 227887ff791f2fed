// SPDX-License-Identifier: Apache-2.0

import CCurl

/// libcurl's multi handle. Everything but `wake` is confined to the loop's thread. Unchecked, because libcurl allows
/// that one call from any thread, and `TransferTable`, the only other user, runs on the loop's thread.
final class MultiHandle: @unchecked Sendable {
  private let raw: UnsafeMutableRawPointer

  init() throws(CurlLoop.Unavailable) {
    guard CurlLibrary.prepare(), let raw = curl_multi_init() else { throw .noLibcurl }
    self.raw = raw
  }

  deinit { curl_multi_cleanup(raw) }

  /// Limits the number of open connections, including idle ones. An idle connection is closed when a new one is needed;
  /// a transfer without a connection waits.
  func limitConnections(total: Int, perHost: Int) throws(TransferError) {
    for (option, value) in [
      (CURLMOPT_MAX_TOTAL_CONNECTIONS, total), (CURLMOPT_MAXCONNECTS, total), (CURLMOPT_MAX_HOST_CONNECTIONS, perHost),
    ] {
      let code = ccurl_multi_set_long(raw, option, value)
      guard code == CURLM_OK else { throw Self.error(code) }
    }
  }

  func add(_ handle: EasyHandle) throws(TransferError) {
    let code = curl_multi_add_handle(raw, handle.raw)
    guard code == CURLM_OK else { throw Self.error(code) }
  }

  /// Removes a transfer. A running transfer loses its connection.
  func remove(_ handle: EasyHandle) { curl_multi_remove_handle(raw, handle.raw) }

  /// Moves all bytes that can be moved without waiting.
  func perform() throws(TransferError) {
    var running: Int32 = 0
    let code = curl_multi_perform(raw, &running)
    guard code == CURLM_OK else { throw Self.error(code) }
  }

  /// The next transfer that has ended.
  func nextEnd() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(raw, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      return (handle, message.pointee.data.result)
    }
    return nil
  }

  /// Waits for a socket, one of libcurl's timers, `wake`, or the timeout.
  func poll(milliseconds: Int32) throws(TransferError) {
    let code = curl_multi_poll(raw, nil, 0, milliseconds, nil)
    guard code == CURLM_OK else { throw Self.error(code) }
  }

  /// The only call that any thread may make.
  func wake() { curl_multi_wakeup(raw) }

  private static func error(_ code: CURLMcode) -> TransferError {
    // CURLMcode values differ from CURLcode values.
    code == CURLM_OUT_OF_MEMORY
      ? .outOfMemory
      : .other(code: Int32(CURLE_FAILED_INIT.rawValue), detail: String(cString: curl_multi_strerror(code)))
  }
}
