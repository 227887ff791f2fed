# SPDX-License-Identifier: Apache-2.0
"""What is done to the program. Each part gives the line that it ends with, or raises Wrong or Unavailable."""

import os
import random
import re
import subprocess
import time
import uuid
from contextlib import contextmanager
from pathlib import Path

from house import House, Origin, Wrong, must_be_root, run
from tools import Unavailable, tool

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
# Other tests of which `make test` takes only a share of the cases.
SHARED = "QueueFileDamageTests|DoubtfulQueueTests|SegmentsTests|SteadyStateTests|SimulationTests"
# Tests that break a command at each of its system calls of a kind.
POINTS = (
    "KillPointTests|QualityKillTests|MoveKillTests|KeepingKillTests|HistoryTests|FoundAgainTests|ExchangedFileTests|"
    "ImportFilesTests|TagTests|FailingDiskTests|SealingTests|LicenseKillTests")
BOOT_ID = "/proc/sys/kernel/random/boot_id"


@contextmanager
def mounted(source, target, *options):
    Path(target).mkdir(parents=True, exist_ok=True)
    run("mount", *options, str(source), str(target))
    try:
        yield Path(target)
    finally:
        unmount(source, target)


def unmount(source, target):
    """Returns when the file system is really gone: one that was cut lives on as long as anybody holds it."""
    for _ in range(100):
        if subprocess.run(["umount", str(target)], capture_output=True).returncode == 0:
            break
        time.sleep(0.1)
    else:
        run("umount", "-l", str(target))
    # A namespace that has a copy of the mount goes a moment after the last process in it.
    for _ in range(100):
        if not Path(source).is_file() or not run("losetup", "-j", str(source)):
            return
        time.sleep(0.1)
    raise Wrong(f"{source} is still in use")


def image(path, kind, size):
    """A file that holds an empty file system."""
    with open(path, "wb") as file:
        file.truncate(size)
    options = ["-q", "-F", "-m", "0"] if kind == "ext4" else ["-q", "-f"]
    run(tool(f"mkfs.{kind}"), *options, str(path))
    return path


def simulated(context):
    """Power cuts at each operation, and each operation failing, on a disk in memory."""
    done = subprocess.run(
        ["swift", "test", "--skip-build", "--disable-xctest", "--filter", "PowerCutTests|FailingOperationTests|" + SHARED],
        cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        env={**os.environ, "TORTURE": "1", "TORTURE_SEED": str(context.seed)})
    said = [line for line in done.stdout.splitlines() if line.startswith("survival: ")]
    if done.returncode or not said:
        issues = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith(("✘", "↳"))]
        raise Wrong("\n".join(issues[:20]) or done.stderr[-600:])
    points, tried, again, operations = 0, 0, 0, 0
    for line in said:
        if cut := re.search(r"(\d+) points, \d+ outcomes, (\d+) tried, (\d+) cut again", line):
            points, tried, again = points + int(cut[1]), tried + int(cut[2]), again + int(cut[3])
        elif failed := re.search(r"failing operations: \w+: (\d+) tried", line):
            operations += int(failed[1])
    return (
        f"{points} crash points with {tried} different outcomes, {again} of them cut again while they recovered; "
        f"{operations} failing operations")


def points(context):
    """Whole commands, killed or failed at each of their system calls of a kind."""
    done = subprocess.run(
        ["swift", "test", "--skip-build", "--disable-xctest", "--filter", POINTS],
        cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        env={**os.environ, "TORTURE": "1", "TORTURE_SEED": str(context.seed)})
    if done.returncode:
        issues = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith(("✘", "↳"))]
        raise Wrong("\n".join(issues[:20]) or done.stderr[-600:])
    ending = re.search(r"Test run with (\d+) tests", done.stdout)
    return f"{ending[1] if ending else 'no'} tests with all points"


def calls(context):
    """Interrupted system calls, reads and writes that do half of what they were asked for."""
    library = context.folder / "calls.so"
    done = subprocess.run(
        [tool("clang"), "-shared", "-fPIC", "-O1", "-Wall", "-o", library, HERE.parent / "torture-calls.c", "-ldl"],
        capture_output=True, text=True)
    if done.returncode:
        raise Unavailable(f"clang: {done.stderr.strip()[-200:]}")
    house = House(context.program, context.folder / "calls", context.folder / "calls/library", context.origin)
    counts = 0
    for first in (0, 100):
        house.declare(context.origin.items[first:first + 200])
        count = context.folder / "calls.count"
        house.finish(prefix=["/bin/sh", "-c", f'exec 9>"{count}"; LD_PRELOAD={library} exec "$@"', "sh"])
        house.check()
        counts += int(count.read_text() or 0)
    if counts < 100:
        raise Wrong(f"only {counts} calls were met: the program does not load {library.name}")
    return f"{counts} system calls, every fifth interrupted, every third read or write cut in half"


def kills(context, count=200):
    """kill -9 at random moments of runs that fetch and evict."""
    chance = random.Random(context.seed)
    house = House(context.program, context.folder / "kills", context.folder / "kills/library", context.origin)
    items = context.origin.items
    killed, rounds, largest, asked = 0, 0, 0, 0
    span = None
    while killed < count:
        # Room for little more than what is wanted: what left the manifest has to go. None comes back: what was evicted
        # once is not fetched again for nothing.
        window = items[30 * rounds:30 * rounds + 300]
        if len(window) < 300:
            raise Wrong(f"only {killed} kills before all items were used up")
        house.declare(window, budget=str(sum(item.size for item in window) + 400_000))
        rounds += 1
        if span is None:
            began = time.monotonic()
            house.finish()
            span = time.monotonic() - began
            continue
        ended = False
        while not ended:
            process = house.start()
            try:
                # About four kills to a change, however fast the machine is.
                process.wait(timeout=chance.uniform(0.1 * span, span))
                ended, span = True, span * 0.8
            except subprocess.TimeoutExpired:
                process.kill()
                killed, span = killed + 1, span * 1.05
            process.communicate()
            asked += house.learn()
            partials = house.library / ".syncjob/partial"
            largest = max(largest, sum(1 for _ in partials.iterdir()))
        house.finish()
        house.check()
    house.finish()
    if house.origin.requests():
        raise Wrong("a run that had nothing to do asked for something")
    return (
        f"{killed} kills over {rounds - 1} changes of 300 items; {asked} requests, none of them for what was finished; "
        f"at most {largest} unfinished files at a time, none at the end")


