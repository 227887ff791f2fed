// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a plan that seals and opens files")
struct ProtectionPlanTests {
  private static let key = KeyID(1)

  /// A library with files of these sizes, in GiB.
  private func world(_ sizes: Int64..., key: KeyID? = nil) throws -> World {
    var world = World()
    for (index, size) in sizes.enumerated() {
      let name = "abc".map(String.init)[index]
      var file = try stored(name, size: size << 30)
      file.sealed = key.map { SealedContent(sha256: file.sha256, size: file.size, key: $0) }
      try world.name(try item(name))
      try world.remember(try item(name), .completed(file), position: index + 1)
    }
    return world
  }

  @Test("does as much as one run may, and says what is left")
  func bound() throws {
    var world = try world(3, 3, 1)
    world.options.protection = ProtectionTarget(seals: Self.key, opens: [Self.key])
    let plan = world.plan()
    #expect(changes(plan) == ["seal a", "seal c"])
    #expect(plan.warnings.contains(.protectionGoesOn(files: 1, ByteCount(3 << 30))))
  }

  @Test("does one file, however large")
  func large() throws {
    var world = try world(9, 1)
    world.options.protection = ProtectionTarget(seals: Self.key, opens: [Self.key])
    #expect(changes(world.plan()) == ["seal a"])
  }

  @Test("changes what is not sealed with the primary key, if a key opens it")
  func targets() throws {
    let rows: [(sealed: KeyID?, target: ProtectionTarget, changes: [String])] = [
      (nil, ProtectionTarget(), []),
      (nil, ProtectionTarget(seals: Self.key, opens: [Self.key]), ["seal a"]),
      (Self.key, ProtectionTarget(seals: Self.key, opens: [Self.key]), []),
      (KeyID(2), ProtectionTarget(seals: Self.key, opens: [Self.key, KeyID(2)]), ["reseal a"]),
      (KeyID(2), ProtectionTarget(seals: Self.key, opens: [Self.key]), []),
      (Self.key, ProtectionTarget(opens: [Self.key]), ["unseal a"]),
      (Self.key, ProtectionTarget(), []),
    ]
    for row in rows {
      var world = try world(1, key: row.sealed)
      world.options.protection = row.target
      #expect(changes(world.plan()) == row.changes, "\(row)")
    }
  }

  private func changes(_ plan: Plan) -> [String] {
    plan.steps.compactMap { step in if case .protect(let step) = step { "\(step.change) \(step.id)" } else { nil } }
  }
}
