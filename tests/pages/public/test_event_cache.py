"""The values that a stage's page is built from are made once for each row of the ledger, and for each language."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from tests.support.factories import Event, event, recorded_round, running_match, running_session, started_game
from tournament import actions
from tournament.models import Entry
from tournament.pages.public import event_cache, paging
from tournament.pages.public.event_cache import making, whole_of
from tournament.pages.public.stage import stage_board

PATIENCE = 60  # seconds


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The boards that were made, in pages of three."""
    monkeypatch.setattr(paging, "PEOPLE_PER_PAGE", 3)
    made: list[Any] = []
    make = stage_board

    def noted(*arguments: Any, **named: Any) -> Any:
        made.append(make(*arguments, **named))
        return made[-1]

    monkeypatch.setattr(event_cache, "stage_board", noted)
    return made


def paths(made: Event) -> list[str]:
    """The event's page and every part of its stage's."""
    of_event = f"/en/t/{made.tournament.slug}/"
    of_stage = f"{of_event}stage/{made.stage.uid}/"
    return [of_event, of_stage, f"{of_stage}2/", f"{of_stage}3/"]


def pages(made: Event) -> list[str]:
    answers = [Client().get(path) for path in paths(made)]
    assert {answer.status_code for answer in answers} == {200}
    return [answer.content.decode() for answer in answers]


@pytest.mark.django_db
def test_one_is_made_for_all_parts_and_another_after_each_command(boards: list[Any]) -> None:
    made = running_session(8)
    assert not any("Game 1" in page for page in pages(made))
    assert len(boards) == 1
    started_game(made)
    of_event, first, *_others = pages(made)
    assert "Game 1" in of_event
    assert "Game 1" in first
    assert len(boards) == 2


@pytest.mark.django_db
def test_a_page_says_the_same_as_one_of_its_own(boards: list[Any]) -> None:
    made = running_match(8, tables=3)
    recorded_round(made)
    together = pages(made)
    alone = []
    for path in paths(made):
        event_cache.forget()
        alone.append(Client().get(path).content.decode())
    assert alone == together
    assert len(boards) == 1 + len(alone)


@pytest.mark.django_db
def test_entries_are_read_again_only_after_more_than_plays() -> None:
    made = running_session(8)

    def entries() -> Mapping[str, Entry]:
        with making(), override("en"):
            return whole_of(made.refresh().tournament).entries

    first = entries()
    started_game(made)
    recorded = entries()
    assert recorded is first
    made.act(actions.edit_entry, entry=made.entries[0].uid, public_name="Zelda")
    renamed = entries()
    assert renamed[str(made.entries[0].uid)].public_name == "Zelda"
    assert entries() is renamed
    with making(), override("en"):
        whole_of(made.tournament).head = "0" * 64  # of a row that a restored backup does not have
    assert entries() is not renamed


@pytest.mark.django_db
def test_each_language_has_its_own() -> None:
    made = running_session(4)
    english, finnish = (
        Client().get(f"/{code}/t/{made.tournament.slug}/stage/{made.stage.uid}/").content.decode()
        for code in ("en", "fi")
    )
    assert "Standings, lowest average" in english
    assert "Standings, lowest average" not in finnish


@pytest.mark.django_db
def test_no_more_than_some_events_are_kept() -> None:
    first, *_others = events = [event() for _ in range(event_cache.CACHED_EVENTS + 1)]
    with making(), override("en"):
        found = [whole_of(made.tournament) for made in events]
        assert whole_of(events[-1].tournament) is found[-1]
        assert whole_of(first.tournament) is not found[0]


def test_who_wants_one_waits_for_who_makes_one(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(event_cache, "WAIT_S", PATIENCE)
    begun = _wanted_twice(monkeypatch, order)
    assert order == ["begins", "ends", "begins", "ends"]
    assert not begun.is_alive()


def test_but_not_for_one_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_cache, "WAIT_S", 0.01)
    with making_without_a_database(monkeypatch):
        second = threading.Thread(target=_make, args=([], threading.Event()))
        second.start()
        second.join(PATIENCE)
        assert not second.is_alive()


def _wanted_twice(monkeypatch: pytest.MonkeyPatch, order: list[str]) -> threading.Thread:
    """Let a second thread want an entry while the first one builds it."""
    asks = threading.Event()
    with making_without_a_database(monkeypatch):
        order.append("begins")
        second = threading.Thread(target=_make, args=(order, asks))
        second.start()
        assert asks.wait(PATIENCE)
        second.join(0.05)
        order.append("ends")
    second.join(PATIENCE)
    return second


def _make(order: list[str], asks: threading.Event) -> None:
    asks.set()
    with making():
        order.append("begins")
        order.append("ends")


@contextmanager
def making_without_a_database(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(event_cache, "snapshot", nullcontext)
    with making():
        yield
