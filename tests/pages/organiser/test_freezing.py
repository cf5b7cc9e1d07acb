"""A freeze as its organiser sees it: whether the reveal may begin, and what its next step shows."""

from uuid import uuid4

import pytest

from tests.support.factories import Event, recorded_round, running_match
from tournament import actions
from tournament.models import Stage
from tournament.pages.organiser.next_step import freeze_of, revealing, true_board

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Event:
    """A match of four, each with points of their own, stopped."""
    made = running_match(players=4, ruleset="tite-2022", target=250)
    seated = made.at(made.table)
    for worth, winner in enumerate(seated[:-1], 1):
        recorded_round(made, winner, **{str(uid): {str(worth): 1} for uid in seated if uid != winner})
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    return made.refresh()


def test_the_reveal_may_begin_once_the_frozen_stage_is_over(made: Event) -> None:
    assert freeze_of(made.stage) is None
    row = made.act(actions.freeze_standings, stage=made.stage.uid)
    freeze = freeze_of(made.refresh().stage)
    assert freeze is not None
    assert (freeze.own, freeze.by_earlier, freeze.begun, freeze.may_begin) == (True, False, False, False)
    assert freeze.at == made.tournament.ledger.get(sequence=row.sequence).at
    made.act(actions.finish_stage, stage=made.stage.uid)
    over = freeze_of(made.refresh().stage)
    assert over is not None
    assert over.may_begin


def test_a_later_stage_is_frozen_by_the_one_before(made: Event) -> None:
    made.act(actions.freeze_standings, stage=made.stage.uid)
    later = uuid4()
    made.act(actions.plan_stage, stage=later, kind="match")
    freeze = freeze_of(Stage.objects.get(uid=later))
    assert freeze is not None
    assert (freeze.by, freeze.own, freeze.by_earlier, freeze.may_begin) == (made.stage, False, True, False)


def test_the_next_step_shows_one_place_more_and_the_board_everything(made: Event) -> None:
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    assert revealing(made.refresh().stage) is None
    made.act(actions.begin_reveal, stage=made.stage.uid)
    seen: list[str] = []
    for place in (4, 3, 2, 1):
        found = revealing(made.refresh().stage)
        assert found is not None
        assert found.left == place + 1
        assert [row.person.name for reveal in found.seen for row in reveal.rows] == seen
        ((row,),) = [reveal.rows for reveal in found.next]
        assert row.place == place
        seen = [row.person.name, *seen]
        made.act(actions.reveal_next, stage=made.stage.uid, left=found.left)
    table = true_board(made.stage).tables[0].board.table
    assert table is not None
    assert [row.name for row in table.rows] == seen
