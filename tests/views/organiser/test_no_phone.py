"""The word on the organiser's pages that no phone got through yet: why, what to do, and that it can be put away."""

import pytest
from django.urls import reverse
from django.utils import translation

from tests.support.factories import Event, add_stage, event
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import User
from tournament.server.venue import Reach, network_address, reach

pytestmark = pytest.mark.django_db

WORD = 'id="no-phone"'


@pytest.fixture
def evening(organiser: User) -> Event:
    return add_stage(event("kpgut-2016", players=16, user=organiser), "session", tables=2, start=False)


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two minutes went by, and only this computer asked."""
    monkeypatch.setattr(Reach, "nobody", True)


def pages(made: Event) -> list[str]:
    slug = made.tournament.slug
    events = reverse("organise")
    return [events, reverse("organise-board", args=[slug]), reverse("organise-checklist", args=[slug])]


def test_nothing_is_said_while_nobody_is_missed(browser: Browser, evening: Event) -> None:
    assert not [page for page in pages(evening) if WORD in browser.get(page).content.decode()]


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_each_page_says_why_and_the_way_out_in_each_language(
    browser: Browser, evening: Event, nobody: None, language: str
) -> None:
    hotspot = {
        "en": "phone hotspot",
        "fi": "puhelimen yhteyspiste",
        "sv": "internetdelning från en telefon",
    }[language]
    with translation.override(language):
        addresses = pages(evening)
    for address in addresses:
        shown = browser.get(address).content.decode()
        assert WORD in shown
        assert hotspot in shown.lower()
        assert "<svg" in shown


def test_address_is_one_that_phones_reach(browser: Browser, evening: Event, nobody: None) -> None:
    shown = browser.get(reverse("organise"), headers={"host": "127.0.0.1:8000"}).content.decode()
    assert f"<bdi>http://{network_address() or '127.0.0.1'}:8000</bdi>" in shown


def test_put_away_it_stays_away(
    browser: Browser, evening: Event, nobody: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = pages(evening)[1]
    answer = browser.post(reverse("organise-no-phone"), {"back": board})
    assert (answer.status_code, answer["Location"]) == (303, board)
    assert not [page for page in pages(evening) if WORD in browser.get(page).content.decode()]
    monkeypatch.setattr(reach, "run", "another start")
    assert WORD not in browser.get(board).content.decode()


def test_it_is_gone_from_the_board_once_play_starts(browser: Browser, evening: Event, nobody: None) -> None:
    board = pages(evening)[1]
    assert WORD in browser.get(board).content.decode()
    evening.act(actions.start_stage, stage=evening.stage.uid)
    assert WORD not in browser.get(board).content.decode()


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example/", "", "nowhere"])
def test_it_leads_to_no_other_site(browser: Browser, organiser: User, back: str) -> None:
    answer = browser.post(reverse("organise-no-phone"), {"back": back})
    assert answer["Location"] == reverse("organise")
