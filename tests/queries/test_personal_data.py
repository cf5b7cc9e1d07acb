"""The data kept about one person, and whose data were erased."""

import json

import pytest

from tests.support.factories import event, recorded_round, running_match
from tests.support.tour_evenings import Club, add_game
from tournament import actions
from tournament.models import Entry
from tournament.queries.people import data_of, erased_among

pytestmark = pytest.mark.django_db


def test_a_persons_events_are_told_in_their_order_with_seats_and_results() -> None:
    club = Club()
    club.session("Aino", "Börje", games=[[600, 0]])
    club.match("Börje", "Aino")
    data = data_of(Entry.objects.filter(public_name="Aino").latest("pk").player, all_results=True)
    assert json.loads(json.dumps(data)) == data
    assert (data["format"], data["organiser"]) == ("lastcard-person-1", club.organiser.name)
    session, match = data["events"]
    assert [(row["number"], row["outcome"], row["seconds"]) for row in session["results"]] == [
        (1, "out", 600)
    ]
    assert [(seat["table"], seat["seat"]) for seat in session["seats"]] == [(1, 1)]
    assert {row["outcome"] for row in match["results"]} <= {"won", "holds"}
    assert not session["frozen"]


def test_a_frozen_stage_is_left_out_where_the_truth_is_not_asked_for() -> None:
    club = Club()
    made = club.session("Aino", "Börje", games=[[600, 0]], finish=False)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    add_game(made, [0, 600])
    player = made.entries[0].player
    (held,) = data_of(player, all_results=False)["events"]
    assert (held["results"], held["seats"], held["notes"], held["state"], held["frozen"]) == (
        [],
        [],
        [],
        None,
        True,
    )
    (true,) = data_of(player, all_results=True)["events"]
    assert [row["number"] for row in true["results"]] == [1, 2]
    assert true["state"] is not None


def test_notes_are_those_of_rows_about_the_person() -> None:
    made = running_match(players=3)
    play = made.play(recorded_round(made))
    made.act(actions.void_play, play=play.uid, version=play.version, reason="A card was missing.")
    made.act(actions.remove_player, entry=made.uids[2], reason="Threw the cards.")
    notes = [data_of(entry.player, all_results=True)["events"][0]["notes"] for entry in made.entries]
    assert [[note["text"] for note in each] for each in notes] == [[], [], ["Threw the cards."]]


def test_erased_are_those_whose_links_ended_by_an_erasure() -> None:
    made = event(players=2)
    assert erased_among(made.tournament, made.entries) == []
    made.act(actions.erase_person, entry=made.uids[0])
    entries = Entry.objects.filter(tournament=made.tournament)
    assert erased_among(made.tournament, entries) == [str(made.uids[0])]
