"""The resources of a process on this machine: its memory, and the files that it may have open."""

import os
import sys
from contextlib import suppress


def memory(process: int | str = "self") -> int:
    """Bytes that a process of this computer holds, by default this one; 0 where the system does not say."""
    try:
        with open(f"/proc/{process}/statm") as file:  # noqa: PTH123 - quicker than a Path
            pages = int(file.read().split()[1])
    except (OSError, ValueError):
        return 0
    return pages * int(os.sysconf("SC_PAGE_SIZE"))


def most_files() -> int:
    """Raise the limit of open files, and so of connections, to what the machine allows, and give it."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 10_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft
