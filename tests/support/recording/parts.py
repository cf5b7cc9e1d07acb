"""The parts of a record, one after the other, in one process."""

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from time import perf_counter
from typing import Any

from django.conf import settings
from django.core.checks import Tags, run_checks
from django.core.management import call_command
from django.db import transaction
from django.utils import translation

import tournament
from tests.support.recording import acted, asked, fixed, found, stored
from tests.support.recording.kept import Normaliser, Record


def record_parts(folder: Path, parts: list[str]) -> int:
    """Record into the folder; gives the number of keys. SystemExit where an address or an action was left out."""
    record = Record(Normaliser(_placeholders()))
    call_command("migrate", verbosity=0)
    events = found.module(r"class UserFactory\(").Event
    events.act = _ticking(events.act)
    run_checks(tags=[Tags.urls])  # loads all: modules may draw while they are imported
    together: Any = transaction.atomic()
    together._from_testcase = True  # durable blocks of the actions lie inside; nothing is committed
    missing: list[str] = []
    with translation.override("en"):
        with together:
            if not parts or "act" in parts:
                missing += _timed("act", acted.record_actions, record)
            if not parts or {"get", "post"} & {*parts}:
                acted.begin("site")
                site = asked.Site()
                if not parts or "get" in parts:
                    known = _timed("get", asked.record_answers, record, site)
                    missing += [route.path for route in site.routes if route.path not in known]
                if not parts or "post" in parts:
                    _timed("post", asked.record_posts, record, site)
            transaction.set_rollback(True)
        if not parts or "stored" in parts:
            _timed("stored", stored.record_databases, record, asked.LANGUAGES)
    folder.mkdir(parents=True, exist_ok=True)
    keys = record.write(folder)
    if missing:
        raise SystemExit("Not recorded: " + ", ".join(missing))
    return keys


def _timed(name: str, part: Callable[..., Any], *arguments: Any) -> Any:
    began = perf_counter()
    answer = part(*arguments)
    print(f"{name}: {perf_counter() - began:.0f} s", file=sys.stderr)
    return answer


def _ticking(act: Callable[..., Any]) -> Callable[..., Any]:
    """An action at each second, so that what is sorted by time has an order."""

    @wraps(act)
    def acting(*arguments: Any, **more: Any) -> Any:
        fixed.tick()
        try:
            return act(*arguments, **more)
        finally:
            fixed.step()

    return acting


def _placeholders() -> dict[str, str]:
    import tomllib

    project = tomllib.loads((found.ROOT / "pyproject.toml").read_text())["project"]
    version = getattr(tournament, "__version__", None) or project["version"]
    program = found.module(r"def program_digest", "tournament")
    return {
        str(settings.DATA_DIR): "<data>",
        str(found.ROOT): "<root>",
        program.program_digest()[:12]: "<program>",
        version: "<version>",
    }
