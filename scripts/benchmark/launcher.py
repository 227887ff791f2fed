# SPDX-License-Identifier: Apache-2.0
"""Runs the measured commands and reads from the kernel what each of them used."""

import ctypes
import os
import shlex
import signal
import subprocess
import threading
import time
from dataclasses import dataclass

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def prctl(option, value):
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def dies_with_us():
    """In a child, before exec: a server does not outlive the benchmark, whatever ends it."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


@dataclass
class Usage:
    """What one run of a command used. Seconds and bytes; `status` is negative after a signal."""

    wall: float
    cpu: float
    rss: int
    status: int


class Launcher:
    """Starts commands from a small shell that stays.

    The kernel counts what a process was before `exec` into its largest resident set, so a child of Python never seems smaller
    than Python. The shell's subshell leaves the command to us, its subreaper, so `wait4` knows that command alone. The command
    waits behind a FIFO until the subshell has ended, which would otherwise reap a quick one.
    """

    def __init__(self, folder, environment):
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        self.output, self.gate = folder / "said", folder / "gate"
        os.mkfifo(self.gate)
        self.running = set()
        # In a session of its own: ^C is for us, and we end what runs.
        self.shell = subprocess.Popen(
            ["sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True,
            preexec_fn=dies_with_us)
        self._say("exec 9>&1")

    def _say(self, line):
        self.shell.stdin.write(line + "\n")
        self.shell.stdin.flush()

    def start(self, command):
        """Starts a command, its output into a file; its process and when it began."""
        gate, output = shlex.quote(str(self.gate)), shlex.quote(str(self.output))
        self._say(f"( {{ read go <{gate} && exec </dev/null >{output} 2>&1 9>&- {shlex.join(command)}; }} & echo $! >&9 ); echo yours >&9")
        process = int(self.shell.stdout.readline())
        self.running.add(process)
        self.shell.stdout.readline()
        with open(self.gate, "w") as gate:
            began = time.monotonic()
            gate.write("go\n")
        return process, began

    def wait(self, process, began, limit=600):
        """Waits for a command that was started; after `limit` seconds it is killed."""
        timer = threading.Timer(limit, os.kill, (process, signal.SIGKILL))
        timer.daemon = True
        timer.start()
        try:
            _, status, used = os.wait4(process, 0)
            ended = time.monotonic()
        finally:
            timer.cancel()
        self.running.discard(process)
        code = os.waitstatus_to_exitcode(status)
        return Usage(ended - began, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, code)

    def run(self, command, limit=600):
        return self.wait(*self.start(command), limit=limit)

    def said(self):
        """The end of what the last command wrote."""
        with open(self.output, errors="replace") as file:
            return file.read()[-2000:].strip()

    def close(self):
        for process in self.running:
            try:
                os.kill(process, signal.SIGKILL)
                os.wait4(process, 0)
            except (ProcessLookupError, ChildProcessError):
                pass  # it has ended by itself
        self.shell.stdin.close()
        self.shell.wait()
        # A command that we were interrupted before letting through reads nothing here, and gives up.
        os.close(os.open(self.gate, os.O_RDWR | os.O_NONBLOCK))
