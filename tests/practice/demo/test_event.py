"""The demo events and their score sheets."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from scoring import score
from tests.practice.demo.test_demo import SHEETS, sheets_of
from tests.support.shared import shared_rows
from tournament.models import Decision, Entry, LedgerRow, Play, Seat, Stage, Tournament
from tournament.practice import demo
from tournament.results.answer import stage_results
from tournament.results.facts import facts_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("made")]


@pytest.fixture(scope="module")
def made(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The demo, made once, and the folder where its password lies."""
    folder = tmp_path_factory.mktemp("demo")
    with (
        override_settings(DATA_DIR=folder),
        shared_rows(django_db_blocker, lambda: call_command("make_demo")),
    ):
        yield folder


def stage(slug: str, kind: str) -> Stage:
    return Stage.objects.select_related("tournament").get(tournament__slug=slug, kind=kind)


def test_demo_makes_four_events_that_look_current_one_that_is_over_and_one_to_come() -> None:
    events = {event.slug: event for event in Tournament.objects.all()}
    earlier = events.pop("demo-earlier")
    assert earlier.state == "finished"
    assert timezone.localdate() - earlier.starts_on == timedelta(28)
    coming = events.pop("demo-open")
    assert coming.state == "planned"
    assert coming.starts_on - timezone.localdate() == timedelta(7)
    assert coming.listed
    assert set(events) == {"demo-kpgut", "demo-mattel", "demo-tite", "demo-race"}
    assert all(
        timedelta(0) <= timezone.localdate() - event.starts_on <= timedelta(3) for event in events.values()
    )
    assert {event.state for event in events.values()} == {"running"}
    assert all(event.listed for event in events.values())


def test_demo_session_has_every_outcome() -> None:
    games = Play.objects.filter(table__stage=stage("demo-kpgut", "session"))
    assert games.filter(state="entered").count() >= 6
    assert set(games.values_list("ended", flat=True)) == {"last", "time", "early"}
    assert games.get(state="void").number == 5
    outcomes = set(games.values_list("results__outcome", flat=True))
    assert outcomes == {"out", "last", "remaining", "gave_up", "ejected"}
    assert list(Entry.objects.filter(state="disqualified").values_list("public_name", flat=True)) == [
        "Leo Järvinen"
    ]
    assert LedgerRow.objects.get(action="void_play").note.text


def test_demo_match_is_one_round_from_its_end() -> None:
    (results,) = stage_results(stage("demo-mattel", "match"))
    assert not results.complete
    leader = results.answer.standings[0]
    assert 400 <= leader.points < 500
    last = Play.objects.filter(table__stage__kind="match").last()
    assert last is not None
    assert last.last_cards == {"draw2": 1}
    assert last.drew is not None


def test_demo_championship_has_six_heats_and_a_final_in_progress() -> None:
    (heats,) = stage_results(stage("demo-tite", "heats"))
    assert len(heats.answer.rounds) == len(heats.answer.finalists) == 6
    final = stage("demo-tite", "final")
    seated = set(Seat.objects.filter(table__stage=final).values_list("entry__public_name", flat=True))
    through = {heats.names[uid] for uid in heats.answer.finalists}
    decided = Decision.objects.get(stage=final).entry.public_name
    assert seated == (through - {"Juho Pitkänen"}) | {decided}
    (results,) = stage_results(final)
    assert results.answer.rounds
    assert not results.complete


def test_demo_race_is_one_game_from_its_end_after_two_games_in_other_company() -> None:
    (results,) = stage_results(stage("demo-race", "race"))
    assert [len(answer.results) for answer in results.answer.rounds] == [3] * 8
    assert [row.status for row in results.answer.standings].count("ranked") == 6
    assert Play.objects.get(table__stage__kind="race", ended="time").drew is None


def test_demo_takes_whoever_registers() -> None:
    """The way goes from the list of tournaments over the event's page and its form to a page of one's own."""
    visitor = Client()
    event = Tournament.objects.get(slug="demo-open")
    assert "Registration is open" in visitor.get("/en/").content.decode()
    join = reverse("join", args=[event.slug])
    assert f'href="{join}"' in visitor.get(reverse("tournament", args=[event.slug])).content.decode()
    typed = {"command": str(uuid4()), "public_name": "Nea", "terms": "on"}
    own = visitor.post(join, typed, follow=True)
    assert own.status_code == 200
    entry = Entry.objects.get(tournament=event, public_name="Nea")
    assert entry.state == Entry.State.REGISTERED


def test_demo_again_does_nothing(made: Path) -> None:
    password = (made / "demo-referee").read_text()
    rows = LedgerRow.objects.count()
    assert demo.make_demo() == 0
    assert LedgerRow.objects.count() == rows
    assert (made / "demo-referee").read_text() == password


def test_demo_the_next_day_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {event.slug: facts_of(event) for event in Tournament.objects.all()}
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: tomorrow)
    call_command("make_demo")
    assert {event.slug: facts_of(event) for event in Tournament.objects.all()} == before


@pytest.mark.parametrize("name", demo.DEMO_EVENTS)
def test_demo_sheets_are_the_golden_ones(name: str) -> None:
    """fixtures/demo/*.sheets.json hold the demo events' score sheets; LASTCARD_WRITE=1 writes them again."""
    path = SHEETS / f"{name}.sheets.json"
    if os.environ.get("LASTCARD_WRITE"):
        path.write_text(json.dumps(sheets_of(name), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    golden = json.loads(path.read_text(encoding="utf-8"))
    assert sheets_of(name) == golden
    for sheet in golden:
        score(sheet)
