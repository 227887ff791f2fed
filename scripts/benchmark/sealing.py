# SPDX-License-Identifier: Apache-2.0
"""One large file sealed at rest and opened again, beside age and rclone's crypt."""

import shutil
import subprocess

from batch import Batch, same_content
from table import Line, Row, size


class Files:
    """A file, and what each program makes of it."""

    def __init__(self, work, batch, program):
        self.work, self.batch, self.program = work / "sealing", batch, program
        self.work.mkdir()
        self.source = batch.source / batch.file(0)
        self.copy = self.work / "copy"
        self.clear = self.declare("clear", "none")
        self.sealed = self.declare("sealed", "encrypt")

    def declare(self, name, mode):
        """The batch's manifest with another mode of protection."""
        manifest = self.work / f"{name}.yaml"
        manifest.write_text(
            self.batch.manifest.read_text() + "name: sealing\nstorage: { min_free: 0B }\n"
            + f"protect: {{ mode: {mode}, keys_file: ./keys }}\n")
        return manifest

    def run(self, *command):
        subprocess.run([str(word) for word in command], check=True, capture_output=True)

    def rclone(self, path):
        """The name of an encrypted remote in a folder, for which no configuration is needed."""
        secret = subprocess.run([path, "obscure", "a password"], check=True, capture_output=True, text=True).stdout.strip()
        return f":crypt,remote={self.work}/rclone,password={secret}:"


def peers(files):
    """For each program: the commands that seal and open, and the place of the copy."""
    found = {"syncjob": (
        [files.program, "-q", files.sealed], [files.program, "decrypt", "-q", "-m", files.sealed, "0", "-o", files.copy],
        files.copy)}
    if shutil.which("age"):
        identity, sealed = files.work / "identity", files.work / "age"
        files.run("age-keygen", "-o", identity)
        recipient = subprocess.run(["age-keygen", "-y", str(identity)], check=True, capture_output=True, text=True).stdout.strip()
        found["age"] = (
            ["age", "-r", recipient, "-o", sealed, files.source], ["age", "-d", "-i", identity, "-o", files.copy, sealed],
            files.copy)
    if shutil.which("rclone"):
        remote, folder = files.rclone(shutil.which("rclone")), files.work / "opened"
        found["rclone"] = (
            ["rclone", "--config=", "-q", "copy", files.source, remote], ["rclone", "--config=", "-q", "copy", remote, folder],
            folder / files.batch.file(0))
    return found


def measure(work, amount, rounds, program, launcher, nginx):
    """Two rows: what it costs to seal the file, and to open it."""
    batch = Batch(work, "sealing", 1, amount, 1)
    batch.serve_from(nginx)
    files = Files(work, batch, program)
    files.run(program, "key", "new", files.sealed)
    files.run(program, "-q", files.clear)
    commands = peers(files)
    rows = [Row("seal", f"one file of {size(amount)}, in the library in clear: sealed"),
            Row("open", f"the same file, sealed: written in clear")]
    runs = [{name: [] for name in commands} for _ in rows]
    results = {name: "right" for name in commands}
    for number in range(-1, rounds):
        for name, (seal, unseal, copy) in commands.items():
            for place, command in enumerate((seal, unseal)):
                used = launcher.run([str(word) for word in command])
                if used.status:
                    raise RuntimeError(f"{rows[place].name}: {name} ends with {used.status}: {launcher.said()}")
                if number >= 0:
                    runs[place][name].append(used)
            if not same_content(files.source, copy):
                results[name] = "wrong"
            for path in (files.copy, files.work / "age", copy):
                path.unlink(missing_ok=True)
            shutil.rmtree(files.work / "rclone", ignore_errors=True)
            if name == "syncjob":
                files.run(program, "-q", files.clear)
    for row, used in zip(rows, runs):
        row.lines = [Line(name, used[name], results[name]) for name in commands]
    batch.remove()
    shutil.rmtree(files.work)
    return rows, [name for name, result in results.items() if result == "wrong"]
