"""Events that are put away are gone from everybody's pages, and come back as they were; one in which nothing was played
can be deleted. A rehearsal is never listed."""

import json
import re
from datetime import date
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import given, strategies as st
from openpyxl import load_workbook

from tests.depth import examples
from tests.support.archives import Files, archived, taken_apart
from tests.support.asking_actions import refusal
from tests.support.crawler import NOISE
from tests.support.factories import Event, add_stage, event, recorded_heat
from tournament import actions
from tournament.actions import Command
from tournament.ledger.verify import verify
from tournament.live.poller import read_versions
from tournament.models import Entry, LedgerRow, Player, Tournament, User
from tournament.results import facts_of
from tournament.results.faults import Forbidden, Refused
from tournament.views.desk.my_tables import tables_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def rehearsal(db: None) -> Event:
    """Heats that are rehearsed, one of them played."""
    made = event("tite-2022", players=6, name="Cup", rehearsal=True)
    add_stage(made, "heats", tables=2)
    recorded_heat(made)
    return made.refresh()


def put_away(made: Event) -> Tournament:
    made.act(actions.put_away)
    return made.refresh().tournament


def public_pages(made: Event) -> list[str]:
    slug = made.tournament.slug
    return [
        reverse("tournament", args=[slug]),
        reverse("stage", args=[slug, made.stage.uid]),
        reverse("entry", args=[slug, made.entries[0].uid]),
        reverse("workbook", args=[slug]),
    ]


@pytest.mark.beside
def test_rehearsal_is_never_listed(rehearsal: Event) -> None:
    assert (rehearsal.tournament.rehearsal, rehearsal.tournament.listed) == (True, False)
    assert rehearsal.tournament.slug == "rehearsal-cup-2026"
    details = {"name": "Cup", "starts_on": date(2026, 5, 9)}
    assert refusal(rehearsal, actions.edit_tournament, **details, listed=True) == [
        ("rehearsal_not_listed", "/listed")
    ]
    rehearsal.act(actions.edit_tournament, **details, listed=False)
    Tournament.objects.update(listed=True)  # even where something else would say so
    assert not Tournament.objects.listed().exists()


def test_put_away_hides_every_page(rehearsal: Event) -> None:
    pages = public_pages(rehearsal)
    assert {Client().get(page).status_code for page in pages} == {200}
    put_away(rehearsal)
    assert {Client().get(page).status_code for page in (*pages, *public_pages(rehearsal))} == {404}
    assert not tables_of(rehearsal.user).exists()
    table = Client()
    table.force_login(rehearsal.user)
    assert table.get(reverse("table", args=[rehearsal.table.uid])).status_code == 404
    assert table.get(reverse("organise-board", args=[rehearsal.tournament.slug])).status_code == 404
    assert table.get(reverse("organise-stage", args=[rehearsal.stage.uid])).status_code == 404
    assert verify(rehearsal.tournament) == []


def test_put_away_ends_the_live_scopes(rehearsal: Event) -> None:
    scopes = {str(rehearsal.tournament.uid), str(rehearsal.stage.uid)}
    before = read_versions()
    assert scopes <= before.keys()
    put_away(rehearsal)
    after = read_versions()
    assert not scopes & after.keys()
    assert after["site"] == before["site"] + 1


LEDGER = re.compile(r"(?i)[0-9a-f]{12,64}|row \d+|\bledger/\?\S*")


def all_about(made: Event) -> tuple[list[str], Files, list[list[Any]]]:
    """Every public page without the ledger's end, the archive's files, and the cells of the workbook but for the
    ledger's."""
    *pages, book = public_pages(made)
    texts = [LEDGER.sub("", NOISE.sub("", Client().get(page).content.decode())) for page in pages]
    content: Any = Client().get(book).streaming_content  # type: ignore[attr-defined]
    sheets = load_workbook(BytesIO(b"".join(content))).worksheets
    cells = [list(row) for sheet in sheets for row in sheet.iter_rows(values_only=True)]
    return texts, taken_apart(archived(made.refresh().tournament)), cells


def assert_same_but_for_two_rows(files: Files, then: Files) -> None:
    """Two archives are the same but for the last two ledger rows, the head and the time."""
    named = {"ledger": "rows/ledgerrow.jsonl", "event": "rows/tournament.jsonl", "about": "manifest.json"}
    assert {name for name in files.keys() | then.keys() if files.get(name) != then.get(name)} == {
        *named.values()
    }
    assert then[named["ledger"]].splitlines()[:-2] == files[named["ledger"]].splitlines()
    was, event_then = (json.loads(each[named["event"]]) for each in (files, then))
    assert {name for name in was if was[name] != event_then[name]} == {"version", "ledger_head"}
    about, about_then = (json.loads(each[named["about"]]) for each in (files, then))
    assert {name for name in about if about[name] != about_then[name]} == {"files", "ledger", "made_at"}


