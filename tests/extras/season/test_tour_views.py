"""The pages of a tour: what everybody sees across one organiser's events, and what nobody may see."""

from collections.abc import Iterator
from copy import deepcopy
from datetime import date
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from tests.support.factories import Event
from tests.support.pages import folded
from tests.support.shared import shared_rows
from tests.support.tour_evenings import Club, final
from tests.support.uids import without_uids
from tests.views.organiser.test_people import evening, players
from tests.views.public.test_privacy import addresses_from
from tournament import actions
from tournament.extras.season.pages import of_event, of_player
from tournament.extras.season.queries.answers import tour_of
from tournament.live.store import versions
from tournament.models import Entry, Player, Tournament, User

pytestmark = pytest.mark.django_db


def page(club: Club, rest: str = "", status: int = 200, language: str = "en") -> str:
    response = Client().get(club.address.replace("/en/", f"/{language}/") + rest)
    assert response.status_code == status
    return folded(response)


def history_of(entry: Entry) -> dict[str, str] | None:
    return of_player({"tournament": entry.tournament, "entry": entry})


def _year() -> Club:
    """Two sessions, a championship, an event to come."""
    club = Club()
    club.session(
        "Aino",
        "Börje",
        "Cécile",
        games=[[600, 900, 0], [600, 1200, 0]],
        on=date(2026, 1, 1),
        name="New Year",
    )
    club.session("Börje", "Aino", "Dima", games=[[300, 900, 0]], on=date(2026, 2, 1), name="Candlemas")
    final(club.heats("Dima", "Aino", "Börje", "Cécile", tables=2, on=date(2026, 3, 1), name="Spring cup"))
    club.event("mattel-108", "Aino", "Börje", on=date(2026, 12, 6), name="To come")
    return club


@pytest.fixture(scope="module")
def year(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Club]:
    """The club that the tests of this module share."""
    with shared_rows(django_db_blocker, _year) as made:
        yield made


@pytest.fixture(autouse=True)
def club(year: Club, db: None) -> Club:
    """This test's own view of a year of a club."""
    return deepcopy(year)


# ---- what pages show ----


def test_tour_shows_champions_seasons_and_every_event(club: Club) -> None:
    text = page(club)
    for words in ("Hall of champions", "Season 2026", "New Year", "Candlemas", "Spring cup", "To come"):
        assert words in text
    assert f"{club.address}player/{club.player('Dima')}/" in text
    assert f"{club.address}season/2026/" in text
    assert f"{club.address}ratings/" in text
    assert text.index("To come") > text.index("Hall of champions")


def test_season_shows_exact_averages_rounded_and_who_has_too_few_games(club: Club) -> None:
    text = page(club, "season/2026/")
    assert "11.67" in text  # Aino: 10 + 10 + 15 minutes in three games
    assert "13.33" in text  # Börje: 15 + 20 + 5
    assert "Too few games" in text  # Dima: one game
    assert text.index("Aino") < text.index("Börje") < text.index("Dima")
    assert "You need 3 games to be ranked." in text
    assert "A player disqualified in a session keeps the games played before that." in text
    assert "11,67" in page(club, "season/2026/", language="fi")


def test_ratings_are_whole_numbers_with_their_band_and_say_what_they_are(club: Club) -> None:
    text = page(club, "ratings/")
    assert "Everyone begins at 1,500" in text
    assert "after only a few games the band (±) is wide" in text
    assert text.count('<span aria-hidden="true">±</span>') == 4
    assert text.index("Aino") < text.index("Cécile")
    assert "Ranked by the rating we can be sure of, the lower end of each band." in text
    found = tour_of(club.organiser.uid)
    assert found is not None
    lows = [each.now.low for each in found.ratings().values()]
    assert lows == sorted(lows, reverse=True)
    assert all(f"<b>{low:,}</b>" in text for low in lows)


def test_player_page_shows_titles_places_and_the_rating_after_each_event(club: Club) -> None:
    text = page(club, f"player/{club.player('Aino')}/")
    assert "1 title" in text
    assert "of 3 players, 2 games" in text
    assert "10.00" in text
    assert text.count("Rating after this event") == 3
    assert [text.index(each) for each in ("To come", "Spring cup", "Candlemas")] == sorted(
        text.index(each) for each in ("To come", "Spring cup", "Candlemas")
    )
    entry = Entry.objects.get(public_name="Aino", tournament__name="Candlemas")
    assert f"/en/t/{entry.tournament.slug}/player/{entry.uid}/" in text
    assert "2 titles" not in text


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_pages_are_published_for_everybody_under_the_organisers_version(club: Club, language: str) -> None:
    scope = str(club.organiser.uid)
    total = sum(club.organiser.tournaments.values_list("version", flat=True))
    for rest in ("", "ratings/", "season/2026/", f"player/{club.player('Aino')}/"):
        text = page(club, rest, language=language)
        assert f'data-live="{scope}" data-version="{total}"' in text
    assert versions.known(scope) == total


def test_event_that_was_not_played_yet_makes_a_tour_without_champions() -> None:
    club = Club()
    club.event("mattel-108", "Aino", "Börje", name="First evening")
    text = page(club)
    assert "First evening" in text
    assert "Hall of champions" not in text
    assert "0 events" in text
    assert "0 players" in text
    assert "2 players" not in text
    assert "Seasons" not in text
    assert "No contest has ended yet." in page(club, "ratings/")
    assert "First evening" in page(club, f"player/{club.player('Aino')}/")


