"""Process and machine: memory, files, file locks."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from portalocker import AlreadyLocked, LockFlags, lock

# glibc mallopt: M_MMAP_THRESHOLD in bytes (large blocks are returned), M_ARENA_MAX (per-thread heaps stay at their
# peak).
OPTIONS = {-3: 128 * 1024, -8: 2}
LEAST_FREE_MB = 200  # warning threshold of the disk


def memory(process: int | str = "self") -> int:
    """Resident bytes of a process, by default this one; 0 if unknown."""
    try:
        with open(f"/proc/{process}/statm") as file:  # noqa: PTH123 - quicker than a Path
            return int(file.read().split()[1]) * int(os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError, AttributeError):
        return 0


def hold_little() -> None:
    """Hold less unused memory (glibc only). Call before threads start."""
    with suppress(OSError, AttributeError, TypeError):
        for option, value in OPTIONS.items():
            ctypes.CDLL(None).mallopt(option, value)
        ctypes.CDLL(None).malloc_trim(0)


def most_files() -> int:
    """Raise the limit of open files to the maximum."""
    try:
        import resource
    except ImportError:  # Windows
        return 10_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


def be_nice() -> None:
    """Lower the process priority, if supported."""
    if hasattr(os, "nice"):
        os.nice(10)


def take_lock(file: IO[bytes] | int, *, shared: bool = False) -> bool:
    """Non-blocking lock between processes; False if held elsewhere. Released at close or process end."""
    try:
        lock(file, (LockFlags.SHARED if shared else LockFlags.EXCLUSIVE) | LockFlags.NON_BLOCKING)
    except AlreadyLocked:
        return False
    return True


@contextmanager
def whole_file(file: Path) -> Iterator[IO[bytes]]:
    """Atomic file for its owner only. Raises OSError."""
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        with part.open("wb") as out:
            yield out
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
