"""Commands by the interface: who may send one, its key, the version it changes, its body, and its answer."""

import json
import re
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.extras.programs.api.championship import token_for
from tests.extras.programs.api.sending import a_round, codes, read, rows, send
from tests.extras.programs.api.test_writes import CASES
from tests.support.asking_actions import state_of
from tests.support.factories import (
    OrganiserFactory,
    UserFactory,
    add_stage,
    event,
    running_heats,
    running_match,
)
from tournament import actions
from tournament.extras.programs.api.auth import scope_of
from tournament.extras.programs.api.writes import commands
from tournament.ledger.verify import verify
from tournament.models import Entry, Membership, Table, Tournament
from tournament.server.rate_limits import ApiThrottle

pytestmark = pytest.mark.django_db

Role = Membership.Role


# ---- who ----


@pytest.mark.parametrize("write", commands(), ids=lambda write: write.action)
def test_nobody_writes_without_a_token(client: Client, write: Any) -> None:
    """Also where there is nothing: nobody learns that without a token."""
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


@pytest.mark.sweep
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
    response = send(client, made, "record_round", a_round(made), headers={"idempotency-key": key})
    assert (response.status_code, codes(response)) == (400, [(code, "")])
    assert read(response)["errors"][0]["header"] == "Idempotency-Key"


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
        assert "Idempotency-Key" in read(response)["errors"][0]["message"]


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


def test_number_that_was_entered_meanwhile_is_a_conflict(client: Client) -> None:
    made = running_match(players=2)
    send(client, made, "record_round", a_round(made))
    response = send(client, made, "record_round", a_round(made, cards=3))
    assert (response.status_code, read(response)["code"]) == (409, "conflict")
    assert read(response)["current"]["play"]["results"]


# ---- the body ----


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
    wrong_kinds = [("wrong_kind_of_stage", f"/stages/{index}/kind") for index in range(2)]
    assert (response.status_code, codes(response)) == (422, wrong_kinds)
    assert Tournament.objects.count() == before + 1  # the one that `event` made


def test_stranger_makes_no_listed_event_of_another_organiser(client: Client) -> None:
    made = event()
    asked = {**NEW, "organiser": OrganiserFactory.create().uid, "listed": True}
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


# ---- the receipt ----


def test_receipt_names_what_was_made_and_says_whether_it_can_be_undone(client: Client) -> None:
    made, key = add_stage(event(players=2), "match", start=False), uuid4()
    new = {"players": [{"public_name": "Zed"}, {"public_name": "Zed", "another": True}]}
    answers = [read(send(client, made, "enter_players", new, key=key)) for _time in range(2)]
    entries = [str(uid) for uid in Entry.objects.filter(public_name="Zed").values_list("uid", flat=True)]
    assert [(each["entries"], each["undoable"]) for each in answers] == [(entries, True)] * 2
    tables = [{"number": 1, "entries": made.uids}, {"number": 2, "entries": entries}]
    seated = read(send(client, made, "seat_stage", {"stage": made.stage.uid, "tables": tables}))
    uids = Table.objects.order_by("number").values_list("uid", flat=True)
    assert (seated["tables"], seated["entries"]) == ([str(uid) for uid in uids], [])
    edited = read(send(client, made, "edit_entry", {"entry": made.uids[0], "contact": "040"}))
    assert (edited["undoable"], edited["made"]) == (False, None)
    assert codes(send(client, made, "enter_players", {"players": []})) == [("nobody_chosen", "/players")]


def test_what_is_read_is_written_under_the_same_name(client: Client) -> None:
    made = event()
    row = made.act(actions.tick, item="backup").sequence
    assert codes(send(client, made, "undo", {"sequence": 99})) == [("unknown_row", "/sequence")]
    assert send(client, made, "undo", {"sequence": row}).status_code == 200


def test_patch_that_names_nothing_writes_nothing(client: Client) -> None:
    made = event()
    before = rows()
    assert codes(send(client, made, "edit_tournament", {})) == [("same_version", "")]
    assert rows() == before


def test_game_ends_by_what_its_sender_saw(client: Client) -> None:
    """The message names both ways."""
    made, _action, arguments = CASES["end_game"]()
    del arguments["remaining"]
    response = send(client, made, "end_game", arguments)
    assert codes(response) == [("field_required", "/remaining")]
    assert read(response)["errors"][0]["message"].endswith("or If-Match.")


def test_race_asks_for_its_scoring_as_for_any_member(client: Client) -> None:
    response = send(client, event("mattel-108"), "plan_stage", {"kind": "race", "settings": {}})
    assert codes(response) == [("field_required", "/settings/scoring")]


# ---- departures ----


@pytest.mark.parametrize("kind", ["round", "heat"])
def test_d7_replacement_that_names_no_departures_leaves_them_alone(client: Client, kind: str) -> None:
    made = running_match(players=3) if kind == "round" else running_heats(players=3, tables=1, advance=1)
    first, second, gone = made.at(made.table)
    made.act(actions.player_leaves, entry=gone)
    said: dict[str, Any] = {"finish_order": [first]}
    if kind == "round":
        said = {"winner": first, "hands": {str(second): {"7": 1}}}
    entered = send(client, made, f"record_{kind}", {"table": made.table.uid, "number": 1, **said})
    play = read(entered)["play"]
    change = {"play": play["uid"], "version": play["version"], "reason": "misread", **said}
    answer = send(client, made, f"correct_{kind}", change)
    assert (answer.status_code, state_of(gone)) == (200, "left")
    back = {**change, "version": read(answer)["play"]["version"], "removed": [], "withdrawn": []}
    if kind == "round":
        back["hands"] = {**said["hands"], str(gone): {"7": 1}}
    answer = send(client, made, f"correct_{kind}", back)
    assert (answer.status_code, state_of(gone)) == (200, "checked_in")
