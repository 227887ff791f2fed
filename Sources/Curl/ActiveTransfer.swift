// SPDX-License-Identifier: Apache-2.0

import CCurl

/// One transfer from its start to its `finished`: holds what libcurl's callbacks see and decide.
/// Confined to the loop's thread.
final class ActiveTransfer {
  /// The part of the exchange to which the next byte would belong.
  enum Phase {
    /// There is no connection yet, so no byte is expected. Exits: `awaitingHead`.
    case connecting
    /// Exits: `receiving`, `discarding`.
    case awaitingHead
    case receiving(ResponseHead)
    case discarding(ResponseHead)
  }

  /// The answer of a body callback to libcurl.
  enum BodyVerdict { case taken, later, end }

  /// The size up to which an unwanted body is read to keep its connection: about as much as is in flight anyway.
  static let discardLimit: Int64 = 64 << 10

  let id: TransferID
  let handle: EasyHandle
  let request: TransferRequest
  let receiver: any TransferReceiver

  private(set) var phase = Phase.connecting
  private(set) var bodyBytes: Int64 = 0
  /// Unread bytes follow the last byte of the body.
  private(set) var hasExcess = false
  /// The time when the request went out, when the final head was complete, or when `leastActivity` bytes of body had
  /// arrived. Nil while connecting. Interim responses and single header lines do not count, so a server cannot stall a
  /// request with them.
  private(set) var lastActivity: SuspendingClock.Instant?
  /// Body bytes since `lastActivity`.
  private var uncounted = 0
  /// Bytes of body that count as activity.
  /// A server that sends a byte now and then would otherwise hold up a run forever.
  private static let leastActivity = 1024
  /// The receiver asked for a pause.
  private var isPaused = false
  /// The shared pace of all transfers is used up.
  private var isThrottled = false
  /// The loop's turn took too long: the next bytes wait for the next turn.
  private var isYielding = false
  /// libcurl is holding back body bytes because it received `later`.
  private(set) var isHoldingBack = false
  /// The program's own reason to end the transfer, which is more precise than libcurl's code. The first one wins.
  private(set) var ownFailure: TransferError?
  var stallTimer: TimerID?

  private var collector = HeadCollector()
  private var discardedBytes: Int64 = 0
  private var connectedTo: SocketAddressText?
  private var refusedAddress: SocketAddressText?
  private let sockets: OpenSockets
  private let throttle: Throttle
  private let turn: LoopTurn
  private var openedSockets: [curl_socket_t] = []
  private var ends: OpenSockets.Ends?
  /// An earlier transfer opened the connection.
  private var isReused = false
  private var hasHeaderLine = false
  /// The receiver decodes the body.
  private var isAsSent = false

  init(
    id: TransferID, handle: EasyHandle, request: TransferRequest, receiver: any TransferReceiver,
    sockets: OpenSockets, throttle: Throttle, turn: LoopTurn
  ) {
    self.id = id
    self.handle = handle
    self.request = request
    self.receiver = receiver
    self.sockets = sockets
    self.throttle = throttle
    self.turn = turn
  }

  /// The refused address, if no other address was left to try.
  var forbiddenAddress: SocketAddressText? { openedSockets.isEmpty ? refusedAddress : nil }

  func fail(_ failure: TransferError) { if ownFailure == nil { ownFailure = failure } }

  /// Called before a socket is opened.
  func mayOpen(_ address: SocketAddressText?) -> Bool {
    guard let allowsAddress = request.allowsAddress else { return true }
    // An address without a numeric form cannot be checked, so it is refused.
    guard let address, allowsAddress(address) else {
      refusedAddress = address ?? SocketAddressText(address: "?", port: 0)
      return false
    }
    return true
  }

  func opened(_ socket: curl_socket_t) { openedSockets.append(socket) }

  /// Called before the request is sent. The connection may come from an earlier transfer with another policy.
  func mayUse(_ address: SocketAddressText, localPort: Int32) -> Bool {
    if let allowsAddress = request.allowsAddress, !allowsAddress(address) {
      fail(.forbiddenAddress(address))
      return false
    }
    connectedTo = address
    let ends = OpenSockets.Ends(localPort: localPort, peer: address)
    sockets.note(openedSockets, ends)
    self.ends = ends
    isReused = openedSockets.isEmpty
    guard !isReused || !request.isPlain || !sockets.hasUnreadBytes(ends) else {
      fail(.unaskedBytes)
      return false
    }
    phase = .awaitingHead
    lastActivity = SuspendingClock.now
    return true
  }

  /// - Returns: True if the transfer may continue.
  func took(headerLine line: UnsafeRawBufferPointer) -> Bool {
    guard ownFailure == nil else { return false }
    guard !isTooEarly else {
      fail(.unaskedBytes)
      return false
    }
    do throws(HeadCollector.Problem) {
      guard let raw = try collector.take(line) else { return true }
      return try took(raw)
    } catch {
      switch error {
      case .tooLarge: fail(.headersTooLarge)
      case .malformed(let detail): fail(.malformedResponse(detail: detail))
      }
      return false
    }
  }

