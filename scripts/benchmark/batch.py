# SPDX-License-Identifier: Apache-2.0
"""The files of one row: made, served from one folder, named in what each program reads, compared with what it fetched."""

import os
import shutil
from pathlib import Path

# An ID3v2.4 tag without frames, then a frame header of MPEG audio: syncjob looks at the first bytes.
MP3 = b"ID3\4\0\0\0\0\0\0\xff\xfb\x90\0"
BLOCK = 1 << 20


def write_media(path, size):
    """A file of that size which begins like an MP3 and is noise from there."""
    with open(path, "wb") as file:
        file.write(MP3)
        left = size - len(MP3)
        while left > 0:
            left -= file.write(os.urandom(min(BLOCK, left)))


def same_content(one, other):
    try:
        if os.path.getsize(one) != os.path.getsize(other):
            return False
        with open(one, "rb") as left, open(other, "rb") as right:
            while True:
                block = left.read(BLOCK)
                if block != right.read(BLOCK):
                    return False
                if not block:
                    return True
    except FileNotFoundError:
        return False


class Batch:
    """`count` files of `size` bytes under `www/NAME`, and where each program puts what it fetches."""

    def __init__(self, work, name, count, size, parallel):
        self.name, self.count, self.size, self.parallel = name, count, size, parallel
        self.work = Path(work)
        self.source = self.work / "www" / name
        self.authority = None
        self.url = None
        self.source.mkdir(parents=True)
        for number in range(count):
            write_media(self.source / self.file(number), size)

    @staticmethod
    def file(number):
        return f"{number}.mp3"

    def out(self, program):
        return self.work / "out" / self.name / program

    @property
    def manifest(self):
        return self.work / f"{self.name}.yaml"

    @property
    def urls(self):
        return self.work / f"{self.name}.urls"

    @property
    def curl_config(self):
        return self.work / f"{self.name}.curl"

    def serve_from(self, origin, authority=None, settings=""):
        """Writes the lists for an origin such as `http://127.0.0.1:8080`; `authority` is the CA's file, `settings` more of `downloads`."""
        self.authority = authority
        self.url = f"{origin}/{self.name}/"
        if authority:
            settings += f', tls: {{ ca_file: "{authority}" }}'
        names = [self.file(number) for number in range(self.count)]
        self.urls.write_text("".join(f"{self.url}{name}\n" for name in names))
        self.curl_config.write_text("".join(
            f'url = "{self.url}{name}"\noutput = "{self.out("curl")}/{name}"\n' for name in names))
        self.manifest.write_text(
            "version: 1\n"
            f'library: {{ path: "{self.out("syncjob")}", layout: "{{title}}.{{ext}}" }}\n'
            f"downloads: {{ concurrency: {self.parallel}, per_host: {self.parallel}{settings} }}\n"
            "report: { m3u8: false }\n"
            "playlists:\n  bench:\n    items:\n"
            + "".join(f'      - {{ id: "{number}", title: "{number}", url: "{self.url}{name}" }}\n'
                      for number, name in enumerate(names)))

    def right(self, program):
        """How many of the files a program has with the right bytes."""
        out = self.out(program)
        return sum(same_content(self.source / self.file(number), out / self.file(number)) for number in range(self.count))

    def drop(self, program):
        shutil.rmtree(self.out(program), ignore_errors=True)

    def remove(self):
        shutil.rmtree(self.source, ignore_errors=True)
        shutil.rmtree(self.work / "out" / self.name, ignore_errors=True)
