"""Everything that people and programs get of an event, but for how and when it was entered: its pages, what the API
answers, the cells of its workbook and the rows of its archive."""

import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

from django.test import Client, override_settings
from django.urls import reverse
from django.utils import translation
from openpyxl import load_workbook

from tests.support.archives import archived, taken_apart
from tests.support.factories import Event
from tournament.extras.archive.files.schema import MANIFEST
from tournament.extras.workbook.files.sheets import write_workbook
from tournament.files.workbook.event import read_event
from tournament.server.database import snapshot

# Of a row: its history, and when and by whom it was entered.
LEAVERS = ("removed", "withdrawn")  # of one play: their order decides nothing
HISTORY = frozenset(
    {
        "version",
        "ledger_head",
        "entered_at",
        "at",
        "by",
        "left_at",
        "left_from",
        "text",
        "sequence",
        "made_at",
        "count",
    }
)
WITHOUT_ORDER = frozenset({"decided", "second_look"})  # an incident, a play: in the order of their history
UNNAMED = frozenset({"outcome", "decided"})  # a result, an incident: their uids are made anew
COLUMNS, LINES = {"entered_at", "id"}, {"exported_at", "ledger_row", "ledger_hash"}
HISTORIES = ("rows/ledgerrow.jsonl", "rows/ledgernote.jsonl", "rows/user.jsonl", MANIFEST)
STAMPS = re.compile(r'data-(?:version|at|sequence)="[^"]*"|<time [^>]*>[^<]*</time>')
READS = (
    "tournaments/{tournament}/entries",
    "stages/{stage}/tables",
    "stages/{stage}/plays",
    "stages/{stage}/standings",
)


def surfaces(made: Event, *names: str) -> dict[str, Any]:
    """The surfaces of these names."""
    made.refresh()
    with override_settings(PUBLISH=False):
        return {name: dict(SURFACES[name](made)) for name in names}


def _pages(made: Event) -> Iterator[tuple[str, Any]]:
    client = Client()
    slug = made.tournament.slug
    for url in (reverse("tournament", args=[slug]), reverse("stage", args=[slug, made.stage.uid])):
        yield url, STAMPS.sub("", client.get(url).content.decode())


def _answers(made: Event) -> Iterator[tuple[str, Any]]:
    client = Client()
    client.force_login(made.user)
    for read in READS:
        path = read.format(tournament=made.tournament.uid, stage=made.stage.uid)
        answer = client.get(f"/api/v1/{path}")
        assert answer.status_code == 200, path
        yield path, plain(json.loads(answer.content))


def _sheets(made: Event) -> Iterator[tuple[str, Any]]:
    file = BytesIO()
    with translation.override("en"):
        with snapshot():
            event = read_event(made.tournament, everything=False)
        write_workbook(event, file)
    for sheet in load_workbook(file):
        cells = [[cell.value for cell in row] for row in sheet.iter_rows()]
        hidden = {at for at, heading in enumerate(cells[0]) if heading in COLUMNS}
        yield (
            sheet.title,
            [
                [cell for at, cell in enumerate(row) if at not in hidden]
                for row in cells
                if not LINES & {*row}
            ],
        )


def _rows(made: Event) -> Iterator[tuple[str, Any]]:
    for name, content in taken_apart(archived(made.tournament)).items():
        if name.endswith(".json") and name not in HISTORIES:
            yield name, plain(json.loads(content))
        elif name not in HISTORIES:
            yield name, sorted(json.dumps(row) for row in plain([*map(json.loads, content.splitlines())]))


SURFACES: dict[str, Callable[[Event], Iterator[tuple[str, Any]]]] = {
    "pages": _pages,
    "API": _answers,
    "workbook": _sheets,
    "archive": _rows,
}


def plain(value: Any) -> Any:
    """JSON without history, and without what was taken back."""
    if isinstance(value, dict):
        dropped = HISTORY | {"uid"} if value.keys() & UNNAMED else HISTORY
        found = {key: plain(inner) for key, inner in value.items() if key not in dropped}
        leavers = {key: sorted(found[key]) for key in LEAVERS if isinstance(found.get(key), list)}
        return found | leavers
    if isinstance(value, list):
        rows = [plain(row) for row in value if not (isinstance(row, dict) and row.get("withdrawn") is True)]
        by_history = rows and isinstance(rows[0], dict) and WITHOUT_ORDER & rows[0].keys()
        return sorted(rows, key=json.dumps) if by_history else rows
    return value
