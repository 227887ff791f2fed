// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("what a manifest pins")
struct PinsTests {
  @Test("items that say so, and all of a playlist that does but for those that say no")
  func items() throws {
    var world = World()
    var (yes, no) = (try item("yes"), try item("no"))
    let silent = try item("silent")
    (yes.pin, no.pin) = (true, false)
    try world.name(yes, no, silent)
    #expect(world.manifest.pinned(in: Queue(libraryID: "", savedAt: World.start)) == [yes.id])
    world.manifest.playlists[0].pin = true
    #expect(world.manifest.pinned(in: Queue(libraryID: "", savedAt: World.start)) == [yes.id, silent.id])
  }

  @Test("what a feed brought, when its playlist is pinned")
  func feed() throws {
    var world = World()
    try world.addFeed("news")
    try world.remember(try item("a"), .completed(try stored("a")), in: "news")
    try world.remember(try item("b"), .completed(try stored("b")))
    #expect(world.manifest.pinned(in: world.queue).isEmpty)
    world.manifest.playlists[0].pin = true
    #expect(world.manifest.pinned(in: world.queue) == [try id("a")])
  }
}
