"""Results that are brought in from a file: who has them, what stays out, and that no play is made up."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.archives import comes_back
from tests.support.factories import Event, event, running_match
from tests.support.undoing import agrees, planned, tournament_of, undo
from tournament import actions
from tournament.actions.people.players import MOST_AT_ONCE
from tournament.models import Entry, PastResult, Play, Tournament
from tournament.results.faults import Refused

pytestmark = pytest.mark.django_db


def row(name: str = "New", **more: Any) -> dict[str, Any]:
    return {"entry": uuid4(), "name": name, **more}


def bring(made: Event, *rows: dict[str, Any]) -> None:
    made.act(actions.bring_in_results, players=list(rows))


def refused(made: Event, *rows: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refusal:
        bring(made, *rows)
    return [(fault.code, fault.path) for fault in refusal.value.faults]


def test_results_are_of_players_here_and_of_new_ones_and_finish_the_event() -> None:
    made = planned(players=2)
    bring(
        made,
        {"entry": made.uids[0], "place": 2, "points": "240", "games": 7, "wins": 1},
        row("Ville", club="Noppa", place=1, average="12.5", note="3.-4."),
        row("Pia", note="hyl."),
    )
    found = PastResult.objects.values_list(
        "entry__public_name", "place", "points", "average", "games", "note"
    )
    assert list(found) == [
        ("Ville", 1, "", "12.5", None, "3.-4."),
        (made.entries[0].public_name, 2, "240", "", 7, ""),
        ("Pia", None, "", "", None, "hyl."),
    ]
    assert tournament_of(made).state == Tournament.State.FINISHED
    assert not made.tournament.stages.exists()
    assert not Play.objects.exists()
    assert Entry.objects.get(public_name="Ville").state == Entry.State.CHECKED_IN
    assert agrees(made)
    undo(made)
    assert (PastResult.objects.count(), Entry.objects.count()) == (0, 2)
    assert (tournament_of(made).state, made.tournament.stages.count()) == (Tournament.State.PLANNED, 1)


def test_what_cannot_be_a_result_is_refused_at_its_row() -> None:
    made = event(players=1)
    bring(made, {"entry": made.uids[0], "place": 1})
    assert refused(made, row(place=-1), row(points="many"), {"entry": made.uids[0]}) == [
        ("field_min_value", "/players/0/place"),
        ("field_invalid", "/players/1/points"),
        ("brought_in_twice", "/players/2/entry"),
    ]
    assert refused(made, row(), row("")) == [("field_blank", "/players/1/name")]
    assert refused(made, *[row()] * (MOST_AT_ONCE + 1)) == [("too_many_at_once", "/players")]
    assert refused(running_match(players=2), row()) == [("played_already", "")]


def test_an_event_with_such_results_has_no_stages_and_keeps_their_players() -> None:
    made = event("mattel-108", players=3)
    bring(made, *({"entry": uid, "place": 1} for uid in made.uids[:2]))
    for action, arguments, code in (
        (actions.plan_stage, {"stage": uuid4(), "kind": "match"}, "results_brought_in"),
        (actions.withdraw_entry, {"entry": made.uids[0]}, "entry_in_use"),
        (actions.merge_entries, {"keep": made.uids[0], "other": made.uids[1]}, "both_brought_in"),
    ):
        with pytest.raises(Refused) as refusal:
            made.act(action, **arguments)
        assert refusal.value.faults[0].code == code
    made.act(actions.merge_entries, keep=made.uids[2], other=made.uids[1])
    assert {result.entry_id for result in PastResult.objects.all()} == {
        made.entries[0].pk,
        made.entries[2].pk,
    }
    undo(made)
    assert {result.entry_id for result in PastResult.objects.all()} == {each.pk for each in made.entries[:2]}


def test_the_words_of_a_result_are_erased_with_their_player() -> None:
    made = event(players=1)
    bring(made, {"entry": made.uids[0], "place": 1, "note": "left early"})
    made.act(actions.erase_person, entry=made.uids[0])
    assert PastResult.objects.get().note == ""


def test_an_archive_brings_the_results_back() -> None:
    made = event(players=1)
    bring(made, {"entry": made.uids[0], "place": 1, "points": "12.5", "games": 3, "note": "hyl."})
    comes_back(tournament_of(made))
    assert [*PastResult.objects.values_list("place", "points", "games", "note")] == [(1, "12.5", 3, "hyl.")]
