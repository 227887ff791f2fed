// SPDX-License-Identifier: Apache-2.0

import SyncCore
import Testing

@Suite("The proxies of the environment")
struct ProxyEnvironmentTests {
  private func proxy(_ variables: [String: String], for url: String) throws -> String? {
    ProxyEnvironment(variables).proxy(for: try RemoteURL(url))?.text
  }

  @Test("each scheme has its own, all_proxy serves both, empty is none")
  func schemes() throws {
    let both = ["http_proxy": "http://h:1", "HTTPS_PROXY": "http://s:2", "all_proxy": "socks5h://a:3"]
    #expect(try proxy(both, for: "http://x/") == "http://h:1")
    #expect(try proxy(both, for: "https://x/") == "http://s:2")
    #expect(try proxy(["ALL_PROXY": "a:3", "http_proxy": ""], for: "http://x/") == "http://a:3")
    #expect(try proxy(["HTTP_PROXY": "http://h:1"], for: "http://x/") == nil)
    #expect(try proxy([:], for: "https://x/") == nil)
  }

  @Test(
    "no_proxy names hosts, all below them, addresses, ranges and ports",
    arguments: [
      ("*", "http://a.example/", true), ("a.example", "http://a.example/", true),
      ("a.example", "http://b.a.example/", true),
      (".a.example", "http://a.example/", true), ("a.example", "http://xa.example/", false),
      ("b.example, a.example", "http://a.example/", true), ("A.Example", "http://a.example/", true),
      ("a.example:8080", "http://a.example:8080/", true), ("a.example:8080", "http://a.example/", false),
      ("10.0.0.0/8", "http://10.1.2.3/", true), ("10.0.0.0/8", "http://11.1.2.3/", false),
      ("127.0.0.1", "http://127.0.0.1/", true),
      ("[::1]", "http://[::1]/", true), ("::1", "http://[::1]/", true), ("", "http://a.example/", false),
    ])
  func exceptions(list: String, url: String, isExcepted: Bool) throws {
    #expect(try (proxy(["all_proxy": "p:1", "no_proxy": list], for: url) == nil) == isExcepted)
  }

  @Test("variables that count and name no proxy are told")
  func unusable() {
    let variables = ["http_proxy": "foo://u:p@h", "https_proxy": "h:1", "all_proxy": "h:x"]
    #expect(ProxyEnvironment(variables).unusable == ["http_proxy"])
    #expect(ProxyEnvironment(["ALL_PROXY": "h:x"]).unusable == ["ALL_PROXY"])
    #expect(ProxyEnvironment(["HTTP_PROXY": "h:x", "http_proxy": "h:1/"]).unusable == [])
  }

  @Test(
    "a proxy is a URL of a scheme that is spoken",
    arguments: ["http://p", "https://p:1", "socks4://p", "socks4a://p", "socks5://u:w@p:1", "socks5h://[::1]:1080/"])
  func accepted(text: String) { #expect(ProxyURL(text)?.text == text) }

  @Test(
    "anything else is none", arguments: ["", "p:3128", "ftp://p", "http://", "http://p/x", "http://p:x", "http://p q"])
  func refused(text: String) { #expect(ProxyURL(text) == nil) }

  @Test("its user and password are shown to nobody")
  func redacted() { #expect("\(ProxyURL("http://u:p@w@h:1").map { "\($0)" } ?? "")" == "http://***@h:1") }
}

@Suite("Addresses that sources may not lead to")
struct AddressPolicyTests {
  @Test(
    "loopback, private, link-local and their disguises are private",
    arguments: [
      "127.0.0.1", "127.255.0.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1",
      "169.254.169.254",
      "100.64.0.1", "::1", "::", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:7f00:1", "fe80::1", "fe80::1%eth0",
      "fc00::1",
      "fd12::1", "64:ff9b::7f00:1", "2002:7f00:1::", "224.0.0.1", "255.255.255.255", "ff02::1",
      // Every range of IANA's registries that is not globally reachable, by its first or another address.
      "0.255.0.1", "192.0.0.8", "192.0.2.1", "192.88.99.1", "198.19.255.255", "198.51.100.7", "203.0.113.9",
      "240.0.0.1",
      "::127.0.0.1", "::8.8.8.8", "::ffff:0:127.0.0.1", "64:ff9b:1::1", "64:ff9b:1:ffff::7f00:1", "100::1",
      "100:0:0:1::1",
      "2001::1", "2001:0:7f00:1::", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff:ffff::1", "2001:db8::1",
      "3fff::1", "3fff:fff::1", "5f00::1", "fec0::1", "ff0e::1", "4000::1", "1::1", "e000::1",
    ])
  func forbidden(address: String) {
    #expect(!AddressPolicy.forbidPrivate.allows(host: "h", address: address))
    #expect(AddressPolicy.allowAll.allows(host: "h", address: address))
  }

  @Test(
    "public addresses are not",
    arguments: [
      "1.1.1.1", "172.32.0.1", "11.0.0.1", "169.253.0.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101",
      "2001:200::1", "2002:101:101::1", "2a00::1", "3ffe::1", "192.0.1.1", "192.88.98.1", "223.255.255.255",
    ])
  func allowed(address: String) { #expect(AddressPolicy.forbidPrivate.allows(host: "h", address: address)) }

  @Test(
    "behind a proxy an address in the URL is judged however it is written, and this machine's own name",
    arguments: [
      ("127.0.0.1", false), ("127.1", false), ("2130706433", false), ("0x7f.1", false), ("0x7f000001", false),
      ("0177.0.0.1", false),
      ("10.0.513", false), ("127.0.0.1.", false), ("::1", false), ("::ffff:127.0.0.1", false), ("localhost", false),
      ("a.localhost", false), ("1.1.1.1", true), ("16843009", true), ("media.example", true), ("1.2.3.4.5", true),
      ("256.1.1.1", true),
      ("0x.example", true), ("127.0.0.1..", false), ("localhost.", false), ("localhost.localdomain", false),
      ("localhost.localdomain.", false), ("ip6-localhost", false), ("localhost6.localdomain6", false),
      ("printer.local", false), ("metadata.google.internal", false), ("nas.home.arpa", false), ("local.example", true),
      ("localhost.example", true), ("internal", true),
    ])
  func unresolved(host: String, isAllowed: Bool) {
    #expect((AddressPolicy.forbidPrivate.refusal(ofUnresolved: host) == nil) == isAllowed)
  }
}
