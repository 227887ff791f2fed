// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("the demo's origin")
struct DemoTests {
  private func start(_ arguments: String...) throws -> RunningCommand {
    let program = try #require(Program.beside("syncjob-demo"))
    return try Command(program, arguments, input: .held).start()
  }

  /// The fields of the first line: origin, slow, licenses, nonce.
  private func fields(_ line: String) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: line.split(separator: " ").map {
        let pair = $0.split(separator: "=", maxSplits: 1)
        return (String(pair[0]), String(pair[1]))
      })
  }

  private func port(_ url: String?) throws -> UInt16 {
    try #require(url?.split(separator: ":").last.flatMap { UInt16($0) })
  }

  @Test("the first line and the port file name the origins, and the faults are there")
  func faults() throws {
    let folder = try TemporaryDirectory()
    let demo = try start("--for", "60", "--port-file", folder.file("port"))
    let line = try #require(demo.firstLine())
    let fields = fields(line)
    let port = try port(fields["origin"])
    #expect(PlainRequest.get(port: port, path: try #require(fields["nonce"]))?.hasSuffix("syncjob-demo\n") == true)
    let get = { (path: String) in PlainRequest.get(port: port, path: path) ?? "" }
    #expect(get("/slow-tide.mp3").contains("\r\nRetry-After: 1\r\n"))
    #expect(get("/slow-tide.mp3").hasPrefix("HTTP/1.1 200 "))
    for gone in ["/night-drive.mp3", "/night-drive-350.mp3", "/lost-tape.mp3"] {
      #expect(get(gone).hasPrefix("HTTP/1.1 404 "))
    }
    #expect(get("/feed.rss").ranges(of: "<enclosure ").count == 5)
    demo.closeInput()
    #expect(demo.wait().ending == .exited(0))
    #expect(try FileBytes.text(folder.file("port")) == line + "\n")
  }

  @Test("it stops on a signal, at the end of its input and after its time", arguments: [Int32(15), 2, 0, -1])
  func stops(how: Int32) throws {
    let demo = try start("--for", how == -1 ? "1" : "60")
    #expect(demo.firstLine() != nil)
    if how > 0 { demo.signal(how) }
    if how == 0 { demo.closeInput() }
    #expect(demo.wait(timeout: 10).ending == .exited(0))
  }

  @Test("it grants and refuses licences as its options say")
  func licenses() throws {
    let demo = try start(
      "--for", "60", "--license-days", "1", "--content-keys", "--max-devices", "1", "--refuse",
      "paper-boats=region_restricted")
    let line = try #require(demo.firstLine())
    let url = try #require(fields(line)["licenses"])
    #expect(url.hasSuffix("/v1"))
    let port = try port(String(url.dropLast(3)))
    let post = { (path: String, body: String) in PlainRequest.post(port: port, path: path, body: body) ?? "" }
    #expect(post("/v1/devices", #"{"device_id":"a","name":"A"}"#).hasSuffix(#""max_devices":1}"#))
    #expect(post("/v1/devices", #"{"device_id":"b","name":"B"}"#).hasPrefix("HTTP/1.1 403 "))
    let granted = post("/l/slow-tide", #"{"device_id":"b","valid_for":60,"track_id":"slow-tide"}"#)
    #expect(granted.hasPrefix("HTTP/1.1 200 "))
    #expect(granted.contains(#""content_key":""#))
    let refused = post("/l/paper-boats", #"{"device_id":"b","valid_for":60,"track_id":"paper-boats"}"#)
    #expect(refused.hasPrefix("HTTP/1.1 451 "))
    demo.closeInput()
    #expect(demo.wait().ending == .exited(0))
  }

  @Test(
    "what it does not understand is a usage error",
    arguments: [
      ["--x"], ["--for"], ["--for", "0"], ["--for", "x"], ["--license-days", "0"], ["--max-devices", "x"],
      ["--refuse", "a"], ["--refuse", "=expired"], ["--refuse", "a=b"],
    ])
  func usage(arguments: [String]) throws {
    let program = try #require(Program.beside("syncjob-demo"))
    let result = try Command(program, arguments).run()
    #expect(result.ending == .exited(64))
    #expect(result.standardError.hasPrefix("syncjob-demo: "))
  }

  @Test("the manifest names the sizes that the origin serves, and they pass the budget by one item")
  func manifest() throws {
    let program = try #require(Program.beside("syncjob-demo"))
    let list = try Command(program, ["--list"]).run().standardOutput
    let sizes = Dictionary(
      uniqueKeysWithValues: list.split(separator: "\n").map {
        let words = $0.split(separator: " ")
        return (String(words[0]), String(words[1]))
      })
    let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let manifest = try FileBytes.text("\(folder)/manifests/demo.yaml").split(separator: "\n").map(String.init)
    var path: String?
    var found = 0
    for line in manifest {
      if line.contains(" url: "), let name = line.split(separator: "/").last { path = "/\(name)" }
      guard let size = line.firstRange(of: " size: ") else { continue }
      #expect(sizes[try #require(path)] == String(line[size.upperBound...]))
      found += 1
    }
    #expect(found == 5)
  }
}
