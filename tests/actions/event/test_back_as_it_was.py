"""An event that was put away comes back as it was: every fact, public page and cell of the workbook is the same, and
the archive but for its two ledger rows, the head and the time.

Asked of each demo event and of each that was stopped somewhere on its way, of small events of every kind, and of
evenings on which anything was pressed.
"""

import json
import re
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import given, strategies as st
from openpyxl import load_workbook

from tests.actions.event.undo.test_any_evening import Evening
from tests.depth import dear, examples
from tests.support.archives import Files, archived, taken_apart
from tests.support.crawler import crawl
from tests.support.factories import UserFactory, add_stage, event, recorded_heat
from tournament import actions
from tournament.actions import Command
from tournament.ledger.verify import verify
from tournament.models import LEDGER_KINDS, LedgerRow, Tournament, User
from tournament.practice import demo
from tournament.practice.demo import play, read
from tournament.results import facts_of

pytestmark = [pytest.mark.django_db, pytest.mark.sweep]
# The ledger's end as a page says it; the ledger's own pages, which have two rows more.
LEDGER = re.compile(r"(?i)\b[0-9a-f]{12,64}\b|row \d+|\bledger/\?\S*")
OF_THE_LEDGER = re.compile(r"/ledger|\.(xlsx|zip)|/results/\d+/")
OF_NOW = {"exported_at", "ledger_row", "ledger_hash"}
ROWS, TOURNAMENT, ABOUT = "rows/ledgerrow.jsonl", "rows/tournament.jsonl", "manifest.json"


@dataclass(frozen=True)
class Everything:
    """All that an event says at one moment: its facts, its public pages, its workbook's cells and its archive."""

    facts: dict[tuple[str, str], Any]
    pages: dict[str, str]
    cells: list[list[Any]]
    files: Files


def everything(tournament: Tournament, *, linked: bool = True) -> Everything:
    """Read an event again; of its public pages only the event's own unless `linked`."""
    tournament = Tournament.objects.get(pk=tournament.pk)
    facts = {
        (kind, str(row.uid)): facts_of(row)
        for kind, model in LEDGER_KINDS.items()
        for row in model._default_manager.filter(**{model.FIELDS.of: tournament.pk})
    }
    page = reverse("tournament", args=[tournament.slug])
    pages = {
        address: LEDGER.sub("", answer.said)
        for address, answer in crawl(page, follow=linked, languages=("en",)).items()
        if not OF_THE_LEDGER.search(address)
    }
    content = Client().get(reverse("data", args=[tournament.slug])).getvalue()
    sheets = load_workbook(BytesIO(content)).worksheets
    cells = [list(row) for sheet in sheets for row in sheet.iter_rows(values_only=True)]
    return Everything(facts, pages, cells, taken_apart(archived(tournament)))


def assert_back_as_it_was(tournament: Tournament, organiser: User, *, linked: bool = True) -> Everything:
    "Hide the event and bring it back; nothing else about it may have changed. Gives what it was."
    was = everything(tournament, linked=linked)
    rows = LedgerRow.objects.filter(tournament=tournament).count()
    for action in (actions.put_away, actions.bring_back):
        action(Command(uuid4(), organiser), tournament.uid)
    then = everything(tournament, linked=linked)
    assert then.facts == was.facts
    assert then.pages == was.pages
    changed = [str(cells[2]) for cells, before in zip(then.cells, was.cells, strict=True) if cells != before]
    assert {*changed} <= OF_NOW
    assert_archives_differ_by_two_rows(was.files, then.files)
    assert LedgerRow.objects.filter(tournament=tournament).count() == rows + 2
    assert verify(Tournament.objects.get(pk=tournament.pk)) == []
    return was


def assert_archives_differ_by_two_rows(files: Files, then: Files) -> None:
    """Two archives are the same but for the last two ledger rows, the head and the time."""
    differ = {name for name in files.keys() | then.keys() if files.get(name) != then.get(name)}
    assert differ == {ROWS, TOURNAMENT, ABOUT}
    assert then[ROWS].splitlines()[:-2] == files[ROWS].splitlines()
    one, other = (json.loads(each[TOURNAMENT]) for each in (files, then))
    assert {name for name in one if one[name] != other[name]} == {"version", "ledger_head"}
    one, other = (json.loads(each[ABOUT]) for each in (files, then))
    assert {name for name in one if one[name] != other[name]} == {"files", "ledger", "made_at"}


def demo_event(name: str, steps: int | None = None) -> tuple[Tournament, User]:
    """The demo event of that name, as far as so many of its steps, and its organiser."""
    script, referee = read(name), UserFactory(is_staff=True)
    script.data = {**script.data, "steps": script.data["steps"][:steps]}
    play(script, referee)
    return Tournament.objects.get(uid=script.uid), referee


@pytest.mark.parametrize("name", [demo.DEMO_EVENTS[0], *dear(*demo.DEMO_EVENTS[1:])])
def test_demo_event_comes_back_as_it_was(name: str) -> None:
    was = assert_back_as_it_was(*demo_event(name))
    assert len(was.pages) > 10  # its stages, players and tables too
    assert len(was.facts) > 5


@examples(24)
@given(st.data())
def test_demo_event_that_was_stopped_anywhere_comes_back_as_it_was(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(demo.DEMO_EVENTS))
    steps = data.draw(st.integers(1, len(read(name).data["steps"])))
    with transaction.atomic():
        assert_back_as_it_was(*demo_event(name, steps), linked=False)
        transaction.set_rollback(True)


@examples(24)
@given(seed=st.integers(0, 2**32), presses=st.integers(0, 30))
def test_evening_on_which_anything_was_pressed_comes_back_as_it_was(seed: int, presses: int) -> None:
    with transaction.atomic():
        evening = Evening(seed)
        for _press in range(presses):
            evening.press()
        assert_back_as_it_was(evening.made.tournament, evening.made.user)
        transaction.set_rollback(True)


@examples(6)
@given(
    kind=st.sampled_from(["heats", "match", "session"]),
    rehearsal=st.booleans(),
    players=st.integers(4, 8),
    plays=st.booleans(),
)
def test_small_event_comes_back_as_it_was(kind: str, rehearsal: bool, players: int, plays: bool) -> None:
    ruleset = {"heats": "tite-2022", "match": "mattel-112", "session": "kpgut-2016"}[kind]
    with transaction.atomic():
        made = event(ruleset, players=players, rehearsal=rehearsal, name="Cup")
        add_stage(made, kind, tables=1, start=plays)
        if plays and kind == "heats":
            recorded_heat(made)
        assert_back_as_it_was(made.tournament, made.user)
        transaction.set_rollback(True)
