# SPDX-License-Identifier: Apache-2.0
"""The servers that the rows fetch from, all on this machine and none longer than the benchmark."""

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from launcher import dies_with_us
from tools import Unavailable, tool

HERE = Path(__file__).parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def stop(process):
    process.kill()
    process.wait()
    if process.stdout:
        process.stdout.close()


def server(command, **options):
    # Out of reach of ^C: they go when they are told to.
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=dies_with_us, **options)


def make_authority(folder):
    """A certificate authority of our own and a server's certificate by it, for 127.0.0.1."""
    openssl = tool("openssl")
    folder.mkdir(exist_ok=True)

    def run(*words):
        done = subprocess.run([openssl, *words], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise Unavailable(f"openssl {words[0]} failed: {done.stderr.strip()[-200:]}")

    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    run("req", "-x509", *curve, "-days", "2", "-subj", "/CN=benchmark CA", "-keyout", "ca.key", "-out", "ca.crt",
        "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    run("req", *curve, "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr")
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    run("x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
        "-extfile", "names", "-out", "server.crt")
    return folder / "ca.crt"


class Nginx:
    """One nginx process over the folder `www`. `inside` are words that come before its command, to run it in a network namespace."""

    def __init__(self, work, name, listeners, address="127.0.0.1", inside=()):
        self.folder = work / name
        self.folder.mkdir(parents=True)
        self.log = self.folder / "access.log"
        self.nonce = secrets.token_hex(8)
        (work / "www").mkdir(exist_ok=True)
        (work / "www" / f"nonce-{name}").write_text(self.nonce)
        blocks = "\n".join(f"server {{ listen {address}:{listen}; root {work}/www; autoindex on; {more} }}" for listen, more in listeners)
        temporary = "".join(f"{kind}_temp_path {self.folder}/{kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (self.folder / "nginx.conf").write_text(
            f"daemon off; master_process off; worker_processes 1; pid {self.folder}/pid; error_log {self.folder}/error.log;\n"
            "events { worker_connections 512; }\n"
            "http {\n"
            "  types { audio/mpeg mp3; text/html html; }\n"
            "  log_format bench '$status $body_bytes_sent $server_protocol $http_user_agent';\n"
            "  access_log off; sendfile on; etag on; keepalive_requests 1000000;\n"
            f"  {temporary}\n{blocks}\n}}\n")
        # Debian's nginx lies outside of the PATH of users.
        self.process = server(
            [*inside, tool("nginx"), "-e", f"{self.folder}/error.log", "-p", str(self.folder), "-c", f"{self.folder}/nginx.conf"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait_until_up(self, answers):
        """`answers` fetches the nonce's path, or raises OSError."""
        for _ in range(200):
            if self.process.poll() is not None:
                break
            try:
                if answers(f"/nonce-{self.folder.name}") == self.nonce:
                    return self
            except OSError:
                pass
            time.sleep(0.02)
        raise Unavailable(f"nginx does not start: {(self.folder / 'error.log').read_text()[-300:].strip()}")

    def close(self):
        stop(self.process)


class LoopbackNginx(Nginx):
    """nginx on 127.0.0.1: plain, slow, and with TLS for each version of HTTP."""

    def __init__(self, work, rate, authority):
        self.plain, self.slow, self.tls1, self.tls2 = (f"{free_port()}" for _ in range(4))
        log = f"access_log {work}/nginx/access.log bench;"
        listeners = [(self.plain, ""), (self.slow, f"limit_rate {rate}; {log}")]
        if authority:
            certificate = f"ssl_certificate {authority.parent}/server.crt; ssl_certificate_key {authority.parent}/server.key; {log}"
            listeners += [(f"{self.tls1} ssl", certificate), (f"{self.tls2} ssl http2", certificate)]
        super().__init__(work, "nginx", listeners)
        self.wait_until_up(lambda path: urllib.request.urlopen(f"http://127.0.0.1:{self.plain}{path}", timeout=2).read().decode())

    def logged(self):
        """Lines of the log: status, bytes of the body, version of HTTP, user agent."""
        try:
            return [line.split(" ", 3) for line in self.log.read_text().splitlines()]
        except FileNotFoundError:
            return []

    def forget(self):
        # nginx appends, so it goes on at the beginning.
        if self.log.exists():
            os.truncate(self.log, 0)

    def settled(self, least, patience=5.0):
        """The log, when it has so many lines and does not grow any more."""
        deadline = time.monotonic() + patience
        before = -1
        while time.monotonic() < deadline:
            lines = self.logged()
            if len(lines) >= least and len(lines) == before:
                return lines
            before = len(lines)
            time.sleep(0.1)
        return self.logged()


class FaultOrigin:
    """The origin that breaks off and refuses, see faultorigin.py."""

    def __init__(self, folder):
        self.process = server([sys.executable, "-I", str(HERE / "faultorigin.py"), str(folder)], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.url = f"http://127.0.0.1:{self.port}"

    def begin(self, round_number):
        """From here on the same files fail at the same tries, for every program of a round."""
        urllib.request.urlopen(f"{self.url}/.begin/{round_number}", timeout=5).read()

    def close(self):
        stop(self.process)
