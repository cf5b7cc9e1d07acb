"""Plays that wait for somebody to accept them: proposed results, and those that want a second look."""

from uuid import uuid4

import pytest

from tests.support.arriving import by_link
from tests.support.factories import Event, recorded_round, running_match
from tournament import actions
from tournament.links import token_for
from tournament.models import Proposal, Table
from tournament.pages.desk.table import Scene, looked_at, proposed_at, scene_of, waiting_tables
from tournament.queries.incidents import ACCEPT_WITHIN
from tournament.results.faults import Fault

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Event:
    made = running_match(players=6, tables=2)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    return made.refresh()


def proposed(made: Event, table: Table) -> Proposal:
    winner, *others = made.at(table)
    fields = {"winner": str(winner), **{f"hand-{each}-7": "1" for each in others}}
    by_link(
        made,
        actions.propose_result,
        token=token_for("table", table.uid),
        proposal=uuid4(),
        play=uuid4(),
        number=1,
        fields=fields,
    )
    return Proposal.objects.get(table=table)


def scene(table: Table) -> Scene:
    return scene_of(Table.objects.select_related("stage__tournament").get(pk=table.pk))


def test_tables_are_counted_with_what_waits_there(match: Event) -> None:
    first, second = match.tables
    assert waiting_tables(match.tables) == {}
    recorded_round(match)
    proposed(match, second)
    recorded_round(match)
    assert waiting_tables(match.tables) == {first.pk: 2, second.pk: 1}
    assert waiting_tables([second]) == {second.pk: 1}


def test_contested_plays_are_looked_at_first(match: Event) -> None:
    plays = [recorded_round(match) for _number in range(2)]
    row = match.play(plays[1])
    match.act(actions.contest_play, play=row.uid, version=row.version)
    contested, wanted = looked_at([scene(match.table)], match.user)
    assert [contested.play.uid, wanted.play.uid] == [plays[1], plays[0]]
    assert (contested.contested, wanted.contested, wanted.own, wanted.proposed) == (True, False, True, False)
    assert (wanted.label, wanted.by) == ("Round 1", match.user.display_name())
    assert wanted.at is not None
    assert wanted.until == wanted.at + ACCEPT_WITHIN
    assert not looked_at([scene(match.table)])[1].own


def test_a_proposal_that_cannot_be_entered_says_why_and_one_that_was_overtaken_does_not(match: Event) -> None:
    table = match.table
    row = proposed(match, table)
    fault = Fault("stage_not_running", "/table", {"state": "finished"})
    refused = proposed_at(scene(table), row, None, [fault])
    assert (refused.label, len(refused.faults), refused.taken) == ("Round 1", 1, False)
    recorded_round(match)
    overtaken = proposed_at(scene(table), row, None, [fault])
    assert (overtaken.faults, overtaken.taken, overtaken.lines) == ((), True, ())
