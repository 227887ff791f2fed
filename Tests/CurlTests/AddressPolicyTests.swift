// SPDX-License-Identifier: Apache-2.0

import Curl
import SyncTestSupport
import Testing

@Suite("The address policy") struct AddressPolicyTests {
  let server: FaultServer

  init() throws {
    server = try FaultServer()
    server.serve("/a", Resource(text: "hello"))
  }

  private func request(_ url: String, allows: @escaping @Sendable (SocketAddressText) -> Bool) -> TransferRequest {
    var request = TransferRequest(url: url)
    request.allowsAddress = allows
    return request
  }

  @Test(
    "a refused address is never connected to, however it is written",
    arguments: ["127.0.0.1", "localhost", "2130706433", "0x7f.1"])
  func refused(host: String) async throws {
    let refused = request(server.url("/a", host: host)) { !$0.address.hasPrefix("127.") && $0.address != "::1" }
    let got = try await Client.with { await $0.fetch(refused) }
    guard case .forbiddenAddress(let address) = got.error else {
      Issue.record("\(got.results)")
      return
    }
    #expect(address.port == Int(server.port))
    #expect(server.connectionCount == 0)
  }

  @Test("the policy sees the numeric address and the port")
  func seen() async throws {
    let seen = SeenAddresses()
    let allowed = request(server.url("/a")) { seen.allow($0) }
    let got = try await Client.with { await $0.fetch(allowed) }
    #expect(got.text == "hello")
    let here = SocketAddressText(address: "127.0.0.1", port: Int(server.port))
    #expect(seen.all == [here])
  }

  @Test("an open connection is judged anew for each transfer that would use it")
  func reused() async throws {
    let refused = request(server.url("/a")) { _ in false }
    let got = try await Client.with {
      _ = await $0.fetch(server.url("/a"))
      return await $0.fetch(refused)
    }
    #expect(got.error == .forbiddenAddress(SocketAddressText(address: "127.0.0.1", port: Int(server.port))))
    #expect(server.requests.count == 1)
  }

  @Test("IPv6 is written without brackets by itself and with them before a port")
  func ipv6() async throws {
    let got = try await Client.with { await $0.fetch(request("http://[::1]:\(server.port)/a") { _ in false }) }
    #expect(got.error == .forbiddenAddress(SocketAddressText(address: "::1", port: Int(server.port))))
    #expect(SocketAddressText(address: "::1", port: 80).description == "[::1]:80")
  }
}
