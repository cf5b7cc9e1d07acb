"""The consequences of a player cancelling or leaving, in words for that player."""

from typing import Any

import pytest

from tests.support.championships import championship, heat
from tests.support.contests_shown import plain
from tests.support.factories import (
    add_stage,
    event,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.models import Entry, Stage
from tournament.pages.public.player import found_for, what_follows

pytestmark = pytest.mark.django_db


def follows(uid: Any, *, cancels: bool = False) -> list[str]:
    entry = Entry.objects.select_related("tournament").get(uid=uid)
    return [
        f"{place} {plain(said)}".strip()
        for place, said in what_follows(entry, found_for(entry), cancels=cancels)
    ]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: running_match(players=3), "You are out from round 1 on and listed last as “left”"),
        (lambda: running_session(players=3), "The games you have played count"),
        (lambda: running_heats(players=4), "You cannot go through from this heat"),
        (lambda: add_stage(event("kpgut-2016", 3), "session", start=False), "table 1 Your seat is free"),
    ],
)
def test_each_kind_of_table_has_its_words(make: Any, said: str) -> None:
    first, table, last = follows(make().uids[0])
    assert first == "You are shown as “left”, never as disqualified."
    assert said in table
    assert last in {
        "After that only a referee can let you in again.",
        "Until play begins you can sign up again on this page, if there is still a place.",
    }


def test_in_a_running_game_the_referee_is_told_first() -> None:
    made = running_session(players=3)
    started_game(made)
    assert "First tell the referee there" in follows(made.uids[0])[1]


def test_who_was_never_there_is_in_no_list_any_more() -> None:
    made = event("kpgut-2016", 3)
    assert follows(made.uids[0], cancels=True)[0] == "You are no longer on the list of players."
    Entry.objects.update(state=Entry.State.APPLIED)
    assert follows(made.uids[0])[0] == "Your request and your place on the waiting list are cancelled."


def test_a_freeze_keeps_back_who_went_through() -> None:
    made = championship(filled=False)
    winner = heat(made, 1)[0]
    through = "You went through from there. The organiser decides who takes your place in the next stage."
    assert any(through in line for line in follows(winner))
    heats = Stage.objects.get(tournament=made.tournament, number=1)
    made.act(actions.freeze_standings, stage=heats.uid)
    assert not any(through in line for line in follows(winner))
