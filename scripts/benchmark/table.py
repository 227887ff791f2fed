# SPDX-License-Identifier: Apache-2.0
"""What was measured, as text for a terminal and as Markdown, and what it was measured on."""

import datetime
import os
import re
import statistics
from dataclasses import dataclass, field
from pathlib import Path

BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"
HEADINGS = ("program", "wall", "from–to", "syncjob takes", "CPU", "RSS", "result")


def duration(seconds):
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms" if seconds >= 0.1 else f"{seconds * 1000:.1f} ms"


def size(number):
    for unit, width in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if number >= width:
            return f"{number / width:.4g} {unit}"
    return f"{number} B"


@dataclass
class Line:
    """One program in one row: its runs and what came of them."""

    program: str
    runs: list
    result: str = ""

    @property
    def wall(self):
        return statistics.median(run.wall for run in self.runs)

    def cells(self, own):
        walls = [run.wall for run in self.runs]
        ratio = f"{own.wall / self.wall:.2f} × that" if own and own is not self else ""
        return (
            self.program, duration(self.wall), f"{duration(min(walls))}–{duration(max(walls))}" if len(walls) > 1 else "", ratio,
            duration(statistics.median(run.cpu for run in self.runs)),
            f"{statistics.median(run.rss for run in self.runs) / (1 << 20):.1f} MiB", self.result)


@dataclass
class Row:
    """One thing that was measured. `skipped` says why it was not."""

    name: str
    title: str = ""
    lines: list = field(default_factory=list)
    skipped: str = ""

    def cells(self):
        own = next((line for line in self.lines if line.program == "syncjob"), None)
        return [line.cells(own) for line in self.lines]

    def text(self):
        if self.skipped:
            return f"{self.name}: skipped: {self.skipped}\n"
        table = [HEADINGS, *self.cells()]
        widths = [max(len(line[column]) for line in table) for column in range(len(HEADINGS))]
        aligned = (
            "  ".join(cell.ljust(width) if column in (0, len(widths) - 1) else cell.rjust(width)
                      for column, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in table)
        return f"{self.name}: {self.title}\n" + "".join(f"  {line}\n" for line in aligned)

    def markdown(self):
        if self.skipped:
            return f"### `{self.name}`\n\nSkipped: {self.skipped}.\n"
        lines = [HEADINGS, ("---", "---:", "---:", "---:", "---:", "---:", "---"), *self.cells()]
        return f"### `{self.name}`: {self.title}\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def file_system(folder):
    """The type of the file system that a folder is on."""
    best = ("", "unknown")
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, place, kind, *_ = line.split(" ")
        place = re.sub(r"\\([0-7]{3})", lambda escape: chr(int(escape[1], 8)), place)
        if (str(folder) + "/").startswith(place.rstrip("/") + "/") and len(place) >= len(best[0]):
            best = (place, kind)
    return best[1]


def machine(folder, programs):
    """Facts that the numbers depend on, as pairs of words."""
    processor = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    memory = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())[1]) * 1024
    congestion = Path("/proc/sys/net/ipv4/tcp_congestion_control")
    return [
        ("date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")),
        ("processor", f"{processor[1] if processor else os.uname().machine}, {len(os.sched_getaffinity(0))} cores"),
        ("memory", size(memory)),
        ("system", f"{os.uname().sysname} {os.uname().release}, TCP {congestion.read_text().strip() if congestion.exists() else 'unknown'}"),
        ("files on", file_system(folder)),
        ("programs", ", ".join(f"{program.name} {program.version}" for program in programs)),
        ("load before", f"{os.getloadavg()[0]:.2f}"),
    ]


def write_markdown(path, facts, rows):
    """Writes a file of results, or puts them between the marks of a file that has them."""
    text = "| | |\n|---|---|\n" + "".join(f"| {name} | {value} |\n" for name, value in facts)
    text += "".join(f"\n{row.markdown()}" for row in rows)
    path = Path(path)
    before = path.read_text() if path.exists() else ""
    if BEGIN in before and END in before:
        head, tail = before.split(BEGIN)[0], before.split(END)[1]
        path.write_text(f"{head}{BEGIN}\n\n{text}\n{END}{tail}")
    else:
        path.write_text(text)