  /// True if this line arrived too soon to answer the request: no answer arrives
  /// sooner than the connection's shortest round trip.
  private var isTooEarly: Bool {
    guard isReused, request.isPlain, !hasHeaderLine, let ends, let sent = lastActivity else { return false }
    hasHeaderLine = true
    return sockets.shortestRoundTrip(ends).map { sent.duration(to: SuspendingClock.now) < $0 } ?? false
  }

  private func took(_ raw: HeadCollector.RawHead) throws(HeadCollector.Problem) -> Bool {
    let head = try responseHead(raw)
    phase = .receiving(head)
    lastActivity = SuspendingClock.now
    switch receiver.receivedHead(head) {
    case .receiveBody: break
    case .receiveAsSent:
      isAsSent = true
      handle.stopDecoding()
    case .discard:
      phase = .discarding(head)
      return head.framing.length.map { $0 <= Self.discardLimit } ?? true
    case .abort: fail(.abortedByReceiver)
    }
    return ownFailure == nil
  }

  private func responseHead(_ raw: HeadCollector.RawHead) throws(HeadCollector.Problem) -> ResponseHead {
    let framing: BodyFraming
    do throws(BodyFraming.Contradiction) {
      framing = try BodyFraming(
        version: raw.version, status: raw.status, isReplyToHead: request.method.isHead, fields: raw.fields)
    } catch {
      throw .malformed(detail: error.detail)
    }
    let isRedirect = (300...399).contains(raw.status) && raw.status != 304
    let location = isRedirect ? raw.fields.first { $0.isNamed("Location") } : nil
    return ResponseHead(
      version: raw.version, status: raw.status, fields: raw.fields, framing: framing, connectedTo: connectedTo,
      redirectTarget: location.map { RedirectTarget.resolve($0.octets, against: request.url) ?? $0.value })
  }

  func took(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    guard ownFailure == nil else { return .end }
    switch phase {
    case .receiving:
      // libcurl buffers what a paused transfer has decoded and fails at 64 MB,
      // which a single piece from the wire may exceed.
      if isDecoded { return give(bytes) }
      if !isHeld, turn.isOver {
        isYielding = true
        turn.wait(id)
      }
      guard !isHeld else {
        isHoldingBack = true
        return .later
      }
      return give(bytes)
    case .discarding:
      lastActivity = SuspendingClock.now
      discardedBytes += Int64(bytes.count)
      return discardedBytes <= Self.discardLimit ? .taken : .end
    case .connecting, .awaitingHead:
      fail(.malformedResponse(detail: "a body without a head"))
      return .end
    }
  }

  private func give(_ bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    uncounted += bytes.count
    if uncounted >= Self.leastActivity { (lastActivity, uncounted) = (SuspendingClock.now, 0) }
    guard !bytes.isEmpty else { return .taken }
    bodyBytes += Int64(bytes.count)
    // libcurl reads only up to the announced length, so any byte behind it is excess. TLS sends records of its own
    // there, so excess can be detected only without TLS.
    if case .receiving(let head) = phase, head.framing == .length(bodyBytes), request.isPlain, !isDecoded, let ends {
      hasExcess = sockets.hasUnreadBytes(ends)
      if hasExcess { handle.forbidReuse() }
    }
    if !receiver.receivedBody(bytes.bytes) { fail(.abortedByReceiver) }
    isThrottled = throttle.took(bytes.count, id)
    return ownFailure == nil ? .taken : .end
  }

  /// True if there is a known reason for silence.
  var isHeld: Bool { isPaused || isThrottled || isYielding }

  /// True if the receiver gets decoded bytes: their number has no relation to the announced length.
  var isDecoded: Bool {
    guard request.acceptsCompression, !isAsSent, case .receiving(let head) = phase,
      let coding = head["Content-Encoding"]
    else {
      return false
    }
    return coding.lowercased() != "identity"
  }

  func pause() { isPaused = true }

  /// - Returns: True if libcurl must be told to deliver what it holds back.
  func resume() -> Bool {
    guard isPaused else { return false }
    isPaused = false
    return goOn()
  }

  /// Called when the pace allows more.
  /// - Returns: True if libcurl must be told to deliver what it holds back.
  func endThrottling() -> Bool {
    guard isThrottled else { return false }
    isThrottled = false
    return goOn()
  }

  /// Called when the loop's next turn begins.
  /// - Returns: True if libcurl must be told to deliver what it holds back.
  func endYielding() -> Bool {
    guard isYielding else { return false }
    isYielding = false
    return goOn()
  }

  private func goOn() -> Bool {
    guard !isHeld else { return false }
    lastActivity = lastActivity.map { _ in SuspendingClock.now }
    defer { isHoldingBack = false }
    return isHoldingBack
  }
}

extension TransferRequest {
  /// True if the connection carries nothing but HTTP, as far as the request can tell.
  fileprivate var isPlain: Bool {
    guard case .none = proxy else { return false }
    return url.prefix(5).lowercased() == "http:"
  }
}

extension TransferRequest.Method {
  var isHead: Bool {
    if case .head = self { true } else { false }
  }
}