def cut(kind):
    def part(context, count=20):
        must_be_root()
        tool("xfs_io")
        chance = random.Random(context.seed)
        disk = image(context.folder / f"{kind}.img", kind, 400 << 20)
        mount = context.folder / f"mount-{kind}"
        house = House(context.program, context.folder / f"cut-{kind}", mount / "library", context.origin)
        items = context.origin.items
        boot = context.folder / f"boot-{kind}"
        boot.write_text(f"{uuid.uuid4()}\n")
        # The machine's own tells a boot from the next; here each cut is a boot of its own.
        prefix = ["unshare", "-m", "/bin/sh", "-c", f'mount --bind "{boot}" {BOOT_ID} && exec "$@"', "sh"]
        rounds, cuts = 0, 0
        while cuts < count:
            rounds += 1
            first = 60 * rounds % (len(items) - 300)
            window = items[first:first + 300]
            house.declare(window, budget=str(sum(item.size for item in window) + 400_000))
            for _ in range(4):
                with mounted(disk, mount, "-o", "loop"):
                    process = house.start(prefix=prefix)
                    time.sleep(chance.uniform(0.02, 0.7))
                    run("xfs_io", "-x", "-c", "shutdown", str(mount))
                    process.kill()
                    process.communicate()
                    cuts += 1
                boot.write_text(f"{uuid.uuid4()}\n")
                house.learn()
            with mounted(disk, mount, "-o", "loop"):
                # 3: a hole in unflushed data looks like damage and is reported as damage.
                house.finish(statuses=(0, 3), prefix=prefix)
                house.finish(prefix=prefix)
                house.check()
        return f"{cuts} power cuts on {kind}, over {rounds} changes of 300 items"
    return part


def full(kind):
    """A file system of 64 MiB that has no room left, at every moment of a run."""
    def part(context):
        must_be_root()
        folder = context.folder / f"full-{kind}"
        folder.mkdir()
        if kind == "tmpfs":
            source, options = "tmpfs", ["-t", "tmpfs", "-o", "size=64m"]
        else:
            source, options = image(folder / "disk.img", kind, 64 << 20), ["-o", "loop"]
        window = context.origin.items[:40]
        need = sum(-item.size // 4096 * -4096 for item in window)
        ended = {}
        # The library on the small disk: full in the midst of files; then its memory alone: journal, report, snapshot.
        rooms = [(None, room) for room in range(0, need + 400_000, (need + 400_000) // 14)]
        rooms += [("state", room) for room in range(0, 100_000, 4096)]
        for number, (state, room) in enumerate(rooms):
            with mounted(source, folder / "mount", *options) as mount:
                place = mount / f"{number}"
                library = folder / f"library-{number}" if state else place / "library"
                house = House(context.program, folder / f"house-{number}", library, context.origin, place / "state" if state else None)
                house.declare(window, declares_sizes=False)
                place.mkdir()
                leave(mount, room)
                status, said = house.finish(statuses=(0, 4))
                ended.setdefault(status, []).append(room)
                if status == 4:
                    reason = sentence(said, room)
                    what = f"{'the memory' if state else 'the library'}: {reason}"
                    context.stages[what] = context.stages.get(what, 0) + 1
                (mount / "ballast").unlink()
                house.finish()
                house.check()
                for path in (place, library):
                    subprocess.run(["rm", "-rf", str(path)], check=True)
        if 0 not in ended or 4 not in ended:
            raise Wrong(f"the disk was never full, or never large enough: {ended}")
        return f"{len(ended[4])} runs on a full {kind}, {len(ended[0])} that just fitted; the next run completed all of them"
    return part


def leave(mount, room):
    """Fills a file system until so many bytes are free."""
    facts = os.statvfs(mount)
    ballast = max(0, facts.f_bavail * facts.f_frsize - room)
    with open(mount / "ballast", "wb") as file:
        try:
            while ballast > 0:
                file.write(bytes(min(ballast, 1 << 20)))
                ballast -= 1 << 20
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            pass  # fuller than it said


def sentence(said, room):
    """What a run that ended with 4 gave as its reason, which is one."""
    reasons = [line for line in said.splitlines() if line.startswith(("stopped:", "syncjob: error:"))]
    if not reasons and "the file system lacks" in said:
        return "items deferred for want of room"
    if len(reasons) != 1 or "space" not in reasons[0]:
        raise Wrong(f"{room} bytes free: {said.strip()[-600:] or 'nothing was said'}")
    path = re.search(r'"([^"]*)"', reasons[0])
    name = "its midst" if not path or reasons[0].startswith("stopped") else Path(path[1]).name
    return f"stopped at {'the report' if name.startswith('.2') or name == 'reports' else name}"


PARTS = {
    "simulated": simulated,
    "points": points,
    "calls": calls,
    "kills": kills,
    "ext4": cut("ext4"),
    "xfs": cut("xfs"),
    "full-tmpfs": full("tmpfs"),
    "full-ext4": full("ext4"),
}
