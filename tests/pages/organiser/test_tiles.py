"""The text of each tile of the board; a tile is red only where somebody must act."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from django.utils.translation import override

from tests.support.contests_shown import plain
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.pages.components import Tile
from tournament.pages.organiser.tiles import StageView, stage_views

pytestmark = pytest.mark.django_db


def views(made: Event) -> list[StageView]:
    made.refresh()
    return stage_views(made.tournament)


def tile(made: Event, number: int = 1, stage: int = 0) -> Tile:
    return next(each for each in views(made)[stage].tiles if each.number == number)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`later(minutes=20)` lets that time pass."""
    now = timezone.now

    def later(**time: float) -> None:
        monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(**time))

    return later


def test_a_running_game_says_for_how_long(later: Any) -> None:
    made = running_session(players=4)
    assert (tile(made).state, tile(made).minutes) == ("ready", 0)
    assert tile(made).waits == ["Waiting for the referee to start the next game"]
    started_game(made, elapsed_s=754)
    now = tile(made)
    assert (now.state, now.minutes, now.act, now.quiet) == ("running", 12, "", "")
    later(minutes=40)
    assert (tile(made).minutes, tile(made).act, tile(made).quiet) == (52, "", "")
    later(minutes=48)
    assert tile(made).act == "The hour is up. Waiting for the referee"


def test_a_match_counts_from_its_last_entry_and_before_that_from_the_start(later: Any) -> None:
    made = running_match(players=3)
    later(minutes=9)
    assert (tile(made).minutes, tile(made).entered) == (9, False)
    recorded_round(made)
    later(minutes=13)
    assert (tile(made).minutes, tile(made).entered) == (4, True)


def test_a_table_is_quiet_after_twice_the_usual_time(later: Any) -> None:
    made = running_match(players=3)
    recorded_round(made)
    later(minutes=14)
    assert tile(made).quiet == ""
    later(minutes=16)
    quiet = tile(made)
    assert (quiet.quiet, quiet.act) == ("No entry for 16 min", "")


def test_what_is_usual_follows_from_the_stage(later: Any) -> None:
    made = running_match(players=3)
    for minutes in (20, 40, 60):
        later(minutes=minutes)
        recorded_round(made)
    later(minutes=95)
    assert tile(made).quiet == ""
    later(minutes=101)
    assert tile(made).quiet == "No entry for 41 min"


def test_who_referees(later: Any) -> None:
    made = running_heats(players=8, tables=2)
    assert [each.referees for each in views(made)[0].tiles] == [[], []]
    assert [each.act for each in views(made)[0].tiles] == ["", ""], "refereed by the organisers"
    at_one = made.referee("table_referee", made.tables[0])
    assert [list(each.referees) for each in views(made)[0].tiles] == [[at_one.first_name], []]
    assert [each.act for each in views(made)[0].tiles] == ["", "Needs a referee"]
    head = made.referee()
    assert [list(each.referees) for each in views(made)[0].tiles] == [[at_one.first_name], [head.first_name]]
    assert [each.act for each in views(made)[0].tiles] == ["", ""]
    for _time in range(2):
        made.referee("table_referee")
    assert tile(made, 2).referees == ["any of 3"]


def test_a_planned_table_needs_no_referee_yet() -> None:
    made = add_stage(event("tite-2022", 8), "heats", tables=2, start=False)
    made.referee("table_referee", made.tables[0])
    assert [each.act for each in views(made)[0].tiles] == ["", ""]
    assert [len(each.referees) for each in views(made)[0].tiles] == [1, 0]


def test_who_is_missing_at_a_table() -> None:
    made = add_stage(event("tite-2022", 4), "heats", start=False)
    made.act(actions.check_in, entries=made.uids[2:])
    made.act(actions.comes_late, entry=made.uids[0])
    late, other = map(plain, tile(made).waits)
    assert (late, other) == ("Late: Aino", "Expected: Börje")
    made.act(actions.comes_late, entry=made.uids[1])
    with override("sv"):
        assert plain(tile(made).waits[0]) == "Sena: Aino och Börje"
    made.act(actions.start_stage, stage=made.stage.uid)
    assert len(tile(made).waits) == 1


def test_the_last_entry_is_the_last_that_was_made() -> None:
    made = running_match(players=3)
    first = recorded_round(made)
    recorded_round(made)
    head = made.referee()
    version = made.play(first).version
    command = actions.Command(uuid4(), head)
    actions.void_play(command, made.tournament.uid, play=first, version=version, reason="miscounted")
    assert head.first_name in tile(made).last


def with_final(players: int = 8) -> Event:
    made = running_heats(players=players, tables=2, advance=1)
    made.act(actions.plan_stage, stage=uuid4(), kind="final", settings={"target": 300})
    return made


def test_a_finalist_who_left_is_for_the_organiser_to_replace_once_all_is_played() -> None:
    made = with_final()
    recorded_heat(made, made.tables[1])
    made.act(actions.player_leaves, entry=made.at(made.tables[1])[0])
    waiting = tile(made, 2)
    assert (waiting.act, len(waiting.waits)) == ("", 1)
    recorded_heat(made, made.tables[0])
    assert "Waiting for the organiser: decide who replaces " in tile(made, 2).act
    assert tile(made, 1).waits == ["Waiting for the organiser to finish the stage"]
