# SPDX-License-Identifier: Apache-2.0
"""An HTTP origin with faults: of its answers 5 % are reset half-way and 2 % are a 503. Prints its port, serves until it is killed.

    faultorigin.py FOLDER

Which try of which file fails is drawn from round, path and number of the try, so every program of a round meets the same
faults whatever its order. `/.begin/ROUND` begins anew. Ranges work, with If-Range.
"""

import asyncio
import hashlib
import re
import socket
import struct
import sys
from pathlib import Path

RESETS, REFUSALS = 0.05, 0.02
# So that the client has read the half before the reset overtakes it.
BEFORE_RESET = 0.02


class Files:
    def __init__(self, folder):
        self.name = folder.name
        self.bodies = {f"/{folder.name}/{path.name}": path.read_bytes() for path in folder.iterdir()}
        self.etags = {path: f'"{hashlib.sha256(body).hexdigest()[:16]}"' for path, body in self.bodies.items()}
        self.begin("0")

    def begin(self, round_name):
        self.round = round_name
        self.tries = {}

    def draw(self, path):
        """A number from 0 to 1 for this try of this file."""
        number = self.tries[path] = self.tries.get(path, 0) + 1
        digest = hashlib.sha256(f"{self.round} {path} {number}".encode()).digest()
        return int.from_bytes(digest[:8], "big") / 2**64

    def listing(self):
        return "".join(f'<a href="{path.rsplit("/", 1)[1]}">f</a>\n' for path in self.bodies).encode()


class Origin(asyncio.Protocol):
    def __init__(self, files):
        self.files = files
        self.received = b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.received += data
        while b"\r\n\r\n" in self.received:
            head, _, self.received = self.received.partition(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")
            method, path, _ = first.split(" ", 2)
            fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            self.answer(method, path, fields)

    def send(self, status, body=b"", fields="", method="GET", whole=None):
        length = len(body) if whole is None else whole
        head = f"HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{fields}\r\n".encode()
        self.transport.write(head if method == "HEAD" else head + body)

    def answer(self, method, path, fields):
        body = self.files.bodies.get(path)
        if path.startswith("/.begin/"):
            self.files.begin(path)
            self.send("200 OK")
        elif path == f"/{self.files.name}/":
            self.send("200 OK", self.files.listing(), "Content-Type: text/html\r\n", method)
        elif body is None:
            self.send("404 Not Found", method=method)
        elif method == "HEAD":
            self.send("200 OK", body, self.about(path), method)
        else:
            self.media(path, body, fields)

    def about(self, path):
        return f"Content-Type: audio/mpeg\r\nAccept-Ranges: bytes\r\nETag: {self.files.etags[path]}\r\n"

    def media(self, path, body, fields):
        drawn = self.files.draw(path)
        if drawn < REFUSALS:
            self.send("503 Service Unavailable", b"busy\n")
            return
        status, about = "200 OK", self.about(path)
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", fields.get("range", ""))
        if asked and fields.get("if-range", self.files.etags[path]) == self.files.etags[path]:
            first, last = int(asked[1]), min(int(asked[2] or len(body) - 1), len(body) - 1)
            if first > last:
                self.send("416 Range Not Satisfiable", fields=f"Content-Range: bytes */{len(body)}\r\n")
                return
            status, about = "206 Partial Content", about + f"Content-Range: bytes {first}-{last}/{len(body)}\r\n"
            body = body[first:last + 1]
        if drawn < REFUSALS + RESETS:
            self.send(status, body[:len(body) // 2], about, whole=len(body))
            asyncio.get_running_loop().call_later(BEFORE_RESET, self.reset)
        else:
            self.send(status, body, about)

    def reset(self):
        # Lingering for no time makes close() send RST.
        connection = self.transport.get_extra_info("socket")
        if connection is not None and connection.fileno() >= 0:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()


async def main():
    files = Files(Path(sys.argv[1]))
    listener = await asyncio.get_running_loop().create_server(lambda: Origin(files), "127.0.0.1", 0)
    print(listener.sockets[0].getsockname()[1], flush=True)
    await listener.serve_forever()


asyncio.run(main())
