"""Bodies of commands: what they hold, and what is refused."""

from typing import Any

import pytest
from django.test import Client
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import ListField

from tests.extras.programs.api.sending import BY_ACTION, a_round, codes, rows, send
from tests.support.factories import event, running_match
from tournament import actions
from tournament.extras.programs.api import bodies
from tournament.extras.programs.api.writes import NOT_IN_BODIES, Write, commands, example_bodies
from tournament.extras.programs.api.writing import body_of

pytestmark = pytest.mark.django_db


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


def test_refused_choice_names_those_there_are(client: Client) -> None:
    response = send(client, event(), "plan_stage", {"kind": "knockout"})
    ((code, path),), (error,) = codes(response), response.json()["errors"]
    assert (code, path) == ("field_invalid_choice", "/kind")
    assert error["message"] == "Choose one of: session, heats, match, final, race, races."


@pytest.mark.parametrize("said", ["2026-05-08T18:00:00", "0001-01-01T00:00:00+14:00", "soon", 17])
def test_time_without_its_offset_is_none(client: Client, said: Any) -> None:
    response = send(client, event(), "set_registration", {"closes_at": said})
    assert (response.status_code, codes(response)) == (400, [("field_invalid", "/closes_at")])


@pytest.mark.parametrize("write", commands(), ids=lambda write: write.operation)
def test_no_member_has_a_second_name(write: Write) -> None:
    """Arguments that the document does not name, or names otherwise."""
    asks = actions.create_tournament if write.action == "plan_event" else write.function
    hidden = bodies.arguments_of(asks).keys() - body_of(write).fields.keys()
    sent = body_of(
        write, data={**example_bodies().get(write.operation, {}), **dict.fromkeys(hidden)}, partial=True
    )
    sent.is_valid()
    assert {name for name, (fault,) in sent.errors.items() if fault.code == "unknown"} == hidden


def test_no_member_of_a_player_has_a_second_name() -> None:
    player = bodies.NewPlayer(data={"name": "Aino"})
    assert not player.is_valid()
    assert player.errors.keys() == {"name", "public_name"}


def test_members_of_an_event_are_checked_together(client: Client) -> None:
    wrong: dict[str, Any] = {
        "starts_on": "2026-13-01",
        "starts_at": "25:00",
        "doors_at": "soon",
        "colour": "red",
    }
    wrong |= {"language": "de", "time_zone": "Europe/Nowhere", "listed": 1, "what": 1}
    response = send(client, event(), "edit_tournament", wrong)
    assert response.status_code == 400
    assert {path for _code, path in codes(response)} == {f"/{name}" for name in wrong}
    right = {"starts_at": "18:00:00", "doors_at": None, "colour": "#8A1C4A", "language": "sv", "fee": ""}
    assert send(client, event(), "edit_tournament", right).status_code == 200
    assert send(client, event(), "edit_tournament", {"starts_at": "", "colour": ""}).status_code == 200


@pytest.mark.parametrize(
    ("action", "allowed"),
    [
        ("record_round", "time"),
        ("correct_round", "time"),
        ("end_game", "time, early"),
        ("record_game", "last, time, early"),
    ],
)
def test_each_kind_of_play_says_how_it_can_end(action: str, allowed: str) -> None:
    body = body_of(BY_ACTION[action], data={"ended": "bell"}, partial=True)
    assert not body.is_valid()
    assert body.errors == {"ended": [f"Choose one of: {allowed}."]}


@pytest.mark.parametrize("write", commands(), ids=lambda write: write.action)
def test_every_argument_comes_from_somewhere(write: Write) -> None:
    asks = actions.create_tournament if write.action == "plan_event" else write.function
    declared = set(bodies.arguments_of(asks))
    left = declared - {field.source for field in body_of(write).fields.values()} - {"version"}
    left -= NOT_IN_BODIES.get(write.action, {}).keys()
    assert all(f"<uuid:{argument}>" in write.path for argument in left)
    assert NOT_IN_BODIES.get(write.action, {}).keys() <= declared
    assert write.method != "DELETE" or not body_of(write).fields


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("enter_players", {"players": [{"name": "Aino"}]}),
        ("check_in", {"entries": ["x"]}),
        ("seat_stage", {"tables": [{}]}),
        ("set_levels", {"levels": [{}]}),
        ("record_game", {"results": [{}]}),
        ("accept_plays", {"plays": [{}]}),
        ("plan_event", {"stages": [{}]}),
    ],
)
def test_a_list_that_is_too_long_is_refused_before_its_items_are_read(
    action: str, body: dict[str, list[Any]]
) -> None:
    ((name, (item,)),) = body.items()
    field = body_of(BY_ACTION[action]).fields[name]
    with pytest.raises(ValidationError) as refused:
        field.run_validation([item] * (bodies.MOST_AT_ONCE + 1))
    detail: Any = refused.value.detail
    ((code, said),) = ((each.code, str(each)) for each in detail)
    assert (code, said) == ("max_length", "At most 1000 at a time.")


def test_every_list_of_a_body_has_a_most() -> None:
    fields = [field for write in commands() for field in body_of(write).fields.values()]
    lists = [field for field in fields if isinstance(field, ListField)]
    assert len(lists) > 10
    assert {field.max_length for field in lists} == {bodies.MOST_AT_ONCE}
    hands = bodies.Hands()
    with pytest.raises(ValidationError):
        hands.run_validation({str(number): {} for number in range(bodies.MOST_AT_ONCE + 1)})
