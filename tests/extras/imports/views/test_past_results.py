"""The results of an earlier event: from its old list to its page, with what is unclear asked about on the way."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.support.factories import event
from tests.support.list_files import workbook
from tests.support.undoing import planned
from tests.views.organiser.conftest import Browser, Forms
from tournament.models import PastResult, Tournament

pytestmark = pytest.mark.django_db

OLD: list[list[Any]] = [
    ["UNO 2025"],
    [],
    ["Sija", "Pelaaja", "Kilta", "Pisteet", "Kierroksia", "Huom"],
    ["1.", "Virtanen Ville", "Fyysikkokilta", 240, 7, None],
    ["2.-3.", "Korhonen Sanna", "Fyysikko-kilta", "12,5", 7, None],
    ["hyl.", "Nieminen Aki", "Fyysikkokilta", None, 2, None],
    ["2.-3.", "Aino", "Noppa", "12,5", 7, None],
    [None, "Yhteensä", None, 265, 23, None],
]


def address(tournament: Tournament) -> str:
    return reverse("organise-past-results", args=[tournament.slug])


def send(browser: Browser, answer: Any, field: str, **typed: str | None) -> Any:
    """Send the page's form that has this field."""
    form = next(each for each in Forms(answer.content.decode()).forms if field in each["data"])
    data = form["data"] | typed
    return browser.post(form["action"], {name: value for name, value in data.items() if value is not None})


def said(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_an_old_workbook_becomes_the_results_of_an_event(browser: Browser) -> None:
    made = planned(players=1)
    browser.force_login(made.user)
    file = SimpleUploadedFile("uno2025.xlsx", workbook(OLD))
    columns = browser.post(address(made.tournament), {"file": file})
    assert "Name, surname first" in said(columns)
    preview = send(browser, columns, "sheet")
    assert "Fyysikko-kilta</bdi> → <bdi>Fyysikkokilta" in said(preview)
    assert "Not read, since they look like totals: rows 8." in said(preview)
    assert "planned stages of this event will be removed" in said(preview)
    sent = send(browser, preview, "rows")
    assert browser.get(sent.headers["Location"]).status_code == 200
    found = PastResult.objects.values_list("entry__public_name", "entry__club", "place", "points", "note")
    assert list(found) == [
        ("Ville Virtanen", "Fyysikkokilta", 1, "240", ""),
        ("Sanna Korhonen", "Fyysikkokilta", 2, "12.5", "2.-3."),
        ("Aino", "", 2, "12.5", "2.-3."),
        ("Aki Nieminen", "Fyysikkokilta", None, "", "hyl."),
    ]
    page = said(Client().get(reverse("tournament", args=[made.tournament.slug])))
    assert "Brought in from a file" in page
    assert page.index("Ville Virtanen") < page.index("Aki Nieminen") < page.index("hyl.")
    wall = said(browser.get(reverse("organise-print-results", args=[made.tournament.slug])))
    assert "Ville Virtanen" in wall
    listed = Client().get(f"/api/v1/tournaments/{made.tournament.uid}/past-results").json()["results"]
    assert [(row["name"], row["place"], row["games"]) for row in listed[:2]] == [
        ("Ville Virtanen", 1, 7),
        ("Sanna Korhonen", 2, 7),
    ]


def test_spellings_stay_where_somebody_wants_them_and_twice_is_once(browser: Browser) -> None:
    made = event(players=1)
    browser.force_login(made.user)
    pasted = "Sija\tNimi\tKerho\n1.\tPia\tNoppa\n2.\tUna\tNOPPA\n3.\tAki\tNoppa"
    preview = browser.post(address(made.tournament), {"players": pasted})
    first, second = (send(browser, preview, "rows", alike=None) for _time in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    assert list(PastResult.objects.values_list("entry__club", flat=True)) == ["Noppa", "NOPPA", "Noppa"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (workbook(OLD)[:2000], "damaged or incomplete"),
        (b"", "The file is empty."),
        (b"Nimi;Sija\n", "no players in the list"),
        ("Nimi;Sija\n" + "".join(f"Pelaaja {n};{n}\n" for n in range(5000)), "at most 1000"),
        (f"Nimi;Sija\nAino;{'9' * 40_000}\n", "more than 32767 characters"),
    ],
    ids=["cut off", "empty", "no rows", "5000 rows", "a text bomb"],
)
def test_a_file_that_cannot_be_read_is_said_in_words(
    browser: Browser, content: bytes | str, words: str
) -> None:
    made = event(players=1)
    browser.force_login(made.user)
    data = content if isinstance(content, bytes) else content.encode()
    answer = browser.post(address(made.tournament), {"file": SimpleUploadedFile("old", data)})
    assert answer.status_code == 422
    assert words.casefold() in said(answer).casefold()


def test_pasted_text_comes_back_with_what_is_wrong(browser: Browser) -> None:
    made = event(players=1)
    browser.force_login(made.user)
    answer = browser.post(address(made.tournament), {"players": "Nimi\tPisteet\nYhteensä\t240"})
    assert answer.status_code == 422
    assert "Yhteensä\t240" in answer.content.decode()
