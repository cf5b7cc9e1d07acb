"""tournament/queries/tour: what follows across the events of one organiser, and what counts for it."""

from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.factories import add_stage, recorded_round
from tests.support.tour_evenings import Club, add_game, final, over
from tournament import actions
from tournament.models import Player
from tournament.queries.tour.answers import Tour, tour_of
from tournament.queries.tour.events import tour_event

pytestmark = pytest.mark.django_db


def tour(club: Club) -> Tour:
    found = tour_of(club.organiser.uid)
    assert found is not None
    return found


def orders(club: Club) -> list[list[set[str]]]:
    """The finishing orders of all events in time order, by names."""
    found = tour(club)
    return [
        [{found.names[player] for player in level} for level in finish.order]
        for event in reversed(found.events)
        for finish in event.finishes
    ]


def champions(club: Club) -> dict[int, list[tuple[str, set[str]]]]:
    found = tour(club)
    return {
        year: [(title.event.ruleset, {found.names[each] for each in title.champions}) for title in titles]
        for year, titles in found.hall().items()
    }


# ---- champions ----


def test_hall_has_the_winners_by_year_and_ruleset_newest_first() -> None:
    club = Club()
    club.session("Aino", "Börje", "Cécile", games=[[600, 900, 0]], on=date(2025, 3, 1))
    club.match("Börje", "Aino", on=date(2026, 1, 10))
    club.session("Cécile", "Aino", "Dima", games=[[600, 900, 0]], on=date(2026, 2, 1))
    final(club.heats("Dima", "Aino", "Börje", "Cécile", tables=2, on=date(2026, 3, 1)))
    assert champions(club) == {
        2026: [("kpgut-2016", {"Cécile"}), ("mattel-108", {"Börje"}), ("tite-2022", {"Dima"})],
        2025: [("kpgut-2016", {"Aino"})],
    }


def test_level_winners_share_the_title() -> None:
    club = Club()
    club.session("Aino", "Börje", "Cécile", "Dima", games=[[600, 600, 900, 0]])
    assert champions(club) == {2026: [("kpgut-2016", {"Aino", "Börje"})]}


def test_heats_alone_and_unfinished_events_have_no_champion() -> None:
    club = Club()
    club.heats("Aino", "Börje", "Cécile", "Dima", tables=2)
    club.session("Aino", "Börje", games=[[600, 0]], finish=False)
    club.event("mattel-108", "Aino", "Börje")
    final(club.heats("Aino", "Börje", "Cécile", "Dima", tables=2), finish=False)
    assert champions(club) == {}


def test_reopened_event_has_no_champion_until_it_is_finished_again() -> None:
    club = Club()
    made = club.session("Aino", "Börje", "Cécile", games=[[600, 900, 0]])
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="A game is missing.")
    assert champions(club) == {}
    add_game(made, [1800, 60, 0])
    add_game(made, [1800, 60, 0])
    over(made)
    assert champions(club) == {2026: [("kpgut-2016", {"Börje"})]}


# ---- the season ----


def test_season_is_over_all_games_of_the_year_that_are_finished() -> None:
    """2026: Aino 10 + 20 + 5 minutes in three games, Börje 20 + 20 + 30 (the last has the minutes of the end)."""
    club = Club()
    club.session("Aino", "Börje", "Cécile", games=[[60, 120, 0]], on=date(2025, 12, 31))
    club.session("Börje", "Aino", games=[[0, 600], [0, 1200]], on=date(2026, 1, 1))
    club.session("Aino", "Börje", "Cécile", games=[[300, 1830, 0]], on=date(2026, 6, 1))
    club.session("Aino", "Börje", games=[[3000, 0]], on=date(2026, 7, 1), finish=False)
    found = tour(club)
    assert found.seasons() == [2026, 2025]
    season = found.season(2026)
    lines = [(found.names[row.player], row.place, row.games, row.average) for row in season.standings]
    assert season.sessions == 2
    assert lines == [
        ("Aino", 1, 3, Fraction(35, 3)),
        ("Börje", 2, 3, Fraction(60, 3)),
        ("Cécile", None, 1, Fraction(30)),
    ]


# ---- the orders that the rating follows from ----


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


def test_events_are_rated_in_the_order_of_their_dates_however_they_were_entered() -> None:
    club = Club()
    club.match("Aino", "Börje", on=date(2026, 5, 1))
    club.match("Börje", "Aino", on=date(2026, 2, 1))
    assert orders(club) == [[{"Börje"}, {"Aino"}], [{"Aino"}, {"Börje"}]]
    assert list(tour(club).ratings()) == [club.player("Aino"), club.player("Börje")]


def test_rating_is_kept_by_what_it_follows_from() -> None:
    """The first event's names and a running one change nothing of it."""
    club = Club()
    made = club.match("Aino", "Börje")
    before = tour(club).ratings()
    made.act(actions.edit_entry, entry=made.uids[0], public_name="Aino K", start_number=1)
    club.session("Aino", "Börje", games=[[60, 0]], finish=False)
    after = tour(club).ratings()
    assert after == before
    assert all(after[player] is before[player] for player in before)


# ---- histories ----


