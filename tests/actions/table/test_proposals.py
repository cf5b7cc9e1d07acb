"""Results that players proposed: accepted or declined by a referee."""

from typing import Any

import pytest

from tests.support.at_table import act_as, codes, final, proposed, result_of
from tests.support.factories import (
    recorded_round,
    running_heats,
    running_match,
    running_session,
)
from tests.support.undoing import agrees
from tournament import actions
from tournament.models import (
    LedgerNote,
    Membership,
    Play,
)
from tournament.results.faults import Conflict, Forbidden, Refused

pytestmark = pytest.mark.django_db


def test_a_proposal_counts_when_a_referee_accepts_it_and_two_have_agreed_then() -> None:
    recorded_round(running_match(players=2))  # of another event, and nobody is asked about it
    made = final()
    row = proposed(made)
    assert not Play.objects.filter(table=made.table).exists()
    act_as(
        made.referee(Membership.Role.TABLE_REFEREE, made.table),
        made,
        actions.accept_proposal,
        proposal=row.uid,
        result=result_of(made),
    )
    play = made.play(row.play)
    assert (play.state, play.second_look, play.number) == ("entered", "accepted", 1)
    row.refresh_from_db()
    assert row.state == "accepted"
    assert agrees(made)


def test_a_table_referee_accepts_nothing_of_another_table() -> None:
    made = running_match(players=4, tables=2)
    row = proposed(made)
    user = made.referee(Membership.Role.TABLE_REFEREE, made.tables[1])
    with pytest.raises(Forbidden):
        act_as(user, made, actions.accept_proposal, proposal=row.uid, result=result_of(made))
    with pytest.raises(Forbidden):
        act_as(user, made, actions.decline_proposal, proposal=row.uid, reason="why")


def test_heats_and_games_are_proposed_too() -> None:
    heats = running_heats(players=4)
    winner = heats.at(heats.table)[0]
    row = proposed(heats, fields={f"order-{winner}": "1", "advance": "1"})
    heats.act(actions.accept_proposal, proposal=row.uid, result={"finish_order": [winner]})
    assert heats.play(row.play).second_look == ""
    session = running_session(players=2)
    first, second = session.at(session.table)
    row = proposed(session, fields={f"outcome-{first}": "out", f"time-{first}": "12:30", "ended": "last"})
    results = [
        {"entry": first, "outcome": "out", "elapsed_s": 750},
        {"entry": second, "outcome": "last"},
    ]
    session.act(actions.accept_proposal, proposal=row.uid, result={"ended": "last", "results": results})
    assert session.play(row.play).state == "entered"
    assert agrees(heats)
    assert agrees(session)


def test_a_declined_proposal_leaves_the_place_to_another() -> None:
    made = final()
    row = proposed(made)
    with pytest.raises(Refused) as refused:
        made.act(actions.decline_proposal, proposal=row.uid, reason=" ")
    assert codes(refused) == ["missing_reason"]
    made.act(actions.decline_proposal, proposal=row.uid, reason="Count again")
    row.refresh_from_db()
    assert row.state == "declined"
    assert proposed(made).state == "waiting"
    assert LedgerNote.objects.get().text == "Count again"


def test_what_a_referee_entered_in_the_meantime_is_a_conflict() -> None:
    made = final()
    row = proposed(made)
    recorded_round(made)
    with pytest.raises(Conflict):
        made.act(actions.accept_proposal, proposal=row.uid, result=result_of(made))
    row.refresh_from_db()
    assert row.state == "waiting"
    with pytest.raises(Refused) as refused:
        proposed(made)
    assert codes(refused) == ["entered_meanwhile"]


def test_two_phones_that_differ_replace_each_other_knowingly_alone() -> None:
    """Both may keep the time of one table: the same result is one, and another needs the id of what it replaces."""
    made = final()
    first = proposed(made)
    same = proposed(made)
    other: dict[str, Any] = {"fields": {"winner": str(made.at(made.table)[1])}}
    for instead in (None, first.uid):
        with pytest.raises(Refused) as refused:
            proposed(made, **other, instead=instead)
        assert codes(refused) == ["proposed_meanwhile"]
    last = proposed(made, **other, instead=same.uid)
    for row in (first, same, last):
        row.refresh_from_db()
    assert [row.state for row in (first, same, last)] == ["withdrawn", "withdrawn", "waiting"]
