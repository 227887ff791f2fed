# SPDX-License-Identifier: Apache-2.0
"""Programs of the system that scripts need, and what to say where there are none."""

import os
import shutil

PATH_WITH_SBIN = os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/sbin"


class Unavailable(Exception):
    """A part cannot be had here; the words say why."""


def tool(name):
    path = shutil.which(name, path=PATH_WITH_SBIN)
    if not path:
        raise Unavailable(f"there is no {name}")
    return path