def test_history_has_every_event_with_places_titles_and_the_rating_after_it() -> None:
    club = Club()
    club.session("Aino", "Börje", "Cécile", games=[[600, 900, 0], [600, 1200, 0]], on=date(2026, 1, 1))
    final(club.heats("Börje", "Aino", "Cécile", "Dima", tables=2, on=date(2026, 2, 1)))
    club.event("mattel-108", "Aino", "Börje", on=date(2026, 3, 1))
    found = tour(club)
    mine = list(found.appearances(club.player("Aino")))
    assert [each.event.state for each in mine] == ["planned", "finished", "finished"]
    assert [each.champion for each in mine] == [False, False, True]
    assert [each.rating is not None for each in mine] == [False, True, True]
    assert mine[1].rating == found.ratings()[club.player("Aino")].now
    assert [(played.kind, played.place, played.ranked) for played in mine[1].taken.played] == [
        ("final", 2, 2),
        ("heats", 1, 2),
    ]
    (session,) = mine[2].taken.played
    assert (session.place, session.ranked, session.plays, session.average) == (1, 3, 2, Fraction(10))


def test_name_is_the_one_of_the_newest_event_that_a_player_is_in() -> None:
    club = Club()
    club.match("Aino", "Börje", on=date(2026, 1, 1))
    made = club.match("Aino", "Börje", on=date(2026, 2, 1))
    made.act(actions.edit_entry, entry=made.uids[0], public_name="Queen of Nine", start_number=1)
    assert tour(club).names[club.player("Aino")] == "Queen of Nine"


def test_two_players_whom_the_organiser_makes_one_have_one_history() -> None:
    club = Club()
    club.match("Aino", "Börje", on=date(2026, 1, 1))
    known = club.players.pop("Aino")
    later = club.match("Aino", "Börje", on=date(2026, 2, 1))
    assert len(list(tour(club).appearances(str(known)))) == 1
    later.act(actions.same_person, entry=later.uids[0], player=known)
    found = tour(club)
    assert [each.champion for each in found.appearances(str(known))] == [True, True]
    assert set(found.names) == {str(uid) for uid in Player.objects.values_list("uid", flat=True)}
    assert found.ratings()[str(known)].now.contests == 2


def test_people_are_never_matched_across_organisers() -> None:
    one, other = Club(), Club()
    one.match("Aino", "Börje")
    other.match("Aino", "Börje")
    assert set(tour(one).names) & set(tour(other).names) == set()
    assert [event.name for event in tour(one).events] != [event.name for event in tour(other).events]


def test_who_did_not_come_took_no_part() -> None:
    club = Club()
    made = club.match("Aino", "Börje")
    made.act(actions.walk_in, entry=club.organiser.uid, name="Late Lena")
    later = club.event("mattel-108", "Aino", "Nora")
    later.act(actions.no_show, entries=[later.uids[1]])
    names = set(tour(club).names.values())
    assert "Late Lena" in names
    assert "Nora" not in names


# ---- what does not count ----


def test_hidden_events_and_frozen_stages_do_not_count() -> None:
    club = Club()
    shown = club.session("Aino", "Börje", "Cécile", games=[[600, 900, 0]], on=date(2026, 1, 1))
    club.session("Börje", "Aino", "Una", games=[[600, 0, 900]], listed=False)
    club.session("Börje", "Aino", "Reha", games=[[600, 0, 900]], rehearsal=True)
    frozen = club.session(
        "Börje", "Aino", "Fro", games=[[600, 900, 0]], name="Frozen", on=date(2026, 2, 1), finish=False
    )
    frozen.act(actions.freeze_standings, stage=frozen.stage.uid)
    add_game(frozen, [60, 900, 0])
    over(frozen)
    found = tour(club)
    assert [(event.name, event.state) for event in found.events] == [
        ("Frozen", "finished"),
        (shown.tournament.name, "finished"),
    ]
    assert champions(club) == {2026: [("kpgut-2016", {"Aino"})]}
    assert orders(club) == [[{"Aino"}, {"Börje"}, {"Cécile"}]]
    assert found.season(2026).sessions == 1
    assert [each.taken.played for each in found.appearances(club.player("Fro"))] == [()]
    frozen.act(actions.begin_reveal, stage=frozen.stage.uid)
    frozen.act(actions.reveal_next, stage=frozen.stage.uid, left=3)
    assert len(orders(club)) == 1
    frozen.act(actions.lift_freeze, stage=frozen.stage.uid)
    assert len(orders(club)) == 3
    assert champions(club) == {2026: [("kpgut-2016", {"Börje"}), ("kpgut-2016", {"Aino"})]}


def test_organiser_of_nothing_that_is_listed_has_no_tour() -> None:
    club = Club()
    made = club.match("Aino", "Börje", listed=False)
    assert tour_of(club.organiser.uid) is None
    assert tour_of(made.tournament.uid) is None  # no organiser has that uid


# ---- cost ----


def test_save_in_one_event_reads_that_one_only() -> None:
    def queries(club: Club) -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            tour(club)
        return len(asked)

    costs = []
    for events in (1, 3):
        club = Club()
        for day in range(1, events + 1):
            last = club.session("Aino", "Börje", games=[[600, 0]], on=date(2026, 1, day))
        tour(club)
        warm = queries(club)
        last.act(actions.edit_tournament, name="Other", starts_on=date(2026, 2, 1))
        costs.append((warm, queries(club)))
    assert costs[0] == costs[1]
    assert costs[0][0] == 3


def test_event_hidden_since_it_was_listed_is_left_out() -> None:
    club = Club()
    made = club.match("Aino", "Börje")
    row = made.tournament
    made.act(actions.edit_tournament, name="Hidden", starts_on=date(2026, 2, 1), listed=False)
    assert tour_event(row) is None
