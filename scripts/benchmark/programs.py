# SPDX-License-Identifier: Apache-2.0
"""syncjob and its peers: how each is told to fetch a batch. Where nothing is said here, each works by its own defaults."""

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Callable, Optional

# The manifest's retry settings: the number of retries that curl is given, and curl's own first wait.
RETRY_SETTINGS = ", retries: 5, backoff: { initial: 1s }"


@dataclass
class Program:
    """`fetch` makes the command for a batch, `authority` the words that name a CA; `retrying` and `resuming` are added where a row is about that."""

    name: str
    path: str
    fetch: Callable
    authority: Callable = lambda file: []
    retrying: list = field(default_factory=list)
    resuming: list = field(default_factory=list)
    agent: str = ""

    def command(self, batch, *, retrying=False, resuming=False):
        words = [self.path, *self.fetch(batch)]
        words += self.authority(batch.authority) if batch.authority else []
        words += self.retrying if retrying else []
        words += self.resuming if resuming else []
        return words

    @property
    def version(self):
        said = subprocess.run([self.path, "--version"], capture_output=True, text=True).stdout
        found = re.search(r"v?\d+\.\d+[\w.+-]*", said)
        return found.group().lstrip("v") if found else "of unknown version"


def syncjob(path):
    return Program("syncjob", path, lambda batch: ["-q", str(batch.manifest)], agent="syncjob/")


def curl(path):
    return Program(
        "curl", path,
        lambda batch: ["-sS", "-f", "-Z", "--parallel-max", str(batch.parallel), "--create-dirs", "-K", str(batch.curl_config)],
        authority=lambda file: ["--cacert", str(file)],
        retrying=["--retry-all-errors", "--retry", "5"], resuming=["-C", "-"], agent="curl/")


def aria2c(path):
    # Without --file-allocation=none it writes each file twice on a tmpfs.
    return Program(
        "aria2c", path,
        lambda batch: ["--no-conf", "-q", "-j", str(batch.parallel), "-x", "1", "--file-allocation=none",
                       "-i", str(batch.urls), "-d", str(batch.out("aria2c"))],
        authority=lambda file: [f"--ca-certificate={file}"],
        retrying=["--max-tries=6", "--retry-wait=1"], resuming=["-c"], agent="aria2/")


def wget2(path):
    return Program(
        "wget2", path,
        lambda batch: ["--no-config", "-q", f"--max-threads={batch.parallel}", "-i", str(batch.urls), "-P", str(batch.out("wget2"))],
        authority=lambda file: [f"--ca-certificate={file}"],
        retrying=["--tries=6", "--waitretry=1"], resuming=["-c"], agent="wget2/")


def rclone(path):
    return Program(
        "rclone", path,
        lambda batch: ["--config=", "-q", "--transfers", str(batch.parallel), "copy", "--http-url", batch.url, ":http:",
                       str(batch.out("rclone"))],
        authority=lambda file: ["--ca-cert", str(file)],
        retrying=["--retries", "6", "--retries-sleep", "1s"], agent="rclone/")


def installed(syncjob_path):
    """syncjob first, then the peers that are there, and the names of those that are not."""
    programs, missing = [syncjob(str(syncjob_path))], []
    for make in (curl, aria2c, wget2, rclone):
        path = shutil.which(make.__name__)
        if path:
            programs.append(make(path))
        else:
            missing.append(make.__name__)
    return programs, missing


def refuses_authority(program, batch) -> Optional[str]:
    """Why this syncjob cannot be told of a certificate authority, if so: older ones have no key for it."""
    checked = subprocess.run([program.path, "validate", str(batch.manifest)], capture_output=True, text=True)
    return None if checked.returncode == 0 else "this syncjob has no downloads.tls.ca_file"

