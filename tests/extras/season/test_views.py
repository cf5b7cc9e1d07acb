"""A season's pages: what each shows and to whom, the organiser's forms, and that pages follow at once."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import Event, UserFactory, event
from tests.support.pages import folded
from tests.support.tour_evenings import Club
from tests.support.walls import wall
from tests.views.organiser.conftest import Browser, form_of
from tournament.extras.season.actions import put_in_season, set_season, start_season
from tournament.models import Season, Tournament

pytestmark = pytest.mark.django_db

PLACES: Mapping[str, Any] = {"counts": "places", "place_points": [10, 8, 6], "rulesets": [], "least_games": 0}


def season(made: Event, **rule: Any) -> Season:
    uid = uuid4()
    made.act(start_season, season=uid, name="Thursdays")
    made.act(set_season, season=uid, **rule)
    return Season.objects.get(uid=uid)


def address(row: Season, rest: str = "") -> str:
    return f"/en/o/{row.organiser.uid}/seasons/{row.uid}/{rest}"


def signed_in(made: Event) -> Client:
    client = Client()
    client.force_login(made.user)
    return client


def evenings() -> tuple[Event, Event, Season]:
    """Two evenings of a season of which the best one counts."""
    club = Club()
    may = club.match("Aino", "Börje", "Cécile", name="May", on=date(2026, 5, 1))
    june = club.match("Börje", "Aino", name="June", on=date(2026, 6, 1))
    row = season(may, **PLACES, best=1, ties=["last_evening"])
    june.act(put_in_season, season=row.uid, belongs=True)
    return may, june, row


# ---- Pages ----


def test_page_shows_places_with_their_reason_each_evening_and_the_rule() -> None:
    _may, _june, row = evenings()
    text = folded(Client().get(address(row)))
    assert text.index("Börje") < text.index("Aino") < text.index("Cécile")
    for words in (
        "Thursdays",
        "2 evenings",
        "Leads the season",
        "level, decided by the better last evening",
        "(8)",
        "Results in brackets do not count.",
        "Each place in an evening is worth points. The most points win.",
        "Points for places: 10, 8, 6.",
        "The best evening counts.",
        "Level players: the better last evening.",
        "up 1 place",
    ):
        assert words in text, words
    assert "Champion" not in text


def test_winners_of_a_season_that_is_over_are_its_champions() -> None:
    may, _june, row = evenings()
    may.act(set_season, season=row.uid, over=True)
    assert "Champion" in folded(Client().get(address(row)))


@pytest.mark.parametrize("rest", ["", "print/"])
def test_public_page_is_published_and_follows_a_change_of_rule_or_result(rest: str) -> None:
    may, june, row = evenings()
    client = Client()
    before = folded(client.get(address(row, rest)))
    assert f'data-live="{row.organiser.uid}"' in before
    may.act(set_season, season=row.uid, place_points=[20, 8])
    changed = folded(client.get(address(row, rest)))
    assert "20" in changed
    assert changed != before
    june.act(put_in_season, season=row.uid, belongs=False)
    assert folded(client.get(address(row, rest))) != changed


@pytest.mark.parametrize("rest", ["", "print/", "season.xlsx"])
def test_season_that_is_not_public_is_there_for_its_organisers_alone(rest: str) -> None:
    may, _june, row = evenings()
    stranger = Client()
    stranger.force_login(UserFactory(is_staff=True))
    Client().get(address(row, rest))
    may.act(set_season, season=row.uid, public=False)
    for client in (Client(), stranger):
        assert client.get(address(row, rest)).status_code == 404
    answer = signed_in(may).get(address(row, rest))
    assert answer.status_code == 200
    if not rest:
        assert "Only the organisers see this season." in folded(answer)


def test_season_is_not_found_under_another_organiser() -> None:
    _may, _june, row = evenings()
    other = event()
    wrong = f"/en/o/{other.tournament.organiser.uid}/seasons/{row.uid}/"
    assert Client().get(wrong).status_code == 404


def test_season_without_evenings_says_what_to_do() -> None:
    made = event()
    row = season(made, **PLACES)
    made.act(put_in_season, season=row.uid, belongs=False)
    assert "The season has no evening with results." in folded(Client().get(address(row)))


def test_public_page_says_what_does_not_count_but_names_no_event_that_is_not_listed() -> None:
    club = Club()
    may = club.match("Aino", "Börje", name="May")
    late = club.match("Aino", "Börje", name="Late", on=date(2027, 1, 1))
    hidden = club.match("Aino", "Börje", name="Secret", listed=False)
    row = season(may, **PLACES)
    for made in (late, hidden):
        made.act(put_in_season, season=row.uid, belongs=True)
    public = folded(Client().get(address(row)))
    assert "is outside the days of the season and does not count." in public
    assert "1 place has points that nobody has taken yet." in public
    assert "Secret" not in public
    own = folded(signed_in(may).get(f"/en/organise/t/{may.tournament.slug}/seasons/{row.uid}/"))
    assert "Secret is not in the list of tournaments" in own


def test_print_leaves_out_no_player_and_gets_smaller_letters_for_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _may, _june, row = evenings()
    text = folded(Client().get(address(row, "print/")))
    assert all(name in text for name in ("Aino", "Börje", "Cécile"))
    assert "season-print--large" in text


# ---- Buttons ----


def test_organisers_page_and_my_events_lead_to_the_season() -> None:
    may, _june, row = evenings()
    tour = folded(Client().get(f"/en/o/{row.organiser.uid}/"))
    assert '<h2 id="season-tables">Seasons</h2>' in tour
    assert address(row) in tour
    assert address(row) in folded(signed_in(may).get("/en/organise/"))
    may.act(set_season, season=row.uid, public=False)
    assert "season-tables" not in folded(Client().get(f"/en/o/{row.organiser.uid}/"))


def test_board_leads_to_the_seasons_of_its_organiser() -> None:
    made = event()
    board = folded(signed_in(made).get(f"/en/organise/t/{made.tournament.slug}/"))
    assert reverse("organise-seasons", args=[made.tournament.slug]) in board


# ---- The organiser's forms ----


def posted(made: Event, rest: str = "", **data: Any) -> Any:
    path = f"/en/organise/t/{made.tournament.slug}/seasons/{rest}"
    return signed_in(made).post(path, {"command": str(uuid4()), **data})


def test_season_is_started_with_the_event_and_taken_out_and_put_in_by_one_tap() -> None:
    made = event(name="May")
    answer = posted(made, name="Thursdays")
    row = Season.objects.get()
    assert answer.status_code == 303
    assert answer["Location"].startswith(reverse("organise-season", args=[made.tournament.slug, row.uid]))
    assert posted(made, f"{row.uid}/evening/").status_code == 303
    assert not row.evenings.exists()
    page = folded(signed_in(made).get(f"/en/organise/t/{made.tournament.slug}/seasons/"))
    assert "This event is not in it." in page
    assert posted(made, f"{row.uid}/evening/", belongs="1").status_code == 303
    assert row.evenings.get() == made.tournament
    asked = signed_in(made).get(f"/en/organise/t/{made.tournament.slug}/seasons/{row.uid}/remove/")
    assert "Its events and their results stay as they are." in folded(asked)
    assert posted(made, f"{row.uid}/remove/").status_code == 303
    assert not Season.objects.exists()


def test_start_without_a_name_is_refused_in_words() -> None:
    made = event()
    answer = posted(made, name=" ")
    assert answer.status_code == 422
    assert answer.context["form"].errors["name"]


def test_organisers_page_costs_the_same_queries_for_three_seasons_as_for_one() -> None:
    costs = []
    for number in (1, 3):
        made = Club().match("Aino", "Börje")
        for _ in range(number):
            season(made, **PLACES)
        path = f"/en/o/{made.tournament.organiser.uid}/"
        Client().get(path)
        with CaptureQueriesContext(connection) as asked:
            Client().get(path)
        costs.append(len(asked))
    assert costs[0] == costs[1]


def as_shown(made: Event, row: Season) -> dict[str, Any]:
    """The fields of the season's form, as a browser sends them unchanged."""
    return form_of(signed_in(made), f"/en/organise/t/{made.tournament.slug}/seasons/{row.uid}/", "counts")


