// SPDX-License-Identifier: Apache-2.0

/// Tells whether the kernel's tables have a route out of this machine (proc_net(5)).
package enum RouteTables {
  /// linux/route.h
  private static let up = 0x0001
  private static let reject = 0x0200

  /// - Parameters:
  ///   - v4: `/proc/net/route`.
  ///   - v6: `/proc/net/ipv6_route`.
  package static func haveWayOut(v4: String, v6: String) -> Bool {
    v4.split(separator: "\n").dropFirst().contains(where: isDefaultV4)
      || v6.split(separator: "\n").contains(where: isDefaultV6)
  }

  /// `Iface Destination Gateway Flags RefCnt Use Metric Mask …`, addresses in hexadecimal.
  private static func isDefaultV4(_ line: Substring) -> Bool {
    let fields = line.split { $0 == "\t" || $0 == " " }
    guard fields.count >= 8, let flags = Int(fields[3], radix: 16) else { return false }
    return fields[0] != "lo" && isZero(fields[1]) && isZero(fields[7]) && isUsable(flags)
  }

  /// `destination length source length next-hop metric count use flags device`.
  private static func isDefaultV6(_ line: Substring) -> Bool {
    let fields = line.split(separator: " ")
    guard fields.count == 10, let flags = Int(fields[8], radix: 16) else { return false }
    return fields[9] != "lo" && isZero(fields[0]) && isZero(fields[1]) && isUsable(flags)
  }

  private static func isUsable(_ flags: Int) -> Bool { flags & up != 0 && flags & reject == 0 }

  private static func isZero(_ field: Substring) -> Bool { field.allSatisfy { $0 == "0" } }
}
