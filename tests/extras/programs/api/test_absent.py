"""Absent means unchanged: a command changes of what people said only what it names."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from rest_framework.exceptions import ErrorDetail

from tests.extras.programs.api.championship import CONTACT, championship, token_for
from tests.extras.programs.api.sending import codes
from tests.support.factories import UserFactory
from tournament import actions
from tournament.extras.programs.api import writes
from tournament.extras.programs.api.writes import Write, commands, example_bodies
from tournament.extras.programs.api.writing import body_of
from tournament.extras.season.actions import start_season
from tournament.models import Entry, Player, PublicModel, Registration, Screen, Stage, Table, Tournament

# The fields that people fill in, by the names of the members that set them.
SAID: Mapping[type[PublicModel], Mapping[str, str]] = {
    Tournament: {name: name for name in (*example_bodies()["edit_tournament"], "logo", "decks")},
    Entry: {name: name for name in ("public_name", "club", "start_number", "guardian", "answers")},
    Player: {"real_name": "name", "birth_date": "birth_date", "contact": "contact"},
    Registration: {name: name for name in (*example_bodies()["set_registration"], "questions")},
    Screen: {name: name for name in example_bodies()["set_screen"]},
    Stage: {
        name: name
        for name in (*example_bodies()["set_stage_settings"], "second_look", "players_clock", "plan")
    },
    Table: {name: name for name in Table.ROLES},
}
# What a command sets under another name; everything, where what it is about is gone afterwards.
ALSO = {
    "choose_target": {"settings"},
    "set_levels": {"settings", "name", "plan", "card_texts", "second_look"},
    "set_programme": {"plan"},
    "swap_finalist": {*Table.ROLES},
}


def said() -> dict[tuple[Any, str], Any]:
    """All that people said, by the row and the member that sets it."""
    return {
        (row.uid, member): getattr(row, field)
        for model, fields in SAID.items()
        for row in model._default_manager.all()
        for member, field in fields.items()
    }


def bodies_of(write: Write) -> Iterator[tuple[str, dict[str, Any]]]:
    """The document's example of the body, and those with one member left out, named."""
    whole = dict(example_bodies().get(write.operation, {}))
    yield "", whole
    whole = dict(example_bodies().get(write.action, {}))
    for name in whole:
        yield name, {other: value for other, value in whole.items() if other != name}


