"""The demo events are made by actions and made once; tests/practice/demo/test_event.py looks at them."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from tests.depth import dear
from tournament import actions
from tournament.models import Stage, Tournament, User
from tournament.practice import DEMO, demo
from tournament.practice.demo import play, read
from tournament.results.answer import stage_results

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
SHEETS = Path(__file__).parents[3] / "fixtures" / "demo"


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the demo's events the smallest alone, for what is asked of its account."""
    monkeypatch.setattr(demo, "DEMO_EVENTS", ("open",))


@pytest.mark.parametrize("stopped_after", [0, 3, 13, *dear(1, 8)])
@pytest.mark.sweep
def test_demo_interrupted_goes_on_where_it_stopped(
    monkeypatch: pytest.MonkeyPatch, stopped_after: int
) -> None:
    """An interrupted and resumed event has the same sheets as one made in one go."""
    referee = User.objects.create(username="referee", is_staff=True)
    for name in demo.DEMO_EVENTS:
        event = read(name)
        short = read(name)
        short.data = {**short.data, "steps": short.data["steps"][:stopped_after]}
        play(short, referee)
        play(event, referee)
    assert {slug: sheets_of(slug) for slug in demo.DEMO_EVENTS} == {
        slug: json.loads((SHEETS / f"{slug}.sheets.json").read_text()) for slug in demo.DEMO_EVENTS
    }


@pytest.mark.sweep
def test_demo_beside_an_event_that_has_its_address() -> None:
    """An organiser may have taken the address before; the demo takes another."""
    user = User.objects.create(username="somebody", is_staff=True)
    actions.create_tournament(
        actions.Command(DEMO, user),
        DEMO,
        name="Mine",
        starts_on=timezone.localdate(),
        ruleset="kpgut-2016",
        slug="demo-kpgut",
    )
    call_command("make_demo")
    assert Tournament.objects.count() == 1 + len(demo.DEMO_EVENTS)


def sheets_of(name: str) -> list[dict[str, Any]]:
    """The score sheets of a demo event, stage by stage, as bridge.py writes them."""
    stages = Stage.objects.select_related("tournament").filter(tournament__uid=read(name).uid)
    return [results.sheet.data for one in stages for results in stage_results(one)]


@pytest.mark.usefixtures("few")
def test_sign_in_words_only_once_the_demo_is_made() -> None:
    assert demo.sign_in_words() is None
    call_command("make_demo")
    words = demo.sign_in_words()
    assert words is not None
    password = words.rsplit(" ", 1)[1]
    referee = User.objects.get(username="referee")
    assert referee.check_password(password)


@pytest.mark.usefixtures("few")
def test_sign_in_words_after_the_password_was_changed() -> None:
    call_command("make_demo")
    referee = User.objects.get(username="referee")
    old = demo.password_path().read_text().strip()
    referee.set_password("another one")
    referee.save()
    words = demo.sign_in_words()
    assert words is not None
    assert old not in words


@pytest.mark.usefixtures("few")
def test_password_file_is_for_its_owner_only() -> None:
    call_command("make_demo")
    assert stat.S_IMODE(demo.password_path().stat().st_mode) == 0o600
    assert User.objects.get(username="referee").is_staff
    assert not User.objects.get(username="referee").is_superuser


@pytest.mark.usefixtures("few")
def test_password_file_lost_gives_a_new_password() -> None:
    call_command("make_demo")
    demo.password_path().unlink()
    assert demo.sign_in_words() is None
    call_command("make_demo")
    words = demo.sign_in_words()
    assert words is not None
    assert User.objects.get(username="referee").check_password(words.rsplit(" ", 1)[1])


@pytest.mark.usefixtures("few")
def test_somebody_who_is_called_referee_keeps_their_account() -> None:
    person = User.objects.create_user("referee", password="my own")
    call_command("make_demo")
    person.refresh_from_db()
    assert person.check_password("my own")
    assert not person.is_staff
    words = demo.sign_in_words()
    assert words is not None
    assert "demo-referee-2" in words