def test_form_of_a_season_is_saved_as_it_is_and_each_tick_can_be_taken_away() -> None:
    may, _june, row = evenings()
    assert posted(may, f"{row.uid}/", **as_shown(may, row)).status_code == 303
    assert may.act(set_season, season=row.uid, rulesets=["mattel-108"])
    data = as_shown(may, row)
    assert (
        posted(may, f"{row.uid}/", **{**data, "ties": [], "rulesets": [], "evenings": []}).status_code == 303
    )
    row.refresh_from_db()
    assert (row.ties, row.rulesets, row.evenings.count()) == ([], [], 0)
    assert posted(may, f"{row.uid}/", **as_shown(may, row)).status_code == 303


def test_form_of_a_season_leaves_an_evening_that_was_added_meanwhile() -> None:
    may, june, row = evenings()
    june.act(put_in_season, season=row.uid, belongs=False)
    data = as_shown(may, row)
    june.act(put_in_season, season=row.uid, belongs=True)
    assert posted(may, f"{row.uid}/", **{**data, "best": ["2"]}).status_code == 303
    row.refresh_from_db()
    assert (row.best, row.evenings.count()) == (2, 2)


def test_season_shows_the_year_so_far_unless_it_is_private() -> None:
    club = Club()
    may = club.match("Aino", "Börje", name="May", on=date(2026, 5, 1))
    june = club.match("Börje", "Aino", name="June", on=date(2026, 6, 1), finish=False)
    season = uuid4()
    may.act(start_season, season=season, name="Thursdays")
    june.act(put_in_season, season=season, belongs=True)
    text = wall(june, "season")
    assert text.index("Thursdays") < text.index("Aino") < text.index("Börje")
    assert '<span class="wall__value">12</span>' in text
    may.act(set_season, season=season, public=False)
    assert "Thursdays" not in wall(june, "season")


def test_copy_belongs_to_the_seasons_that_last_until_then(browser: Browser, planned: Event) -> None:
    for name, more in (("Year", {}), ("Over", {"over": True}), ("Spring", {"ends_on": date(2026, 5, 31)})):
        uid = uuid4()
        planned.act(start_season, season=uid, name=name)
        planned.act(set_season, season=uid, starts_on=None, **{"ends_on": None, **more})
    page = reverse("organise-copy", args=[planned.tournament.slug])
    for name, rehearsal in (("Next", {}), ("Try", {"rehearsal": "on"})):
        browser.post(page, form_of(browser, page) | {"name": name, "starts_on": "2027-05-08", **rehearsal})
    assert [season.name for season in Tournament.objects.get(name="Next").seasons.all()] == ["Year"]
    assert not Tournament.objects.get(name="Try").seasons.exists()
