"""The demo events: made by actions, made once, and what their score sheets say."""

import json
import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from scoring import score
from tournament import actions, demo
from tournament.demo.event import play, read
from tournament.facts import facts_of
from tournament.models import Decision, Entry, LedgerRow, Play, Seat, Stage, Tournament, User
from tournament.results import stage_results

pytestmark = pytest.mark.django_db
SHEETS = Path(__file__).parents[1] / "fixtures" / "demo"


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


def stage(slug: str, kind: str) -> Stage:
    return Stage.objects.select_related("tournament").get(tournament__slug=slug, kind=kind)


def test_demo_makes_three_events_that_look_current() -> None:
    call_command("demo")
    events = {event.slug: event for event in Tournament.objects.all()}
    assert set(events) == {"demo-kpgut", "demo-mattel", "demo-tite"}
    assert all(
        timedelta(0) <= timezone.localdate() - event.starts_on <= timedelta(3) for event in events.values()
    )
    assert {event.state for event in events.values()} == {"running"}
    assert all(event.listed for event in events.values())


def test_demo_session_has_every_outcome() -> None:
    call_command("demo")
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
    call_command("demo")
    (results,) = stage_results(stage("demo-mattel", "match"))
    assert not results.complete
    leader = results.answer.standings[0]
    assert 400 <= leader.points < 500
    last = Play.objects.filter(table__stage__kind="match").last()
    assert last is not None
    assert last.last_cards == {"draw2": 1}
    assert last.drew is not None


def test_demo_championship_has_six_heats_and_a_final_in_progress() -> None:
    call_command("demo")
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


def test_demo_again_does_nothing(data_dir: Path) -> None:
    call_command("demo")
    password = (data_dir / "demo-referee").read_text()
    rows = LedgerRow.objects.count()
    assert demo.make_demo() == 0
    assert LedgerRow.objects.count() == rows
    assert (data_dir / "demo-referee").read_text() == password


@pytest.mark.parametrize("stopped_after", [0, 1, 3, 8, 13])
def test_demo_interrupted_goes_on_where_it_stopped(
    monkeypatch: pytest.MonkeyPatch, stopped_after: int
) -> None:
    """What an interrupted and resumed event says is what one made at a go says."""
    referee = User.objects.create(username="referee", is_staff=True)
    for name in demo.NAMES:
        event = read(name)
        short = read(name)
        short.data = {**short.data, "steps": short.data["steps"][:stopped_after]}
        play(short, referee)
        play(event, referee)
    assert {slug: sheets_of(slug) for slug in demo.NAMES} == {
        slug: json.loads((SHEETS / f"{slug}.sheets.json").read_text()) for slug in demo.NAMES
    }


def test_demo_the_next_day_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    call_command("demo")
    before = {event.slug: facts_of(event) for event in Tournament.objects.all()}
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: tomorrow)
    call_command("demo")
    assert {event.slug: facts_of(event) for event in Tournament.objects.all()} == before


def test_demo_beside_an_event_that_has_its_address() -> None:
    """An organiser may have taken the address before; the demo takes another."""
    user = User.objects.create(username="somebody", is_staff=True)
    actions.create_tournament(
        actions.Command(demo.event.DEMO, user),
        demo.event.DEMO,
        name="Mine",
        starts_on=timezone.localdate(),
        ruleset="kpgut-2016",
        slug="demo-kpgut",
    )
    call_command("demo")
    assert Tournament.objects.count() == 4


def sheets_of(name: str) -> list[dict[str, Any]]:
    """The score sheets of a demo event, stage by stage, as bridge.py writes them."""
    stages = Stage.objects.select_related("tournament").filter(tournament__uid=read(name).uid)
    return [results.sheet.data for one in stages for results in stage_results(one)]


@pytest.mark.parametrize("name", demo.NAMES)
def test_demo_sheets_are_the_golden_ones(name: str) -> None:
    """fixtures/demo/*.sheets.json say what was played; LASTCARD_WRITE=1 writes them anew."""
    call_command("demo")
    path = SHEETS / f"{name}.sheets.json"
    if os.environ.get("LASTCARD_WRITE"):
        path.write_text(json.dumps(sheets_of(name), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    golden = json.loads(path.read_text(encoding="utf-8"))
    assert sheets_of(name) == golden
    for sheet in golden:
        score(sheet)


def test_sign_in_words_only_once_the_demo_is_made() -> None:
    assert demo.sign_in_words() is None
    call_command("demo")
    words = demo.sign_in_words()
    assert words is not None
    password = words.rsplit(" ", 1)[1]
    referee = User.objects.get(username="referee")
    assert referee.check_password(password)


def test_sign_in_words_after_the_password_was_changed() -> None:
    call_command("demo")
    referee = User.objects.get(username="referee")
    old = demo.password_path().read_text().strip()
    referee.set_password("another one")
    referee.save()
    words = demo.sign_in_words()
    assert words is not None
    assert old not in words


def test_password_file_is_for_its_owner_only() -> None:
    call_command("demo")
    assert stat.S_IMODE(demo.password_path().stat().st_mode) == 0o600
    assert User.objects.get(username="referee").is_staff
    assert not User.objects.get(username="referee").is_superuser


def test_password_file_lost_gives_a_new_password() -> None:
    call_command("demo")
    demo.password_path().unlink()
    assert demo.sign_in_words() is None
    call_command("demo")
    words = demo.sign_in_words()
    assert words is not None
    assert User.objects.get(username="referee").check_password(words.rsplit(" ", 1)[1])


def test_somebody_who_is_called_referee_keeps_their_account() -> None:
    person = User.objects.create_user("referee", password="my own")
    call_command("demo")
    person.refresh_from_db()
    assert person.check_password("my own")
    assert not person.is_staff
    words = demo.sign_in_words()
    assert words is not None
    assert "demo-referee-2" in words
