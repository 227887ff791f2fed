// SPDX-License-Identifier: Apache-2.0

import CCurl

/// One transfer between its start and its `finished`: what libcurl's callbacks see and decide. Belongs to the loop's
/// thread.
final class ActiveTransfer {
  /// What the next byte would be.
  enum Phase {
    /// None is due: no connection yet. Exits: `awaitingHead`.
    case connecting
    /// Exits: `receiving`, `discarding`.
    case awaitingHead
    case receiving(ResponseHead)
    case discarding(ResponseHead)
  }

  /// What a body callback tells libcurl.
  enum BodyVerdict { case taken, later, end }

  /// So much of an unwanted body is read past to keep its connection: about what is on the way in any case.
  static let discardLimit: Int64 = 64 << 10

  let id: TransferID
  let handle: EasyHandle
  let request: TransferRequest
  let receiver: any TransferReceiver

  private(set) var phase = Phase.connecting
  private(set) var bodyBytes: Int64 = 0
  /// Bytes wait behind the last one of the body.
  private(set) var hasExcess = false
  /// When the request went out, when the final head was whole, or when so much of the body had come that it counts. Nil
  /// while connecting. Interim answers and single header lines do not count, so that no server holds a request up with
  /// them.
  private(set) var lastActivity: SuspendingClock.Instant?
  /// Body bytes since then.
  private var uncounted = 0
  /// A server that sends a byte now and then is as good as silent, and would hold a run up for ever.
  private static let leastActivity = 1024
  /// The receiver asked for a pause.
  private var isPaused = false
  /// All transfers together were faster than they may be.
  private var isThrottled = false
  /// The loop's turn took too long: the next bytes wait for the next one.
  private var isYielding = false
  /// libcurl holds body bytes back since it was told `later`.
  private(set) var isHoldingBack = false
  /// Our own reason to end, which libcurl's code would only blur. The first one counts.
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

  /// The address that was refused, if no other was left to try.
  var forbiddenAddress: SocketAddressText? { openedSockets.isEmpty ? refusedAddress : nil }

  func fail(_ failure: TransferError) { if ownFailure == nil { ownFailure = failure } }

  /// Before a socket is opened.
  func mayOpen(_ address: SocketAddressText?) -> Bool {
    guard let allowsAddress = request.allowsAddress else { return true }
    // What has no numeric address cannot be judged, so it is refused.
    guard let address, allowsAddress(address) else {
      refusedAddress = address ?? SocketAddressText(address: "?", port: 0)
      return false
    }
    return true
  }

  func opened(_ socket: curl_socket_t) { openedSockets.append(socket) }

  /// Before the request departs, over a connection that may be an earlier transfer's with another policy.
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

  /// - Returns: whether to go on.
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

  /// Whether this is older than the request: no answer comes sooner than the connection's shortest round trip.
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
    let location = isRedirect ? raw.fields.first { $0.isNamed("Location") }?.value : nil
    return ResponseHead(
      version: raw.version, status: raw.status, fields: raw.fields, framing: framing, connectedTo: connectedTo,
      redirectTarget: location.map { RedirectTarget.resolve($0, against: request.url) ?? $0 })
  }

  func took(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    guard ownFailure == nil else { return .end }
    switch phase {
    case .receiving:
      // libcurl keeps what a paused transfer has decoded, and fails at 64 MB: one piece of the wire may come to more.
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
    // libcurl reads no further than the announced length: what waits behind it is too much. TLS has records of its own
    // to send there, so an excess shows in the clear only.
    if case .receiving(let head) = phase, head.framing == .length(bodyBytes), request.isPlain, !isDecoded, let ends {
      hasExcess = sockets.hasUnreadBytes(ends)
      if hasExcess { handle.forbidReuse() }
    }
    if !receiver.receivedBody(bytes.bytes) { fail(.abortedByReceiver) }
    isThrottled = throttle.took(bytes.count, id)
    return ownFailure == nil ? .taken : .end
  }

  /// Silence has a reason.
  var isHeld: Bool { isPaused || isThrottled || isYielding }

  /// The receiver gets other bytes than came: what was announced says nothing about how many.
  var isDecoded: Bool {
    guard request.acceptsCompression, case .receiving(let head) = phase, let coding = head["Content-Encoding"] else {
      return false
    }
    return coding.lowercased() != "identity"
  }

  func pause() { isPaused = true }

  /// - Returns: whether libcurl must be told to deliver what it holds back.
  func resume() -> Bool {
    guard isPaused else { return false }
    isPaused = false
    return goOn()
  }

  /// The pace allows more.
  /// - Returns: whether libcurl must be told to deliver what it holds back.
  func endThrottling() -> Bool {
    guard isThrottled else { return false }
    isThrottled = false
    return goOn()
  }

  /// The loop's next turn has begun.
  /// - Returns: whether libcurl must be told to deliver what it holds back.
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
  /// Nothing on the connection but HTTP, as far as the request can know.
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
