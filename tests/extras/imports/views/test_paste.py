"""A pasted list: what its preview says of each line, and that people who come again are known."""

from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from tests.support.factories import Event
from tests.views.organiser.conftest import Browser, Forms, paste
from tests.views.organiser.test_people import address, evening, players
from tournament.models import Entry, Player, User

pytestmark = pytest.mark.django_db


def preview(browser: Browser, planned: Event, text: str) -> Any:
    return browser.post(reverse("organise-import", args=[planned.tournament.slug]), {"players": text})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "\n".join(f"P{number}" for number in range(1001)),
            "There are too many rows. At most 1000 players can be read at a time.",
        ),
        ("   ", "This field is required"),
        (", ,\n,", "There are no players in the list."),
    ],
)
def test_wrong_list_says_why_and_keeps_what_was_typed(
    browser: Browser, planned: Event, text: str, said: str
) -> None:
    answer = preview(browser, planned, text)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert said in page
    assert text.strip() in page or text == "   "
    assert Entry.objects.count() == 7


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Good\n" + "x" * 101, "Name: More than 100 characters."),
        ("Good\n, Club", "Name: The name is missing."),
        ("Good\n\nGood", "The same name is already in row 1."),
        ("Good\naino", "Already in the event"),
        ("Good\nhttps://uno.example", "Everyone would see “https://uno.example”"),
    ],
)
def test_preview_says_of_each_line_what_happens(
    browser: Browser, planned: Event, text: str, said: str
) -> None:
    page = " ".join(preview(browser, planned, text).content.decode().split())
    assert said in page
    assert text.splitlines()[-1] in page, "the list can be changed there"
    paste(browser, planned.tournament, text)
    assert list(
        Entry.objects.filter(pk__gt=planned.entries[-1].pk).values_list("public_name", flat=True)
    ) == ["Good"]


def test_list_confirmed_twice_is_entered_once(browser: Browser, planned: Event) -> None:
    answer = preview(browser, planned, "New one, Club\nNew two")
    assert Entry.objects.count() == 7
    sent = next(f["data"] for f in Forms(answer.content.decode()).forms if "rows" in f["data"])
    for _time in range(2):
        address = reverse("organise-import", args=[planned.tournament.slug])
        assert browser.post(address, sent).status_code == 303
    assert Entry.objects.count() == 9
    assert Entry.objects.get(public_name="New one").club == "Club"


def test_pasted_regulars_are_the_same_people_but_for_a_first_name_alone(
    browser: Browser, organiser: User, first: Event
) -> None:
    second = evening(organiser, first)
    groups = preview(browser, second, "Aino Mäkelä\nVirtanen Matti, noppa\nEetu\nIida").context["groups"]
    assert {name: len(rows) for name, rows in groups.items()} == {
        "wrong": 0, "look": 1, "known": 2, "new": 1, "entered": 0,
    }  # fmt: skip
    assert (
        paste(browser, second.tournament, "Aino Mäkelä\nVirtanen Matti, noppa\nEetu\nIida").status_code == 303
    )
    now, before = players(second), players(first)
    assert now.keys() == {"Ansku", "Matti Virtanen", "Eetu", "Iida"}
    assert {name for name in now if now[name] == before.get(name)} == {"Ansku", "Matti Virtanen"}


def test_one_tap_says_that_all_who_are_asked_about_are_the_same(
    browser: Browser, organiser: User, first: Event
) -> None:
    second, page = evening(organiser, first), ""
    page = reverse("organise-import", args=[second.tournament.slug])
    answer = preview(browser, second, "Eetu\nMatti Virtanen")
    form = next(form for form in Forms(answer.content.decode()).forms if "rows" in form["data"])
    answer = browser.post(page, form["data"] | {"all-same": "1"})
    assert answer.status_code == 200
    form = next(form for form in Forms(answer.content.decode()).forms if "rows" in form["data"])
    sent = {name: value for name, value in form["data"].items() if name != "all-same"}
    for _twice in range(2):
        assert browser.post(page, sent).status_code == 303
    assert players(second) == {name: uid for name, uid in players(first).items() if name != "Ansku"}


def test_a_linked_row_is_unlinked_by_a_tap(browser: Browser, organiser: User, first: Event) -> None:
    second = evening(organiser, first)
    answer = preview(browser, second, "Matti Virtanen")
    form = next(form for form in Forms(answer.content.decode()).forms if "rows" in form["data"])
    sent = {name: value for name, value in form["data"].items() if not name.startswith("same-")} | {
        "enter-1": "on"
    }
    sent.pop("all-same", None)
    assert browser.post(reverse("organise-import", args=[second.tournament.slug]), sent).status_code == 303
    assert players(second)["Matti Virtanen"] != players(first)["Matti Virtanen"]


def test_regulars_of_five_evenings_are_one_person_each_in_the_season(
    browser: Browser, organiser: User
) -> None:
    made = None
    for week in range(5):
        made = evening(organiser, made, name=f"Week {week}", starts_on=date(2026, 5, 2 + week))
        names = "\n".join(f"Player{number} Regular, Noppa" for number in range(week % 2, 8 + week % 2))
        assert paste(browser, made.tournament, names).status_code == 303
    assert made
    assert Player.objects.count() == 9
    page = browser.get(address(made)).context
    assert sorted(one.events for one, _here in page["people"]) == [0] * 9
    assert page["groups"] == []
