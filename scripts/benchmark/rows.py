# SPDX-License-Identifier: Apache-2.0
"""What is measured. Each row is a method of Rows, in the order of ROWS; in all of them the programs take turns: A B C A B C …"""

import os
import shutil
import signal
import time
from collections import Counter

import feeds
import scale
import sealing
from batch import Batch, same_content, write_media
from programs import RETRY_SETTINGS, refuses_authority
from servers import FaultOrigin, LoopbackNginx, make_authority
from table import Line, Row, size
from tools import Unavailable
from wan import DELAY_MS, RATE_MBIT, Wan

PARALLEL = 8
KIB, MIB = 1 << 10, 1 << 20


class Sizes:
    """How much of everything. Quick ones only show that every row works."""

    def __init__(self, quick):
        self.rounds = 1 if quick else 5
        self.start_rounds = 3 if quick else 50
        self.noop_rounds = 2 if quick else 10
        self.warm_up = 0 if quick else 1
        self.wan_rounds = 1 if quick else 3
        self.large = (1, 8 * MIB if quick else 1024 * MIB)
        self.batch = (20, 256 * KIB) if quick else (200, 4 * MIB)
        self.small = (200 if quick else 5000, 16 * KIB)
        self.wan = (8, MIB // 2) if quick else (16, 6 * MIB)
        self.faults = (40, 64 * KIB) if quick else (500, 256 * KIB)
        self.resume = 8 * MIB if quick else 200 * MIB
        self.noop = {"noop-10": 10, "noop-10k": 1000 if quick else 10_000, "noop-100k": 3000 if quick else 100_000}
        self.noop_file = KIB
        self.sealed = 8 * MIB if quick else 1024 * MIB
        self.feeds = (10, 100) if quick else (100, 10_000)
        self.scale = (300, 1000) if quick else (10_000, 100_000, 500_000, 1_000_000)


class Rows:
    def __init__(self, work, programs, launcher, sizes, say):
        self.work, self.programs, self.launcher, self.sizes, self.say = work, programs, launcher, sizes, say
        self.wrong = []
        self.authority = self.authority_trouble = None
        try:
            self.authority = make_authority(work / "ca")
        except Unavailable as trouble:
            self.authority_trouble = str(trouble)
        self.nginx = LoopbackNginx(work, sizes.resume // 3, self.authority)
        self.wan = None

    def close(self):
        if self.wan:
            self.wan.close()
        self.nginx.close()

    # Taking turns

    def fetch(self, batch, *, rounds=None, warm_up=None, retrying=False, before=lambda number: None, inside=()):
        """Each program fetches the batch into an empty folder, round by round. By program: its runs, how many files were right in each."""
        rounds, warm_up = rounds or self.sizes.rounds, self.sizes.warm_up if warm_up is None else warm_up
        runs = {program.name: [] for program in self.programs}
        right = {program.name: [] for program in self.programs}
        for number in range(-warm_up, rounds):
            for program in self.programs:
                batch.drop(program.name)
                before(number)
                used = self.launcher.run([*inside, *program.command(batch, retrying=retrying)])
                if number >= 0:
                    runs[program.name].append(used)
                    right[program.name].append(batch.right(program.name))
                    self.say(f"{batch.name}: round {number + 1} of {rounds}, {program.name}")
                batch.drop(program.name)
        return runs, right

    def line(self, program, runs, right, wanted, more=""):
        """A line of the table that says whether everything was right, in the worst round."""
        statuses = sorted({run.status for run in runs if run.status})
        worst = min(right)
        words = [] if worst == wanted and not statuses else [f"{worst} of {wanted} right"]
        words += [f"exit {', '.join(map(str, statuses))}"] if statuses else []
        words += [more] if more else []
        if program == "syncjob" and (worst < wanted or statuses):
            self.wrong.append(f"{words}: {self.launcher.said()}" if statuses else f"{words}")
        return Line(program, runs, ", ".join(words) or "right")

    def table(self, row, batch, runs, right, more=lambda program, runs: ""):
        for program in self.programs:
            name = program.name
            row.lines.append(self.line(name, runs[name], right[name], batch.count, more(program, runs[name])))
        batch.remove()
        return row

    # Over the loopback

    def plain(self, name, title, amount):
        batch = Batch(self.work, name, *amount, PARALLEL)
        batch.serve_from(f"http://127.0.0.1:{self.nginx.plain}")
        return self.table(Row(name, f"{title}, http"), batch, *self.fetch(batch))

    def large(self, name):
        return self.plain(name, f"one file of {size(self.sizes.large[1])}", self.sizes.large)

    def batch(self, name):
        return self.plain(name, f"{self.sizes.batch[0]} files of {size(self.sizes.batch[1])}", self.sizes.batch)

    def small(self, name):
        return self.plain(name, f"{self.sizes.small[0]:,} files of {size(self.sizes.small[1])}", self.sizes.small)

    def secure(self, name, version, port):
        count, each = self.sizes.batch
        row = Row(name, f"{count} files of {size(each)}, https, a server that speaks {version}")
        if not self.authority:
            raise Unavailable(self.authority_trouble)
        batch = Batch(self.work, name, count, each, PARALLEL)
        batch.serve_from(f"https://127.0.0.1:{port}", self.authority)
        trouble = refuses_authority(self.programs[0], batch)
        if trouble:
            batch.remove()
            raise Unavailable(trouble)
        self.nginx.forget()
        runs, right = self.fetch(batch)
        spoken = Counter((agent.split("/")[0] + "/", protocol) for _, _, protocol, agent in self.nginx.settled(1))

        def protocols(program, _):
            return " and ".join(sorted(protocol for agent, protocol in spoken if agent == program.agent))
        return self.table(row, batch, runs, right, protocols)

    def https_1(self, name):
        return self.secure(name, "HTTP/1.1", self.nginx.tls1)

    def https_2(self, name):
        return self.secure(name, "HTTP/2", self.nginx.tls2)

    # Over a long way

    def far(self, name, loss):
        count, each = self.sizes.wan
        row = Row(name, f"{count} files of {size(each)}, {RATE_MBIT} Mbit/s, {2 * DELAY_MS} ms there and back, {loss * 100:g} % loss")
        self.wan = self.wan or Wan(self.work)
        batch = Batch(self.work, name, count, each, PARALLEL)
        batch.serve_from(self.wan.url)
        runs, right = self.fetch(
            batch, rounds=self.sizes.wan_rounds, warm_up=0, before=lambda number: self.wan.lose(loss, number), inside=self.wan.client.inside)

        def share(_, runs):
            walls = sorted(run.wall for run in runs)
            return f"{count * each * 8 / walls[len(walls) // 2] / (RATE_MBIT * 1e4):.1f} % of the link"
        return self.table(row, batch, runs, right, share)

    def wan_clean(self, name):
        return self.far(name, 0)

    def wan_lossy(self, name):
        return self.far(name, 0.005)

    # Faults

    def faults(self, name):
        count, each = self.sizes.faults
        batch = Batch(self.work, name, count, each, PARALLEL)
        origin = FaultOrigin(batch.source)
        try:
            batch.serve_from(origin.url, settings=RETRY_SETTINGS)
            runs, right = self.fetch(batch, warm_up=0, retrying=True, before=origin.begin)
        finally:
            origin.close()
        row = Row(name, f"{count} files of {size(each)}, 5 % of the answers reset half-way, 2 % a 503")
        for program in self.programs:
            counts = right[program.name]
            words = f"{min(counts)} of {count} right" + (f" (best round {max(counts)})" if max(counts) > min(counts) else "")
            statuses = sorted({run.status for run in runs[program.name]})
            row.lines.append(Line(program.name, runs[program.name], f"{words}, exit {', '.join(map(str, statuses))}"))
            if program.name == "syncjob" and (min(counts) < count or statuses != [0]):
                self.wrong.append(f"{row.lines[-1].result}: {self.launcher.said()}")
        batch.remove()
        return row

    def resume(self, name):
        total = self.sizes.resume
        row = Row(name, f"killed with SIGKILL at half of {size(total)}, run again")
        batch = Batch(self.work, name, 1, total, PARALLEL)
        batch.serve_from(f"http://127.0.0.1:{self.nginx.slow}")
        versions = [self.work / f"{name}.first", self.work / f"{name}.second"]
        for version in versions:
            write_media(version, total)
        runs = {program.name: [] for program in self.programs}
        sent = {program.name: [] for program in self.programs}
        came = {(program.name, changed): Counter() for program in self.programs for changed in (False, True)}
        rounds = self.sizes.wan_rounds
        for number in range(rounds):
            for changed in (False, True):
                for program in self.programs:
                    used, count, result = self._interrupted(batch, program, versions, changed)
                    self.say(f"{name}: round {number + 1} of {rounds}, {program.name}")
                    came[program.name, changed][result] += 1
                    if not changed:
                        runs[program.name].append(used)
                        sent[program.name].append(count)
        for program in self.programs:
            same, other = (" or ".join(sorted(came[program.name, changed])) for changed in (False, True))
            row.lines.append(Line(
                program.name, runs[program.name],
                f"{sorted(sent[program.name])[rounds // 2] / MIB:.1f} MiB sent in the second run, {same}; if the file had changed: {other}"))
            if program.name == "syncjob" and (same, other) != ("right", "right"):
                self.wrong.append(row.lines[-1].result)
        batch.remove()
        for version in versions:
            version.unlink()
        return row

    def _interrupted(self, batch, program, versions, changed):
        """One run killed half-way, one to its end: what that used, the bytes that it was sent, and what lies there."""
        def serve(version, age):
            served = batch.source / batch.file(0)
            served.unlink()
            os.link(version, served)
            os.utime(served, (age, age))
        serve(versions[0], 1_700_000_000)
        batch.drop(program.name)
        self.nginx.forget()
        process, began = self.launcher.start(program.command(batch))
        while self._on_disk(batch.out(program.name)) < batch.size // 2 and time.monotonic() - began < 60:
            time.sleep(0.002)
        os.kill(process, signal.SIGKILL)
        self.launcher.wait(process, began)
        self.nginx.settled(1)
        if changed:
            serve(versions[1], 1_700_000_010)
        self.nginx.forget()
        used = self.launcher.run(program.command(batch, resuming=True))
        count = sum(int(length) for _, length, *_ in self.nginx.settled(1))
        got = batch.out(program.name) / batch.file(0)
        if not got.exists():
            result = "nothing"
        elif same_content(got, versions[changed]):
            result = "right"
        elif same_content(got, versions[not changed]):
            result = "the old file"
        else:
            result = "spliced of both" if changed else "wrong bytes"
        result += f" (exit {used.status})" if used.status else ", exit 0" if result != "right" else ""
        batch.drop(program.name)
        return used, count, result

    @staticmethod
    def _on_disk(folder):
        total = 0
        for place, _, names in os.walk(folder):
            for file in names:
                try:
                    total += os.stat(os.path.join(place, file)).st_blocks * 512
                except FileNotFoundError:
                    pass  # renamed meanwhile
        return total

    # Nothing to do

    def commands(self, row, commands, rounds, check=lambda: ""):
        """Commands that leave nothing behind, in turn."""
        runs = {name: [] for name in commands}
        for number in range(-1, rounds):
            for name, command in commands.items():
                used = self.launcher.run(command)
                if used.status:
                    raise RuntimeError(f"{name} ends with {used.status}: {self.launcher.said()}")
                if number >= 0:
                    runs[name].append(used)
        row.lines = [Line(name, runs[name], check() if name == "syncjob" else "") for name in commands]
        return row

    def start(self, name):
        commands = {program.name: [program.path, "--version"] for program in self.programs}
        return self.commands(Row(name, "--version"), commands, self.sizes.start_rounds)

    def noop(self, name):
        count = self.sizes.noop[name]
        batch = Batch(self.work, name, count, self.sizes.noop_file, PARALLEL)
        batch.serve_from(f"http://127.0.0.1:{self.nginx.plain}")
        syncjob, out = self.programs[0], batch.out("syncjob")
        used = self.launcher.run(syncjob.command(batch))
        if used.status:
            raise RuntimeError(f"the first run ends with {used.status}: {self.launcher.said()}")
        commands = {"syncjob": syncjob.command(batch)}
        if shutil.which("find"):
            commands["find"] = [shutil.which("find"), str(out), "-printf", "%s"]
        rclone = next((program for program in self.programs if program.name == "rclone"), None)
        if rclone:
            # Other names of the same files: sizes and times are equal, so it has nothing to copy either.
            copy = batch.out("rclone")
            copy.mkdir(parents=True)
            for number in range(count):
                os.link(batch.source / batch.file(number), copy / batch.file(number))
            commands["rclone"] = [rclone.path, "--config=", "-q", "copy", str(batch.source), str(copy)]
        curl = next((program for program in self.programs if program.name == "curl"), None)
        if curl and count < 100:
            # The start of a program is most of it.
            commands["curl --version"] = [curl.path, "--version"]

        def check():
            if batch.right("syncjob") == count:
                return "nothing changed"
            self.wrong.append(f"{name}: {batch.right('syncjob')} of {count} right")
            return "wrong"
        row = Row(name, f"{count:,} items, all there: nothing to do")
        row = self.commands(row, commands, self.sizes.noop_rounds, check)
        batch.remove()
        return row

    def scale(self, name):
        return scale.measure(self.work, self.sizes.scale, str(self.programs[0].path), self.launcher, self.say)

    def seal(self, name):
        rows, wrong = sealing.measure(
            self.work, self.sizes.sealed, self.sizes.rounds, str(self.programs[0].path), self.launcher,
            f"http://127.0.0.1:{self.nginx.plain}")
        if "syncjob" in wrong:
            self.wrong.append(f"{name}: what was opened is not what was sealed")
        self.opened = rows[1]
        return rows[0]

    def open(self, name):
        """Measured together with the row before."""
        if not getattr(self, "opened", None):
            self.seal(name)
        return self.opened

    def feeds(self, name):
        return feeds.measure(self.work, self.sizes.feeds, str(self.programs[0].path), self.launcher, self.say)


ROWS = {
    "start": Rows.start,
    "large": Rows.large,
    "batch": Rows.batch,
    "small": Rows.small,
    "https-1": Rows.https_1,
    "https-2": Rows.https_2,
    "wan": Rows.wan_clean,
    "wan-loss": Rows.wan_lossy,
    "faults": Rows.faults,
    "resume": Rows.resume,
    "noop-10": Rows.noop,
    "noop-10k": Rows.noop,
    "noop-100k": Rows.noop,
    "seal": Rows.seal,
    "open": Rows.open,
    "feeds": Rows.feeds,
    "scale": Rows.scale,
}
