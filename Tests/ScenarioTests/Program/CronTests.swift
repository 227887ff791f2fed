// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

/// A cron that cannot be seen from outside.
enum CronNamespace {
  static var isPossible: Bool {
    do {
      let trial = ["-m", "-p", "-f", "--kill-child", "--mount-proc", "mount", "-t", "tmpfs", "tmpfs", "/run"]
      return try getuid() == 0 && Tool.cron.isInstalled && Tool("unshare").command(trial)?.run().ending == .exited(0)
    } catch { return false }
  }
}

/// A real cron with a real minute, in namespaces of its own: it sees no crontab but that of the test, and its mail goes
/// to a folder.
@Suite(
  "cron", .enabled(if: CronNamespace.isPossible, "cron, root or mount namespaces are missing"), .timeLimit(.minutes(5)))
struct CronTests {
  private let folder: TemporaryDirectory
  private let server: FaultServer

  init() throws { (folder, server) = (try TemporaryDirectory("syncjob-cron"), try FaultServer()) }

  /// The lines of the manual for a crontab, for every minute and with the paths of here.
  private func line(_ block: Int, _ manifest: String) throws -> String {
    let program = try #require(Program.syncjob)
    let blocks = try ManualPage("cron-and-systemd.md").blocks("").filter { $0.contains("* * *") }
    let text = try #require(blocks.dropFirst(block).first)
    let line = try #require(text.split(separator: "\n").last { !$0.hasPrefix("#") })
    let command = line.split(separator: " ").dropFirst(5).joined(separator: " ")
    return "* * * * * "
      + command.replacing("/usr/local/bin/syncjob", with: program).replacing("/home/anna/car.yaml", with: manifest)
  }

  /// - Parameter path: That of the one file on the server.
  private func manifest(_ name: String, _ path: String) throws -> String {
    let file = folder.file("\(name).yaml")
    let text = """
      version: 1
      library: { path: ./\(name) }
      downloads: { retries: 0 }
      playlists: { all: { items: [{ id: a, url: "\(server.url(path))" }] } }
      """
    try FileBytes.write(text, to: file)
    return file
  }

  private func reports(_ name: String) throws -> Int {
    let reports = folder.file("\(name)/.syncjob/reports")
    return access(reports, F_OK) == 0 ? try FileTree.files(reports).count : 0
  }

  @Test("sends mail if something is wrong, and otherwise none")
  func mail() throws {
    server.serveAudio("a")
    server.script("/gone.mp3", [.status(404)])
    server.script("/busy.mp3", [.status(503)])
    let crontab = [
      "MAILTO=anna", "* * * * * env > \(folder.file("environment"))",
      try line(0, try manifest("good", "/a.mp3")), try line(0, try manifest("bad", "/gone.mp3")),
      try line(1, try manifest("busy", "/busy.mp3")), try line(1, try manifest("dead", "/gone.mp3")),
    ]
    try FileBytes.write(crontab.joined(separator: "\n") + "\n", to: folder.file("crontab"))
    try Script.write("#!/bin/sh\ncat > \"\(folder.path)/mail.$$\"\n", to: folder.file("sendmail"))
    let setup = """
      cp "$2" "$1/cron" || exit
      for place in /usr/sbin /run /var/spool /etc/cron.d; do
        [ ! -d $place ] || mount -t tmpfs -o mode=755 tmpfs $place || exit
      done
      [ ! -e /etc/crontab ] || mount --bind /dev/null /etc/crontab || exit
      mkdir -p /var/spool/cron/crontabs
      cp "$1/cron" "$1/sendmail" /usr/sbin/
      cp "$1/crontab" /var/spool/cron/crontabs/root
      chmod 600 /var/spool/cron/crontabs/root
      exec /usr/sbin/cron -f
      """
    let program = try #require(Tool.cron.path)
    let words = ["-m", "-p", "-f", "--kill-child", "--mount-proc", "sh", "-c", setup, "sh", folder.path, program]
    let cron = try #require(Tool("unshare").command(words)).start()
    let hasRun = try eventually(within: 150) {
      try ["good", "bad", "busy", "dead"].allSatisfy { try reports($0) > 0 } && sentMails().count == 2
    }
    cron.signal(SIGKILL)
    _ = cron.wait()
    #expect(hasRun)
    let mails = try sentMails().map { try FileBytes.text(folder.file($0)) }
    #expect(mails.allSatisfy { $0.contains("To: anna") && $0.contains("the server answered 404") }, "\(mails)")
    #expect(mails.contains { $0.contains("bad.yaml") } && mails.contains { $0.contains("dead.yaml") }, "\(mails)")
    #expect(try FileTree.files(folder.file("good")).contains("all/a.mp3"))
    // What cron gives a job is enough: syncjob has run with it.
    let names = try FileBytes.text(folder.file("environment")).split(separator: "\n").map { $0.prefix { $0 != "=" } }
    #expect(
      Set(names).isSubset(of: ["HOME", "MAILTO", "LOGNAME", "PATH", "SHELL", "PWD", "USER", "_", "LANG", "LC_ALL"]))
  }

  private func sentMails() throws -> [String] { try FileTree.files(folder.path).filter { $0.hasPrefix("mail.") } }
}
