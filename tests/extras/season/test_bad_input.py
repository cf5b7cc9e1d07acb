"""Bad input of a club's year: namesakes, one person at two evenings, empty seasons, old files with other names.
Each is asked about or said at its place, and nothing is merged without being shown."""

from datetime import date
from io import BytesIO
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from tests.extras.season.queries.test_seasons import PLACES, season, table
from tests.support.factories import Event
from tests.support.pages import folded
from tests.support.tour_evenings import Club
from tests.views.organiser.conftest import Browser, Forms
from tournament import actions
from tournament.extras.season.actions import put_in_season
from tournament.extras.season.queries.seasons import SeasonTable
from tournament.models import Entry
from tournament.settings import EXTRAS

pytestmark = pytest.mark.django_db


def previewed(browser: Browser, address: str, text: str) -> tuple[Any, dict[str, Any]]:
    """The preview of a pasted list: its groups, and what its form would send."""
    answer = browser.post(address, {"players": text})
    forms = Forms(answer.content.decode()).forms
    return answer.context["groups"], next(form["data"] for form in forms if "rows" in form["data"])


def evenings(found: SeasonTable) -> list[tuple[str, int]]:
    return sorted((found.names[line.player], line.evenings) for line in found.standings)


def signed_in(browser: Browser, made: Event) -> Browser:
    browser.force_login(made.user)
    return browser


@pytest.mark.skipif("imports" not in EXTRAS, reason="an extra reads lists")
def test_two_of_one_name_who_both_come_are_two_people_once_that_is_said(browser: Browser) -> None:
    club = Club()
    may = club.match("Matti Virtanen", "Aino Mäkelä")
    june = club.event("mattel-108", on=date(2026, 6, 1))
    page = reverse("organise-import", args=[june.tournament.slug])
    groups, form = previewed(signed_in(browser, may), page, "Matti Virtanen\nMatti Virtanen")
    (first,), (second,) = groups["known"], groups["look"]
    assert (first.planned.same.uid, second.box) == (club.players["Matti Virtanen"], "another-2")
    assert browser.post(page, form | {"another-2": "on"}).status_code == 303
    names = [(each.shown_name, each.player.uid) for each in Entry.objects.filter(tournament=june.tournament)]
    assert [name for name, _player in names] == ["Matti Virtanen #1", "Matti Virtanen #2"]
    assert [player == club.players["Matti Virtanen"] for _name, player in names] == [True, False]


def test_person_at_two_evenings_of_one_day_has_both_in_the_season() -> None:
    club = Club()
    here, there = club.match("Aino", "Börje"), club.match("Aino", "Cécile")
    uid = season(here, **PLACES)
    there.act(put_in_season, season=uid, belongs=True)
    assert evenings(table(uid)) == [("Aino", 2), ("Börje", 1), ("Cécile", 1)]


def test_season_without_evenings_is_a_page_a_file_and_an_answer() -> None:
    made = Club().match("Aino", "Börje")
    uid = season(made, **PLACES)
    made.act(put_in_season, season=uid, belongs=False)
    pages = f"/en/o/{made.tournament.organiser.uid}/seasons/{uid}/"
    for path in (pages, f"{pages}print/"):
        assert "Nothing counts yet." in folded(Client().get(path))
    book = load_workbook(BytesIO(Client().get(f"{pages}season.xlsx").getvalue()))
    assert [sheet.max_row for sheet in book] == [2, 2, 2 + 4]
    assert Client().get(f"/api/v1/seasons/{uid}/ranking").json()["results"] == []
    assert folded(Client().get(f"/en/o/{made.tournament.organiser.uid}/")).count("The year") == 1


@pytest.mark.skipif("imports" not in EXTRAS, reason="an extra reads lists")
def test_old_file_with_other_names_is_asked_about_and_a_wrong_answer_is_taken_back(browser: Browser) -> None:
    club = Club()
    may = club.match("Aino Mäkelä", "Börje Öst", "Ansku")
    uid = season(may, **PLACES)
    old = club.event("mattel-108", name="Old", on=date(2026, 4, 1))
    old.act(put_in_season, season=uid, belongs=True)
    page = reverse("organise-past-results", args=[old.tournament.slug])
    lines = ["Sija\tNimi", "1.\tMäkelä Aino", "2.\tAnsku", "3.\tBörje Ost"]
    groups, form = previewed(signed_in(browser, may), page, "\n".join(lines))
    assert {name: [row.planned.row.name for row in rows] for name, rows in groups.items() if rows} == {
        "known": ["Mäkelä Aino"],
        "look": ["Ansku"],
        "new": ["Börje Ost"],
    }
    assert browser.post(page, form).status_code == 303
    before = [
        ("Aino Mäkelä", 2),
        ("Ansku", 1),
        ("Ansku", 1),
        ("Börje Ost", 1),
        ("Börje Öst", 1),
    ]
    assert evenings(table(uid)) == before
    joined = may.act(actions.join_people, groups=[[club.players["Börje Öst"], player_of(old, "Börje Ost")]])
    assert evenings(table(uid)) == [*before[:3], ("Börje Öst", 2)]
    may.act(actions.part_people, row=joined.sequence)
    assert evenings(table(uid)) == before


def player_of(made: Event, name: str) -> UUID:
    return Entry.objects.get(tournament=made.tournament, public_name=name).player.uid
