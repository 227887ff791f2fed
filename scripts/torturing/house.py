# SPDX-License-Identifier: Apache-2.0
"""A catalogue of small files, an nginx that serves them, and a library that the program keeps equal to a part of them."""

import hashlib
import json
import os
import random
import socket
import subprocess
import time
from pathlib import Path

from tools import Unavailable, tool


class Wrong(Exception):
    """Something that must hold does not; the words say what."""


def must_be_root():
    if os.geteuid() != 0:
        raise Unavailable("it needs root")


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise Wrong(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


class Item:
    def __init__(self, number, size, chance):
        self.id = f"i{number:04}"
        self.size = size
        # A check of the first bytes takes this for MP3: an ID3 tag without frames, then the header of a frame.
        head = b"ID3\x04\x00\x00\x00\x00\x00\x00" + b"\xff\xfb\x90\xc4"
        self.bytes = head + chance.randbytes(size - len(head)).replace(b"\xff", b"\x7f")
        self.sha256 = hashlib.sha256(self.bytes).hexdigest()

    @property
    def path(self):
        return f"/{self.id}.mp3"


class Origin:
    """nginx on loopback with the items; its log has one line a request: path, status, bytes, range."""

    def __init__(self, folder, count, sizes, seed):
        chance = random.Random(seed)
        self.items = [Item(number, chance.randint(*sizes), chance) for number in range(count)]
        self.folder = Path(folder)
        (self.folder / "www").mkdir(parents=True)
        for item in self.items:
            (self.folder / "www" / item.path[1:]).write_bytes(item.bytes)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        (self.folder / "tmp").mkdir()
        (self.folder / "nginx.conf").write_text(f"""
daemon off; master_process off; worker_processes 1; pid tmp/nginx.pid; error_log stderr crit;
events {{ worker_connections 512; }}
http {{
  types {{ audio/mpeg mp3; }} log_format t '$request_uri $status $body_bytes_sent $http_range';
  access_log tmp/access.log t; root www; etag on;
  client_body_temp_path tmp/b; proxy_temp_path tmp/p; fastcgi_temp_path tmp/f; uwsgi_temp_path tmp/u; scgi_temp_path tmp/s;
  server {{ listen 127.0.0.1:{self.port}; }}
}}
""")
        self.process = subprocess.Popen(
            [tool("nginx"), "-e", "stderr", "-p", f"{self.folder}/", "-c", "nginx.conf"], stdin=subprocess.DEVNULL,
            start_new_session=True)
        for _ in range(500):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.01)
        else:
            raise Wrong("nginx does not answer")
        self.seen = 0

    def requests(self):
        """Ids that were asked for since this was called last."""
        with open(self.folder / "tmp/access.log") as log:
            log.seek(self.seen)
            lines = [line for line in log.readlines() if line.endswith("\n")]
        self.seen += sum(len(line.encode()) for line in lines)
        return [line.split()[0][1:].removesuffix(".mp3") for line in lines]

    def stop(self):
        self.process.kill()
        self.process.wait()


class House:
    """A manifest and its library. `library` may lie on another file system than the manifest."""

    def __init__(self, program, folder, library, origin, state=None):
        self.program, self.folder, self.library, self.origin = program, Path(folder), Path(library), origin
        self.folder.mkdir(parents=True, exist_ok=True)
        self.state = Path(state) if state else None
        self.wanted = []
        # Said to be finished, and so never to be asked for again.
        self.acknowledged = set()

    def declare(self, items, budget="10GiB", declares_sizes=True):
        self.wanted = items
        self.acknowledged &= {item.id for item in items}
        state = f", state: {self.state}" if self.state else ""
        lines = [
            f"      - {{ id: {item.id}, title: {item.id}, url: \"http://127.0.0.1:{self.origin.port}{item.path}\""
            + (f", size: {item.size}" if declares_sizes else "") + " }"
            for item in items
        ]
        (self.folder / "manifest.yaml").write_text(f"""version: 1
library: {{ path: {self.library}{state} }}
storage: {{ budget: {budget}, min_free: 0, max_delete: 100%, evict: {{ trigger: 100%, target: 100%, min_age: 0s }} }}
downloads: {{ concurrency: 4, per_host: 4, backoff: {{ initial: 10ms, max: 100ms }} }}
playlists:
  all:
    items:
""" + "\n".join(lines) + "\n")

    def start(self, environment=None, prefix=()):
        (self.folder / "events").unlink(missing_ok=True)
        return subprocess.Popen(
            [*prefix, self.program, "run", str(self.folder / "manifest.yaml"), "--events", str(self.folder / "events")],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **(environment or {})}, start_new_session=True)

    def learn(self):
        """Takes note of what the last run said, and holds it to what earlier ones did. Gives how much was asked for."""
        asked = self.origin.requests()
        twice = self.acknowledged.intersection(asked)
        if twice:
            raise Wrong(f"fetched again after it was finished: {sorted(twice)[:5]}")
        try:
            lines = (self.folder / "events").read_text().splitlines()
        except FileNotFoundError:
            return len(asked)
        for line in lines:
            try:
                event = json.loads(line)
            except ValueError:
                continue  # the last line of a run that was killed
            if event["event"] == "item_completed":
                self.acknowledged.add(event["id"])
        return len(asked)

    def finish(self, statuses=(0,), environment=None, prefix=()):
        """One run to its end. Gives its status and what it said."""
        process = self.start(environment, prefix)
        try:
            out, err = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Wrong("a run did not come to its end")
        self.learn()
        if process.returncode not in statuses:
            raise Wrong(f"status {process.returncode}: {err.strip()[-600:]} {out.strip()[-600:]}")
        return process.returncode, out + err

    def check(self):
        """Everything that was wanted is there, whole, and nothing else is."""
        folder = self.state or self.library / ".syncjob"
        queue = json.loads((folder / "download_queue.json").read_text())
        finished = {item["id"]: self.library / item["path"] for item in queue["items"] if item["state"] == "completed"}
        missing = [item.id for item in self.wanted if item.id not in finished]
        if missing:
            raise Wrong(f"not finished: {missing[:5]}")
        # Those that left the manifest and may stay are whole as well.
        for item in self.origin.items:
            path = finished.get(item.id)
            if path and (not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != item.sha256):
                raise Wrong(f"{path} is not what was fetched")
        owned = set(finished.values())
        strays = [path for path in self.strays(folder) if path not in owned]
        if strays:
            raise Wrong(f"strays: {[str(path) for path in strays[:5]]}")

    def strays(self, folder):
        for path in (path for path in self.library.rglob("*") if path.is_file()):
            inner = path.relative_to(self.library).parts
            if inner[0] != ".syncjob":
                if path.suffix != ".m3u8" and inner[0] != "ballast":
                    yield path
            elif path.suffix == ".tmp" or path.name == ".probe" or inner[1] in ("partial", "trash"):
                yield path
        if (folder / "download_queue.journal").exists():
            yield folder / "download_queue.journal"
