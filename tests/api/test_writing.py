"""How a command comes in: who may send it, its key, the version it changes, its body; and what is answered to it."""

import json
import re
from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from tests.api.championship import token_for
from tests.api.sending import read, send
from tests.api.test_writes import CASES
from tests.support.factories import (
    Event,
    OrganiserFactory,
    UserFactory,
    event,
    recorded_round,
    running_heats,
    running_match,
)
from tournament.api import versions
from tournament.api.auth import scope_of
from tournament.api.writes import WRITES
from tournament.ledger.verify import verify
from tournament.models import LedgerRow, Membership, Tournament
from tournament.server.rate_limits import ApiThrottle

pytestmark = pytest.mark.django_db

Role = Membership.Role


@pytest.fixture(autouse=True)
def _fresh_throttle() -> None:
    cache.clear()


def a_round(made: Event, number: int = 1, cards: int = 1) -> dict[str, Any]:
    first, *others = made.at(made.table)
    hands = {str(uid): {"7": cards} for uid in others}
    return {"table": made.table.uid, "number": number, "winner": first, "hands": hands}


def correction(made: Event, play: UUID, cards: int = 2) -> dict[str, Any]:
    entered = a_round(made, cards=cards)
    return {"play": play, "reason": "misread", "winner": entered["winner"], "hands": entered["hands"]}


def codes(response: Any) -> list[tuple[str, str]]:
    return [(error["code"], error["path"]) for error in read(response).get("errors", [])]


def rows() -> int:
    return LedgerRow.objects.count()


# ---- who ----


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.action)
def test_nobody_writes_without_a_token(client: Client, write: Any) -> None:
    """Also where there is nothing: that is not told to whoever does not say who they are."""
    address = re.sub(r"<uuid:\w+>", lambda _found: str(uuid4()), write.path)
    response = client.generic(write.method, f"/api/v1/{address}", "{}", content_type="application/json")
    assert (response.status_code, read(response)["code"]) == (401, "unauthenticated")


@pytest.mark.parametrize("scope", ["read", "enter"])
@pytest.mark.parametrize("action", ["record_round", "finish_stage"])
def test_token_does_what_its_scope_reaches(client: Client, scope: str, action: str) -> None:
    made, _action, arguments = CASES[action]()
    before = rows()
    secret = token_for(made.user, scope)
    response = send(client, made, action, arguments, secret=secret)
    allowed = scope == scope_of(action)
    assert (response.status_code < 300, rows() > before) == (allowed, allowed)
    assert allowed or response.status_code == 403


def test_table_referee_enters_at_the_own_table_alone(client: Client) -> None:
    made = running_match(players=4, tables=2)
    referee = made.referee(Role.TABLE_REFEREE, made.tables[1])
    before = rows()
    refused = send(client, made, "record_round", a_round(made), user=referee)
    assert (refused.status_code, read(refused)["code"], rows()) == (403, "forbidden", before)
    made.tables.reverse()
    assert send(client, made, "record_round", a_round(made), user=referee).status_code == 201


@pytest.mark.parametrize("action", sorted({name.partition("__")[0] for name in CASES}))
def test_organiser_of_another_event_finds_nothing(client: Client, action: str) -> None:
    made, _action, arguments = CASES[action]()
    other = event()
    stranger = other.referee(Role.ORGANISER)
    if action == "seat_stage":
        arguments.pop("draw", None)
    before = rows()
    response = send(client, made, action, arguments, user=stranger)
    assert (response.status_code, rows()) == (404, before)


def test_token_of_another_tournament_finds_nothing(client: Client) -> None:
    made = running_match(players=2)
    other = event(user=made.user)
    secret = token_for(made.user, tournament=other.tournament.uid)
    assert send(client, made, "record_round", a_round(made), secret=secret).status_code == 404
    new = {"name": "New", "starts_on": "2026-05-09", "ruleset": "mattel-108", "listed": False}
    assert send(client, made, "plan_event", new, secret=secret).status_code == 403


