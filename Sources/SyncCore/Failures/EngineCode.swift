// SPDX-License-Identifier: Apache-2.0

/// The code with which libcurl ends a transfer (`CURLcode` in curl.h, libcurl 7.88), and its meaning for syncjob.
package struct EngineCode: Sendable {
  package enum Meaning: String, CaseIterable, Sendable {
    /// Not a failure in itself: status, length and first bytes decide.
    case judged
    case badURL, unknownHost, badProxy, unconnected, tooSlow
    /// The connection or HTTP/2 broke.
    case broken
    /// The response is not HTTP or contradicts itself.
    case malformed
    case untrusted, notPinned, noHandshake, badAuthorities, wantsCertificate, badTLS
    /// The program itself ended the transfer.
    case ended
    case noMemory
    /// This libcurl lacks a feature.
    case incapable
    /// A code of another protocol, of an option that is never set, or an obsolete one.
    case unexpected
    /// A number that libcurl 7.88 does not define.
    case unknown
  }

  package let number: Int32
  /// The name without `CURLE_`. Nil for a number without a name.
  package let name: String?
  package let meaning: Meaning

  package init(_ number: Int32) {
    self.number = number
    let row = Self.table.indices.contains(Int(number)) ? Self.table[Int(number)] : nil
    name = row?.0
    meaning = row?.1 ?? .unknown
  }

  package static let outOfMemory = EngineCode(27)

  /// All codes of libcurl 7.88, in order.
  package static var all: [EngineCode] { table.indices.map { EngineCode(Int32($0)) } }

  /// The index in the table is the number.
  private static let table: [(String, Meaning)] = [
    ("OK", .judged),
    ("UNSUPPORTED_PROTOCOL", .badURL),
    ("FAILED_INIT", .noMemory),
    ("URL_MALFORMAT", .badURL),
    ("NOT_BUILT_IN", .incapable),
    ("COULDNT_RESOLVE_PROXY", .badProxy),
    ("COULDNT_RESOLVE_HOST", .unknownHost),
    ("COULDNT_CONNECT", .unconnected),
    ("WEIRD_SERVER_REPLY", .malformed),
    ("REMOTE_ACCESS_DENIED", .unexpected),
    ("FTP_ACCEPT_FAILED", .unexpected),
    ("FTP_WEIRD_PASS_REPLY", .unexpected),
    ("FTP_ACCEPT_TIMEOUT", .unexpected),
    ("FTP_WEIRD_PASV_REPLY", .unexpected),
    ("FTP_WEIRD_227_FORMAT", .unexpected),
    ("FTP_CANT_GET_HOST", .unexpected),
    ("HTTP2", .broken),
    ("FTP_COULDNT_SET_TYPE", .unexpected),
    ("PARTIAL_FILE", .broken),
    ("FTP_COULDNT_RETR_FILE", .unexpected),
    ("OBSOLETE20", .unexpected),
    ("QUOTE_ERROR", .unexpected),
    ("HTTP_RETURNED_ERROR", .unexpected),
    ("WRITE_ERROR", .broken),
    ("OBSOLETE24", .unexpected),
    ("UPLOAD_FAILED", .unexpected),
    ("READ_ERROR", .unexpected),
    ("OUT_OF_MEMORY", .noMemory),
    ("OPERATION_TIMEDOUT", .tooSlow),
    ("OBSOLETE29", .unexpected),
    ("FTP_PORT_FAILED", .unexpected),
    ("FTP_COULDNT_USE_REST", .unexpected),
    ("OBSOLETE32", .unexpected),
    ("RANGE_ERROR", .unexpected),
    ("HTTP_POST_ERROR", .unexpected),
    ("SSL_CONNECT_ERROR", .noHandshake),
    ("BAD_DOWNLOAD_RESUME", .unexpected),
    ("FILE_COULDNT_READ_FILE", .unexpected),
    ("LDAP_CANNOT_BIND", .unexpected),
    ("LDAP_SEARCH_FAILED", .unexpected),
    ("OBSOLETE40", .unexpected),
    ("FUNCTION_NOT_FOUND", .incapable),
    ("ABORTED_BY_CALLBACK", .ended),
    ("BAD_FUNCTION_ARGUMENT", .unexpected),
    ("OBSOLETE44", .unexpected),
    ("INTERFACE_FAILED", .unexpected),
    ("OBSOLETE46", .unexpected),
    ("TOO_MANY_REDIRECTS", .unexpected),
    ("UNKNOWN_OPTION", .incapable),
    ("SETOPT_OPTION_SYNTAX", .unexpected),
    ("OBSOLETE50", .unexpected),
    ("OBSOLETE51", .unexpected),
    ("GOT_NOTHING", .broken),
    ("SSL_ENGINE_NOTFOUND", .badTLS),
    ("SSL_ENGINE_SETFAILED", .badTLS),
    ("SEND_ERROR", .broken),
    ("RECV_ERROR", .broken),
    ("OBSOLETE57", .unexpected),
    ("SSL_CERTPROBLEM", .badTLS),
    ("SSL_CIPHER", .noHandshake),
    ("PEER_FAILED_VERIFICATION", .untrusted),
    ("BAD_CONTENT_ENCODING", .malformed),
    ("OBSOLETE62", .unexpected),
    ("FILESIZE_EXCEEDED", .unexpected),
    ("USE_SSL_FAILED", .noHandshake),
    ("SEND_FAIL_REWIND", .broken),
    ("SSL_ENGINE_INITFAILED", .badTLS),
    ("LOGIN_DENIED", .unexpected),
    ("TFTP_NOTFOUND", .unexpected),
    ("TFTP_PERM", .unexpected),
    ("REMOTE_DISK_FULL", .unexpected),
    ("TFTP_ILLEGAL", .unexpected),
    ("TFTP_UNKNOWNID", .unexpected),
    ("REMOTE_FILE_EXISTS", .unexpected),
    ("TFTP_NOSUCHUSER", .unexpected),
    ("OBSOLETE75", .unexpected),
    ("OBSOLETE76", .unexpected),
    ("SSL_CACERT_BADFILE", .badAuthorities),
    ("REMOTE_FILE_NOT_FOUND", .unexpected),
    ("SSH", .unexpected),
    ("SSL_SHUTDOWN_FAILED", .broken),
    ("AGAIN", .broken),
    ("SSL_CRL_BADFILE", .badTLS),
    ("SSL_ISSUER_ERROR", .untrusted),
    ("FTP_PRET_FAILED", .unexpected),
    ("RTSP_CSEQ_ERROR", .unexpected),
    ("RTSP_SESSION_ERROR", .unexpected),
    ("FTP_BAD_FILE_LIST", .unexpected),
    ("CHUNK_FAILED", .unexpected),
    ("NO_CONNECTION_AVAILABLE", .broken),
    ("SSL_PINNEDPUBKEYNOTMATCH", .notPinned),
    ("SSL_INVALIDCERTSTATUS", .untrusted),
    ("HTTP2_STREAM", .broken),
    ("RECURSIVE_API_CALL", .unexpected),
    ("AUTH_ERROR", .unexpected),
    ("HTTP3", .unexpected),
    ("QUIC_CONNECT_ERROR", .unexpected),
    ("PROXY", .badProxy),
    ("SSL_CLIENTCERT", .wantsCertificate),
    ("UNRECOVERABLE_POLL", .broken),
  ]
}

extension EngineCode: Hashable {
  package static func == (left: EngineCode, right: EngineCode) -> Bool { left.number == right.number }

  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension EngineCode.Meaning {
  /// The kind in reports. Nil if the code is not a failure.
  package var kind: FailureKind? {
    switch self {
    case .judged: nil
    case .badURL: .invalidURL
    case .unknownHost: .dns
    case .tooSlow: .timeout
    case .untrusted, .notPinned, .noHandshake, .badAuthorities, .wantsCertificate, .badTLS: .tls
    case .ended: .cancelled
    case .badProxy, .unconnected, .broken, .malformed, .noMemory, .incapable, .unexpected, .unknown: .network
    }
  }
}
