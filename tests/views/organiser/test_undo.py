"""The history of actions, and undoing one from there: counts and names first, then the way back."""

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.factories import Event, event
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Entry, LedgerRow, Seat, Stage, User

pytestmark = pytest.mark.django_db


def address(made: Event, row: int) -> str:
    return reverse("organise-undo", args=[made.tournament.slug, row])


def send(browser: Browser, page: str, **typed: str) -> Any:
    """Press Undo on the page."""
    return browser.send(page, page, **typed)


def ledger(made: Event) -> str:
    return reverse("organise-ledger", args=[made.tournament.slug])


def seated(organiser: User, players: int = 60, tables: int = 10) -> tuple[Event, int]:
    """A planned stage that was seated in one step; gives the row as well."""
    made = event("tite-2022", players=players, user=organiser)
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind="heats")
    made.stage = Stage.objects.get(uid=stage)
    dealt = [{"number": n, "entries": made.uids[n - 1 :: tables]} for n in range(1, tables + 1)]
    return made, made.act(actions.seat_stage, stage=stage, tables=dealt).sequence


def test_it_says_what_is_put_back_before_anything_is_written(browser: Browser, organiser: User) -> None:
    made, row = seated(organiser)
    page = browser.get(address(made, row)).content.decode()
    assert "60 players lose their seats (tables: 10)." in page
    assert "10 tables are removed." in page
    assert "<bdi>Aino</bdi>" in page
    assert "and 48 more" in page
    assert Seat.objects.count() == 60


def test_it_promises_no_names_back(browser: Browser, organiser: User) -> None:
    made, row = seated(organiser)
    assert "Nothing is lost" in browser.get(address(made, row)).content.decode()
    entered = made.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Late"}]).sequence
    page = browser.get(address(made, entered)).content.decode()
    assert "must be added again" in page
    assert "Nothing is lost" not in page
    for name, lost in (("", False), ("Evening round", True)):
        planned = made.act(actions.plan_stage, stage=uuid4(), kind="final", name=name).sequence
        page = browser.get(address(made, planned)).content.decode()
        assert ("A removed stage comes back without its own." in page) is lost
        assert ("Nothing is lost" in page) is not lost


def test_undo_leads_back_to_where_it_was_asked_and_offers_to_undo_that(
    browser: Browser, organiser: User
) -> None:
    made, row = seated(organiser, 8, 2)
    seats = reverse("organise-stage", args=[made.stage.uid])
    page = f"{address(made, row)}?back={seats}"
    answer = send(browser, page, reason="wrong button")
    assert (answer.status_code, answer.url) == (303, f"{seats}?saved={row + 1}")
    assert not Seat.objects.exists()
    after = browser.get(answer.url).content.decode()
    assert address(made, row + 1) in after
    note = LedgerRow.objects.get(tournament=made.tournament, sequence=row + 1).note.text
    assert note == "wrong button"
    send(browser, address(made, row + 1))
    assert Seat.objects.count() == 8
    assert verify(made.refresh().tournament) == []


@pytest.mark.parametrize(
    "back", ["https://example.org/", "//example.org/", "javascript:alert(1)", "/en/desk/", "x" * 300]
)
def test_it_leads_nowhere_else(browser: Browser, organiser: User, back: str) -> None:
    made, row = seated(organiser, 8, 2)
    page = browser.get(address(made, row), {"back": back}).content.decode()
    assert f'value="{back}"' not in page
    assert f'href="{back}"' not in page or back == "/en/desk/"
    answer = browser.post(address(made, row), {"command": str(uuid4()), "back": back})
    assert answer["Location"] == reverse("organise-board", args=[made.tournament.slug]) + f"?saved={row + 1}"


def test_what_is_gone_afterwards_is_not_shown(browser: Browser, organiser: User) -> None:
    made = event("tite-2022", players=2, user=organiser)
    stage = uuid4()
    row = made.act(actions.plan_stage, stage=stage, kind="heats").sequence
    back = reverse("organise-stage", args=[stage])
    answer = send(browser, f"{address(made, row)}?back={back}")
    assert answer.url.startswith(reverse("organise-board", args=[made.tournament.slug]))


def test_it_says_what_stands_in_the_way(browser: Browser, organiser: User) -> None:
    made, row = seated(organiser, 8, 2)
    made.act(actions.start_stage, stage=made.stage.uid)
    page = browser.get(address(made, row)).content.decode()
    assert "Outi Organiser started a stage at" in page
    assert 'name="command"' not in page
    answer = browser.post(address(made, row), {"command": str(uuid4())})
    assert answer.status_code == 422
    assert "Undo that first." in answer.content.decode()
    assert Seat.objects.count() == 8


def test_head_referees_undo_what_they_may_do(browser: Browser, organiser: User) -> None:
    made, row = seated(organiser, 8, 2)
    checked = made.act(actions.check_in, entries=made.uids).sequence
    client = Browser()
    client.force_login(made.referee("head_referee"))
    assert "You may not do this here." in client.get(address(made, row)).content.decode()
    assert client.post(address(made, row), {"command": str(uuid4())}).status_code == 403
    page = client.get(ledger(made)).content.decode()
    assert address(made, checked) in page
    assert address(made, row) not in page
    assert send(client, address(made, checked)).status_code == 303
    assert set(Entry.objects.values_list("state", flat=True)) == {"registered"}


def test_nobody_else_learns_of_it(browser: Browser, organiser: User) -> None:
    made, row = seated(organiser, 8, 2)
    stranger = Browser()
    assert stranger.get(address(made, row)).status_code == 302
    stranger.force_login(event().user)
    stranger.logout()
    client = Browser()
    client.force_login(made.referee("table_referee"))
    assert client.get(address(made, row)).status_code == 403
    assert browser.get(address(made, 9999)).status_code == 404


# ---- the ledger ----
