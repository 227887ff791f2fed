// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import SyncTestSupport
import Testing

@Suite("schema")
struct SchemaTests {
  private static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

  private func schema() throws -> String {
    let result = try Command(try #require(Program.syncjob), ["schema"]).run()
    #expect(result.ending == .exited(0) && result.standardError == "")
    return result.standardOutput
  }

  @Test("the file beside the examples is the schema that the program prints")
  func file() throws {
    let message = "syncjob schema > manifests/syncjob.schema.json"
    let isCurrent = try FileBytes.text("\(Self.root)/manifests/\(ManifestSchema.fileName)") == schema()
    #expect(isCurrent, "\(message)")
  }

  @Test("a starter manifest names the schema in its first line")
  func starter() throws {
    let home = try LibraryFixture()
    #expect(try home.command("init").run().ending == .exited(0))
    let line = try #require(try FileBytes.text(home.manifest).split(separator: "\n").first)
    #expect(line.hasPrefix("# yaml-language-server: $schema=/") && line.hasSuffix("/share/syncjob/syncjob.schema.json"))
  }

  @Test(
    "a complete validator finds the schema correct, accepts every example, and refuses mistakes",
    .enabled(
      if: (try? Command("/usr/bin/python3", ["-c", "import jsonschema, yaml"]).run().ending) == .exited(0),
      "python3-jsonschema or python3-yaml is not installed"))
  func validator() throws {
    let folder = try TemporaryDirectory("syncjob-schema")
    try FileBytes.write(try schema(), to: folder.file("schema.json"))
    let head = "version: 1\nlibrary: { path: ./m }\n"
    let wrong = [
      "version: 1\n", "version: 2\nlibrary: { path: m }\n", "\(head)storage: { budget: 10G }\n",
      "\(head)storage: { budgett: 10GiB }\n", "\(head)downloads: { retries: \"3\" }\n",
      "\(head)playlists: { Car: { feed: https://a.example/f } }\n", "\(head)playlists: { car: {} }\n",
      "\(head)playlists: { car: { feed: a.xml, list: b.m3u } }\n", "\(head)checks: { sniff: maybe }\n",
      "\(head)playlists: { car: { feed: ftp://a.example/f } }\n",
    ]
    for (number, text) in wrong.enumerated() { try FileBytes.write(text, to: folder.file("wrong\(number).yaml")) }
    try FileBytes.write(
      "\(head)x-mine: [1]\nplaylists:\n  car: { items: [{ url: \"https://a.example/1\", published: 2026-01-05, duration: 3:45, title: 1999 }] }\n",
      to: folder.file("right.yaml"))
    try FileBytes.write(Self.script, to: folder.file("check.py"))
    let result = try Command("/usr/bin/python3", [folder.file("check.py"), folder.path, "\(Self.root)/manifests"]).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(result.standardOutput == "", "\(result.standardOutput)")
  }

  /// Prints what does not hold. YAML is read with the types of the core schema of YAML 1.2, as editors do.
  private static let script = #"""
    import glob, json, re, sys, yaml, jsonschema

    class Core(yaml.SafeLoader):
        yaml_implicit_resolvers = {}

    for tag, pattern, first in [
        ("bool", r"^(true|True|TRUE|false|False|FALSE)$", "tTfF"), ("int", r"^[-+]?[0-9]+$", "-+0123456789"),
        ("float", r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$", "-+.0123456789"),
        ("null", r"^(~|null|Null|NULL|)$", ["~", "n", "N", ""]), ("merge", r"^<<$", "<"),
    ]:
        Core.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), list(first))

    folder, examples = sys.argv[1:]
    schema = json.load(open(folder + "/schema.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    assert len(glob.glob(examples + "/*.yaml")) > 5
    for path in sorted(glob.glob(examples + "/*.yaml") + glob.glob(folder + "/*.yaml")):
        errors = [error.message[:200] for error in validator.iter_errors(yaml.load(open(path), Core))]
        if bool(errors) != ("/wrong" in path):
            print(path, errors)
    """#
}