def test_signed_in_browser_needs_the_csrf_token() -> None:
    made = running_match(players=2)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(made.user)
    said = json.dumps({"number": 1, "winner": None, "hands": {}})
    address = f"/api/v1/tables/{made.table.uid}/rounds"
    response = browser.post(address, said, content_type="application/json")
    assert response.status_code == 403


# ---- the key ----


@pytest.mark.parametrize(("key", "code"), [("", "field_required"), ("once", "field_invalid")])
def test_command_without_an_id_is_not_read(client: Client, key: str, code: str) -> None:
    made = running_match(players=2)
    response = send(client, made, "record_round", a_round(made), **{"idempotency-key": key})
    assert (response.status_code, codes(response)) == (400, [(code, "/Idempotency-Key")])


def test_key_with_other_content_is_refused(client: Client) -> None:
    made, key = running_match(players=2), uuid4()
    assert send(client, made, "record_round", a_round(made), key=key).status_code == 201
    for action, arguments in [
        ("record_round", a_round(made, cards=2)),
        ("record_round", a_round(made, number=2)),
        ("stop_match", {"table": made.table.uid}),
    ]:
        response = send(client, made, action, arguments, key=key)
        assert (response.status_code, codes(response)) == (422, [("command_reused", "")])


def test_key_of_somebody_else_is_refused(client: Client) -> None:
    made, key = running_match(players=2), uuid4()
    send(client, made, "record_round", a_round(made), key=key)
    response = send(client, made, "record_round", a_round(made), key=key, user=made.referee())
    assert codes(response) == [("command_reused", "")]


def test_repeat_after_a_refusal_is_done(client: Client) -> None:
    made, key = running_match(players=2), uuid4()
    assert send(client, made, "record_round", a_round(made, number=2), key=key).status_code == 422
    assert send(client, made, "record_round", a_round(made), key=key).status_code == 201


def test_repeat_by_who_lost_the_role_finds_nothing(client: Client) -> None:
    made, key = running_match(players=2), uuid4()
    referee = made.referee(Role.HEAD_REFEREE)
    arguments = a_round(made)
    assert read(send(client, made, "record_round", arguments, key=key, user=referee))["play"]
    Membership.objects.filter(user=referee).delete()
    assert send(client, made, "record_round", arguments, key=key, user=referee).status_code == 404


# ---- the version ----


@pytest.mark.parametrize("action", ["correct_round", "void_play", "accept_play", "contest_play"])
def test_change_without_a_version_is_not_done(client: Client, action: str) -> None:
    made, _action, arguments = CASES[action]()
    del arguments["version"]
    before = rows()
    for said in ({}, {"if-match": "*"}):
        response = send(client, made, action, arguments, **said)
        assert (response.status_code, read(response)["code"]) == (428, "version_missing")
    response = send(client, made, action, arguments, **{"if-match": "seventeen"})
    assert (response.status_code, rows()) == (400, before)


@pytest.mark.parametrize("action", ["correct_round", "void_play"])
def test_change_of_an_old_version_tells_both(client: Client, action: str) -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    old = f'"{made.play(play).version}.organiser"'
    assert send(client, made, "correct_round", correction(made, play), **{"if-match": old}).status_code == 200
    late = {"play": play, "reason": "the cards fell"}
    if action == "correct_round":
        late = correction(made, play, cards=3)
    before = rows()
    response = send(client, made, action, late, **{"if-match": old})
    said = read(response)
    assert (response.status_code, said["code"], rows()) == (412, "version_changed", before)
    loser = str(made.at(made.table)[1])
    held = {each["entry"]: each["hand"] for each in said["current"]["play"]["results"]}
    assert (held[loser], said["current"]["by"]) == ({"7": 2}, made.user.display_name())
    assert said["offered"]["play"]["uid"] == str(play)
    assert said["offered"]["at"] is None


