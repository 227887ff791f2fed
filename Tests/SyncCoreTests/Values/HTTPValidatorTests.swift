// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("an HTTP validator")
struct HTTPValidatorTests {
  @Test("a strong entity tag is kept with its quotes", arguments: ["\"67-5e1\"", "\"\"", "\"W/x\"", "\"a b\""])
  func strong(etag: String) throws {
    let validator = try #require(HTTPValidator(etag: etag))
    #expect(validator == .strongETag(etag))
    #expect(validator.fieldValue == etag)
  }

  @Test(
    "a weak or malformed one is none",
    arguments: ["W/\"67-5e1\"", "w/\"x\"", "67-5e1", "\"", "", "\"a\"b\"", "\"a\nb\"", "\"x", "x\""])
  func weak(etag: String) {
    #expect(HTTPValidator(etag: etag) == nil)
    #expect(HTTPValidator(anyETag: etag) == .weakETag(etag))
    #expect(HTTPValidator(anyETag: etag).fieldValue == nil, "it proves nothing")
  }

  @Test("a date is sent as it came")
  func date() {
    let value = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(HTTPValidator.lastModified(value).fieldValue == value)
  }
}
