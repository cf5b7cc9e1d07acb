"""Reads the files of a folder and prints what that took: the peak memory in kB, and all that it wrote or asked for.

Run by test_bad_files.py in a process of its own: `python reading_alone.py <folder>`.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
TOUCHES = (
    "socket.",
    "subprocess.",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "urllib.",
    "ftplib.",
)
CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.link", "os.symlink", "os.truncate", "tempfile.mkstemp"}

touched: list[str] = []
watched: list[str] = []  # the file that is being read


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    if not watched:
        return
    if event == "open":
        _path, mode, flags = arguments
        if (isinstance(flags, int) and flags & WRITING) or (
            isinstance(mode, str) and set(mode) & set("wax+")
        ):
            touched.append(f"open {arguments}")
    elif event in CHANGES or event.startswith(TOUCHES):
        touched.append(f"{event} {arguments}")


def most_memory() -> int:
    """The peak memory of this process in kB; its parent's does not count, as it would in ru_maxrss."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def main(folder: Path) -> None:
    sys.path.insert(0, str(Path(__file__).parents[2]))
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from tournament.extras.imports.files.lists import read_list

    files = sorted(folder.iterdir())
    before = most_memory()
    sys.addaudithook(watch)
    seconds: dict[str, float] = {}
    refused, rows = 0, 0
    for file in files:
        data = file.read_bytes()
        watched.append(file.name)
        started = time.perf_counter()
        read = read_list(data, file.name)
        seconds[file.name] = round(time.perf_counter() - started, 3)
        watched.clear()
        refused += read.refusal is not None
        rows += len(read.rows)
    print(
        json.dumps(
            {
                "read": len(files),
                "refused": refused,
                "rows": rows,
                "touched": touched,
                "memory": most_memory(),
                "before": before,
                "seconds": seconds,
            }
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
