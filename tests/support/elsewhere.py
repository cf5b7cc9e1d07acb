"""A pytest plugin that takes away what only Unix has, so that a run shows what Windows would miss:

    python -m pytest -p tests.support.elsewhere PATHS

Modules of Unix, and packages without a wheel for Windows, cannot be imported by the program (a library may bring its
own answer for each system), and signals, calls and options of the standard library that Windows lacks are gone.
`os.getuid` stays, which pytest asks for, and `os.statvfs`, by which `shutil.disk_usage` measures here.
"""

import importlib.abc
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import portalocker  # noqa: F401 - locks files by other means on Windows
import pytest

MODULES = (
    *("fcntl", "resource", "uvloop", "pwd", "grp", "termios", "tty", "pty", "syslog", "readline"),
    "rjsmin",  # it has wheels for Linux alone
)
CALLS = (
    *("fork", "forkpty", "nice", "setsid", "killpg", "getloadavg", "chown"),
    *("sysconf", "sched_getaffinity", "posix_fadvise", "wait3", "mkfifo"),
)
KILL = signal.SIGKILL
SIGNALS = ("alarm", "setitimer", "pause", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT", "SIGKILL")


class Missing(importlib.abc.MetaPathFinder):
    """Refuses the modules that only Unix has."""

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


class Popen(subprocess.Popen[Any]):
    """Starts processes as Windows does: without inherited descriptors or groups, and ends them without a signal."""

    def __init__(self, *args: Any, **options: Any) -> None:
        if options.get("pass_fds"):
            raise ValueError("pass_fds not supported on Windows.")
        super().__init__(*args, **options)

    def kill(self) -> None:
        os.kill(self.pid, KILL)

    terminate = kill  # Windows has one end for both


def take_away() -> None:
    """Leave this process with what every system has."""
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Missing())
    family = socket.AF_UNIX
    for module, names in ((os, CALLS), (signal, SIGNALS), (socket, ("AF_UNIX",))):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    subprocess.Popen = Popen  # type: ignore[misc]  # for every module that starts a process
    # Windows makes a pair of its own sockets too; asyncio asks for one.
    socket.socketpair = partial(socket.socketpair, family)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Take it away after pytest's own plugins are there, before the program is."""
    take_away()
