// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

/// A systemd that cannot be seen from outside.
enum SystemdNamespace {
  static let manager = "/lib/systemd/systemd"
  static let words = ["-m", "-p", "-C", "-f", "--kill-child", "--mount-proc"]

  static var isPossible: Bool {
    do {
      let mounts = """
        mount -t tmpfs tmpfs /run && mkdir /run/upper /run/work &&
        mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/upper,workdir=/run/work /etc &&
        mount -t cgroup2 cgroup2 /sys/fs/cgroup
        """
      return try getuid() == 0 && access(manager, X_OK) == 0
        && Tool("unshare").command(words + ["sh", "-c", mounts])?.run().ending == .exited(0)
    } catch { return false }
  }
}

/// The unit that `make install` brings, started by a real systemd with a journal of its own, in namespaces that have no
/// other units.
@Suite(
  "the systemd service", .enabled(if: SystemdNamespace.isPossible, "systemd, root or namespaces are missing"),
  .timeLimit(.minutes(3)))
struct SystemdTests {
  private static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
  private let folder: TemporaryDirectory
  private let server: FaultServer

  init() throws { (folder, server) = (try TemporaryDirectory("syncjob-systemd"), try FaultServer()) }

  private func install() throws {
    var environment = Command.plainEnvironment
    environment["PREFIX"] = "/srv/syncjob"
    environment["DESTDIR"] = folder.file("root")
    environment["PROGRAM"] = Program.syncjob
    environment["TAGS_PROGRAM"] = "/bin/true"
    let result = try Command("\(Self.root)/scripts/install", [], environment: environment).run(timeout: 60)
    #expect(result.ending == .exited(0), "\(result.standardError)")
  }

  /// A manifest whose library is where the service may write.
  private func declare(_ name: String) throws {
    try FileBytes.write(
      """
      version: 1
      library: { path: /var/lib/syncjob/\(name) }
      downloads: { retries: 0 }
      hooks: { item: [sh, -c, "env > /var/lib/syncjob/environment"] }
      playlists: { all: { items: [{ id: a, title: A, url: "\(server.url("/\(name).mp3"))" }] } }
      """, to: folder.file("manifests/\(name).yaml"))
  }

  /// Starts systemd as the first process of its namespaces.
  private let boot = """
    set -e
    mount -t tmpfs tmpfs /run
    mkdir /run/upper /run/work
    mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/upper,workdir=/run/work /etc
    umount -R /sys/fs/cgroup 2>/dev/null || :
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
    for place in /etc/systemd/system /var/lib /var/cache /var/log /srv; do
      mount -t tmpfs -o mode=755 tmpfs $place
    done
    cp -a "$1/root/srv/syncjob" /srv/
    cp -a "$1/manifests" /etc/syncjob
    chmod 755 /etc/syncjob
    chmod 644 /etc/syncjob/*
    cd /etc/systemd/system
    cp /srv/syncjob/lib/systemd/system/* .
    mkdir syncjob@.service.d
    printf '[Unit]\nDefaultDependencies=no\n' > syncjob@.service.d/alone.conf
    for unit in network-online.target sysinit.target basic.target; do ln -s /dev/null $unit; done
    cat > test.target <<UNIT
    [Unit]
    DefaultDependencies=no
    Wants=systemd-journald.service syncjob@good.service syncjob@busy.service syncjob@gone.service told.service
    UNIT
    cat > told.service <<UNIT
    [Unit]
    DefaultDependencies=no
    After=syncjob@good.service syncjob@busy.service syncjob@gone.service
    [Service]
    Type=oneshot
    ExecStart=/bin/sh "$1/tell" "$1"
    UNIT
    export container=test
    exec "$2" --system --unit=test.target --log-target=journal
    """

  private let tell = """
    cd "$1"
    journalctl --sync
    journalctl -o json --no-pager > journal
    for name in good busy gone; do
      systemctl show -P Result -P ExecMainStatus syncjob@$name.service | tr '\n' ' ' > $name
    done
    cp /var/lib/private/syncjob/environment .
    find /var/lib/private/syncjob -name '*.mp3' > media
    touch told
    """

  @Test("runs in its own place, and the journal knows what is wrong")
  func run() throws {
    try install()
    server.serveAudio("good")
    server.script("/busy.mp3", [.status(503)])
    server.script("/gone.mp3", [.status(404)])
    for name in ["good", "busy", "gone"] { try declare(name) }
    try FileBytes.write(tell, to: folder.file("tell"))
    let words = SystemdNamespace.words + ["sh", "-c", boot, "sh", folder.path, SystemdNamespace.manager]
    let systemd = try #require(Tool("unshare").command(words)).start()
    let hasTold = eventually(within: 90) { access(folder.file("told"), F_OK) == 0 }
    systemd.signal(SIGKILL)
    let result = systemd.wait()
    try #require(hasTold, "\(result.standardOutput)\(result.standardError)")
    #expect(try end("good") == ["0", "success"])
    #expect(try end("busy") == ["5", "success"])
    #expect(try end("gone") == ["3", "exit-code"])
    #expect(try FileBytes.text(folder.file("media")) == "/var/lib/private/syncjob/good/all/A.mp3\n")
    let names = try FileBytes.text(folder.file("environment")).split(separator: "\n").map { $0.prefix { $0 != "=" } }
    #expect(
      Set(["HOME", "XDG_CACHE_HOME", "JOURNAL_STREAM", "SYNCJOB_HOOK_FILE"]).isSubset(of: names.map(String.init)))
    let said = try journal()
    #expect(said.contains { $0 == ("gone", "3", "gone: 1 failed") } == true, "\(said)")
    // A temporary failure is a warning, and a run that went well has nothing to say.
    #expect(!said.isEmpty && said.allSatisfy { $0.priority == ($0.unit == "gone" ? "3" : "4") }, "\(said)")
    #expect(!said.contains { $0.unit == "good" }, "\(said)")
  }

  private func end(_ name: String) throws -> [String] {
    try FileBytes.text(folder.file(name)).split(separator: " ").map(String.init).sorted()
  }

  /// What syncjob itself said, without the seconds that it took.
  private func journal() throws -> [(unit: String, priority: String, message: String)] {
    try FileBytes.text(folder.file("journal")).split(separator: "\n").compactMap { line in
      let entry = try JSONValue(Array(line.utf8))
      guard entry[path: "_COMM"] == .string("syncjob"), let unit = entry[path: "_SYSTEMD_UNIT"]?.description else {
        return nil
      }
      let message = entry[path: "MESSAGE"]?.description ?? ""
      let name = unit.replacing("syncjob@", with: "").replacing(".service", with: "")
      return (name, entry[path: "PRIORITY"]?.description ?? "", String(message.prefix { $0 != "." }))
    }
  }
}