def test_number_that_was_entered_meanwhile_is_a_conflict(client: Client) -> None:
    made = running_match(players=2)
    send(client, made, "record_round", a_round(made))
    response = send(client, made, "record_round", a_round(made, cards=3))
    assert (response.status_code, read(response)["code"]) == (409, "conflict")
    assert read(response)["current"]["play"]["results"]


def test_etag_of_what_was_read_is_what_a_change_names(client: Client) -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    headers = {"authorization": f"Bearer {token_for(made.user)}"}
    tag = client.get(f"/api/v1/plays/{play}", headers=headers)["ETag"]
    changed = send(client, made, "correct_round", correction(made, play), **{"if-match": tag})
    assert changed.status_code == 200
    assert client.get(f"/api/v1/plays/{play}", headers={**headers, "if-none-match": tag}).status_code == 200


# ---- the body ----


def test_etag_of_another_history_names_no_version(client: Client) -> None:
    """As after a backup was restored: the number is there again, and says something else."""
    made = running_match(players=2)
    play = recorded_round(made)
    other = f'"{made.play(play).version}.organiser.ffffffffff-{versions.digest()}"'
    response = send(client, made, "void_play", {"play": play, "reason": "misread"}, **{"if-match": other})
    assert (response.status_code, read(response)["code"]) == (412, "version_changed")


def test_every_fault_of_a_body_is_told_at_once(client: Client) -> None:
    made = running_match(players=2)
    loser = made.at(made.table)[1]
    wrong = {"table": made.table.uid, "number": "1", "hands": {str(loser): {"7": True}}, "colour": "red"}
    before = rows()
    response = send(client, made, "record_round", wrong)
    assert (response.status_code, rows()) == (400, before)
    assert codes(response) == [
        ("field_unknown", "/colour"),
        ("field_invalid", "/number"),
        ("field_required", "/winner"),
        ("field_invalid", f"/hands/{loser}/7"),
    ]


def test_what_the_rules_refuse_names_the_player(client: Client) -> None:
    made = running_match(players=2)
    loser = made.entries[1]
    response = send(client, made, "record_round", {**a_round(made), "hands": {str(loser.uid): {"joker": 1}}})
    assert response.status_code == 422
    assert [code for code, _path in codes(response)] == ["unknown_card"]
    response = send(client, made, "record_round", {**a_round(made), "hands": {}})
    error = read(response)["errors"][0]
    assert (error["code"], error["path"].rpartition("/")[2]) == ("missing_hand", str(loser.uid))
    assert loser.public_name in error["message"]


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("number", [True, 1.0, "1", None, 2**31]),
        ("winner", [1, "aino", []]),
        ("hands", [[], "7", {"x": []}]),
        ("removed", ["all", {}, [1]]),
    ],
    ids=["number", "winner", "hands", "removed"],
)
def test_value_of_another_type_is_refused(client: Client, field: str, values: list[Any]) -> None:
    made = running_match(players=2)
    before = rows()
    for value in values:
        response = send(client, made, "record_round", {**a_round(made), field: value})
        assert response.status_code == 400, value
        assert codes(response)[0][1].startswith(f"/{field}")
    assert rows() == before


@pytest.mark.parametrize("said", ["2026-05-08T18:00:00", "0001-01-01T00:00:00+14:00", "soon", 17])
def test_time_without_its_offset_is_none(client: Client, said: Any) -> None:
    response = send(client, event(), "set_registration", {"opened": True, "closes_at": said})
    assert (response.status_code, codes(response)) == (400, [("field_invalid", "/closes_at")])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b"null", 400),
        (b"\xff\xfe", 400),
        (b'{"number": NaN}', 400),
        (b"[" * 100_000, 400),
        (b'{"\\ud800": 1}', 400),
        (b'{"number": 1' + b"0" * 5000 + b"}", 400),
        (b" " * 1_000_001, 413),
    ],
    ids=["cut", "list", "null", "no text", "NaN", "deep", "half a character", "long number", "too long"],
)
def test_body_that_cannot_be_read_is_a_problem(client: Client, body: bytes, status: int) -> None:
    made = running_match(players=2)
    headers = {"authorization": f"Bearer {token_for(made.user)}", "idempotency-key": str(uuid4())}
    address = f"/api/v1/tables/{made.table.uid}/rounds"
    response = client.post(address, body, content_type="application/json", headers=headers)
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")


