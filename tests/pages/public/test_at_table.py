"""Pages that players read by their table's code: what they may say about a result, and what became of theirs."""

from uuid import uuid4

import pytest
from django.utils import timezone

from tests.support.arriving import by_link
from tests.support.factories import Event, recorded_round, running_match
from tournament import actions
from tournament.links import token_for
from tournament.models import Proposal, Table
from tournament.pages.desk.table import Scene, scene_of
from tournament.pages.public.at_table import answered_at, asked_at, last_plays
from tournament.queries.incidents import ACCEPT_WITHIN

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Event:
    made = running_match(players=3)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    return made.refresh()


def scene(made: Event) -> Scene:
    return scene_of(Table.objects.select_related("stage__tournament").get(pk=made.table.pk))


def proposed(made: Event) -> Proposal:
    winner, *others = made.at(made.table)
    fields = {"winner": str(winner), **{f"hand-{each}-7": "1" for each in others}}
    token = token_for("table", made.table.uid)
    uid = uuid4()
    by_link(made, actions.propose_result, token=token, proposal=uid, play=uuid4(), number=1, fields=fields)
    return Proposal.objects.get(uid=uid)


def test_players_are_asked_for_as_long_as_they_may_answer(
    match: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded_round(match)
    (asked,) = asked_at(scene(match))
    assert (asked.may, asked.may_take_back, asked.contested_at) == (True, False, None)
    later = timezone.now() + ACCEPT_WITHIN
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert [each.may for each in asked_at(scene(match))] == [False]


@pytest.mark.parametrize("by_players", [True, False])
def test_only_what_players_contested_is_taken_back_at_the_table(match: Event, *, by_players: bool) -> None:
    play = match.play(recorded_round(match))
    if by_players:
        token = token_for("table", match.table.uid)
        by_link(match, actions.contest_play_at_table, token=token, play=play.uid, version=play.version)
    else:
        match.act(actions.contest_play, play=play.uid, version=play.version)
    (asked,) = asked_at(scene(match))
    assert (asked.may, asked.may_take_back) == (False, by_players)
    assert asked.contested_at is not None


def test_players_read_what_became_of_their_proposal(match: Event) -> None:
    assert answered_at(scene(match)) is None
    row = proposed(match)
    assert answered_at(scene(match)) is None
    match.act(actions.decline_proposal, proposal=row.uid, reason="Count again")
    answer = answered_at(scene(match))
    assert answer is not None
    assert (answer.label, answer.accepted, answer.by, answer.reason) == (
        "Round 1",
        False,
        match.user.display_name(),
        "Count again",
    )


def test_the_last_plays_are_three(match: Event) -> None:
    for _number in range(4):
        recorded_round(match)
    assert [line.label for line in last_plays(scene(match))] == ["Round 4", "Round 3", "Round 2"]
