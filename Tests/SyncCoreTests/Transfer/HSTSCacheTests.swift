// SPDX-License-Identifier: Apache-2.0

import SyncCore
import Testing

@Suite("Hosts that want https only")
struct HSTSCacheTests {
  private let now = Timestamp(secondsSince1970: 1_000_000)

  private func cache(_ field: String, from url: String = "https://a.example/") throws -> HSTSCache {
    var cache = HSTSCache()
    cache.note(field, from: try RemoteURL(url), at: now)
    return cache
  }

  @Test(
    "a URL is asked for over https where its host said so",
    arguments: [
      ("http://a.example/x?y=1", "https://a.example/x?y=1"), ("http://a.example:80/", "https://a.example/"),
      ("http://a.example:8080/", "https://a.example:8080/"), ("http://u:p@a.example/", "https://u:p@a.example/"),
      ("http://b.a.example/", "http://b.a.example/"), ("http://xa.example/", "http://xa.example/"),
    ])
  func upgrade(url: String, expected: String) throws {
    #expect(try cache("max-age=60").upgraded(RemoteURL(url), at: now).requestText == expected)
  }

  @Test("what is below a host goes with it when it says so, what is above does not")
  func subdomains() throws {
    let cache = try cache(" max-age=\"60\" ; includeSubDomains; preload", from: "https://a.example/")
    #expect(try cache.upgraded(RemoteURL("http://c.b.a.example/"), at: now).scheme == .https)
    #expect(try cache.upgraded(RemoteURL("http://example/"), at: now).scheme == .http)
  }

  @Test("it ends with its time, or when the host takes it back")
  func ends() throws {
    var cache = try cache("max-age=60")
    #expect(try cache.upgraded(RemoteURL("http://a.example/"), at: now + .seconds(60)).scheme == .http)
    cache.note("max-age=0", from: try RemoteURL("https://a.example/"), at: now)
    #expect(cache.entries.isEmpty)
  }

  @Test(
    "what nobody can vouch for is passed over",
    arguments: [
      ("max-age=60", "http://a.example/"), ("max-age=60", "https://192.0.2.1/"),
      ("max-age=60", "https://[2001:db8::1]/"),
      ("includeSubDomains", "https://a.example/"), ("max-age=60; max-age=61", "https://a.example/"),
      ("max-age=-1", "https://a.example/"), ("max-age=x", "https://a.example/"), ("", "https://a.example/"),
    ])
  func ignored(field: String, url: String) throws { #expect(try cache(field, from: url).entries.isEmpty) }

  @Test("a longer time alone is not worth a write each time; another day is")
  func changes() throws {
    let known = try cache("max-age=31536000")
    #expect(known.isChanged)
    var again = HSTSCache(known.entries)
    again.note("max-age=31536000", from: try RemoteURL("https://a.example/"), at: now + .hours(23))
    #expect(!again.isChanged)
    again.note("max-age=31536000", from: try RemoteURL("https://a.example/"), at: now + .hours(25))
    #expect(again.isChanged)
  }

  @Test("a span without end is cut")
  func cut() throws {
    let entry = try #require(try cache("max-age=99999999999999999999").entries["a.example"])
    #expect(entry.until == now + .days(3650))
  }
}
