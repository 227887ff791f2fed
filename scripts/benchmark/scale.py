# SPDX-License-Identifier: Apache-2.0
"""Libraries of many small files, and what each kind of run on them costs: the same work for each item, so twice the items
should take twice the time and memory."""

import math
import os

from batch import MP3
from table import Line, Row

FILE = MP3 + bytes(64 - len(MP3))
PER_PLAYLIST = 1000


class Library:
    """`count` items in playlists of a thousand, their files in place but not known yet."""

    def __init__(self, work, count):
        self.count = count
        self.root = work / f"scale-{count}"
        self.media = self.root / "library"
        self.manifest = self.root / "scale.yaml"
        self.media.mkdir(parents=True)
        self.declare("artist: The Example")
        for number in range(count):
            folder = self.media / f"Playlist {number // PER_PLAYLIST:04}"
            if number % PER_PLAYLIST == 0:
                folder.mkdir()
            with open(folder / f"Track number {number:07}.mp3", "wb") as file:
                file.write(FILE)

    def declare(self, words, storage=""):
        with open(self.manifest, "w") as file:
            file.write("version: 1\nlibrary: { path: ./library }\nstorage: { min_free: 0B" + storage + " }\nplaylists:\n")
            for number in range(self.count):
                if number % PER_PLAYLIST == 0:
                    name = f"{number // PER_PLAYLIST:04}"
                    file.write(f"  p{name}:\n    title: Playlist {name}\n    items:\n")
                file.write(
                    f"      - {{ id: item-{number:07}, title: Track number {number:07}, {words}, duration: 3:45, size: {len(FILE)}, "
                    f"url: \"http://127.0.0.1:1/media/track-{number:07}.mp3\" }}\n")

    def too_large(self):
        """A budget that a thousandth of the files has to go for."""
        budget = self.count * len(FILE) * 999 // 1000
        return f", budget: {budget}, evict: {{ trigger: 100%, target: 100%, min_age: 0s }}"

    def forget_settlement(self):
        settlement = self.media / ".syncjob" / "cache" / "settled"
        if settlement.exists():
            os.remove(settlement)


def kinds(library, program):
    """The runs, in order: each with what has to happen before it."""
    run = [program, "-q", str(library.manifest)]
    plan = [program, "plan", str(library.manifest)]
    # Reads the manifest and the queue file and looks at every file, as a plan does, and plans nothing.
    status = [program, "status", str(library.manifest)]
    pin = [program, "pin", "-q", "--manifest", str(library.manifest), "item-0000007"]
    unpin = [program, "unpin", "-q", "--manifest", str(library.manifest), "item-0000007"]
    return [
        ("all are adopted", run, lambda: None),
        ("nothing to do, the whole road", run, library.forget_settlement),
        ("nothing to do", run, lambda: None),
        ("loaded, nothing planned", status, lambda: None),
        ("a plan, nothing to evict", plan, lambda: None),
        ("a plan, a thousandth to evict", plan, lambda: library.declare("artist: The Example", library.too_large())),
        ("one change", pin, lambda: library.declare("artist: The Example")),
        ("it is taken back", unpin, lambda: None),
        ("every item says something new", run, lambda: library.declare("artist: Another Example")),
    ]


def measure(work, counts, program, launcher, say):
    """The row: a line for each size and kind, with the exponents of growth since the size before."""
    row = Row("scale", "runs on libraries of many items; the exponents of growth since the size before")
    before = {}
    for count in counts:
        library = Library(work, count)
        for kind, command, prepare in kinds(library, program):
            prepare()
            used = launcher.run(command)
            say(f"scale: {count:,}, {kind}")
            if used.status:
                raise RuntimeError(f"scale: {count:,}, {kind}: exit {used.status}: {launcher.said()}")
            row.lines.append(Line(f"{count:,}: {kind}", [used], growth(before.get(kind), (count, used))))
            before[kind] = (count, used)
    return row


def growth(before, now):
    if not before:
        return ""
    (few, less), (many, more) = before, now
    scale = math.log(many / few)
    return f"CPU {math.log(more.cpu / less.cpu) / scale:.2f}, RSS {math.log(more.rss / less.rss) / scale:.2f}"
