// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Sends one reply over a socket, with the pauses and interruptions that its behaviour demands.
struct Delivery {
  let descriptor: Int32
  let ordinal: Int
  let state: ServerState
  private static let sliceSize = 262_144

  /// - Returns: true if the connection may carry another request.
  func send(_ responder: Responder) -> Bool {
    let behaviour = responder.behaviour
    if let gate = behaviour.gate, !wait(at: gate) { return false }
    if case .raw(let bytes) = behaviour.answer {
      state.completing(ordinal)
      _ = writeRaw(bytes, behaviour.rate)
      if case (_, .breakOff(.reset))? = behaviour.interruption { reset() }
      return false
    }
    guard let reply = responder.reply() else { return false }
    let keepAlive = responder.request.wantsKeepAlive && (behaviour.keepsConnection || !reply.endsWithConnection)
    state.answering(ordinal, status: reply.status)
    let isBodiless = responder.request.method == "HEAD" || Reply.isBodiless(reply.status)
    if isBodiless || reply.range.isEmpty { state.completing(ordinal) }
    guard write(reply.head(keepAlive: keepAlive)) else { return false }
    if isBodiless { return keepAlive }
    return sendBody(reply, behaviour) && keepAlive
  }

  private func sendBody(_ reply: Reply, _ behaviour: Behaviour) -> Bool {
    let end = reply.range.upperBound
    var offset = reply.range.lowerBound
    if let (after, interruption) = behaviour.interruption, after <= reply.range.count {
      guard sendSlices(reply, offset..<offset + after, behaviour.rate) else { return false }
      guard interrupt(interruption) else { return false }
      offset += after
    }
    guard sendSlices(reply, offset..<end, behaviour.rate) else { return false }
    if case .chunked(complete: true) = reply.framing {
      state.completing(ordinal)
      return write(Array("0\r\n\r\n".utf8))
    }
    return true
  }

  private func sendSlices(_ reply: Reply, _ range: Range<Int>, _ rate: Double?) -> Bool {
    let size = rate.map { min(Self.sliceSize, max(1, Int($0 / 20))) } ?? Self.sliceSize
    let beginning = Monotonic.now()
    var offset = range.lowerBound
    while offset < range.upperBound {
      let slice = offset..<min(range.upperBound, offset + min(size, range.upperBound - offset))
      if case .contentLength = reply.framing, slice.upperBound == reply.range.upperBound { state.completing(ordinal) }
      guard sendSlice(reply.body.bytes(in: slice), reply.framing) else { return false }
      offset = slice.upperBound
      guard let rate, offset < range.upperBound else { continue }
      let due = beginning + Double(offset - range.lowerBound) / rate
      guard pause(seconds: max(0, due - Monotonic.now())) else { return false }
    }
    return true
  }

  /// Writes the bytes, in one piece if there is no rate.
  private func writeRaw(_ bytes: [UInt8], _ rate: Double?) -> Bool {
    guard let rate else { return write(bytes) }
    let size = max(1, Int(rate / 20))
    for start in stride(from: 0, to: bytes.count, by: size) {
      guard write(Array(bytes[start..<min(start + size, bytes.count)])), pause(seconds: Double(size) / rate) else {
        return false
      }
    }
    return true
  }

  private func sendSlice(_ bytes: [UInt8], _ framing: Behaviour.Framing) -> Bool {
    var wire = bytes
    if case .chunked = framing {
      wire = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }
    guard write(wire) else { return false }
    state.sent(ordinal, bytes: bytes.count)
    return true
  }

  /// - Returns: true if the rest of the body follows.
  private func interrupt(_ interruption: Behaviour.Interruption) -> Bool {
    switch interruption {
    case .breakOff(.close): return false
    case .breakOff(.reset):
      reset()
      return false
    case .stall(let seconds): return pause(seconds: seconds)
    case .hold(let gate): return wait(at: gate)
    }
  }

  /// Waits for the gate; false when the server stops or the client leaves first.
  private func wait(at gate: Gate) -> Bool {
    gate.arrive()
    let interests = [
      Poll.Interest(state.stopping.descriptor), Poll.Interest(descriptor, awaitsClient ? POLLIN : 0),
      Poll.Interest(gate.opening.descriptor),
    ]
    return Poll.firstReady(interests, seconds: nil) == 2
  }

  /// Waits; false when the server stops or the client leaves before the time is over.
  private func pause(seconds: Double?) -> Bool {
    let interests = [Poll.Interest(state.stopping.descriptor), Poll.Interest(descriptor, awaitsClient ? POLLIN : 0)]
    return Poll.firstReady(interests, seconds: seconds) == nil
  }

  /// False when the client has already sent more, which would wake every wait at once.
  private var awaitsClient: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) <= 0
  }

  /// Makes the coming close send RST. Written bytes must have arrived first, because RST discards them: the client's
  /// kernel has them when nothing is left unacknowledged (`SIOCOUTQ`, tcp(7)).
  private func reset() {
    let deadline = Monotonic.now() + 2
    var waiting: Int32 = 1
    while waiting > 0, Monotonic.now() < deadline {
      guard ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0 else { break }
      if waiting > 0 { usleep(1000) }
    }
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  /// Writes everything; false when the client has left or the server stops.
  private func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { source in
      var rest = source[...]
      while !rest.isEmpty {
        let interests = [Poll.Interest(state.stopping.descriptor), Poll.Interest(descriptor, POLLOUT)]
        guard Poll.firstReady(interests, seconds: nil) == 1 else { return false }
        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        let count = Glibc.send(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, flags)
        if count < 0, errno != EAGAIN, errno != EINTR { return false }
        rest = rest.dropFirst(max(0, count))
      }
      return true
    }
  }
}
