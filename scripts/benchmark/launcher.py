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
    than Python. The shell's subshell ends at once and leaves the command to us, its subreaper: `wait4` then knows that command alone.
    """

    def __init__(self, output, environment):
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        self.output = output
        self.running = set()
        self.shell = subprocess.Popen(
            ["sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, preexec_fn=dies_with_us)
        self._say("exec 9>&1")

    def _say(self, line):
        self.shell.stdin.write(line + "\n")
        self.shell.stdin.flush()

    def start(self, command):
        """Starts a command, its output into a file; its process and when it began."""
        quoted = shlex.join(command)
        began = time.monotonic()
        self._say(f"( exec </dev/null >{shlex.quote(str(self.output))} 2>&1; {quoted} 9>&- & echo $! >&9 )")
        process = int(self.shell.stdout.readline())
        self.running.add(process)
        return process, began

    def wait(self, process, began, limit=600):
        """Waits for a command that was started; after `limit` seconds it is killed."""
        timer = threading.Timer(limit, os.kill, (process, signal.SIGKILL))
        timer.daemon = True
        timer.start()
        try:
            status, used = self._reap(process)
            ended = time.monotonic()
        finally:
            timer.cancel()
        self.running.discard(process)
        code = os.waitstatus_to_exitcode(status)
        return Usage(ended - began, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, code)

    def _reap(self, process):
        # Until the subshell has ended, the command is its child and not yet ours.
        for _ in range(5000):
            try:
                _, status, used = os.wait4(process, 0)
                return status, used
            except ChildProcessError:
                time.sleep(0.0002)
        raise RuntimeError(f"process {process} was never handed over")

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
                self._reap(process)
            except (ProcessLookupError, RuntimeError):
                pass  # it had ended by itself
        self.shell.stdin.close()
        self.shell.wait()
