# SPDX-License-Identifier: Apache-2.0
"""A long way between two hosts on one machine: client, delay line and server, each in a network namespace of its own."""

import os
import subprocess
import sys
import time
from contextlib import ExitStack

from servers import HERE, Nginx, server, stop
from tools import Unavailable, tool

CLIENT, SERVER = "10.99.0.1", "10.99.0.2"
RATE_MBIT = 100
DELAY_MS = 25
PORT = "8080"


class Namespace:
    """A network namespace without a name: it is there as long as a process is in it, so nothing can be left behind."""

    def __init__(self):
        self.holder = server([tool("unshare"), "--net", "sleep", "infinity"], stderr=subprocess.DEVNULL)
        ours = os.readlink("/proc/self/ns/net")
        for _ in range(200):
            if self.holder.poll() is not None:
                break
            if os.readlink(f"/proc/{self.holder.pid}/ns/net") != ours:
                return
            time.sleep(0.01)
        raise Unavailable("no network namespaces here")

    @property
    def inside(self):
        return [tool("nsenter"), "--target", str(self.holder.pid), "--net"]

    def run(self, *words):
        done = subprocess.run([*self.inside, tool(words[0]), *words[1:]], capture_output=True, text=True)
        if done.returncode:
            raise Unavailable(f"'{' '.join(words)}' failed: {done.stderr.strip()[-200:]}")

    def close(self):
        stop(self.holder)


class Wan:
    """`client` is where programs run, `url` what they reach. Losses are set for each run."""

    def __init__(self, work):
        if os.geteuid() != 0:
            raise Unavailable("network namespaces need root")
        for name in ("ip", "tc", "ethtool", "nsenter", "curl"):
            tool(name)
        self.url = f"http://{SERVER}:{PORT}"
        self.line = None
        self.stack = ExitStack()
        try:
            self._build(work)
        except BaseException:
            self.close()
            raise

    def _namespace(self):
        namespace = Namespace()
        self.stack.callback(namespace.close)
        return namespace

    def _build(self, work):
        self.client, self.middle, far = self._namespace(), self._namespace(), self._namespace()
        for end, interface, near, address in ((self.client, "near", "left", CLIENT), (far, "far", "right", SERVER)):
            self.middle.run("ip", "link", "add", near, "type", "veth", "peer", "name", interface, "netns", str(end.holder.pid))
            for namespace, name in ((self.middle, near), (end, interface)):
                # Else frames of 64 KiB travel, without checksums.
                namespace.run("ethtool", "-K", name, "tso", "off", "gso", "off", "gro", "off", "tx", "off")
                namespace.run("ip", "link", "set", name, "up")
            end.run("ip", "link", "set", "lo", "up")
            end.run("ip", "address", "add", f"{address}/24", "dev", interface)
            # A run shall not profit from what TCP learned in the one before.
            end.run("sh", "-c", "echo 1 >/proc/sys/net/ipv4/tcp_no_metrics_save || :")
        far.run("tc", "qdisc", "add", "dev", "far", "root", "tbf", "rate", f"{RATE_MBIT}mbit", "burst", "32kb", "latency", "100ms")
        self.lose(0, 0)
        nginx = Nginx(work, "nginx-wan", [(PORT, "")], SERVER, far.inside)
        self.stack.callback(nginx.close)
        nginx.wait_until_up(self._answer)

    def _answer(self, path):
        done = subprocess.run([*self.client.inside, tool("curl"), "-sf", "-m", "2", self.url + path], capture_output=True, text=True)
        if done.returncode:
            raise OSError(done.stderr)
        return done.stdout

    def lose(self, share, seed):
        """A new delay line, which loses that share of the frames of each direction; by the same seed the same ones."""
        if self.line:
            stop(self.line)
        self.line = server(
            [*self.middle.inside, sys.executable, "-I", str(HERE / "delayline.py"), "left", "right", str(DELAY_MS), str(share), str(seed)],
            stdout=subprocess.PIPE, text=True)
        if self.line.stdout.readline() != "up\n":
            raise Unavailable("the delay line does not start")

    def close(self):
        if self.line:
            stop(self.line)
            self.line = None
        self.stack.close()
