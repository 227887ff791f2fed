# SPDX-License-Identifier: Apache-2.0
"""caseless.py BELOW MOUNTPOINT: shows BELOW as a file system that keeps the case of names and ignores it, as exFAT does."""

import errno
import os
import sys

import fusepy


class Caseless(fusepy.Operations):
    use_ns = True

    def __init__(self, below):
        self.below = below

    def real(self, path):
        """The path below, in the spelling that it has there."""
        real = self.below
        for part in path.strip("/").split("/"):
            names = os.listdir(real) if os.path.isdir(real) else []
            real = os.path.join(real, next((name for name in names if name.lower() == part.lower()), part))
        return real

    def getattr(self, path, fh=None):
        found = os.lstat(self.real(path))
        keys = ("st_mode", "st_nlink", "st_uid", "st_gid", "st_size", "st_ino")
        times = {"st_mtime": found.st_mtime_ns, "st_atime": found.st_atime_ns, "st_ctime": found.st_ctime_ns}
        return {key: getattr(found, key) for key in keys} | times

    def readdir(self, path, fh):
        return [".", ".."] + os.listdir(self.real(path))

    def open(self, path, flags):
        return os.open(self.real(path), flags)

    def create(self, path, mode, fi=None):
        return os.open(self.real(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def truncate(self, path, length, fh=None):
        os.truncate(self.real(path), length)

    def flush(self, path, fh):
        return 0

    def fsync(self, path, datasync, fh):
        return os.fsync(fh)

    def release(self, path, fh):
        return os.close(fh)

    def rename(self, old, new):
        os.rename(self.real(old), self.real(new))

    def unlink(self, path):
        os.unlink(self.real(path))

    def mkdir(self, path, mode):
        os.mkdir(self.real(path), mode)

    def rmdir(self, path):
        os.rmdir(self.real(path))

    def chmod(self, path, mode):
        os.chmod(self.real(path), mode)

    def utimens(self, path, times=None):
        os.utime(self.real(path), ns=times)

    def link(self, target, source):
        raise fusepy.FuseOSError(errno.EPERM)

    def statfs(self, path):
        found = os.statvfs(self.real(path))
        keys = ("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_files", "f_ffree", "f_frsize", "f_namemax")
        return {key: getattr(found, key) for key in keys}


fusepy.FUSE(Caseless(sys.argv[1]), sys.argv[2], foreground=True, nothreads=True, use_ino=True)
