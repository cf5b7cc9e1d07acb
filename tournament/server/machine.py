"""The resources of a process on this machine: its memory, and the files that it may have open."""

import ctypes
import os
import sys
from contextlib import suppress

# Options of glibc by their numbers in malloc.h, and what they get: bytes of a piece that has pages of its own, so that
# it goes when nobody uses it; heaps that all threads share, where each would keep what its largest request took.
OPTIONS = {-3: 128 * 1024, -8: 2}


def memory(process: int | str = "self") -> int:
    """Bytes that a process of this computer holds, by default this one; 0 where the system does not say."""
    try:
        with open(f"/proc/{process}/statm") as file:  # noqa: PTH123 - quicker than a Path
            pages = int(file.read().split()[1])
    except (OSError, ValueError):
        return 0
    return pages * int(os.sysconf("SC_PAGE_SIZE"))


def hold_little() -> None:
    """Have this process hold little memory that nobody uses, from before its threads begin, and give back what is left
    between pieces that are used, which takes some milliseconds; only glibc can."""
    with suppress(OSError, AttributeError, TypeError):
        for option, value in OPTIONS.items():
            ctypes.CDLL(None).mallopt(option, value)
        ctypes.CDLL(None).malloc_trim(0)


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
