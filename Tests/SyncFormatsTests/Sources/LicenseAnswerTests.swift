// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("the answers of licence servers")
struct LicenseAnswerTests {
  private let now = Timestamp(secondsSince1970: 1_800_000_000)
  private let key = String(repeating: "A", count: 43) + "="

  private func document(_ changes: [String: String?] = [:]) -> String {
    var members = [
      "track_id": "\"a\"", "issued_at": "\"\(now.rfc3339)\"", "expires_at": "\"\((now + .days(30)).rfc3339)\"",
      "restrictions": "{\"max_offline_devices\":2,\"allows_export\":false,\"quality_limit\":\"normal\"}",
    ]
    for (name, value) in changes { members[name] = value }
    return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  private func single(_ text: String) throws -> Result<GrantedLicense, LicenseProblem> {
    let id = try #require(ItemID("a"))
    return try #require(
      LicenseAnswer.licenses(Array(text.utf8), for: [id], isSingle: true, now: now)[id])
  }

  @Test("a licence has its times, its restrictions and its key")
  func whole() throws {
    let granted = try single(document(["content_key": "\"\(key)\"", "extra": "[1]"])).get()
    #expect(granted.license.issuedAt == now && granted.license.expiresAt == now + .days(30))
    #expect(granted.license.restrictions.maxOfflineDevices == 2)
    #expect(!granted.license.restrictions.allowsExport)
    #expect(granted.license.restrictions.qualityLimit == .normal)
    #expect(granted.contentKey == Array(repeating: 0, count: 32) && granted.license.hasContentKey)
  }

  @Test("without restrictions everything is allowed", arguments: [nil, "null", "{}", "{\"allows_export\":null}"])
  func unrestricted(restrictions: String?) throws {
    let license = try single(document(["restrictions": restrictions])).get().license
    #expect(license.restrictions == License.Restrictions() && !license.hasContentKey)
  }

  @Test("what cannot be kept is refused")
  func defects() throws {
    let rows: [(changes: [String: String?], defect: LicenseDefect)] = [
      (["track_id": nil], .member("track_id")), (["track_id": "1"], .member("track_id")),
      (["track_id": "\"b\""], .anotherTrack("b")),
      (["issued_at": nil], .member("issued_at")), (["issued_at": "1800000000"], .member("issued_at")),
      (["issued_at": "\"\((now + .minutes(6)).rfc3339)\""], .fromTheFuture(issuedAt: now + .minutes(6))),
      (["expires_at": "\"soon\""], .member("expires_at")),
      (["expires_at": "\"\(now.rfc3339)\""], .member("expires_at")),
      (
        ["issued_at": "\"\((now - .days(2)).rfc3339)\"", "expires_at": "\"\((now - .days(1)).rfc3339)\""],
        .over(expiresAt: now - .days(1))
      ),
      (["restrictions": "[]"], .member("restrictions")),
      (["restrictions": "{\"max_offline_devices\":0}"], .noDevice),
      (["restrictions": "{\"max_offline_devices\":-1}"], .member("restrictions.max_offline_devices")),
      (["restrictions": "{\"max_offline_devices\":9007199254740993}"], .member("restrictions.max_offline_devices")),
      (["restrictions": "{\"allows_export\":false,\"allows_export\":true}"], .notALicense),
      (["restrictions": "{\"allows_export\":\"yes\"}"], .member("restrictions.allows_export")),
      (["restrictions": "{\"quality_limit\":\"lossless\"}"], .member("restrictions.quality_limit")),
      (["restrictions": "{\"no_sundays\":true}"], .unknownRestriction("no_sundays")),
      (["content_key": "\"AAAA\""], .member("content_key")), (["content_key": "\"?\""], .member("content_key")),
      (["content_key": "7"], .member("content_key")),
    ]
    for row in rows {
      #expect(try single(document(row.changes)) == .failure(.unusable(row.defect)), "\(row)")
    }
  }

  @Test(
    "anything that is no answer is none", arguments: ["", "hello", "[]", "{}", "null", "{\"licenses\":7}", "{\"a\":"])
  func nonsense(text: String) throws {
    let id = try #require(ItemID("a"))
    let answer = LicenseAnswer.licenses(Array(text.utf8), for: [id], isSingle: false, now: now)[id]
    #expect(answer == .failure(.unusable(.notALicense)))
    #expect(throws: LicenseProblem.self) { try single(text).get() }
  }

  @Test("an answer about many items has a result for each that was asked for, and for no other")
  func batch() throws {
    let ids = ["a", "b", "c", "d"].compactMap { ItemID($0) }
    let text = """
      {"licenses":[\(document()),\(document(["track_id": "\"x\""]))],
       "refusals":[{"track_id":"b","status":402,"error":"subscription_required"},{"track_id":"d","error":"mood"}]}
      """
    let answers = LicenseAnswer.licenses(Array(text.utf8), for: ids, isSingle: false, now: now)
    #expect(Set(answers.keys) == Set(ids))
    #expect(answers[ids[1]] == .failure(.refused(.subscriptionRequired)))
    #expect(answers[ids[2]] == .failure(.unusable(.leftOut)))
    #expect(answers[ids[3]] == .failure(.unusable(.member("error"))))
    #expect(throws: Never.self) { try answers[ids[0]]?.get() }
  }

  @Test("a refusal of everything concerns every item", arguments: LicenseRefusal.allCases)
  func refusal(refusal: LicenseRefusal) throws {
    let ids = ["a", "b"].compactMap { ItemID($0) }
    let text = Array("{\"error\":\"\(refusal.rawValue)\"}".utf8)
    #expect(LicenseAnswer.refusal(text) == refusal)
    let answers = LicenseAnswer.licenses(text, for: ids, isSingle: false, now: now)
    #expect(answers.values.allSatisfy { $0 == .failure(.refused(refusal)) })
  }

  @Test("devices are read, and nothing else is taken for them")
  func devices() throws {
    let text = """
      {"devices":[{"device_id":"1","name":"car","registered_at":"\(now.rfc3339)"},{"device_id":"2"}],"max_devices":3}
      """
    let answer = try #require(LicenseAnswer.devices(Array(text.utf8)))
    #expect(answer.maximum == 3)
    #expect(
      answer.devices == [
        LicensedDevice(id: "1", name: "car", registeredAt: now), LicensedDevice(id: "2"),
      ])
    for nonsense in ["", "{}", "[]", "{\"devices\":{}}", "{\"devices\":[{}]}"] {
      #expect(LicenseAnswer.devices(Array(nonsense.utf8)) == nil, "\(nonsense)")
    }
  }

  @Test("a request names the device, the time and the items")
  func requests() throws {
    let ids = ["a", "b\"c"].compactMap { ItemID($0) }
    let many = try JSONValue(parsing: LicenseAnswer.request(ids, device: "0f", for: .days(30), isSingle: false))
    #expect(many["track_ids"] == .array([.string("a"), .string("b\"c")]))
    #expect(many["device_id"] == .string("0f") && many["valid_for"] == .integer(2_592_000))
    let one = try JSONValue(parsing: LicenseAnswer.request(ids, device: "0f", for: .days(1), isSingle: true))
    #expect(one["track_id"] == .string("a") && one["track_ids"] == nil)
  }
}
