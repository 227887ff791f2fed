// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("the kernel's tables of routes")
struct RouteTablesTests {
  private static let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT   \n"
  private static let zeros = String(repeating: "0", count: 32)

  private static func v4(_ device: String, _ destination: String, flags: String, mask: String) -> String {
    "\(device)\t\(destination)\t010200C0\t\(flags)\t0\t0\t0\t\(mask)\t0\t0\t0    \n"
  }

  private static func v6(_ destination: String, _ length: String, flags: String, _ device: String) -> String {
    "\(destination) \(length) \(zeros) 00 fd000000000000000000000000000001 00000400 00000002 00000000 \(flags)     \(device)\n"
  }

  @Test("a default route of a device that is up is a way out")
  func v4() {
    let rows: [(String, Bool)] = [
      ("", false), (Self.head, false),
      (Self.head + Self.v4("eth0", "00000000", flags: "0003", mask: "00000000"), true),
      (Self.head + Self.v4("ppp0", "00000000", flags: "0001", mask: "00000000"), true),
      // Down, refused, on this machine, and a network of its own only.
      (Self.head + Self.v4("eth0", "00000000", flags: "0002", mask: "00000000"), false),
      (Self.head + Self.v4("*", "00000000", flags: "0201", mask: "00000000"), false),
      (Self.head + Self.v4("lo", "00000000", flags: "0001", mask: "00000000"), false),
      (Self.head + Self.v4("docker0", "000011AC", flags: "0001", mask: "0000FFFF"), false),
      (Self.head + Self.v4("tun0", "00000000", flags: "0003", mask: "00000080"), false),
      (Self.head + "eth0\t00000000\n", false),
    ]
    for (table, expected) in rows { #expect(RouteTables.haveWayOut(v4: table, v6: "") == expected, "\(table)") }
  }

  @Test("the default route that every kernel has, to refuse, is none")
  func v6() {
    let rows: [(String, Bool)] = [
      ("", false), (Self.v6(Self.zeros, "00", flags: "00200200", "lo"), false),
      (Self.v6(Self.zeros, "00", flags: "00000003", "eth0"), true),
      (Self.v6(Self.zeros, "00", flags: "00000203", "eth0"), false),
      (Self.v6("fe80" + Self.zeros.dropFirst(4), "40", flags: "00000001", "eth0"), false),
      ("nonsense\n", false),
    ]
    for (table, expected) in rows { #expect(RouteTables.haveWayOut(v4: Self.head, v6: table) == expected, "\(table)") }
  }
}
