// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// The functions that libcurl calls, always on the loop's thread and with the transfer as context. They are free
/// functions because a closure would inherit the isolation of the place where it is written.
extension EasyHandle {
  /// The transfer must live as long as the handle is in the multi handle.
  func connect(to transfer: ActiveTransfer) throws(TransferError) {
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    try set(CURLOPT_PRIVATE, pointer: context)
    try set(CURLOPT_HEADERDATA, pointer: context)
    try set(CURLOPT_WRITEDATA, pointer: context)
    try set(CURLOPT_OPENSOCKETDATA, pointer: context)
    try set(CURLOPT_PREREQDATA, pointer: context)
    try check(ccurl_set_receive_function(curl.setOption, raw, CURLOPT_HEADERFUNCTION, takeHeaderLine))
    try check(ccurl_set_receive_function(curl.setOption, raw, CURLOPT_WRITEFUNCTION, takeBody))
    try check(ccurl_set_open_socket_function(curl.setOption, raw, openSocket))
    try check(ccurl_set_prerequest_function(curl.setOption, raw, judgeConnection))
  }

  /// The transfer of a handle that is in the multi handle.
  static func transfer(of raw: UnsafeMutableRawPointer, _ curl: LibCurl) -> ActiveTransfer? {
    var context: UnsafeMutableRawPointer?
    guard ccurl_get_pointer(curl.getInfo, raw, CURLINFO_PRIVATE, &context) == CURLE_OK else { return nil }
    return transferBehind(context)
  }
}

private func transferBehind(_ context: UnsafeMutableRawPointer?) -> ActiveTransfer? {
  context.map { Unmanaged<ActiveTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private func takeHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  guard let transfer = transferBehind(context), transfer.took(headerLine: line) else {
    return Int(CURL_WRITEFUNC_ERROR)
  }
  return line.count
}

private func takeBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
  switch transferBehind(context)?.took(body: body) {
  case .taken: return body.count
  case .later: return Int(CURL_WRITEFUNC_PAUSE)
  case .end, nil: return Int(CURL_WRITEFUNC_ERROR)
  }
}

private func openSocket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let address, let transfer = transferBehind(context) else { return CURL_SOCKET_BAD }
  let text = withUnsafePointer(to: &address.pointee.addr) { SocketAddressText($0) }
  guard transfer.mayOpen(text) else { return CURL_SOCKET_BAD }
  let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
  let descriptor = socket(address.pointee.family, kind, address.pointee.protocol)
  if descriptor >= 0 { transfer.opened(descriptor) }
  return descriptor
}

private func judgeConnection(
  _ context: UnsafeMutableRawPointer?, _ peer: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ peerPort: Int32, _ localPort: Int32
) -> Int32 {
  let address = SocketAddressText(address: peer.map { String(cString: $0) } ?? "", port: Int(peerPort))
  let mayUse = transferBehind(context)?.mayUse(address, localPort: localPort)
  return mayUse == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
