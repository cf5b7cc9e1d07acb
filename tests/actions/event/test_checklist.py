"""The checklist before the start."""

from datetime import timedelta

import pytest

from tests.support.asking_actions import refusal
from tests.support.factories import (
    event,
)
from tournament import actions
from tournament.actions.event import checklist
from tournament.actions.kernel import work
from tournament.ledger.verify import verify
from tournament.links import token_for
from tournament.models import Tick

pytestmark = pytest.mark.django_db


def test_a_decided_point_of_the_checklist_is_unticked_once() -> None:
    made = event()
    assert refusal(made, actions.untick, item="phone") == [("not_ticked", "/item")]
    assert refusal(made, actions.set_decks, decks=10**6) == [("field_max_value", "/decks")]


def test_a_phone_that_says_hello_again_ticks_the_point_off_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    made = event()
    token = token_for("hello", made.tournament.uid)
    made.act(actions.say_hello, token=token)
    assert refusal(made, actions.say_hello, token=token) == [("ticked_already", "/item")]
    monkeypatch.setattr(checklist, "HELLO_AGAIN", timedelta(0))
    made.act(actions.say_hello, token=token)
    made.tournament.refresh_from_db()
    assert verify(made.tournament) == []


def test_each_event_ticks_its_own_points_and_each_point_once() -> None:
    made, other = event(), event()
    other.act(actions.tick, item="backup")
    made.act(actions.tick, item="awake")
    assert refusal(made, actions.untick, item="backup") == [("not_ticked", "/item")]
    at = made.act(actions.tick, item="backup").at
    assert refusal(made, actions.tick, item="backup") == [("ticked_already", "/item")]
    assert refusal(made, actions.tick, item="moon") == [("unknown_point", "/item")]
    made.act(actions.untick, item="awake")
    assert [(row.tournament, row.item) for row in Tick.objects.order_by("pk")] == [
        (other.tournament, "backup"),
        (made.tournament, "backup"),
    ]
    row = Tick.objects.get(tournament=made.tournament)
    assert (row.at, row.by) == (at, made.user)


def test_a_phone_says_hello_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    made, other = event(), event()
    token, others = (token_for("hello", each.tournament.uid) for each in (made, other))
    assert refusal(made, actions.say_hello, token=others) == [("unknown_link", "/token")]
    made.act(actions.tick, item="awake")
    other.act(actions.say_hello, token=others)
    began = made.act(actions.say_hello, token=token).at
    again = began + checklist.HELLO_AGAIN
    monkeypatch.setattr(work, "now", lambda: again - timedelta(microseconds=1))
    assert refusal(made, actions.say_hello, token=token) == [("ticked_already", "/item")]
    monkeypatch.setattr(work, "now", lambda: again)
    made.act(actions.say_hello, token=token)
    ticks = Tick.objects.filter(tournament=made.tournament).order_by("pk")
    assert [row.item for row in ticks] == ["awake", "phone"]
    assert ticks[1].at == again
    assert Tick.objects.filter(tournament=other.tournament).exists()


def test_decks_are_counted_from_none_to_999() -> None:
    made = event()
    for decks in (0, None, 999):
        made.act(actions.set_decks, decks=decks)
        made.tournament.refresh_from_db()
        assert made.tournament.decks == decks
    for decks in (-1, 1000):
        assert refusal(made, actions.set_decks, decks=decks) == [("field_max_value", "/decks")]
    assert refusal(made, actions.set_decks, decks=True) == [("malformed", "/decks")]
