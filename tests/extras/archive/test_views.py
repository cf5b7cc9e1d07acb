"""An organiser takes an event's archive and a copy of its pages; staff bring an event back."""

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.support.archives import archived, forget, packed
from tests.support.factories import Event, StaffFactory, UserFactory, event, running_match
from tests.support.pages import Answer
from tests.views.organiser.conftest import Browser
from tournament.extras.archive import forms as form
from tournament.extras.archive.files.schema import People
from tournament.models import Tournament

pytestmark = pytest.mark.django_db

BRING = "/en/organise/import-archive/"


def page_of(made: Event) -> str:
    return f"/en/organise/t/{made.tournament.slug}/archive/"


def content(answer: Answer) -> bytes:
    assert answer.status_code == 200
    return answer.getvalue()


def brought(browser: Client, archive: bytes) -> Any:
    return browser.post(BRING, {"file": SimpleUploadedFile("cup.zip", archive)})


def organiser_of(made: Event) -> Browser:
    browser = Browser()
    browser.force_login(made.user)
    return browser


def test_the_board_leads_to_the_archive() -> None:
    made = running_match(players=3)
    board = organiser_of(made).get(f"/en/organise/t/{made.tournament.slug}/").content.decode()
    assert f'href="{page_of(made)}"' in board


@pytest.mark.parametrize("people", ["everything", "public names", "anonymous"])
def test_the_organiser_takes_the_archive(people: str) -> None:
    made = running_match(players=3)
    answer = organiser_of(made).get(f"{page_of(made)}event.zip", {"people": people})
    with ZipFile(BytesIO(content(answer))) as archive:
        assert f'"people": "{people}"'.encode() in archive.read("manifest.json")
    said = {"everything": "with-personal-data", "public names": "public-names"}.get(people, people)
    assert answer["Content-Disposition"] == f'attachment; filename="{made.tournament.slug}-{said}.zip"'
    assert "no-store" in answer["Cache-Control"]


def test_what_cannot_be_chosen_is_not_an_archive() -> None:
    made = running_match(players=3)
    for query in ({}, {"people": "some"}):
        assert organiser_of(made).get(f"{page_of(made)}event.zip", query).status_code == 422


@pytest.mark.parametrize("page", ["", "event.zip?people=everything"])
def test_nobody_else_gets_it(page: str) -> None:
    made = running_match(players=3)
    address = page_of(made) + page
    assert Client().get(address).status_code == 302
    for user, status in (
        (UserFactory(), 404),
        (made.referee("head_referee"), 403),
        (made.referee("table_referee"), 403),
    ):
        other = Client()
        other.force_login(user)
        assert other.get(address).status_code == status


def test_staff_bring_an_event_back() -> None:
    made = running_match(players=3)
    archive, slug = archived(made.tournament), made.tournament.slug
    browser = Browser()
    browser.force_login(StaffFactory())
    assert "exactly as in the archive" in brought(browser, archive).content.decode()
    anonymous = archived(made.tournament, People.ANONYMOUS)
    assert "The archive lacks its personal data." in brought(browser, anonymous).content.decode()
    forget(made.tournament)
    said = brought(browser, archive).content.decode()
    assert "The event is restored and matches its ledger." in said
    assert f'href="/en/organise/t/{slug}/"' in said
    forget(Tournament.objects.get(uid=made.tournament.uid))
    event(slug=slug)
    assert f"The new one is {slug}" in brought(browser, archive).content.decode()


def test_what_is_refused_says_why(browser: Browser) -> None:
    for content_, words in (
        (b"", "This is not an archive of an event"),
        (
            packed({"x": b""}),
            "This is not a Lastcard archive, because it contains x. Choose the .zip from Lastcard.",
        ),
    ):
        refused = brought(browser, content_)
        assert refused.status_code == 422
        assert words in refused.content.decode()
    assert "Choose a file first" in browser.post(BRING, {}).content.decode()


def test_a_file_that_is_too_large_is_not_kept(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form, "MOST_BYTES", 1000)
    refused = brought(browser, bytes(2000))
    assert refused.status_code == 422
    assert "larger than" in refused.content.decode()


def test_an_archive_may_be_larger_than_a_list_of_players(browser: Browser) -> None:
    assert "not an archive" in brought(browser, bytes(3 * 1024**2)).content.decode()


def test_only_staff_bring_events_and_only_from_the_page() -> None:
    organiser = Client()
    organiser.force_login(UserFactory())
    assert organiser.get(BRING).status_code == 403
    assert brought(organiser, b"").status_code == 403
    assert Client().get(BRING).status_code == 302
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(StaffFactory())
    assert brought(strict, b"").status_code == 403


def test_only_staff_are_led_there() -> None:
    for user, led in ((StaffFactory(), True), (UserFactory(), False)):
        client = Client()
        client.force_login(user)
        assert (BRING in client.get("/en/organise/").content.decode()) == led
