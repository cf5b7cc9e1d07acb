"""BACKUP_HOOK: the operator's command for off-site copies, called with each backup's path, in a thread, one at a time,
without a shell, for at most MOST_S seconds. While `stays.json` is in the backups' folder, each board reports the
failure."""

import json
import logging
import os
import signal
import subprocess
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from tournament.backup import shelf

logger = logging.getLogger(__name__)

MOST_S = 600.0
NAME = "backup hook"  # thread name
_one_at_a_time = threading.Lock()
_stopped = threading.Event()
_running: set["subprocess.Popen[Any]"] = set()


def begin(file: Path) -> None:
    """Start the hook for a backup."""
    if settings.BACKUP_HOOK:
        _stopped.clear()
        threading.Thread(target=_take, args=[file], name=NAME).start()


def wait() -> bool:
    """Join the hooks of this process; False if the last one failed."""
    for thread in threading.enumerate():
        if thread.name == NAME:
            thread.join()
    return not stays()


def stop() -> None:
    """Kill the running hook, which counts as failed, and start none of those that wait."""
    _stopped.set()
    for process in [*_running]:
        _end(process)


def stays() -> bool:
    """Whether the last hook failed."""
    return bool(settings.BACKUP_HOOK) and _state().exists()


def _take(file: Path) -> None:
    with _one_at_a_time:
        if _stopped.is_set() or not file.exists():  # thinned out: a newer one exists
            return
        why = _run([*settings.BACKUP_HOOK, str(file)])
        if why:
            logger.error("%s was not copied elsewhere: %s", file.name, why)
        with suppress(OSError):
            if why:
                _state().write_text(json.dumps({"at": datetime.now(UTC).isoformat(), "why": why}))
            else:
                _state().unlink(missing_ok=True)


def _run(command: list[str]) -> str:
    """Run a command; why it failed, or ""."""
    try:
        process = subprocess.Popen(  # noqa: S603 - the operator's own command
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,  # own process group, to kill children too
        )
    except OSError as error:
        return f"{command[0]}: {error.strerror or error}"
    _running.add(process)
    try:
        _, said = process.communicate(timeout=MOST_S)
    except subprocess.TimeoutExpired:
        _end(process)
        process.wait()  # its children may hold the pipe
        return f"it took more than {MOST_S:g} s"
    finally:
        _running.discard(process)
    last = said.decode(errors="replace").strip().splitlines()[-1:]
    return ": ".join([f"exit code {process.returncode}", *last]) if process.returncode else ""


def _end(process: "subprocess.Popen[Any]") -> None:
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):  # not on Windows
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _state() -> Path:
    return shelf.folder() / "stays.json"
