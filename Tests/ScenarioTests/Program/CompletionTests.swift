// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@Suite("completion")
struct CompletionTests {
  /// A folder with a manifest, a library that knows its items, and the scripts as each shell looks for them.
  private func makeLibrary() throws -> TemporaryDirectory {
    let program = try #require(Program.syncjob)
    let folder = try TemporaryDirectory("syncjob-completion")
    let items = ["night-drive", "night:a", "two words"]
    func inline(_ ids: [String]) -> String {
      ids.map { "{ id: \"\($0)\", url: \"http://127.0.0.1:1/\($0.count)\($0.hasPrefix("t") ? "t" : "")\" }" }.joined(
        separator: ", ")
    }
    try FileBytes.write(
      """
      version: 1
      library: { path: ./library }
      downloads: { retries: 0 }
      playlists:
        commute: { items: [\(inline(items))] }
        news: { items: [\(inline(["news:guid-1", "news:guid-02"]))] }

      """, to: folder.file("car.yaml"))
    _ = try Command(program, ["-q", folder.file("car.yaml")]).run()
    for (shell, file) in [("bash", "syncjob.bash"), ("zsh", "_syncjob"), ("fish", "syncjob.fish")] {
      let script = try Command(program, ["--generate-completion-script", shell]).run()
      #expect(script.ending == .exited(0))
      try FileBytes.write(script.standardOutput, to: folder.file(file))
    }
    try FileBytes.write(Self.driver, to: folder.file("drive.py"))
    return folder
  }