def test_long_lists_are_cut_into_pages_with_one_address_each(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.pages.public.paging.PEOPLE_PER_PAGE", 3)
    for rest, words in (("ratings/", "Players 1 to 3"), ("season/2026/", "Places 1 to 3")):
        first, second = page(club, rest), page(club, f"{rest}2/")
        assert f'href="{club.address}{rest}2/"' in first
        assert f'href="{club.address}{rest}"' in second
        assert first.count('class="standings__name"') == 3
        assert second.count('class="standings__name"') == 1
        assert "Cécile" in second
        assert words in first
        page(club, f"{rest}1/", status=404)
        page(club, f"{rest}3/", status=404)


# ---- what there is not ----


def test_year_without_sessions_and_strangers_are_not_found(club: Club) -> None:
    page(club, "season/2025/", status=404)
    page(club, f"player/{uuid4()}/", status=404)
    other = Club()
    other.match("Aino", "Börje")
    page(club, f"player/{other.player('Aino')}/", status=404)


@pytest.mark.parametrize("more", [{"listed": False}, {"rehearsal": True}], ids=["unlisted", "rehearsal"])
def test_pages_of_hidden_events_lead_to_no_tour(club: Club, more: dict[str, bool]) -> None:
    made = club.match("Aino", "Börje", **more)
    assert (of_event({"tournament": made.tournament}), history_of(made.entries[0])) == (None, None)


def test_entry_leads_to_its_players_history_unless_they_did_not_come(club: Club) -> None:
    made = club.event("mattel-108", "Aino", "Nora")
    entries = {entry.public_name: entry for entry in made.entries}
    assert history_of(entries["Aino"]) == {"history": f"{club.address}player/{club.player('Aino')}/"}
    made.act(actions.no_show, entries=[entries["Nora"].uid])
    entries["Nora"].refresh_from_db()
    assert history_of(entries["Nora"]) is None


# ---- what nobody may see ----


@pytest.mark.sweep
def test_nothing_hidden_shows_on_any_page_of_a_tour(club: Club) -> None:
    """Real names and details, unlisted events, rehearsals, who only asked to come."""
    secret = {"real_name": "Realname", "birth_date": date(1987, 7, 14), "contact": "secret@example"}
    made = club.event("mattel-108", on=date(2026, 11, 1), name="Autumn")
    rows = [
        {"entry": uuid4(), "name": "Nick", **secret},
        {"entry": uuid4(), "name": "Asking Asta"},
    ]
    made.act(actions.enter_players, players=rows)
    Entry.objects.filter(public_name="Asking Asta").update(state=Entry.State.APPLIED)
    club.match("Nick", "Unlisted Una", listed=False, name="Secret evening", on=date(2026, 11, 2))
    club.match("Nick", "Rehearsed Reha", rehearsal=True, name="Dress rehearsal", on=date(2026, 11, 3))
    seen = {
        path: text for path, text in addresses_from(club.address).items() if path.startswith(club.address)
    }
    assert len([path for path in seen if "/player/" in path]) == 5
    hidden = ("Realname", "1987", "secret@example", "Una", "Reha", "Secret evening", "rehearsal", "Asta")
    told = {path: without_uids(text) for path, text in seen.items()}
    assert [(path, word) for path, text in told.items() for word in hidden if word in text] == []
    nick = Player.objects.get(name="Realname")
    assert "Nick" in page(club, f"player/{nick.uid}/")
    page(club, f"player/{Player.objects.get(name='Unlisted Una').uid}/", status=404)


# ---- cost ----


@pytest.mark.parametrize("rest", ["", "ratings/", "season/2026/", "player/"])
@pytest.mark.sweep
def test_queries_are_the_same_for_one_event_and_three(rest: str) -> None:
    counts = []
    for events in (1, 3):
        club = Club()
        for day in range(1, events + 1):
            club.session("Aino", "Börje", "Cécile", games=[[600, 900, 0]] * 3, on=date(2026, 1, day))
        path = f"{club.address}{rest}" + (f"{club.player('Aino')}/" if rest == "player/" else "")
        assert Client().get(club.address).status_code == 200
        with CaptureQueriesContext(connection) as asked:
            assert Client().get(path).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]
    assert counts[0] <= 4


def test_history_of_a_joined_person_is_found_at_the_other(
    organiser: User, client: Client, first: Event
) -> None:
    second = evening(organiser, first)
    rows = [{"entry": uuid4(), "name": "Eetu Laine"}]
    second.act(actions.enter_players, players=rows)
    keep, other = players(first)["Eetu"], players(second)["Eetu Laine"]
    for made in (first, second):
        Tournament.objects.filter(pk=made.tournament.pk).update(listed=True, state="finished")
    history = {
        uid: reverse("tour-player", args=[first.tournament.organiser.uid, uid]) for uid in (keep, other)
    }
    second.act(actions.join_people, groups=[[keep, other]])
    assert client.get(history[keep]).status_code == 200
    answer = client.get(history[other])
    assert (answer.status_code, answer["Location"]) == (302, history[keep])
    stranger = reverse("tour-player", args=[first.tournament.organiser.uid, uuid4()])
    assert client.get(stranger).status_code == 404
