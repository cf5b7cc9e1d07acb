"""Data folders for benchmarks: each a copy of one that was prepared once, since migrations and static files take longer
than many a benchmark."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from tests.e2e import server

ROOT = Path(__file__).resolve().parents[1]
PREPARED = "BENCHMARK_PREPARED"  # the folder that `python -m benchmarks` prepared for all scripts
SHARED = "BENCHMARK_DATA"  # the folder of a parent process, whose database this process uses too


def folder() -> Path:
    """A new data folder with an empty database, removed when this process ends."""
    data = Path(tempfile.mkdtemp(prefix="lastcard-benchmark-"))
    atexit.register(shutil.rmtree, data, ignore_errors=True)
    for each in prepared().iterdir():
        if each.name == "static":
            (data / "static").symlink_to(each)  # only read
        elif each.is_file():
            shutil.copy2(each, data)
    return data


@cache
def prepared() -> Path:
    if given := os.environ.get(PREPARED):
        return Path(given)
    data = Path(tempfile.mkdtemp(prefix="lastcard-benchmark-prepared-"))
    atexit.register(shutil.rmtree, data, ignore_errors=True)
    server.prepare(data)
    return data


def environment(data: Path) -> dict[str, str]:
    """The settings of a server, or of this process, on this data; nothing from a developer's own `.env`."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tournament.settings",
        "LASTCARD_DATA": str(data),
        "DATABASE_URL": f"sqlite:///{data}/lastcard.sqlite3",
        "SECRET_KEY": "a benchmark's",
        "PUBLIC_URL": "",
        "PUBLISH": "1",
        "DEBUG": "0",
        "ALLOWED_HOSTS": "*",
        "LIVE_STREAMS_EACH": "12000",  # all phones have one address
    }


def use_django() -> None:
    """Set Django up in this process: on SQLite in a folder of its own, or on the database that DATABASE_URL names."""
    import django
    from django.core.management import call_command

    database, parent = os.environ.get("DATABASE_URL"), os.environ.get(SHARED)
    data = parent or str(folder())
    os.environ.update({**environment(Path(data)), SHARED: data})
    if database:
        os.environ["DATABASE_URL"] = database
    django.setup()
    if database and not parent:
        from tournament.models import Tournament

        call_command("migrate", verbosity=0)
        if Tournament.objects.exists():
            raise SystemExit(
                "DATABASE_URL names a database with events in it; benchmarks write and delete there."
            )


def in_another_process(module: str, call: str) -> None:
    """Call a function of a benchmark in a process of its own on the same data: this one's memory stays clean."""
    subprocess.run(
        [sys.executable, "-c", f"from benchmarks import {module}; {module}.{call}"], cwd=ROOT, check=True
    )
