"""One event in its organiser's tour: who won it, who took part, and what does not count."""

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.extras.season.tours import champions, orders, tour
from tests.support.tour_evenings import Club, add_game, final, over
from tournament import actions
from tournament.extras.season.queries.answers import tour_event

pytestmark = pytest.mark.django_db


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


def test_who_did_not_come_took_no_part() -> None:
    club = Club()
    made = club.match("Aino", "Börje")
    made.act(actions.walk_in, entry=club.organiser.uid, name="Late Lena")
    later = club.event("mattel-108", "Aino", "Nora")
    later.act(actions.no_show, entries=[later.uids[1]])
    names = set(tour(club).names.values())
    assert "Late Lena" in names
    assert "Nora" not in names


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


def test_results_from_a_file_count_where_they_say_enough() -> None:
    club = Club()
    old = club.event("kpgut-2016", "Aino", "Börje", "Cécile", on=date(2025, 5, 9))
    said: list[dict[str, Any]] = [
        {"place": 1, "average": "12.333", "games": 3},
        {"place": 2, "points": "60"},
        {"note": "hyl.", "average": "20"},
    ]
    rows = [{"entry": uid, **more} for uid, more in zip(old.uids, said, strict=True)]
    old.act(actions.bring_in_results, players=rows)
    assert champions(club) == {2025: [("kpgut-2016", {"Aino"})]}
    season = tour(club).season(2025)
    assert [(row.player, row.games, int(row.points)) for row in season.standings] == [
        (club.player("Aino"), 3, 37)
    ]
    assert (season.sessions, orders(club)) == (1, [[{"Aino"}, {"Börje"}]])
    match = club.event("mattel-108", "Börje", on=date(2025, 6, 9))
    match.act(actions.bring_in_results, players=[{"entry": match.uids[0], "average": "12.5"}])
    page = Client().get(f"{club.address}player/{club.player('Börje')}/").content.decode()
    assert "of 2 players" in " ".join(page.split())
