"""The hook that takes a backup off this computer: the command of BACKUP_HOOK, with the path of each new backup as its
last argument.

It runs beside everything else, one backup at a time, without a shell, and for MOST_S seconds at most. While the last
one failed a file `stays.json` lies in the folder, by which the boards of every process say so; the log says why.
"""

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
NAME = "backup hook"  # of its threads
_one_at_a_time = threading.Lock()
_running: set["subprocess.Popen[Any]"] = set()


def begin(file: Path) -> None:
    """Begin to take this backup elsewhere, where BACKUP_HOOK says how; nobody waits for it but the process's end."""
    if settings.BACKUP_HOOK:
        threading.Thread(target=_take, args=[file], name=NAME).start()


def wait() -> bool:
    """Wait for what was begun here; tell whether the newest backup is elsewhere as far as anybody asked for that."""
    for thread in threading.enumerate():
        if thread.name == NAME:
            thread.join()
    return not stays()


def stop() -> None:
    """End what was begun here and still runs; it counts as failed."""
    for process in [*_running]:
        _end(process)


def stays() -> bool:
    """Tell whether the newest backup could not be taken elsewhere."""
    return bool(settings.BACKUP_HOOK) and _state().exists()


def _take(file: Path) -> None:
    with _one_at_a_time:
        if not file.exists():  # thrown away meanwhile, so there is a newer one
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
    """Run a command to its end; give why it failed, "" if it did not."""
    try:
        process = subprocess.Popen(  # noqa: S603 - the operator's own command
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,  # so that it ends as a whole
        )
    except OSError as error:
        return f"{command[0]}: {error.strerror or error}"
    _running.add(process)
    try:
        _, said = process.communicate(timeout=MOST_S)
    except subprocess.TimeoutExpired:
        _end(process)
        process.communicate()
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
