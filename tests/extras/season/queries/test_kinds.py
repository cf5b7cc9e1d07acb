"""The orders that the rating follows from, by the kind of contest."""

from typing import Any

import pytest

from tests.extras.season.tours import orders, tour
from tests.support.factories import add_stage, recorded_round
from tests.support.tour_evenings import Club, over
from tournament import actions

pytestmark = pytest.mark.django_db


def test_each_game_of_a_session_is_a_contest_in_the_order_of_play() -> None:
    club = Club()
    club.session("Aino", "Börje", "Cécile", games=[[600, 900, 0], [900, 900, 0], [0, None, 60]])
    assert orders(club) == [
        [{"Aino"}, {"Börje"}, {"Cécile"}],
        [{"Aino", "Börje"}, {"Cécile"}],
        [{"Cécile"}, {"Aino"}],
    ]


def test_who_gave_up_shares_the_last_place_and_who_was_ejected_is_left_out() -> None:
    club = Club()
    made = club.session("Aino", "Börje", "Cécile", "Dima", "Eeva", games=[], finish=False)
    outcomes: list[dict[str, Any]] = [
        {"outcome": "gave_up", "elapsed_s": 60},
        {"outcome": "out", "elapsed_s": 600},
        {"outcome": "ejected", "elapsed_s": 700},
        {"outcome": "gave_up", "elapsed_s": 800},
        {"outcome": "last"},
    ]
    made.act(
        actions.record_game,
        table=made.table.uid,
        play=made.uids[0],
        number=1,
        ended="last",
        duration_s=900,
        results=[{"entry": uid, **each} for uid, each in zip(made.uids, outcomes, strict=True)],
    )
    over(made)
    assert orders(club) == [[{"Börje"}, {"Eeva"}, {"Aino", "Dima"}]]


def test_void_game_is_no_contest() -> None:
    club = Club()
    made = club.session("Aino", "Börje", games=[[600, 0], [0, 600]], finish=False)
    play = made.table.plays.get(number=2)
    made.act(actions.void_play, play=play.uid, version=play.version, reason="A card was missing.")
    over(made)
    assert orders(club) == [[{"Aino"}, {"Börje"}]]


def test_match_is_one_contest_without_those_who_left() -> None:
    club = Club()
    made = add_stage(club.event("mattel-108", "Aino", "Börje", "Cécile", "Dima"), "match")
    recorded_round(made)
    made.act(actions.player_leaves, entry=made.uids[1])
    made.act(actions.stop_match, table=made.table.uid, reason="It is late.")
    over(made)
    assert orders(club) == [[{"Aino"}, {"Cécile", "Dima"}]]


def test_each_heat_is_a_contest_whose_rest_share_the_last_place() -> None:
    club = Club()
    club.heats("Aino", "Börje", "Cécile", "Dima", "Eeva", "Fatima", tables=2)
    assert orders(club) == [[{"Aino"}, {"Cécile", "Eeva"}], [{"Börje"}, {"Dima", "Fatima"}]]


def test_each_kind_says_how_somebody_played() -> None:
    club = Club()
    club.session("Aino", "Börje", games=[[600, 0], [1200, 0]])
    club.match("Aino", "Börje")
    club.heats("Aino", "Börje", "Cécile", "Dima", tables=2)
    played = [how for each in tour(club).appearances(club.player("Aino")) for how in each.taken.played]
    by_kind = {how.kind: how for how in played}
    session, match, heats = by_kind["session"], by_kind["match"], by_kind["heats"]
    assert (session.place, session.ranked, session.plays, session.points) == (1, 2, 2, None)
    assert session.average == 15
    assert (match.ranked, match.status, match.average) == (2, "ranked", None)
    assert match.points is not None
    assert (heats.place, heats.ranked, heats.plays, heats.through, heats.status) == (1, 2, 1, True, "")
