"""The process and its machine, as far as the system tells: memory, open files, locks between
processes."""

import ctypes
import os
import sys
from contextlib import suppress
from typing import IO

from portalocker import AlreadyLocked, LockFlags, lock

# Options of glibc by their numbers in malloc.h, and what they get: bytes of a piece that has pages of its own, so that
# it goes when nobody uses it; heaps that all threads share, where each would keep what its largest request took.
OPTIONS = {-3: 128 * 1024, -8: 2}
LEAST_FREE_MB = 200  # on the disk; below it organisers and operators are warned


def memory(process: int | str = "self") -> int:
    """Bytes that a process of this computer holds, by default this one; 0 where the system does not say."""
    try:
        with open(f"/proc/{process}/statm") as file:  # noqa: PTH123 - quicker than a Path
            return int(file.read().split()[1]) * int(os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError, AttributeError):
        return 0


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


def be_nice() -> None:
    """Have this process run when others leave time, where the system can be asked for it."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)


def take_lock(file: IO[bytes] | int, *, shared: bool = False) -> bool:
    """Lock an open file or descriptor against other processes without waiting; False if another one holds it. The
    system releases the lock when the file is closed or its process ends."""
    try:
        lock(file, (LockFlags.SHARED if shared else LockFlags.EXCLUSIVE) | LockFlags.NON_BLOCKING)
    except AlreadyLocked:
        return False
    return True
