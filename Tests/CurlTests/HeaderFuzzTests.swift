// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@testable import Curl

@Suite("no header, however broken, brings the reader of heads down")
struct HeaderFuzzTests {
  private static let inputs = 20_000

  private func mutated(_ legal: [String], _ chance: inout SplitMix64) -> [UInt8] {
    if chance.next() % 3 == 0 {
      return (0..<Int.random(in: 0...50, using: &chance)).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
    }
    var bytes = Array((legal.randomElement(using: &chance) ?? "").utf8)
    for _ in 0..<Int.random(in: 0...3, using: &chance) {
      let place = Int.random(in: 0...bytes.count, using: &chance)
      switch chance.next() % 3 {
      case 0 where place < bytes.count: bytes[place] = UInt8.random(in: .min ... .max, using: &chance)
      case 1 where place < bytes.count: bytes.remove(at: place)
      default:
        let token = [
          "/", "..", ":", "@", "?", "#", "%00", "%", " ", "\t", "//", "[", "]", ",", "-", "9", "\r", "\n", "\0",
        ]
        .randomElement(using: &chance)
        bytes.insert(contentsOf: (token ?? "").utf8, at: place)
      }
    }
    return bytes
  }

  @Test("a Location leads to an absolute URL or nowhere")
  func locations() {
    var chance = SplitMix64(seed: 1)
    let legal = [
      "/b", "b?x", "../../b", "?x", "#f", "//other.example/b", "http://other.example/b c", "https://u:p@h:8443/ü",
      "file:///x",
      "http://[::1]:80/", "data:,x", "http:b", "http:///b", "HTTP://H/%2e%2e/x",
    ]
    var resolved = 0
    for _ in 0..<Self.inputs {
      let location = mutated(legal, &chance)
      guard let target = RedirectTarget.resolve(location, against: "https://h.example/dir/a") else { continue }
      resolved += 1
      #expect(target.contains("://"), "\(location): \(target)")
      #expect(target.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "\(location)")
      guard target.hasPrefix("http://") || target.hasPrefix("https://") else { continue }
      // The resulting URL is absolute, so it is the same from any other base.
      let again = RedirectTarget.resolve(Array(target.utf8), against: "http://elsewhere.example/")
      #expect(again == target, "\(location.debugDescription)")
    }
    #expect(resolved > 1000)
  }

  @Test("a Content-Length is a number that all agree on, or a contradiction")
  func framing() throws {
    var chance = SplitMix64(seed: 2)
    let legal = ["0", "12", "12, 12", "9223372036854775807", " 7 ", "12,13", "-1"]
    var accepted = 0
    for _ in 0..<Self.inputs {
      let values = (0..<Int.random(in: 1...2, using: &chance)).map { _ in
        String(decoding: mutated(legal, &chance), as: UTF8.self)
      }
      let coding = ["chunked", "identity", "gzip, chunked", ""].randomElement(using: &chance) ?? ""
      var fields = values.map { HeaderField(received: "Content-Length", $0) }
      if chance.next() % 4 == 0 { fields.append(HeaderField(received: "Transfer-Encoding", coding)) }
      do throws(BodyFraming.Contradiction) {
        let framing = try BodyFraming(version: .http11, status: 200, isReplyToHead: false, fields: fields)
        guard let length = framing.length else { continue }
        accepted += 1
        #expect(length >= 0)
        let parts = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(parts.allSatisfy { Int64($0.trimmingBlanks) == length }, "\(values)")
      } catch { #expect(!error.detail.isEmpty) }
    }
    #expect(accepted > 500)
    for _ in 0..<Self.inputs {
      let length = Int64.random(in: 0...(.max), using: &chance)
      let fields = [HeaderField(received: "content-length", "\(length)")]
      #expect(try BodyFraming(version: .http11, status: 200, isReplyToHead: false, fields: fields) == .length(length))
    }
  }

  @Test("the lines of a head become a head of a final response, or a reason against it")
  func heads() {
    var chance = SplitMix64(seed: 3)
    let legal = [
      "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n", "A: 1\r\n", " folded\r\n", "\r\n", "Content-Length: 5\r\n",
      "HTTP/2 404 \r\n",
    ]
    for _ in 0..<Self.inputs {
      var collector = HeadCollector()
      var lines = chance.next() % 2 == 0 ? [Array("HTTP/1.1 200 OK\r\n".utf8)] : []
      lines += (0..<Int.random(in: 1...5, using: &chance)).map { _ in mutated(legal, &chance) }
      do throws(HeadCollector.Problem) {
        for line in lines {
          guard let head = try take(line, &collector) else { continue }
          #expect((200...999).contains(head.status) && collector.isComplete)
          #expect(head.fields.count <= lines.count)
        }
      } catch { #expect(error != .tooLarge) }
    }
  }

  private func take(
    _ line: [UInt8], _ collector: inout HeadCollector
  ) throws(HeadCollector.Problem) -> HeadCollector.RawHead? {
    var result: Result<HeadCollector.RawHead?, HeadCollector.Problem> = .success(nil)
    line.withUnsafeBytes { bytes in
      result = Result { () throws(HeadCollector.Problem) in try collector.take(bytes) }
    }
    return try result.get()
  }
}
