#!/usr/bin/env python
"""How much of the processor Lastcard takes until its first page, beside bare Django with the admin, REST framework and
uvicorn in a project of a few lines.

Each is started on a database that is migrated and with its static files in place, asked for its first page, and ended.
Prints the processor's seconds (user and system) of both and their ratio, the wall's seconds, the memory at rest, and
the same for `--help`. The two take turns; the median counts. Libraries import some of what only developers have where
it is there: an environment of deploy/requirements.lock says what users get.
"""

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks._data import ROOT
from benchmarks._figures import report, run
from tests.e2e.server import free_port
from tournament.server.machine import memory

SETTINGS = """
import os
from pathlib import Path
BASE = Path(__file__).parent
SECRET_KEY, ROOT_URLCONF, ALLOWED_HOSTS = "bare", "bare_urls", ["*"]
INSTALLED_APPS = ["django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes",
    "django.contrib.sessions", "django.contrib.messages", "django.contrib.staticfiles", "rest_framework"]
MIDDLEWARE = ["django.middleware.security.SecurityMiddleware", "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {
    "context_processors": ["django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
        "django.contrib.messages.context_processors.messages"]}}]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE / "bare.sqlite3"}}
STATIC_URL = "/static/"
"""
URLS = """
from django.contrib import admin
from django.urls import path
from rest_framework.response import Response
from rest_framework.views import APIView

class Hello(APIView):
    permission_classes = []
    def get(self, request):
        return Response({"hello": "world"})

urlpatterns = [path("admin/", admin.site.urls), path("", Hello.as_view())]
"""
ASGI = "from django.core.asgi import get_asgi_application\napplication = get_asgi_application()\n"
MANAGE = "import sys\nfrom django.core.management import execute_from_command_line as run\nrun(sys.argv)\n"
PATIENCE_S = 120


@dataclass(frozen=True, slots=True)
class Started:
    """One start: processor and wall seconds until the first page, bytes of memory a second after it."""

    cpu: float
    wall: float
    memory: int


def main(turns: int = 5) -> None:
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare"
        bare.mkdir()
        for name, text in (
            ("bare_settings", SETTINGS),
            ("bare_urls", URLS),
            ("bare_asgi", ASGI),
            ("manage", MANAGE),
        ):
            (bare / f"{name}.py").write_text(text)
        reference = Program(bare, {"DJANGO_SETTINGS_MODULE": "bare_settings"}, ["manage.py"])
        data = {"LASTCARD_DATA": f"{folder}/ours", "DJANGO_SETTINGS_MODULE": "tournament.settings"}
        ours = Program(ROOT, data, ["-m", "tournament"])
        reference.command("migrate")
        ours.command("prepare")
        serves = {ours: lambda port: ["up", "--prepared", "--host", "127.0.0.1", "--port", port]}
        starts: dict[Program, list[Started]] = {ours: [], reference: []}
        helps: dict[Program, list[float]] = {ours: [], reference: []}
        for turn in range(turns + 1):  # the first warms the disk's cache up
            for program in (reference, ours):
                start, told = program.started(serves.get(program)), program.command("--help")
                if turn:
                    starts[program].append(start)
                    helps[program].append(told)
    tell(starts[ours], starts[reference], helps[ours], helps[reference])


def tell(ours: list[Started], bare: list[Started], helps: list[float], bare_helps: list[float]) -> None:
    """Report the medians."""
    beside = "bare Django"
    for name, unit, value, aim in (
        ("processor until the first page", "s", lambda start: start.cpu, "ratio 1.8"),
        ("wall until the first page", "s", lambda start: start.wall, ""),
        ("memory at rest", "MB", lambda start: start.memory / 1e6, "90 MB"),
    ):
        figures = (median(map(value, each)) for each in (ours, bare))
        report(name, next(figures), unit, reference=next(figures), beside=beside, aim=aim)
    report("--help", median(helps), "s", reference=median(bare_helps), beside=beside, aim="ratio 1.2")


@dataclass(frozen=True, eq=False)
class Program:
    """A project to start: its folder, its settings and the words behind `python` that name its command line."""

    folder: Path
    settings: dict[str, str]
    words: list[str]

    def environment(self) -> dict[str, str]:
        ours = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        return ours | self.settings | {"PYTHONDONTWRITEBYTECODE": ""}

    def command(self, *arguments: str) -> float:
        """Run a command; give the processor's seconds of it."""
        before = os.times()
        subprocess.run(
            [sys.executable, *self.words, *arguments], cwd=self.folder, env=self.environment(), check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        after = os.times()
        return (after.children_user + after.children_system) - (before.children_user + before.children_system)

    def started(self, serves: Callable[[str], list[str]] | None) -> Started:
        """Serve, ask for the first page and end; by uvicorn itself without `serves`."""
        port = str(free_port())
        bare = ["-m", "uvicorn", "bare_asgi:application", "--port", port, "--log-level", "error"]
        words = [*self.words, *serves(port)] if serves else bare
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, *words], cwd=self.folder, env=self.environment(), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            until_answered(f"http://127.0.0.1:{port}/{'en/' if serves else ''}", process)
            wall = time.monotonic() - began
            cpu = processor(process.pid)
            time.sleep(1)
            return Started(cpu, wall, memory(process.pid))
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def until_answered(address: str, process: subprocess.Popen[bytes]) -> None:
    """Wait for the first page."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
                answer.read()
                return
        except urllib.error.URLError:
            time.sleep(0.02)
    raise SystemExit(f"{address} did not answer")


def processor(process: int) -> float:
    """Seconds of the processor that a process used, of all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    run(main, 1)
