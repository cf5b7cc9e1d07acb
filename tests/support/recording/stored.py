"""Stored data: `verify`, archives and workbooks of each earlier revision's demo database and of today's demo."""

import gzip
import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client

from tests.support.recording import found
from tests.support.recording.acted import begin, commanded, rows_since
from tests.support.recording.kept import Record
from tests.support.recording.texts import bytes_of_workbook, text_of, text_of_file
from tournament.models import Stage, Tournament

PEOPLE = {"everything": [], "public names": ["--without-personal-data"], "anonymous": ["--anonymous"]}
AUDIENCES = ("everybody", "organisers")


def record_databases(record: Record, languages: list[str]) -> None:
    for file in sorted((found.ROOT / "fixtures" / "upgrade").glob("*.sql.gz")):
        sql = gzip.decompress(file.read_bytes()).decode()
        with _database(partial(_load, sql=sql)):
            name = file.name.partition(".")[0]
            begin(f"stored {name}")
            call_command("migrate", verbosity=0)
            _record_database(record, name, [""])
    with _database(lambda _path: None):
        begin("stored demo")
        call_command("migrate", verbosity=0)
        begin("stored demo")
        commanded("make_demo")
        record.keep("stored demo", "ledger", rows_since(0))
        _record_database(record, "demo", languages)
        _record_pages(record)


def _load(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(sql)


@contextmanager
def _database(fill: Callable[[Path], None]) -> Iterator[None]:
    """Another database for a while."""
    place = connection.settings_dict
    name = place["NAME"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "recorded.sqlite3"
        fill(path)
        connection.close()
        place["NAME"] = str(path)
        found.forget()
        cache.clear()
        try:
            yield
        finally:
            connection.close()
            place["NAME"] = name
            found.forget()


def _record_database(record: Record, name: str, languages: list[str]) -> None:
    group = f"stored {name}"
    begin(group)
    record.keep(group, "verify", commanded("verify"))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "made"
        for slug in Tournament.objects.order_by("pk").values_list("slug", flat=True):
            for people, options in PEOPLE.items():
                begin(f"{group} {slug} {people}")
                commanded("export_event", slug, str(file), *options)
                record.keep(f"stored {name}.{slug}.archive", people, text_of_file(file.read_bytes()))
            for audience in AUDIENCES:
                for language in languages:
                    begin(f"{group} {slug} {audience} {language}")
                    more = ["--language", language] if language else []
                    commanded("export_workbook", slug, "--to", str(file), "--as", audience, *more)
                    content, key = file.read_bytes(), f"{audience} | {language}"
                    record.keep(f"stored {name}.{slug}.workbook", key, text_of_file(content))
                    record.keep(f"stored {name}.{slug}.workbook-bytes", key, bytes_of_workbook(content))


def _record_pages(record: Record) -> None:
    """Record the public pages of the demo events."""
    routes = sorted({route.path for route in found.module(r"def ask_everything\(").routes()})
    client = Client()
    for stage in Stage.objects.select_related("tournament__organiser").order_by("pk"):
        event = stage.tournament
        values = {"slug": event.slug, "organiser": event.organiser.uid, "tournament": event.uid}
        values |= {"stage": stage.uid}
        for path in routes:
            parts = {*re.findall(r"<\w+:(\w+)>", path)}
            if not re.match(r"/(t|o|api)/", path) or not parts <= values.keys():
                continue
            if "stage" in parts or (parts and stage.number == 1):
                key = f"{event.slug} | {stage.number if 'stage' in parts else ''}"
                begin(f"stored demo {path} {key}")
                record.keep(f"stored demo.get {path}", key, text_of(client.get(_filled(path, values))))


def _filled(path: str, values: Mapping[str, Any]) -> str:
    filled = re.sub(r"<\w+:(\w+)>", lambda part: str(values[part[1]]), path)
    cache.clear()  # nobody asks so much in a minute
    return filled if path.startswith("/api/") else f"/en{filled}"