  @Test("a shell completes commands, manifests, items, playlists and states", arguments: ["bash", "zsh", "fish"])
  func completes(_ shell: String) throws {
    let folder = try makeLibrary()
    guard let tool = Tool(shell).path else { try Test.cancel("\(shell) is not installed") }
    #expect(
      try Command(tool, ["-n", folder.file(["bash": "syncjob.bash", "zsh": "_syncjob"][shell] ?? "syncjob.fish")]).run()
        .ending == .exited(0))
    let cases = [
      ("syncjob simu", "syncjob simulate"), ("syncjob car", "syncjob car.yaml"),
      ("syncjob status ca", "syncjob status car.yaml"),
      ("syncjob retry -m car.yaml night-", "syncjob retry -m car.yaml night-drive"),
      ("syncjob retry -m car.yaml night:", "syncjob retry -m car.yaml night:a"),
      ("syncjob explain -m car.yaml news:guid-1", "syncjob explain -m car.yaml news:guid-1"),
      ("syncjob explain -m car.yaml news:guid-0", "syncjob explain -m car.yaml news:guid-02"),
      ("syncjob remove -m car.yaml tw", "syncjob remove -m car.yaml two words"),
      ("syncjob list --state rem", "syncjob list --state removed"),
      ("syncjob status car.yaml --playlist co", "syncjob status car.yaml --playlist commute"),
    ]
    #expect(try completed(cases.map(\.0), by: shell, in: folder) == cases.map(\.1))
  }

  /// Types each line and a tab into the shell.
  /// - Returns: The lines, as the shell would carry them out.
  private func completed(_ lines: [String], by shell: String, in folder: TemporaryDirectory) throws -> [String] {
    guard let tool = Tool(shell).path, let python = Tool("python3").path else {
      try Test.cancel("\(shell) or python3 is not installed")
    }
    var environment = Command.plainEnvironment
    let own = try #require(Program.syncjob).split(separator: "/").dropLast().map { "/\($0)" }.joined()
    environment["PATH"] = "\(own):\(environment["PATH"] ?? "")"
    let result = try Command(
      python, [folder.file("drive.py"), tool, folder.path] + lines, environment: environment
    ).run(timeout: 120)
    return result.standardOutput.split(separator: "\n").map(String.init)
  }

  @Test("an id with the signs of a command is completed as it is or not at all", arguments: ["bash", "zsh", "fish"])
  func hostile(_ shell: String) throws {
    let folder = try makeLibrary()
    try FileBytes.write(
      #"""
      version: 1
      library: { path: ./library }
      downloads: { retries: 0 }
      playlists:
        mix:
          items:
            - { id: 'evil-$$(touch ran)`touch ran`', url: "http://127.0.0.1:1/x" }
            - { id: 'odd-;touch ran''a"b\c&|<>*?[a]{b,c}~#', url: "http://127.0.0.1:1/y" }

      """#, to: folder.file("car.yaml"))
    _ = try Command(try #require(Program.syncjob), ["-q", folder.file("car.yaml")]).run()
    let lines = try completed(
      ["syncjob explain -m car.yaml evil-", "syncjob explain -m car.yaml odd-"], by: shell, in: folder)
    let isOffered = shell != "bash"
    #expect(
      lines == [
        "syncjob explain -m car.yaml evil-\(isOffered ? "$(touch ran)`touch ran`" : "")",
        #"syncjob explain -m car.yaml odd-;touch ran'a"b\c&|<>*?[a]{b,c}~#"#,
      ])
    #expect(!(try FileTree.files(folder.path, hidden: true)).contains("ran"))
  }

  @Test("a library that cannot be read completes to nothing, and nothing is said")
  func silent() throws {
    let program = try #require(Program.syncjob)
    let folder = try TemporaryDirectory("syncjob-completion")
    try FileBytes.write("version: 1\nlibrary: [\n", to: folder.file("broken.yaml"))
    try FileBytes.write("version: 1\nlibrary: { path: ./none }\nplaylists: {}\n", to: folder.file("new.yaml"))
    for manifest in ["missing.yaml", "broken.yaml", "new.yaml"] {
      for (command, argument) in [("explain", "positional@0"), ("status", "--playlist")] {
        let words = ["syncjob", command, "-m", folder.file(manifest), ""]
        var environment = Command.plainEnvironment
        environment["SAP_SHELL"] = "bash"
        let result = try Command(
          program, ["---completion", command, "--", argument, "4", "0"] + words, environment: environment
        ).run()
        #expect(result.ending == .exited(0) && result.standardError == "", "\(manifest): \(result.standardError)")
        #expect(result.standardOutput.allSatisfy { $0 == "\n" }, "\(result.standardOutput)")
      }
    }
    #expect(try FileTree.files(folder.path, hidden: true).count == 2)
  }

  /// Types each line and a tab into a shell on a terminal, then lets the shell pass the completed line to `echo`.
  private static let driver = #"""
    import os, pty, select, sys, time

    # Types each line and a tab into a shell, then lets the shell print what the line has become.
    program, folder = sys.argv[1:3]
    shell = os.path.basename(program)
    lines = sys.argv[3:]
    starts = {
        "bash": (["bash", "--noprofile", "--norc", "-i"], "source ./syncjob.bash; bind 'set bell-style none'\n"),
        "zsh": (["zsh", "-f", "-i"], "fpath=($PWD $fpath); autoload -Uz compinit && compinit -u -d $PWD/zcompdump; bindkey -e; PS1='> '\n"),
        "fish": (["fish", "--private", "--no-config"], "source syncjob.fish\n"),
    }
    arguments, start = starts[shell]
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.environ.update(TERM="dumb" if shell != "fish" else "xterm", PS1="> ", HOME=folder, HISTFILE="/dev/null")
        os.execv(program, arguments)
    seen = b""

    def read_until(mark, seconds):
        global seen
        end = time.time() + seconds
        while time.time() < end:
            if mark and mark in seen:
                return True
            if select.select([fd], [], [], 0.05)[0]:
                try:
                    part = os.read(fd, 65536)
                except OSError:
                    return False
                seen += part
                # fish asks the terminal who it is.
                if b"\x1b[c" in part or b"\x1b[0c" in part: os.write(fd, b"\x1b[?62;c")
                if b"\x1b[6n" in part: os.write(fd, b"\x1b[1;1R")
        return False

    def quiet():
        """Waits until the shell has said nothing for a while."""
        global seen
        size, since = len(seen), time.time()
        while time.time() - since < 0.5:
            read_until(None, 0.1)
            if len(seen) != size:
                size, since = len(seen), time.time()

    os.write(fd, start.encode())
    quiet()
    for number, line in enumerate(lines):
        out = f"{folder}/completed.{number}"
        os.write(fd, line.encode() + b"\t")
        quiet()
        # At the start of the line: a program that notes its arguments.
        os.write(fd, b"\x01/bin/echo " + b"\x05" + f" > {out}\r".encode())
        end = time.time() + 5
        while not os.path.exists(out) and time.time() < end:
            quiet()
        quiet()
        print(open(out).read().rstrip("\n") if os.path.exists(out) else "nothing")
    os.close(fd)
    """#
}