def test_body_that_is_no_json_is_not_taken(client: Client) -> None:
    made = running_match(players=2)
    headers = {"authorization": f"Bearer {token_for(made.user)}", "idempotency-key": str(uuid4())}
    response = client.post(f"/api/v1/tables/{made.table.uid}/rounds", {"number": 1}, headers=headers)
    assert response.status_code == 415


def test_tokens_that_write_are_slowed_down(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ApiThrottle, "rate", "2/min")
    made = running_match(players=2)
    secret = token_for(made.user)
    sent = [send(client, made, "record_round", a_round(made, number), secret=secret) for number in (1, 2, 3)]
    assert [each.status_code for each in sent] == [201, 201, 429]


# ---- new events ----


NEW = {
    "name": "League night",
    "starts_on": "2026-09-05",
    "ruleset": "tite-2022",
    "organiser_name": "Card club",
    "stages": [
        {"kind": "heats", "settings": {"advance": 2}, "plan": {"minutes": 40}},
        {"kind": "final", "settings": {"target": 300}},
    ],
}


def test_event_is_made_with_its_stages_once(client: Client) -> None:
    made, key = event(), uuid4()
    answers = [send(client, made, "plan_event", NEW, key=key) for _time in range(2)]
    assert [(each.status_code, read(each)["replayed"]) for each in answers] == [(201, False), (201, True)]
    new = Tournament.objects.get(uid=key)
    assert answers[0]["Location"] == f"/api/v1/tournaments/{key}"
    stages = new.stages.order_by("number")
    assert [(stage.kind, stage.second_look) for stage in stages] == [("heats", False), ("final", True)]
    assert verify(new) == []
    other = send(client, made, "plan_event", {**NEW, "name": "Another"}, key=key)
    assert codes(other) == [("command_reused", "")]


def test_stage_that_cannot_be_makes_no_event(client: Client) -> None:
    before = Tournament.objects.count()
    wrong = {**NEW, "ruleset": "kpgut-2016"}
    response = send(client, event(), "plan_event", wrong)
    assert (response.status_code, codes(response)) == (422, [("wrong_kind_of_stage", "/kind")])
    assert Tournament.objects.count() == before + 1  # the one that `event` made


def test_stranger_makes_no_listed_event_of_another_organiser(client: Client) -> None:
    made = event()
    asked = {**NEW, "organiser": OrganiserFactory().uid, "listed": True}
    del asked["organiser_name"]
    assert send(client, made, "plan_event", asked, user=UserFactory()).status_code in {403, 422}
    assert Tournament.objects.count() == 1


def test_event_is_copied_once(client: Client) -> None:
    made, key = running_heats(players=4, tables=1), uuid4()
    asked = {"name": "Next year", "starts_on": date(2027, 5, 8), "players": True, "roles": True}
    answers = [send(client, made, "copy_event", asked, key=key) for _time in range(2)]
    assert [read(each)["replayed"] for each in answers] == [False, True]
    new = Tournament.objects.get(uid=key)
    assert (new.entries.count(), new.stages.count(), verify(new)) == (4, 1, [])


def test_copy_is_its_organisers(client: Client) -> None:
    made = running_heats(players=4, tables=1)
    asked = {"name": "Mine", "starts_on": date(2027, 5, 8), "players": True, "roles": True}
    referee = made.referee(Role.HEAD_REFEREE)
    assert send(client, made, "copy_event", asked, user=referee).status_code == 403
    assert Tournament.objects.count() == 1
