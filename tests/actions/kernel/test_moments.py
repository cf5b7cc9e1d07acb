"""Moments of play lie neither before their stage began nor after now, whatever tells them: what was typed is refused,
a live entry is stored at the bound."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from tests.extras.programs.api.sending import send
from tests.support.asking_actions import refusal, standings
from tests.support.factories import Event, add_stage, event, running_session, started_game
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


def seconds(made: Event, play: UUID) -> list[int | None]:
    """When each player was out, in the order of the seats."""
    return list(made.play(play).results.order_by("id").values_list("elapsed_s", flat=True))


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
    (error,) = refused.json()["errors"]
    assert (refused.status_code, error["code"]) == (422, "start_before_stage")
    assert error["parameters"] == {"at": begun(made).isoformat(), "time_zone": "Europe/Helsinki"}
    local = begun(made).astimezone(made.tournament.zone)
    assert error["message"].startswith(f"The session began at {local.hour}:{local:%M}.")
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
    told: dict[str, Any] = {"table": made.table.uid, "number": 1, "ended": "last", "results": results}
    for ago_s, code in ((-60, "start_in_future"), (200, "end_in_future"), (700, "start_before_stage")):
        asked = told | {"play": uuid4(), "started_at": at - timedelta(seconds=ago_s)}
        assert refusal(made, actions.record_game, **asked) == [(code, "/started_at")]
    asked = told | {"play": uuid4(), "late_s": DAY_S}
    assert send(client, made, "record_game", asked).status_code < 300
    stored = made.play(asked["play"])
    assert (stored.entered_at, stored.other_start) == (at, begun(made))  # which is right, people say
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


# ---- what follows: an ejection never reaches a game that was played before ----


def test_a_start_told_from_before_the_session_takes_no_game_from_another_table(
    client: Client, later: Any
) -> None:
    """A phone says that the game with the ejection began 20 minutes ago, before the session."""
    made = running_session(players=5, tables=2)
    there, here = made.tables[1], made.tables[0]
    pat, xia = made.at(there)
    (ann, bob, yan) = made.at(here)
    later(made, 5)
    game = uuid4()
    made.act(actions.start_game, table=here.uid, play=game, number=1)
    later(made, 900)
    made.act(actions.record_out, play=game, entry=ann, elapsed_s=300)
    made.act(actions.record_out, play=game, entry=bob, elapsed_s=600)
    made.act(
        actions.seat_stage,
        stage=made.stage.uid,
        tables=[
            {"table": here.uid, "number": 1, "entries": [yan, bob]},
            {"table": there.uid, "number": 2, "entries": [pat, xia, ann]},
        ],
    )
    ejecting = uuid4()
    at = later(made, 1000)
    made.act(actions.start_game, table=there.uid, play=ejecting, number=1, late_s=1200)
    made.act(actions.eject_player, play=ejecting, entry=ann, reason="marked cards", elapsed_s=0)
    made.act(actions.record_out, play=ejecting, entry=pat)
    in_question = made.play(ejecting)
    assert (in_question.started_at, in_question.other_start) == (begun(made), at)
    names = {entry.uid: entry.public_name for entry in made.entries}
    points = {name: (status, points) for name, (_place, status, points) in standings(made).items()}
    assert points[names[ann]] == ("disqualified", 5)
    assert points[names[bob]] == points[names[yan]] == ("ranked", 10)
    # Once people say that it began first, what followed from it comes; and goes again where they correct that.
    asked = {"play": ejecting, "started_at": begun(made)}
    assert send(client, made, "choose_start", asked).status_code < 300
    assert made.play(game).state == "set_aside"
    assert refusal(made, actions.choose_start, **asked) == [("start_not_asked", "/started_at")]
    chosen = made.play(ejecting)
    results = [
        {"entry": row.entry.uid, "outcome": row.outcome, "elapsed_s": row.elapsed_s}
        for row in chosen.results.all()
    ]
    right = {"ended": "last", "duration_s": chosen.duration_s, "results": results, "started_at": at}
    later(made, 5000)
    made.act(actions.correct_game, play=ejecting, version=chosen.version, reason="asked them", **right)
    assert made.play(game).state == "entered"


def test_an_ejection_elsewhere_before_it_arrived_takes_no_game_whose_start_is_in_question(later: Any) -> None:
    made = running_session(players=5, tables=2)
    (ann, bob, yan), (pat, xia) = made.at(made.tables[0]), made.at(made.tables[1])
    at = later(made, 1800)
    asked = starts(made, 0, late_s=600, other_late_s=900)
    made.act(actions.start_game, **asked)
    for player in (bob, yan):
        made.act(actions.record_out, play=asked["play"], entry=player, elapsed_s=60)
    results = [
        {"entry": ann, "outcome": "ejected"},
        {"entry": pat, "outcome": "out", "elapsed_s": 60},
        {"entry": xia, "outcome": "last"},
    ]
    told: dict[str, Any] = {"table": made.tables[1].uid, "number": 1, "ended": "last", "duration_s": 60}
    between = at - timedelta(seconds=300)
    made.act(actions.record_game, play=uuid4(), **told, results=results, started_at=between)
    assert made.play(asked["play"]).state == "entered"


# ---- two readings of a phone's clock ----


def test_who_went_out_before_the_start_came_keeps_the_seconds_of_that_phone(later: Any) -> None:
    """A start of ten minutes ago, or by the other reading of 15, comes with a tap; two more taps follow."""
    made = running_session(players=4)
    first, second, third, _last = made.uids
    at = later(made, 1800)
    asked = starts(made, 0, late_s=600, other_late_s=900)
    made.act(actions.start_game, **asked)
    play = asked["play"]
    made.act(actions.record_out, play=play, entry=first, elapsed_s=840)  # the earlier start allows it
    assert refusal(made, actions.record_out, play=play, entry=second, elapsed_s=906) == [
        ("elapsed_in_future", f"/results/{second}/elapsed_s")
    ]
    later(made, 1860)
    made.act(actions.record_out, play=play, entry=second)
    later(made, 1920)
    made.act(actions.record_out, play=play, entry=third)
    game = made.play(play)
    assert (game.started_at, game.other_start) == (at - timedelta(minutes=10), at - timedelta(minutes=15))
    assert game.entered_at == at
    assert seconds(made, play) == [840, 660, 720, None]
    assert refusal(made, actions.choose_start, play=play, started_at=at) == [
        ("start_not_asked", "/started_at")
    ]
    made.act(actions.choose_start, play=play, started_at=at - timedelta(minutes=15))
    game = made.play(play)
    assert (game.started_at, game.other_start) == (at - timedelta(minutes=15), None)
    assert (seconds(made, play), game.duration_s) == ([840, 960, 1020, None], 1020)


def test_a_start_is_no_longer_asked_about_once_it_is_confirmed_or_corrected(
    client: Client, later: Any
) -> None:
    made = running_session(players=6, tables=3)
    at = later(made, 1800)
    plays = []
    for table in range(3):
        asked = starts(made, table, late_s=600, other_late_s=900)
        made.act(actions.start_game, **asked)
        plays.append(asked["play"])
    confirmed, corrected, _kept = plays
    choice = {"play": confirmed, "started_at": at - timedelta(minutes=10)}
    assert send(client, made, "choose_start", choice).status_code < 300
    made.act(actions.set_game_start, play=corrected, elapsed_s=300, reason="by the clock in the hall")
    assert [made.play(play).other_start is None for play in plays] == [True, True, False]
    assert made.play(confirmed).started_at == at - timedelta(minutes=10)
    assert made.play(corrected).started_at == at - timedelta(minutes=5)


def test_a_rehearsal_plays_an_evening_in_minutes() -> None:
    made = add_stage(event("kpgut-2016", 2, rehearsal=True, listed=False), "session")
    asked = starts(made, 0, elapsed_s=55 * 60)
    made.act(actions.start_game, **asked)
    began = made.play(asked["play"]).started_at
    assert began
    assert began < begun(made) - timedelta(minutes=54)
