"""Announcements: what may be said and for how long, who hears of it, and the way to take it down and back."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils.translation import override

from tests.support.asking_actions import agrees, refusal
from tests.support.factories import Event, add_stage, event
from tests.support.undoing import undo
from tournament import actions
from tournament.actions.event.announcements import LONGEST_MINUTES, MOST_STANDING
from tournament.actions.kernel import work
from tournament.models import Announcement, LedgerRow, Membership
from tournament.models.hall import LONGEST_ANNOUNCEMENT
from tournament.results import Forbidden

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Event:
    made = event("tite-2022", 6)
    made.act(actions.plan_stage, stage=uuid4(), kind="final", settings={"target": 300})
    return add_stage(made, "heats", tables=2)


def said(made: Event, text: str = "Food is served", minutes: int | None = 15) -> UUID:
    uid = uuid4()
    made.act(actions.announce, announcement=uid, words={"en": text}, minutes=minutes)
    return uid


def standing(made: Event) -> list[str]:
    return [row.text for row in Announcement.objects.filter(tournament=made.tournament).standing()]


def versions(made: Event) -> set[int]:
    made.refresh()
    return {made.tournament.version, *made.tournament.stages.values_list("version", flat=True)}


def test_it_stands_for_its_minutes_and_every_reader_hears_of_it(made: Event) -> None:
    receipt = made.act(
        actions.announce,
        announcement=uuid4(),
        words={"fi": " Ruoka on\n tarjolla ", "sv": " ", "en": "Food <b>is</b> served"},
        minutes=15,
    )
    row = Announcement.objects.get()
    assert row.words == {"en": "Food <b>is</b> served", "fi": "Ruoka on tarjolla"}
    assert row.until is not None
    assert (row.at, row.until - row.at) == (receipt.at, timedelta(minutes=15))
    assert versions(made) == {receipt.sequence}
    assert agrees(made)


def test_without_minutes_it_stands_until_it_is_taken_down(made: Event) -> None:
    said(made, "Doors close at 22", None)
    uid = said(made)
    assert standing(made) == ["Food is served", "Doors close at 22"]
    receipt = made.act(actions.take_down, announcement=uid)
    assert standing(made) == ["Doors close at 22"]
    assert versions(made) == {receipt.sequence}
    assert refusal(made, actions.take_down, announcement=uid) == [("announcement_down", "/announcement")]
    assert agrees(made)


def test_undo_puts_it_up_again_on_every_page(made: Event) -> None:
    uid = said(made)
    down = made.act(actions.take_down, announcement=uid)
    back = undo(made, down.sequence)
    assert standing(made) == ["Food is served"]
    assert versions(made) == {back}
    assert agrees(made)


def test_its_words_are_not_in_the_ledger(made: Event) -> None:
    uid = said(made, "Kim Virtanen, your bus waits")
    row = LedgerRow.objects.get(action="announce")
    assert list(row.payload) == ["announcement"]
    assert set(row.payload["announcement"][str(uid)]) == {"at", "until"}
    assert not LedgerRow.objects.filter(payload__icontains="Virtanen").exists()


@pytest.mark.parametrize(
    ("more", "faults"),
    [
        ({"words": {"en": "é" * LONGEST_ANNOUNCEMENT}}, []),
        ({"words": {"en": "<b>x</b>" * 625}}, [("field_max_length", "/words/en")]),
        (
            {"words": {"en": "Food", "sv": "x" * (LONGEST_ANNOUNCEMENT + 1)}},
            [("field_max_length", "/words/sv")],
        ),
        ({"words": {}}, [("field_required", "/words/en")]),
        ({"words": {"en": " \n "}}, [("field_required", "/words/en")]),
        ({"words": {"fi": "Ruoka"}}, [("field_required", "/words/en")]),
        ({"words": {"en": "Food", "de": "Essen"}}, [("malformed", "/words/de")]),
        ({"words": {"en": 7}}, [("malformed", "/words")]),
        ({"words": "Food"}, [("malformed", "/words")]),
        ({"minutes": 0}, [("field_min_value", "/minutes")]),
        ({"minutes": LONGEST_MINUTES}, []),
        ({"minutes": LONGEST_MINUTES + 1}, [("field_max_value", "/minutes")]),
        ({"minutes": "soon"}, [("malformed", "/minutes")]),
    ],
)
def test_what_may_be_said(made: Event, more: dict[str, Any], faults: list[tuple[str, str]]) -> None:
    arguments = {"announcement": uuid4(), "words": {"en": "Food"}, "minutes": 5} | more
    if faults:
        assert refusal(made, actions.announce, **arguments) == faults
    else:
        made.act(actions.announce, **arguments)
        assert Announcement.objects.count() == 1


def test_at_most_so_many_stand_at_once(made: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    first = said(made, "Number 0", 5)
    uids = [said(made, f"Number {number}") for number in range(1, MOST_STANDING)]
    arguments = {"announcement": uuid4(), "words": {"en": "One more"}}
    assert refusal(made, actions.announce, **arguments) == [("too_many_announcements", "")]
    made.act(actions.take_down, announcement=uids[0])
    made.act(actions.announce, **arguments)
    over = Announcement.objects.get(uid=first).until
    monkeypatch.setattr(work, "now", lambda: over)
    said(made, "In the place of one that is over")


def test_what_is_over_leaves_the_published_pages_with_the_next_save(
    made: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    until = Announcement.objects.get(uid=said(made)).until
    assert until is not None
    assert standing(made) == ["Food is served"]  # as the ledger's last row knows it; browsers hide it
    assert not Announcement.objects.standing(until).exists()
    monkeypatch.setattr(work, "now", lambda: until - timedelta(microseconds=1))
    made.act(actions.tick, item="backup")
    assert standing(made) == ["Food is served"]
    monkeypatch.setattr(work, "now", lambda: until)
    made.act(actions.untick, item="backup")
    assert standing(made) == []


def test_a_reader_gets_their_language_or_else_the_events(made: Event) -> None:
    made.act(actions.announce, announcement=uuid4(), words={"en": "Food", "fi": "Ruoka"})
    row = Announcement.objects.get()
    read = {}
    for code in ("en", "fi", "sv"):
        with override(code):
            read[code] = (row.text, row.language)
    assert read == {"en": ("Food", "en"), "fi": ("Ruoka", "fi"), "sv": ("Food", "en")}
    row.tournament.language = "sv"  # since then
    row.words = {"fi": "Ruoka"}
    assert row.text == "Ruoka"
    assert Announcement(tournament=made.tournament).text == ""  # of an anonymous archive


def test_a_head_referee_announces_and_a_table_referee_does_not(made: Event) -> None:
    words = {"en": "Go to your tables"}
    head, at_table = made.referee(), made.referee(Membership.Role.TABLE_REFEREE, made.table)
    command = actions.Command(uuid4(), head)
    actions.announce(command, made.tournament.uid, announcement=uuid4(), words=words)
    with pytest.raises(Forbidden):
        actions.announce(
            actions.Command(uuid4(), at_table), made.tournament.uid, announcement=uuid4(), words=words
        )