@examples(6)
@given(
    kind=st.sampled_from(["heats", "match", "session"]),
    rehearsal=st.booleans(),
    players=st.integers(4, 8),
    plays=st.booleans(),
)
def test_put_away_and_back_leaves_everything_as_it_was(
    kind: str, rehearsal: bool, players: int, plays: bool
) -> None:
    ruleset = {"heats": "tite-2022", "match": "mattel-112", "session": "kpgut-2016"}[kind]
    with transaction.atomic():
        made = event(ruleset, players=players, rehearsal=rehearsal, name="Cup")
        add_stage(made, kind, tables=1, start=plays)
        if plays and kind == "heats":
            recorded_heat(made)
        made.refresh()
        pages, files, cells = all_about(made)
        rows = (made.stage, *made.entries, *made.tables)
        facts = [facts_of(row) for row in rows]
        made.act(actions.put_away)
        made.act(actions.bring_back)
        pages_then, files_then, cells_then = all_about(made)
        rows = (made.stage, *made.entries, *made.tables)
        assert pages_then == pages
        assert {then[0] for then, was in zip(cells_then, cells, strict=True) if then != was} <= {
            "Exported (Europe/Helsinki)",
            "Last row of the ledger",
            "Digest of that row",
        }
        assert [facts_of(row) for row in rows] == facts
        assert_same_but_for_two_rows(files, files_then)
        assert verify(made.tournament) == []
        transaction.set_rollback(True)


@pytest.mark.parametrize("rehearsal", [True, False])
def test_put_away_keeps_the_address(rehearsal: bool) -> None:
    made = event(players=1, rehearsal=rehearsal, slug="cup")
    made.act(actions.put_away)
    made.act(actions.bring_back)
    assert made.tournament.slug == Tournament.objects.get().slug == "cup"


def test_only_bringing_back_is_done_to_what_is_put_away(rehearsal: Event) -> None:
    put_away(rehearsal)
    for action in (actions.put_away, actions.enter_players, actions.finish_stage):
        with pytest.raises(Forbidden):
            rehearsal.act(action)
    rehearsal.act(actions.bring_back)
    assert refusal(rehearsal, actions.bring_back) == [("not_put_away", "")]


def test_put_away_sent_twice_is_answered_twice(rehearsal: Event) -> None:
    command = Command(uuid4(), rehearsal.user)
    first = actions.put_away(command, rehearsal.tournament.uid)
    again = actions.put_away(command, rehearsal.tournament.uid)
    assert (again.sequence, again.replayed) == (first.sequence, True)


def test_organisers_alone_put_away(rehearsal: Event) -> None:
    for action in (actions.put_away, actions.bring_back):
        with pytest.raises(Forbidden):
            action(Command(uuid4(), rehearsal.referee("head_referee")), rehearsal.tournament.uid)


def test_event_in_which_nothing_was_played_is_deleted_with_everything() -> None:
    made = event("tite-2022", players=6)
    add_stage(made, "heats", tables=2)
    referee = made.referee()
    for _time in range(2):
        actions.delete_event(Command(uuid4(), made.user), made.tournament)
    assert not Tournament.objects.exists()
    assert [each.objects.count() for each in (Entry, Player, LedgerRow)] == [0, 0, 0]
    assert User.objects.filter(pk__in=[made.user.pk, referee.pk]).count() == 2


def test_player_of_another_event_stays_when_one_is_deleted() -> None:
    first = event(players=2)
    second = event(user=first.user, organiser=first.tournament.organiser.uid, organiser_name="")
    player = first.entries[0].player
    second.act(actions.enter_players, players=[{"entry": uuid4(), "player": player.uid, "name": "A"}])
    actions.delete_event(Command(uuid4(), first.user), second.tournament)
    assert list(Tournament.objects.all()) == [first.tournament]
    assert Player.objects.count() == 2
    first.tournament.refresh_from_db()
    assert verify(first.tournament) == []


def test_event_that_was_played_is_not_deleted_also_if_all_is_void(rehearsal: Event) -> None:
    with pytest.raises(Refused, match="already_played"):
        actions.delete_event(Command(uuid4(), rehearsal.user), rehearsal.tournament)
    assert Tournament.objects.exists()


@pytest.mark.parametrize("role", ["head_referee", "table_referee"])
def test_organisers_alone_delete(role: str) -> None:
    made = event(players=2)
    with pytest.raises(Forbidden):
        actions.delete_event(Command(uuid4(), made.referee(role)), made.tournament)
    assert Tournament.objects.exists()
