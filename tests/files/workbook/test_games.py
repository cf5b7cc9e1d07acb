"""The sheet of games."""

from collections.abc import Callable
from datetime import timedelta
from unittest import mock
from zoneinfo import ZoneInfo

import pytest

from tests.files.workbook.conftest import Opened, held, upto
from tests.support.factories import (
    running_session,
    started_game,
)
from tournament import actions
from tournament.models import LedgerRow

pytestmark = pytest.mark.django_db

Open = Callable[..., Opened]
ANY = mock.ANY
HELSINKI = ZoneInfo("Europe/Helsinki")


def test_games_have_their_times_as_dates_and_hands_card_by_card(opened: Open) -> None:
    made = running_session(players=2)
    a, b = made.uids
    play = started_game(made, elapsed_s=900)
    made.act(
        actions.end_game,
        play=play,
        version=made.play(play).version,
        ended="early",
        hands={str(a): {"7": 2}, str(b): {"draw2": 1, "0": 1, "wild": 1}},
        elapsed_s=1500,
    )
    book = opened(made)
    stored = made.play(play)
    assert stored.started_at
    started = stored.started_at.astimezone(HELSINKI).replace(tzinfo=None, microsecond=0)
    first, second = [upto(row, "Check") for row in book.rows("Games")]
    entered = first.pop("Last entry (Europe/Helsinki)")
    assert first == {
        "Stage": "Session",
        "Table": 1,
        "Game": 1,
        "State": "entered",
        "Started (Europe/Helsinki)": started,
        "Ended (Europe/Helsinki)": started + timedelta(seconds=1500),
        "Duration": timedelta(minutes=25),
        "How it ended": "stopped early",
        "Start number": 1,
        "Player": "Aino",
        "Outcome": "remaining",
        "Out after": None,
        "Cards left": 2,
        "Place": 1,
        "Points": 65,
        "Place by formula": ANY,
        "Points by formula": ANY,
        "Check": ANY,
    }
    written = LedgerRow.objects.get(tournament=made.tournament, sequence=stored.version).at
    assert entered == written.astimezone(HELSINKI).replace(tzinfo=None, microsecond=0)
    assert (second["Place"], second["Points"], second["Cards left"]) == (2, 70, 3)
    assert book.sheet("Games")["E2"].is_date
    assert held(book) == [("Aino", {"7": 2}), ("Börje", {"0": 1, "Draw 2": 1, "Wild": 1})]
    assert book.rows("Cards")[0] == {
        "Card": "Points",
        **{str(number): number for number in range(10)},
        "Draw 2": 20,
        "Reverse": 20,
        "Skip": 20,
        "Wild": 50,
        "Wild+Draw 4": 50,
    }


def test_a_running_game_is_listed_without_places(opened: Open) -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=130)
    made.act(actions.record_out, play=play, entry=made.uids[0], elapsed_s=125)
    rows = opened(made).rows("Games")
    assert [(row["State"], row["Outcome"], row["Out after"], row["Points"]) for row in rows] == [
        ("running", "out", timedelta(seconds=125), None),
        ("running", "playing", None, None),
        ("running", "playing", None, None),
    ]
