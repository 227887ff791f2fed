// SPDX-License-Identifier: Apache-2.0

import Curl
import Testing

@Suite("the host of a URL") struct URLHostTests {
  @Test(
    "is read as libcurl reads it, whatever it looks like",
    arguments: [
      ("http://a.example/x", "a.example"), ("http://A.Example:81/x?y@z", "a.example"),
      ("http://u:p@a.example/", "a.example"),
      ("http://[::1]:81/", "::1"), ("http://127%2e0%2e0%2e1/", "127.0.0.1"), ("http://loc%61lhost/", "localhost"),
      ("http://0x7f.1/", "127.0.0.1"), ("http://0177.0.0.1/", "127.0.0.1"), ("http://2130706433/", "127.0.0.1"),
    ])
  func read(url: String, host: String) { #expect(URLHost.read(url) == host) }

  @Test(
    "is the one that is looked up where libcurl knows the characters, which is a matter of the locale, else none",
    arguments: [
      ("http://１２７.０.０.１/", "127.0.0.1"), ("http://①②⑦.⓪.⓪.①/", "127.0.0.1"), ("http://127。0。0。1/", "127.0.0.1"),
      ("http://ｌｏｃａｌｈｏｓｔ/", "localhost"), ("http://bücher.example/", "xn--bcher-kva.example"),
    ])
  func otherScripts(url: String, host: String) { #expect([nil, host].contains(URLHost.read(url))) }

  @Test("is unknown where libcurl refuses the URL", arguments: ["", "http://", "http://a b/", "http://[::1/"])
  func refused(url: String) { #expect(URLHost.read(url) == nil) }
}
