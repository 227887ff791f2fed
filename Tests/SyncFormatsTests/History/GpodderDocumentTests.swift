// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("documents of the gpodder.net API")
struct GpodderDocumentTests {
  @Test("a device says what the manifest says of it, and no more")
  func device() throws {
    var device = try #require(GpodderDevice("car"))
    #expect(GpodderDocument.device(device) == Array("{}".utf8))
    (device.caption, device.kind) = ("Anna's \"car\"", .mobile)
    #expect(GpodderDocument.device(device) == Array(#"{"caption":"Anna's \"car\"","type":"mobile"}"#.utf8))
  }

  @Test("subscriptions are added, and none is removed")
  func subscriptions() {
    #expect(
      GpodderDocument.subscriptions(to: ["http://h/a", "http://h/b"])
        == Array(#"{"add":["http://h/a","http://h/b"],"remove":[]}"#.utf8))
  }
}
