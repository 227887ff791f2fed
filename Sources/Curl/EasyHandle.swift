// SPDX-License-Identifier: Apache-2.0

import CCurl

/// libcurl's easy handle and the memory that its options point to. Confined to the loop's thread. Reused, because a new
/// handle must allocate everything again.
final class EasyHandle {
  let raw: UnsafeMutableRawPointer
  let curl: LibCurl
  private let errorText: UnsafeMutablePointer<CChar>
  private let excessMark: UnsafeMutablePointer<Int32>
  private var fieldList: UnsafeMutablePointer<curl_slist>?

  init?(_ curl: LibCurl) {
    guard let raw = curl.easyInit() else { return nil }
    self.curl = curl
    self.raw = raw
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    excessMark = .allocate(capacity: 1)
    excessMark.initialize(to: 0)
  }

  deinit {
    curl.easyCleanup(raw)
    curl.freeList(fieldList)
    errorText.deallocate()
    excessMark.deallocate()
  }

  /// The largest size that pays on a fast connection. libcurl's default is 16 KiB.
  static let bufferSize = 512 << 10

  /// Resets every option to libcurl's default. The multi handle keeps the connections.
  /// - Returns: True if the handle can serve another transfer. libcurl 7.88 lets a handle keep its buffer if other
  ///   transfers still use its HTTP/2 connection or if a resolution failed; it then refuses to set the buffer size the
  ///   next time (CURLE_BAD_FUNCTION_ARGUMENT).
  func reset() -> Bool {
    curl.easyReset(raw)
    curl.freeList(fieldList)
    fieldList = nil
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    excessMark.pointee = 0
    return ccurl_set_long(curl.setOption, raw, CURLOPT_BUFFERSIZE, Self.bufferSize) == CURLE_OK
  }

  /// True if more bytes arrived than were announced, in one piece with the head.
  var sawExcess: Bool { excessMark.pointee != 0 }

  /// libcurl's description of the error.
  func detail(of code: CURLcode) -> String {
    guard errorText.pointee == 0 else { return String(cString: errorText) }
    return curl.easyErrorText(code).map { String(cString: $0) } ?? ""
  }

  /// Lets libcurl go on after a pause.
  func unpause() -> CURLcode { curl.easyPause(raw, CURLPAUSE_CONT) }

  func watch() throws(TransferError) {
    try check(ccurl_set_pointer(curl.setOption, raw, CURLOPT_ERRORBUFFER, errorText))
    try check(ccurl_watch_excess(curl.setOption, raw, excessMark))
  }

  func set(_ option: CURLoption, _ value: Int) throws(TransferError) {
    try check(ccurl_set_long(curl.setOption, raw, option, value))
  }

  func set(_ option: CURLoption, _ value: String) throws(TransferError) {
    try check(ccurl_set_string(curl.setOption, raw, option, value))
  }

  func set(_ option: CURLoption, offset value: Int64) throws(TransferError) {
    try check(ccurl_set_offset(curl.setOption, raw, option, curl_off_t(value)))
  }

  func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) throws(TransferError) {
    try check(ccurl_set_pointer(curl.setOption, raw, option, pointer))
  }

  /// `CURLOPT_COPYPOSTFIELDS` copies as many bytes as `CURLOPT_POSTFIELDSIZE_LARGE` has set before.
  func setBody(_ bytes: [UInt8]) throws(TransferError) {
    try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: Int64(bytes.count))
    // An empty array may have no address, and a null pointer would mean a read callback.
    let code = (bytes.isEmpty ? [0] : bytes).withUnsafeBytes {
      ccurl_set_pointer(curl.setOption, raw, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
    }
    try check(code)
  }

  func setFields(_ lines: [String]) throws(TransferError) {
    for line in lines {
      guard let longer = curl.append(fieldList, line) else { throw .outOfMemory }
      fieldList = longer
    }
    try check(ccurl_set_list(curl.setOption, raw, CURLOPT_HTTPHEADER, fieldList))
  }

  /// Makes libcurl open a new connection for the transfer.
  func avoidReuse() throws(TransferError) { try set(CURLOPT_FRESH_CONNECT, 1) }

  /// Delivers the body as it is sent. libcurl 7.88 asks for this option with each piece of a body.
  func stopDecoding() { _ = ccurl_set_long(curl.setOption, raw, CURLOPT_HTTP_CONTENT_DECODING, 0) }

  /// Makes libcurl close the connection when the transfer ends. An error here is ignored: the next transfer checks the
  /// connection before it uses it.
  func forbidReuse() { _ = ccurl_set_long(curl.setOption, raw, CURLOPT_FORBID_REUSE, 1) }

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    return ccurl_get_long(curl.getInfo, raw, info, &value) == CURLE_OK ? value : 0
  }

  /// One of libcurl's byte counts, or zero if the event did not happen.
  func count(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    return ccurl_get_offset(curl.getInfo, raw, info, &value) == CURLE_OK ? Int64(value) : 0
  }

  /// One of libcurl's times since the start, in microseconds, or zero if the event did not happen.
  func time(_ info: CURLINFO) -> Duration {
    var value: curl_off_t = 0
    return ccurl_get_offset(curl.getInfo, raw, info, &value) == CURLE_OK ? .microseconds(Int64(value)) : .zero
  }

  func check(_ code: CURLcode) throws(TransferError) {
    switch code {
    case CURLE_OK: return
    case CURLE_OUT_OF_MEMORY: throw .outOfMemory
    default: throw .other(code: Int32(code.rawValue), detail: detail(of: code))
    }
  }
}
