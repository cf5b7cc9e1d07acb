"""Moments of play lie neither before their stage began nor after now, whatever tells them: what was typed is refused,
a live entry is stored at the bound."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.api.sending import send
from tests.support.asking_actions import refusal
from tests.support.factories import Event, running_session, started_game
from tournament import actions
from tournament.models import LedgerRow

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("real_moments")]

DAY_S = 26 * 3600


def begun(made: Event) -> datetime:
    """The moment in which the stage started."""
    return LedgerRow.objects.get(tournament=made.tournament, action="start_stage").at


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Set the server's clock to so many seconds after the stage began."""

    def set_to(made: Event, seconds: float) -> datetime:
        at = begun(made) + timedelta(seconds=seconds)
        monkeypatch.setattr("tournament.actions.kernel.work.now", lambda: at)
        return at

    return set_to


def starts(made: Event, table: int, **told: Any) -> dict[str, Any]:
    """The arguments that start the first game of a table."""
    row = made.tables[table]
    return {"table": row.uid, "play": uuid4(), "number": 1, "entries": made.at(row), **told}


# ---- starts ----

STARTS = [  # what is told ten minutes after the stage began, and how many seconds after that the game began
    ({"late_s": DAY_S}, 0),
    ({"late_s": 2_000_000_000}, 0),
    ({"late_s": 400}, 200),
    ({"late_s": 630}, -30),  # as if it were typed in full minutes
    ({"late_s": -5000}, 600),
    ({"elapsed_s": 300, "late_s": 200}, 100),
]


def test_a_live_start_lies_between_its_stages_and_now(client: Client, later: Any) -> None:
    made = running_session(players=2 * len(STARTS) + 2, tables=len(STARTS) + 1)
    later(made, 600)
    for table, (told, after_s) in enumerate(STARTS):
        asked = starts(made, table, **told)
        assert send(client, made, "start_game", asked).status_code < 300
        game = made.play(asked["play"])
        assert game.started_at == begun(made) + timedelta(seconds=after_s), told
    never = starts(made, len(STARTS), elapsed_s=1200)
    refused = send(client, made, "start_game", never)
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "start_before_stage")
    assert refusal(made, actions.start_game, **never) == [("start_before_stage", "/elapsed_s")]


def test_a_start_is_put_right_only_to_a_moment_of_its_stage(later: Any) -> None:
    made = running_session(players=3)
    later(made, 600)
    play = started_game(made)
    later(made, 700)
    asked = {"play": play, "reason": "tapped late"}
    for told in ({"elapsed_s": 1200}, {"earlier_s": 900}):
        assert refusal(made, actions.set_game_start, **asked, **told) == [
            ("start_before_stage", "/elapsed_s")
        ]
    made.act(actions.set_game_start, **asked, earlier_s=600)
    assert made.play(play).started_at == begun(made)


# ---- taps, ends, whole games ----


def test_nobody_is_out_later_than_the_games_clock_shows(client: Client, later: Any) -> None:
    made = running_session(players=5)
    later(made, 600)
    play = started_game(made)
    later(made, 700)
    first, second, third, *_others = made.uids
    path = f"/results/{first}/elapsed_s"
    for action in (actions.record_out, actions.record_give_up):
        assert refusal(made, action, play=play, entry=first, elapsed_s=106) == [("elapsed_in_future", path)]
    more = {"play": play, "reason": "marked cards"}
    assert refusal(made, actions.eject_player, entry=first, elapsed_s=200, **more) == [
        ("elapsed_in_future", path)
    ]
    ends = {"play": play, "ended": "early", "hands": {}, "version": made.play(play).version}
    assert refusal(made, actions.end_game, **ends, elapsed_s=200) == [("elapsed_in_future", "/elapsed_s")]
    assert (
        send(client, made, "record_out", {"play": play, "entry": first, "elapsed_s": 1200}).status_code == 422
    )
    made.act(
        actions.record_out, play=play, entry=second, elapsed_s=105
    )  # a program's clock is a little ahead
    made.act(actions.record_out, play=play, entry=third, elapsed_s=0)


def test_a_whole_game_is_entered_in_its_stage_and_was_over_by_now(client: Client, later: Any) -> None:
    made = running_session(players=2)
    at = later(made, 600)
    results = [
        {"entry": made.uids[0], "outcome": "out", "elapsed_s": 300},
        {"entry": made.uids[1], "outcome": "last"},
    ]
    told = {"table": made.table.uid, "number": 1, "ended": "last", "results": results}
    for ago_s, code in ((-60, "start_in_future"), (200, "end_in_future"), (700, "start_before_stage")):
        asked = told | {"play": uuid4(), "started_at": at - timedelta(seconds=ago_s)}
        assert refusal(made, actions.record_game, **asked) == [(code, "/started_at")]
    asked = told | {"play": uuid4(), "late_s": DAY_S}
    assert send(client, made, "record_game", asked).status_code < 300
    stored = made.play(asked["play"])
    assert stored.entered_at == begun(made)
    change = {
        "play": stored.uid,
        "version": stored.version,
        "reason": "a slip",
        "ended": "last",
        "results": results,
    }
    late = at - timedelta(seconds=200)
    assert refusal(made, actions.correct_game, **change, started_at=late) == [
        ("end_in_future", "/started_at")
    ]


def test_a_live_entry_comes_after_the_tables_former_game(later: Any) -> None:
    made = running_session(players=2)
    later(made, 60)
    play = started_game(made)
    over = later(made, 400)
    made.act(actions.record_out, play=play, entry=made.uids[0])
    later(made, 1000)
    asked = starts(made, 0, late_s=900) | {"number": 2}
    made.act(actions.start_game, **asked)
    assert made.play(asked["play"]).started_at == over