@pytest.mark.sweep
@pytest.mark.sqlite
@pytest.mark.django_db
def test_no_example_changes_what_it_does_not_name(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sent as it is, and with one member left out: PUT is refused at its place, PATCH leaves it."""
    made = championship()
    made.act(
        actions.edit_tournament,
        place="Here",
        language="sv",
        time_zone="Europe/Stockholm",
        listed=False,
        fee="5 €",
        bring="A deck",
    )
    made.act(actions.set_registration, opened=True, most=40, terms="Be kind.", contact_person="Outi")
    made.act(actions.plan_stage, stage=uuid4(), kind="final", name="Final table", settings={"target": 250})
    monkeypatch.setattr("tournament.server.rate_limits.ApiThrottle.rate", "1000000/min")
    cache.clear()
    season = uuid4()
    made.act(start_season, season=season, name="Thursdays")
    heats, _match, final = Stage.objects.order_by("number")
    uids = {
        writes.TOURNAMENT: made.tournament.uid,
        writes.HEATS: heats.uid,
        writes.FINAL: final.uid,
        writes.TABLE: made.table.uid,
        writes.PLAY: made.table.plays.get().uid,
        writes.AINO: made.at(made.table)[0],
        writes.BORJE: made.at(made.table)[1],
        writes.NEW: UserFactory().uid,
    }
    uids |= {
        "tournament": made.tournament.uid,
        "stage": final.uid,
        "table": made.table.uid,
        "play": uids[writes.PLAY],
        "entry": uids[writes.AINO],
        "screen": Screen.objects.get().uid,
        "season": season,
    }
    secret = token_for(made.user)
    before = said()
    done = set()
    for write in commands():
        for left_out, body in bodies_of(write):
            with transaction.atomic():
                response = sent(client, write, body, uids, secret)
                moved = {name for place, name in changed(before, said())}
                transaction.set_rollback(True)
            case = (write.operation, left_out, response.content)
            assert response.status_code < 500, case
            assert moved <= {*body, *ALSO.get(write.action, ())}, case
            if write.edits:
                optional = (
                    write.method == "PATCH"
                    or not left_out
                    or left_out in writes.OPTIONAL.get(write.action, {})
                )
                assert response.status_code == (200 if optional else 400), case
                assert optional or codes(response) == [("field_required", f"/{left_out}")], case
            if response.status_code < 300:
                done.add(write.operation)
    assert len(done) > 40  # in the others the state of the event is another, which is no matter here


def sent(client: Client, write: Write, body: Mapping[str, Any], uids: Mapping[str, UUID], secret: str) -> Any:
    """The answer to this body, about what there is."""
    address, text = write.path, json.dumps(body)
    for name in [each.partition(">")[0] for each in write.path.split("<uuid:")[1:]]:
        address = address.replace(f"<uuid:{name}>", str(uids.get(name, uuid4())))
    for example, uid in uids.items():
        text = text.replace(example, str(uid)) if "-" in example else text
    return client.generic(
        write.method,
        f"/api/v1/{address}",
        text if body else "",
        content_type="application/json",
        headers={
            "authorization": f"Bearer {secret}",
            "if-match": "*",
            "idempotency-key": str(uuid4()),
        },
    )


def changed(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> list[Any]:
    """What is another value now; rows that are new or gone are not."""
    return [place for place, value in before.items() if after.get(place, value) != value]


@pytest.mark.parametrize("write", commands(), ids=lambda write: write.operation)
def test_member_that_a_body_needs_is_asked_for_at_its_place(write: Write) -> None:
    fields = body_of(write).fields
    whole = example_bodies().get(write.action, {})
    for name, field in fields.items():
        body = body_of(write, data={key: value for key, value in whole.items() if key != name})
        wanted = {name: [ErrorDetail("This field is required.", "required")]} if field.required else {}
        assert (body.is_valid(), body.errors) == (not wanted, wanted)


@pytest.mark.django_db
def test_answer_of_get_can_be_put_back_as_it_is(client: Client) -> None:
    """Its members that cannot be changed are ignored, as they are in no PATCH, and no others."""
    made = championship()
    made.act(actions.set_registration, opened=True, most=40, terms="Be kind.", contact_person="Outi")
    secret = token_for(made.user)

    def put(path: str, body: Mapping[str, Any], method: str = "PUT") -> Any:
        headers = {"authorization": f"Bearer {secret}", "if-match": "*", "idempotency-key": str(uuid4())}
        text = json.dumps(body)
        return client.generic(
            method, f"/api/v1/{path}", text, content_type="application/json", headers=headers
        )

    first = Entry.objects.get(player__contact=CONTACT)
    event = f"tournaments/{made.tournament.uid}"
    before = said()
    for path in (event, f"{event}/registration", f"entries/{first.uid}"):
        answer = client.get(f"/api/v1/{path}", headers={"authorization": f"Bearer {secret}"}).json()
        assert (put(path, answer).status_code, changed(before, said())) == (200, [])
        assert codes(put(path, {**answer, "what": 1})) == [("field_unknown", "/what")]
    answer["private"]["player"]["contact"] = "040"
    assert codes(put(path, answer, "PATCH"))[0] == ("field_unknown", "/uid")
    assert put(path, {**answer, "club": "New"}).status_code == 200
    assert {name for _uid, name in changed(before, said())} == {"contact", "club"}
    assert codes(put(path, {**answer, "private": None})) == [
        ("field_required", f"/{name}") for name in ("birth_date", "contact", "real_name", "guardian")
    ]
