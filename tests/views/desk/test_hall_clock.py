"""The hall's clock on the pages of those who run the room: started from the board by the plan, every button, what was
typed wrongly, and the extra minutes of a table."""

import re
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import (
    Event,
    UserFactory,
    recorded_round,
    running_heats,
    running_match,
    running_race,
    running_session,
)
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import HallClock, Membership, Tournament
from tournament.queries.programme import Plan
from tournament.results import Typed
from tournament.views.desk.hall_clock import _goes_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Event:
    return running_heats(players=8, tables=2)


@pytest.fixture
def browser(made: Event) -> Browser:
    client = Browser()
    client.force_login(made.user)
    return client


def board(made: Event) -> str:
    return reverse("organise-board", args=[made.tournament.slug])


def page(made: Event) -> str:
    return reverse("organise-clock", args=[made.tournament.slug])


def clock() -> HallClock:
    return HallClock.objects.get()


def shown(answer: Any) -> str:
    """The text of the page without its marks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_one_tap_on_the_board_starts_it_by_the_plan(made: Event, browser: Browser) -> None:
    plan = Plan(minutes=35).as_json()
    made.act(actions.set_programme, stages=[{"stage": made.stage.uid, "plan": plan}])
    assert "Start the clock (35 min)" in shown(browser.get(board(made)))
    answer = browser.send(board(made), "/clock/start/")
    assert answer.status_code == 303
    assert answer["Location"].startswith(board(made))
    row = clock()
    assert (row.stage, row.ends_at) == (made.stage, row.started_at + timedelta(minutes=35))
    again = browser.get(answer["Location"])
    text = shown(again)
    assert "Undo" in text
    assert "Stop the clock" in text
    assert "Start the clock" not in text
    assert again.content.decode().count("button--primary") == 1


def test_every_button_leads_back_to_where_it_stands(made: Event, browser: Browser) -> None:
    stage = reverse("organise-stage", args=[made.stage.uid])
    answer = browser.send(stage, "/clock/start/")
    assert answer["Location"].startswith(stage)
    ends_at = clock().ends_at
    assert ends_at is not None
    browser.send(board(made), "/clock/extend/")
    assert clock().ends_at == ends_at + timedelta(minutes=5)
    browser.send(board(made), "/clock/pause/")
    assert clock().held_at is not None
    assert "Paused" in shown(browser.get(stage))
    browser.send(page(made), "/clock/resume/")
    assert clock().held_at is None
    answer = browser.send(page(made), "/clock/stop/")
    assert answer["Location"].startswith(page(made))
    assert not HallClock.objects.exists()


def test_its_own_page_asks_for_minutes_and_the_last_hand(made: Event, browser: Browser) -> None:
    browser.send(page(made), "/clock/start/", minutes="12", last_hand="2")
    row = clock()
    assert (row.ends_at, row.last_hand) == (row.started_at + timedelta(minutes=12), 2)


@pytest.mark.parametrize("minutes", ["", "0", "many", "601", "-5", "1" * 30])
def test_minutes_that_are_none_are_refused_at_their_field(
    made: Event, browser: Browser, minutes: str
) -> None:
    answer = browser.send(page(made), "/clock/start/", minutes=minutes, last_hand="5")
    text = answer.content.decode()
    assert answer.status_code == 422
    assert 'id="id_minutes_error"' in text
    assert not minutes or f'value="{minutes}"' in text
    assert re.search(r'name="last_hand" value="5"\s+checked', text)
    assert not HallClock.objects.exists()


def test_a_break_until_a_time_of_day(made: Event, browser: Browser) -> None:
    zone = made.tournament.zone
    later = timezone.localtime(timezone.now() + timedelta(minutes=90), zone)
    browser.send(page(made), "/clock/pause/", goes_on_at=f"{later:%H:%M}")
    row = clock()
    assert row.stage is None
    assert row.goes_on_at == later.replace(second=0, microsecond=0)
    text = shown(browser.get(board(made)))
    assert f"Play resumes at {later.hour}:{later:%M}." in text
    assert "Start the clock (20 min)" in text
    browser.send(board(made), "/clock/resume/")
    assert not HallClock.objects.exists()


@pytest.mark.parametrize(
    ("now", "typed", "goes_on_at"),
    [
        ("2026-10-25T00:10", "3:30", "2026-10-25T00:30"),
        ("2026-10-25T00:40", "3:30", "2026-10-25T01:30"),
        ("2026-10-25T00:40", "4:30", "2026-10-25T02:30"),
        ("2026-10-24T21:30", "0:15", "2026-10-25T22:15"),
        ("2027-03-28T00:40", "4:10", "2027-03-28T01:10"),
        ("2027-03-28T00:40", "3:30", "2027-03-29T00:30"),
    ],
)
def test_a_time_of_day_is_the_next_one_that_the_clocks_show(
    monkeypatch: pytest.MonkeyPatch, now: str, typed: str, goes_on_at: str
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: datetime.fromisoformat(f"{now}+00:00"))
    read = _goes_on(Typed({"goes_on_at": typed}), Tournament(time_zone="Europe/Helsinki"))
    assert read == datetime.fromisoformat(f"{goes_on_at}+00:00")


@pytest.mark.parametrize("typed", ["soon", "25:00", "19:60", "1930", "19:30:00:00"])
def test_a_time_that_is_none_is_refused_at_its_field(made: Event, browser: Browser, typed: str) -> None:
    answer = browser.send(page(made), "/clock/pause/", goes_on_at=typed)
    assert answer.status_code == 422
    assert 'id="id_goes_on_at_error"' in answer.content.decode()
    assert f'value="{typed}"' in answer.content.decode()


def test_a_time_that_passed_a_moment_ago_is_no_break_of_a_day(made: Event, browser: Browser) -> None:
    before = timezone.localtime(timezone.now() - timedelta(minutes=2), made.tournament.zone)
    answer = browser.send(page(made), "/clock/pause/", goes_on_at=f"{before:%H:%M}")
    assert answer.status_code == 422
    assert "Choose a time in the next 12 hours." in shown(answer)


def test_two_who_start_it_at_once_start_one(made: Event, browser: Browser) -> None:
    forms = [browser.get(board(made)) for _ in range(2)]
    assert len({form.content for form in forms}) == 2
    browser.send(board(made), "/clock/start/")
    started_at = clock().started_at
    late = {"command": str(uuid4()), "stage": str(made.stage.uid), "minutes": "20", "back": "board"}
    answer = browser.post(f"{page(made)}start/", late)
    assert answer.status_code == 422
    assert "A clock is already running." in shown(answer)
    assert clock().started_at == started_at


def test_a_form_that_is_reloaded_leads_to_the_page(made: Event, browser: Browser) -> None:
    assert browser.get(f"{page(made)}stop/")["Location"] == page(made)
    assert browser.get(f"{page(made)}wind/").status_code == 404


def test_a_session_has_breaks_and_no_clock_of_the_room() -> None:
    made = running_session()
    client = Browser()
    client.force_login(made.user)
    text = shown(client.get(board(made)))
    assert "Start the clock" not in text
    client.send(page(made), "/clock/pause/")
    table = shown(client.get(reverse("table", args=[made.table.uid])))
    assert "Play resumes at" in table
    assert "More time" not in table


def test_a_planned_event_has_none(browser: Browser) -> None:
    made = running_heats(players=8, tables=2)
    made.act(actions.undo, row=made.tournament.version)
    client = Browser()
    client.force_login(made.user)
    assert 'id="hall-clock"' not in client.get(board(made)).content.decode()
    assert "once a stage is being played" in shown(client.get(page(made)))


# ---- one table ----


def at_table(made: Event) -> Browser:
    user = UserFactory()
    made.act(
        actions.grant_role,
        membership=uuid4(),
        user=user.uid,
        role=Membership.Role.TABLE_REFEREE,
        table=made.table.uid,
    )
    client = Browser()
    client.force_login(user)
    return client


def start(made: Event, minutes: int = 20) -> datetime:
    made.act(actions.start_hall_clock, stage=made.stage.uid, minutes=minutes)
    ends_at = clock().ends_at
    assert ends_at is not None
    return ends_at


def test_a_tables_referee_gives_it_more_time(made: Event) -> None:
    start(made)
    referee, table = at_table(made), reverse("table", args=[made.table.uid])
    minutes = reverse("table-minutes", args=[made.table.uid])
    assert minutes in referee.get(table).content.decode()
    answer = referee.send(minutes, "/minutes/", minutes="5")
    assert answer["Location"].startswith(table)
    assert clock().extra == {str(made.table.number): 5}
    assert "5 more minutes" in shown(referee.get(table))
    assert "No extra time" in shown(referee.get(minutes))
    other = reverse("table-minutes", args=[made.tables[1].uid])
    assert referee.get(other).status_code == 404


@pytest.mark.parametrize("minutes", ["", "121", "x"])
def test_minutes_of_a_table_are_refused_at_their_field(made: Event, minutes: str) -> None:
    start(made)
    where = reverse("table-minutes", args=[made.table.uid])
    answer = at_table(made).send(where, "/minutes/", minutes=minutes)
    assert answer.status_code == 422
    assert 'id="id_minutes_error"' in answer.content.decode()
    assert clock().extra == {}


def test_without_a_clock_a_table_gets_no_time(made: Event) -> None:
    where = reverse("table-minutes", args=[made.table.uid])
    assert "No clock is running here." in shown(at_table(made).get(where))


def test_who_leads_comes_back_to_the_clock(made: Event, browser: Browser) -> None:
    start(made)
    where = reverse("table-minutes", args=[made.table.uid]) + "?room"
    assert where in browser.get(page(made)).content.decode()
    answer = browser.post(where, {"command": str(uuid4()), "minutes": "5"})
    assert answer["Location"].startswith(page(made))


# ---- everybody's pages ----


def test_everybody_sees_it_until_its_stage_is_over(made: Event) -> None:
    ends_at = start(made)
    made.act(actions.give_table_minutes, table=made.table.uid, minutes=5)
    slug = made.tournament.slug
    mine, other = (made.at(table)[0] for table in made.tables)
    public = {
        "event": reverse("tournament", args=[slug]),
        "stage": reverse("stage", args=[slug, made.stage.uid]),
        "mine": reverse("entry", args=[slug, mine]),
        "other": reverse("entry", args=[slug, other]),
    }

    def ends(address: str) -> list[datetime]:
        text = Client().get(address).content.decode()
        return [
            datetime.fromtimestamp(float(at), ends_at.tzinfo)
            for at in re.findall(r'data-ends="([0-9.]+)"', text)
        ]

    longer = ends_at + timedelta(minutes=5)
    assert {name: ends(address) for name, address in public.items()} == {
        "event": [ends_at],
        "stage": [ends_at],
        "mine": [longer],
        "other": [ends_at],
    }
    assert ends(reverse("clock", args=[slug])) == [ends_at, longer]
    made.act(actions.stop_hall_clock)
    assert not any(ends(address) for address in public.values())


def test_the_part_that_all_read_tells_at_which_table_something_was_entered() -> None:
    """The mark of a table changes with each play, seat and role there, and with nothing else; its page knows it."""
    made = running_session(players=6, tables=2)
    client = Client()
    client.force_login(made.user)
    here, there = made.tables
    game, (first, second, *_others) = uuid4(), made.at(here)

    def marks() -> list[str]:
        text = client.get(reverse("clock", args=[made.tournament.slug])).content.decode()
        [found] = re.findall(rf'<data value="{made.stage.uid}" data-marks="([^"]*)">', text)
        return list(found.split())

    entered: list[tuple[Any, dict[str, Any]]] = [
        (actions.start_game, {"table": here.uid, "play": game, "number": 1, "entries": made.at(here)}),
        (actions.record_out, {"play": game, "entry": first, "elapsed_s": 0}),
        (actions.take_back, {"play": game, "entry": first}),
        (actions.name_roles, {"table": here.uid, "oldest": first, "youngest": second}),
    ]
    before = marks()
    for action, arguments in entered:
        made.act(action, **arguments)
        after = marks()
        assert (after[0] == before[0], after[1:]) == (False, before[1:]), action
        before = after
    for table, mark in zip((here, there), before, strict=True):
        assert f'data-mark="{mark}"' in client.get(reverse("table", args=[table.uid])).content.decode()


def test_the_bell_says_what_follows_and_one_tap_stops_the_matches(browser: Browser) -> None:
    match, race = running_match(players=4, tables=2), running_race(4)
    for made in (match, race):
        browser.force_login(made.user)
        made.act(actions.start_hall_clock, stage=made.stage.uid, minutes=5)
    assert (
        "Count the cards in each hand." in browser.get(f"/en/desk/table/{race.table.uid}/").content.decode()
    )
    recorded_round(match)
    assert "Stop 1 match" not in shown(browser.get(board(match)))
    HallClock.objects.update(ends_at=timezone.now())
    browser.force_login(match.user)
    answer = browser.get(board(match))
    assert "the round under way does not count" in answer.content.decode()
    browser.send(board(match), "/clock/bell/")
    assert [table.stopped for table in match.refresh().tables] == [True, False]
    assert "Stop 1 match" not in shown(browser.get(board(match)))
