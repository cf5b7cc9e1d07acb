"""The plays of a table: who entered each, its state, who won."""

import pytest

from tests.support.contests_shown import plain
from tests.support.factories import (
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
)
from tests.support.pages import ended, game, out
from tournament import actions
from tournament.models import LedgerRow, Table
from tournament.pages.desk.table import Scene, entered, finished_lists, play_lines, scene_of

pytestmark = pytest.mark.django_db


def scene(table: Table) -> Scene:
    return scene_of(Table.objects.get(pk=table.pk))


def test_rounds_stand_newest_first_with_their_winner_and_state() -> None:
    match = running_match(players=3)
    plays = [recorded_round(match) for _number in range(2)]
    row = match.play(plays[0])
    match.act(actions.void_play, play=row.uid, version=row.version, reason="Misdeal")
    lines = play_lines(scene(match.table))
    assert [(line.uid, line.label, line.state, plain(line.text)) for line in lines] == [
        (plays[1], "Round 2", "entered", "Aino +14"),
        (plays[0], "Round 1", "void", "Aino"),
    ]


def test_heats_name_who_was_out_and_games_who_was_first() -> None:
    heats = running_heats(players=4, tables=1, advance=2)
    recorded_heat(heats)
    assert [plain(line.text) for line in play_lines(scene(heats.table))] == ["Aino and Börje"]
    session = running_session(players=3)
    game(session, out(session, 1, 750), out(session, 0, 800), ended(session, 2, "last"))
    assert [plain(line.text) for line in play_lines(scene(session.table))] == [
        "Börje first, after 12 min 30 s"
    ]
    assert finished_lists(scene(heats.table))["board"] is None
    assert finished_lists(scene(session.table))["board"].state == "running"


def test_it_is_said_who_entered_a_play_and_when() -> None:
    match = running_match(players=3)
    recorded_round(match)
    row = LedgerRow.objects.get(action="record_round")
    found = entered(scene(match.table), scene(match.table).plays[0])
    assert found == {"by": match.user.display_name(), "at": row.at, "proposed": False}
