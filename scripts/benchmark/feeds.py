# SPDX-License-Identifier: Apache-2.0
"""Many feeds in one manifest, over HTTP: read for the first time, read again unchanged, and beside one that never answers."""

import gzip
import socket
import urllib.request
from email.utils import format_datetime
from datetime import datetime, timedelta, timezone

from servers import Nginx, free_port
from table import Line, Row

ENTRIES = 100
PARALLEL = 16
PATIENCE = 5
NEWEST = datetime(2026, 11, 1, tzinfo=timezone.utc)
# A source that fails for now.
TEMPORARY = 5


def feed(number):
    """The text of one feed, its newest entry first."""
    entries = "".join(
        f"<item><title>Episode {entry} of show {number}</title><guid isPermaLink=\"false\">show-{number}-{entry}</guid>"
        f"<pubDate>{format_datetime(NEWEST - timedelta(days=ENTRIES - entry))}</pubDate>"
        f"<description>What was said in episode {entry} of show {number}, and by whom, in some words more.</description>"
        f"<enclosure url=\"http://127.0.0.1:1/{number}/{entry}.mp3\" length=\"1000000\" type=\"audio/mpeg\"/></item>\n"
        for entry in range(ENTRIES, 0, -1))
    return f"<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>Show {number}</title>\n{entries}</channel></rss>\n"


class Feeds:
    """`count` feeds under `www/feeds-COUNT`, and a manifest that takes none of their entries."""

    def __init__(self, work, count, port):
        self.count = count
        self.url = f"http://127.0.0.1:{port}/feeds-{count}"
        self.root = work / f"feeds-{count}"
        self.root.mkdir()
        self.manifest = self.root / "feeds.yaml"
        folder = work / "www" / f"feeds-{count}"
        folder.mkdir(parents=True)
        for number in range(count):
            (folder / f"{number}.xml").write_text(feed(number))
        self.declare()

    def declare(self, silent=None):
        """- `silent`: the port of a server that accepts and never answers, for a feed in front of all others."""
        with open(self.manifest, "w") as file:
            file.write(
                "version: 1\nlibrary: { path: ./library }\nstorage: { min_free: 0B }\nreport: { m3u8: false }\n"
                f"downloads: {{ concurrency: {PARALLEL}, per_host: {PARALLEL}, retries: 0, "
                f"timeouts: {{ stall: {PATIENCE}s }}, network: {{ allow_private: true }} }}\n"
                "defaults: { select: { initial: 0 } }\nplaylists:\n")
            if silent:
                file.write(f"  silent: {{ feed: \"http://127.0.0.1:{silent}/feed.xml\" }}\n")
            for number in range(self.count):
                file.write(f"  show-{number:05}: {{ feed: \"{self.url}/{number}.xml\" }}\n")


class Server(Nginx):
    """nginx with compression, which is asked for in each request and noted."""

    def __init__(self, work):
        self.port = free_port()
        settings = "gzip on; gzip_types *; gzip_min_length 1; access_log " + f"{work}/nginx-feeds/access.log bench;"
        super().__init__(work, "nginx-feeds", [(self.port, settings)])
        self.wait_until_up(self.answer)

    def answer(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=2) as response:
            body = response.read()
        return (gzip.decompress(body) if response.headers["Content-Encoding"] == "gzip" else body).decode()

    def take(self):
        """The answers since the last call: how many of each status, and the bytes of all."""
        statuses, sent = {}, 0
        for line in self.log.read_text().splitlines() if self.log.exists() else []:
            status, size, _ = line.split(" ", 2)
            statuses[status] = statuses.get(status, 0) + 1
            sent += int(size)
        if self.log.exists():
            self.log.write_text("")
        return statuses, sent


def measure(work, counts, program, launcher, say):
    """The row: a line for each number of feeds and kind of reading."""
    row = Row("feeds", f"many feeds of {ENTRIES} entries each, compressed, {PARALLEL} at a time, nothing fetched from them")
    server = Server(work)
    # Connections are accepted by the kernel, and nobody reads from them.
    silent = socket.create_server(("127.0.0.1", 0))
    try:
        for count in counts:
            feeds = Feeds(work, count, server.port)
            kinds = [("first", None, "200"), ("unchanged", None, "304"), ("one never answers", silent.getsockname()[1], "304")]
            for kind, port, wanted in kinds:
                feeds.declare(port)
                server.take()
                used = launcher.run([program, "-q", str(feeds.manifest)])
                say(f"feeds: {count:,}, {kind}")
                if used.status != (TEMPORARY if port else 0):
                    raise RuntimeError(f"feeds: {count:,}, {kind}: exit {used.status}: {launcher.said()}")
                statuses, sent = server.take()
                if statuses != {wanted: count}:
                    raise RuntimeError(f"feeds: {count:,}, {kind}: {statuses} instead of {count} times {wanted}")
                row.lines.append(Line(f"{count:,}: {kind}", [used], f"{sent / (1 << 20):.1f} MiB sent"))
    finally:
        silent.close()
        server.close()
    return row
