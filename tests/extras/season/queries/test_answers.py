"""tournament/extras/season/queries: what follows across the events of one organiser, and what counts for it."""

from datetime import date
from fractions import Fraction

import pytest

from tests.extras.season.tours import champions, orders, tour
from tests.support.tour_evenings import Club, final
from tournament import actions
from tournament.extras.season.queries.answers import tour_of
from tournament.models import Player

pytestmark = pytest.mark.django_db


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
    lines = [(found.names[row.player], row.place, row.games, row.value) for row in season.standings]
    assert season.sessions == 2
    assert lines == [
        ("Aino", 1, 3, Fraction(35, 3)),
        ("Börje", 2, 3, Fraction(60, 3)),
        ("Cécile", None, 1, Fraction(30)),
    ]


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
    assert set(found.names) == {
        str(uid) for uid in Player.objects.filter(entries__isnull=False).values_list("uid", flat=True)
    }
    assert found.ratings()[str(known)].now.contests == 2


def test_people_are_never_matched_across_organisers() -> None:
    one, other = Club(), Club()
    one.match("Aino", "Börje")
    other.match("Aino", "Börje")
    assert set(tour(one).names) & set(tour(other).names) == set()
    assert [event.name for event in tour(one).events] != [event.name for event in tour(other).events]


def test_organiser_of_nothing_that_is_listed_has_no_tour() -> None:
    club = Club()
    made = club.match("Aino", "Börje", listed=False)
    assert tour_of(club.organiser.uid) is None
    assert tour_of(made.tournament.uid) is None  # no organiser has that uid
