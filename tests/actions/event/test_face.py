"""An event's face: stored, refused, copied, and verified by the ledger."""

from datetime import date, time
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest

from tests.support.asking_actions import refusal
from tests.support.factories import Event, GuestFactory, event
from tests.support.pictures import bomb, in_base64, picture
from tournament import actions
from tournament.actions import Command
from tournament.ledger.verify import verify
from tournament.models import Logo, Tournament
from tournament.server.pictures import is_stored

pytestmark = pytest.mark.django_db

DAY = date(2026, 5, 9)

SAID: dict[str, Any] = {
    "description": "An evening of cards.\n\nhttps://example.org/cards",
    "doors_at": "17:30",
    "starts_at": "18:00",
    "fee": "5 €",
    "bring": "A pen",
    "colour": "#8A1C4A",
}


def edit(made: Event, **more: Any) -> Tournament:
    made.act(actions.edit_tournament, name="Spring", starts_on=DAY, **more)
    made.tournament.refresh_from_db()
    return made.tournament


def test_it_is_stored_and_verified() -> None:
    made = event()
    row = edit(made, **SAID, logo=in_base64(picture()))
    assert (row.description, row.fee, row.bring) == (SAID["description"], "5 €", "A pen")
    assert (row.doors_at, row.starts_at, row.colour) == (time(17, 30), time(18), "#8a1c4a")
    content = bytes(Logo.objects.get(tournament=row).content)
    assert is_stored(content)
    assert row.logo == sha256(content).hexdigest()
    assert verify(row) == []


def test_the_ledger_holds_times_and_the_digest_and_no_word() -> None:
    made = event()
    row = edit(made, **SAID, logo=in_base64(picture()))
    said = row.ledger.get(sequence=row.version).payload["tournament"][str(row.uid)]
    assert (said["doors_at"], said["starts_at"], said["logo"]) == ("17:30:00", "18:00:00", row.logo)
    assert not said.keys() & {"description", "fee", "bring", "colour"}


def test_what_is_not_named_stays_and_what_is_empty_goes() -> None:
    made = event()
    edit(made, **SAID, logo=in_base64(picture()))
    row = edit(made)
    assert (row.fee, row.doors_at, bool(row.logo)) == ("5 €", time(17, 30), True)
    row = edit(made, **dict.fromkeys(SAID, ""), logo="")
    assert [getattr(row, name) for name in SAID] == ["", None, None, "", "", ""]
    assert not row.logo
    assert not Logo.objects.exists()
    assert verify(row) == []


def test_a_new_logo_takes_the_place_of_the_old_one() -> None:
    made = event()
    first = edit(made, logo=in_base64(picture())).logo
    assert edit(made, logo=in_base64(picture(colour="#0000ff"))).logo != first
    assert Logo.objects.count() == 1


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"description": "x" * 5001}, "field_max_length"),
        ({"doors_at": "25:00"}, "field_invalid"),
        ({"starts_at": "soon"}, "field_invalid"),
        ({"fee": "x" * 101}, "field_max_length"),
        ({"bring": "x" * 301}, "field_max_length"),
        ({"colour": "red"}, "field_invalid"),
        ({"colour": "#12345"}, "field_invalid"),
        ({"colour": "#123456}body{display:none"}, "field_invalid"),
        ({"logo": in_base64(b"no picture")}, "no_picture"),
        ({"logo": "not base64"}, "no_picture"),
        ({"logo": "ä"}, "no_picture"),
        ({"logo": in_base64(bomb())}, "picture_too_large"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(said: dict[str, str], code: str) -> None:
    made = event()
    assert (code, f"/{next(iter(said))}") in refusal(
        made, actions.edit_tournament, name="S", starts_on=DAY, **said
    )
    made.tournament.refresh_from_db()
    assert made.tournament.version == 1


def test_a_guest_has_no_logo() -> None:
    command, uid = Command(uuid4(), GuestFactory()), uuid4()
    actions.create_tournament(command, uid, name="Ours", starts_on=DAY, ruleset="kpgut-2016", listed=False)
    made = Event(Tournament.objects.get(uid=uid), command.actor)
    asked = {"name": "Ours", "starts_on": DAY, "listed": False, "logo": in_base64(picture())}
    assert refusal(made, actions.edit_tournament, **asked) == [("account_needed", "/logo")]


def test_a_copy_takes_the_face_along() -> None:
    made = event()
    was = edit(made, **SAID, logo=in_base64(picture()))
    command = Command(uuid4(), made.user)
    actions.copy_event(command, was.uid, name="Autumn", starts_on=DAY, players=False, roles=False)
    copy = Tournament.objects.get(uid=command.id)
    for name in (*SAID, "logo"):
        assert getattr(copy, name) == getattr(was, name), name
    assert bytes(copy.picture.content) == bytes(was.picture.content)
    assert verify(copy) == []
