// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore

/// A request, as far as it differs from others of the run.
struct HTTPRequest {
  let url: RemoteURL
  /// True if the host comes from a feed or a redirect, so that it must not be one of a private network.
  var isFromSource: Bool
  /// True if the previous request on the same trail was redirected here.
  var isRedirect: Bool
  var range: RangeRequest?
  /// Fields besides the credentials and those of the range.
  var fields: [HTTPField] = []
  /// Nil for that of the manifest.
  var userAgent: String?
  /// True to take the body in any coding that libcurl decodes.
  var acceptsCompression = false
  /// The body of a POST. Nil for a GET.
  var body: [UInt8]?
  /// True for a request that must not arrive twice.
  var isOnce = false
}

/// The recipient of one response. Every call comes on the loop's thread: at most one head, then any number of bodies,
/// and in every case exactly one `ended`.
protocol HTTPSink: AnyObject {
  /// - Parameter proxyFailure: The failure of the proxy if it answered in place of the server.
  func received(_ head: ResponseHead, proxyFailure: Failure?) -> HeadDecision
  /// Receives at most 16 KiB of body, never empty, valid during the call.
  /// - Returns: False if no more is wanted.
  func received(_ body: RawSpan) -> Bool
  /// - Parameter failure: The reason why the response is not whole. Nil if it is, as far as HTTP can tell.
  func ended(_ failure: Failure?)
}
