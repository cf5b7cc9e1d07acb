"""Whether somebody may register or check in at a moment, and whether there is room."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.arriving import opened, registered
from tournament import actions
from tournament.models import Entry, Player, Registration, Tournament
from tournament.queries.registration import (
    check_in_now,
    check_in_off_day,
    hide_minor,
    is_announced,
    is_open,
    place_in_line,
    places_left,
    registration_of,
)

NOON = datetime(2026, 5, 9, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def registration(state: str = "planned", **facts: Any) -> Registration:
    return Registration(tournament=Tournament(state=state, starts_on=NOON.date()), **facts)


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({}, False),
        ({"opened": True}, True),
        ({"opened": True, "closes_at": NOON}, False),
        ({"opened": True, "closes_at": NOON + HOUR}, True),
        ({"opened": True, "state": "finished"}, False),
    ],
)
def test_registration_is_open_from_its_opening_to_its_time(facts: dict[str, Any], found: bool) -> None:
    assert is_open(registration(**facts), NOON) is found


def test_a_form_is_announced_past_its_time_too_but_not_in_a_finished_event() -> None:
    assert is_announced(registration(opened=True, closes_at=NOON - HOUR))
    assert not is_announced(registration(opened=True, state="finished"))
    assert not is_announced(registration())


@pytest.mark.parametrize(
    ("opens", "closes", "state", "found"),
    [
        (None, None, "planned", "off"),
        (NOON + HOUR, None, "planned", "before"),
        (NOON, NOON + HOUR, "planned", "open"),
        (None, NOON + HOUR, "planned", "open"),
        (None, NOON, "planned", "after"),
        (None, NOON + 48 * HOUR, "planned", "open"),
        (NOON - HOUR, None, "finished", "after"),
    ],
)
def test_players_check_themselves_in_between_two_times(
    opens: datetime | None, closes: datetime | None, state: str, found: str
) -> None:
    made = registration(state, check_in_from=opens, check_in_until=closes)
    assert check_in_now(made, NOON).state == found


def test_check_in_without_a_beginning_begins_with_the_day_of_the_event() -> None:
    made = registration(check_in_until=NOON + HOUR)
    found = check_in_now(made, NOON - 24 * HOUR)
    assert (found.state, found.opens) == ("before", datetime(2026, 5, 9, tzinfo=made.tournament.zone))


@pytest.mark.parametrize(
    ("opens", "closes", "found"),
    [
        (None, None, ""),
        (NOON, NOON + HOUR, ""),
        (None, NOON + HOUR, ""),
        (NOON - 24 * HOUR, NOON + HOUR, "before"),
        (NOON - 48 * HOUR, NOON - 24 * HOUR, "not"),
        (NOON + 24 * HOUR, None, "not"),
        (None, NOON - 24 * HOUR, "not"),
    ],
)
def test_check_in_that_is_not_on_the_day_is_noticed(
    opens: datetime | None, closes: datetime | None, found: str
) -> None:
    assert check_in_off_day(registration(check_in_from=opens, check_in_until=closes)) == found


@pytest.mark.parametrize(
    ("born", "guardian", "name"),
    [(2010, False, "Player 7"), (1990, False, "Aino M"), (None, False, "Aino M"), (None, True, "Player 7")],
)
def test_a_minor_whose_real_name_would_be_shown_has_a_number(
    born: int | None, guardian: bool, name: str
) -> None:
    entry = Entry(
        tournament=Tournament(starts_on=NOON.date(), language="en"),
        player=Player(birth_date=NOON.date().replace(year=born) if born else None),
        guardian=guardian,
        start_number=7,
        public_name="Aino M",
    )
    hide_minor(entry, "aino  m")
    assert entry.public_name == name


def test_a_minors_nickname_is_theirs_to_choose() -> None:
    entry = Entry(tournament=Tournament(), player=Player(), guardian=True, public_name="Ace")
    hide_minor(entry, "Aino M")
    assert entry.public_name == "Ace"


@pytest.mark.django_db
def test_places_are_left_until_the_limit_and_the_others_wait_in_line() -> None:
    made = opened()
    assert places_left(registration_of(made.tournament)) is None
    opened(made, most=2)
    waiting = [registered(made, name) for name in "ABCD"][2:]
    assert places_left(registration_of(made.tournament)) == 0
    assert [place_in_line(Entry.objects.get(uid=uid)) for uid in waiting] == [1, 2]
    made.act(actions.set_registration, opened=True, most=1)
    assert places_left(registration_of(made.tournament)) == 0
