// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a run for some playlists only")
struct ScopeTests {
  @Test("does nothing for the others, though they stay as they are")
  func scope() throws {
    var world = World()
    world.manifest.storage.orphans = .remove
    try world.name(try item("a"), in: "one")
    try world.name(try item("b"), try item("c"), in: "two")
    try world.name(try item("shared"), in: "two")
    try world.name(try item("shared"), in: "one")
    try world.remember(try item("c"), .completed(try stored("c")), in: "two", position: 2)
    try world.remember(try item("gone"), .completed(try stored("gone")), in: "two")
    try world.remember(try item("waiting"), failure(isTemporary: true), in: "two")
    world.scope = [try playlistName("one")]
    let plan = world.plan()
    #expect(Set(plan.words) == ["download a", "download shared", "keep c", "keep gone"])
    #expect(plan.state("b") == nil)
    #expect(!plan.bookkeeping.contains(.itemDropped(try id("waiting"))))
    world.scope = nil
    #expect(world.plan().words.contains("remove gone"))
    #expect(world.plan().bookkeeping.contains(.itemDropped(try id("waiting"))))
  }
}
