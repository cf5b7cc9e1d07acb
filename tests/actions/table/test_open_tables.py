"""Open tables: players sit down to a game by the stage's code, whenever they like."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.arriving import by_link
from tests.support.at_table import codes
from tests.support.factories import Event, event
from tests.support.undoing import agrees
from tournament import actions
from tournament.links import token_for
from tournament.models import LedgerRow, Proposal, Stage, Table
from tournament.queries.draws import seating_now
from tournament.results import Forbidden, Refused, stage_results

pytestmark = pytest.mark.django_db


def opened(players: int = 6, *, start: bool = True, **settings: Any) -> Event:
    """A race whose tables are open, without a table yet."""
    made = event("mattel-108", players)
    made.act(
        actions.plan_stage,
        stage=uuid4(),
        kind="race",
        settings={"scoring": "winner_takes", "rank": ["total"], **settings},
        source={"open": True},
    )
    made.stage = Stage.objects.get(tournament=made.tournament)
    if start:
        made.act(actions.start_stage, stage=made.stage.uid)
    return made.refresh()


def sit(made: Event, *players: int) -> None:
    chosen = [made.uids[number] for number in players]
    by_link(made, actions.sit_down, token=token_for("stage", made.stage.uid), entries=chosen)


def seats(made: Event) -> dict[int, list[int]]:
    """Players by table, as their indexes."""
    numbers = {str(uid): number for number, uid in enumerate(made.uids)}
    return {table: [numbers[uid] for uid in players] for table, players in seating_now(made.stage).items()}


def propose(made: Event, number: int, winner: int, *others: int) -> Proposal:
    """The players at a table propose that each of the others holds a 7."""
    table, uid = Table.objects.get(stage=made.stage, number=number), uuid4()
    fields = {"winner": str(made.uids[winner])} | {f"hand-{made.uids[other]}-7": "1" for other in others}
    fields |= {f"plays-{made.uids[player]}": "1" for player in (winner, *others)}
    by_link(
        made,
        actions.propose_result,
        token=token_for("table", table.uid),
        proposal=uid,
        play=uuid4(),
        number=table.plays.count() + 1,
        fields=fields,
    )
    return Proposal.objects.get(uid=uid)


def accept(made: Event, row: Proposal, winner: int, *others: int) -> None:
    result = {
        "winner": made.uids[winner],
        "hands": {str(made.uids[other]): {"7": 1} for other in others},
        "entries": [made.uids[player] for player in (winner, *others)],
    }
    made.act(actions.accept_proposal, proposal=row.uid, result=result)


def totals(made: Event) -> dict[int, str]:
    (results,) = stage_results(made.stage)
    return {made.uids.index(UUID(row.player)): str(row.points) for row in results.answer.standings}


def test_players_sit_down_leave_and_sit_down_elsewhere() -> None:
    made = opened()
    sit(made, 0, 1, 2)
    sit(made, 3, 4)
    assert seats(made) == {1: [0, 1, 2], 2: [3, 4]}
    sit(made, 0, 1, 2)  # they sit there already
    sit(made, 2, 5)
    assert seats(made) == {1: [0, 1], 2: [3, 4], 3: [2, 5]}
    sit(made, 3, 4, 0)  # they stay at their own table
    assert seats(made) == {1: [1], 2: [3, 4, 0], 3: [2, 5]}
    sit(made, 1, 2, 5)  # the first of their tables without other players
    assert seats(made) == {1: [1, 2, 5], 2: [3, 4, 0], 3: []}
    assert agrees(made)


def test_a_table_whose_result_waits_is_not_given_away() -> None:
    made = opened()
    sit(made, 0, 1)
    row = propose(made, 1, 0, 1)
    sit(made, 0, 1)
    assert seats(made) == {1: [], 2: [0, 1]}
    accept(made, propose(made, 2, 1, 0), 1, 0)
    accept(made, row, 0, 1)  # in whatever order they are accepted
    assert totals(made) == {0: "7", 1: "7"}
    sit(made, 4, 5)
    assert seats(made) == {1: [4, 5], 2: [0, 1]}
    assert agrees(made)


def test_the_best_games_count() -> None:
    made = opened(3, best=2)
    for winner, others in ((0, (1, 2)), (1, (0,)), (0, (1,)), (0, (1, 2))):
        sit(made, winner, *others)
        (table,) = (number for number, players in seats(made).items() if winner in players)
        accept(made, propose(made, table, winner, *others), winner, *others)
    assert totals(made) == {0: "28", 1: "7", 2: "0"}


@pytest.mark.parametrize(
    ("players", "fault"),
    [
        ([0], ("too_few_players", "/entries")),
        ([0, 0], ("duplicate_player", "/entries/0")),
        ([0, 1], ("played_all", "/entries/0")),
        ([2, 3], ("unknown_player", "/entries/3")),
    ],
)
def test_who_cannot_sit_down_is_named(players: list[int], fault: tuple[str, str]) -> None:
    made = opened(4, max_games=1)
    sit(made, 0, 1)
    accept(made, propose(made, 1, 0, 1), 0, 1)
    if players == [0, 0]:
        made.act(actions.void_play, play=Table.objects.get().plays.get().uid, version=-1, reason="x")
    made.act(actions.no_show, entries=[made.uids[3]])
    rows = LedgerRow.objects.count()
    with pytest.raises(Refused) as refused:
        sit(made, *players)
    named = {f"/entries/{made.uids[number]}": f"/entries/{number}" for number in range(4)}
    first = refused.value.faults[0]
    assert (first.code, named.get(first.path, first.path)) == fault
    assert LedgerRow.objects.count() == rows


def test_the_code_holds_only_while_the_tables_are_open_and_play_goes_on() -> None:
    made = opened(start=False)
    with pytest.raises(Refused) as refused:
        sit(made, 0, 1)
    assert codes(refused) == ["stage_not_running"]
    made.act(actions.start_stage, stage=made.stage.uid)
    sit(made, 0, 1)
    made.act(actions.set_stage_settings, stage=made.stage.uid, source={})
    with pytest.raises(Forbidden):
        sit(made, 2, 3)
    with pytest.raises(Refused) as refused:
        made.act(actions.set_stage_settings, stage=made.stage.uid, source={"open": True, "division": "U"})
    assert codes(refused) == ["settings_locked"]
    made.act(actions.set_stage_settings, stage=made.stage.uid, source={"open": True})
    with pytest.raises(Forbidden):
        by_link(made, actions.sit_down, token=token_for("stage", uuid4()), entries=made.uids[:2])
    made.act(actions.finish_stage, stage=made.stage.uid)
    with pytest.raises(Refused) as refused:
        sit(made, 2, 3)
    assert codes(refused) == ["stage_not_running"]


def test_a_match_has_no_open_tables() -> None:
    made = event("mattel-108", 4)
    with pytest.raises(Refused) as refused:
        made.act(actions.plan_stage, stage=uuid4(), kind="match", source={"open": True})
    assert codes(refused) == ["wrong_kind_of_stage"]


def test_a_race_that_nobody_came_to_can_be_finished() -> None:
    made = opened()
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert made.refresh().stage.state == "finished"
