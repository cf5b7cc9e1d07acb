"""Examples of what is sent and answered are what the document says."""

import json
import re
import shlex
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from tests.extras.programs.api.asking import plain
from tests.extras.programs.api.championship import token_for as access_token
from tests.extras.programs.api.sending import BY_ACTION, send
from tests.extras.programs.api.test_writes import CASES, Case
from tests.support.arriving import by_link
from tests.support.factories import (
    Event,
    UserFactory,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.extras.programs.api import writes
from tournament.extras.programs.api.examples import examples
from tournament.extras.programs.api.schema import document
from tournament.extras.programs.api.writes import Write, commands, example_bodies
from tournament.extras.programs.api.writing import body_of
from tournament.links import token_for
from tournament.models import Stage, Tournament

ROOT = Path(__file__).resolve().parents[4]


@pytest.mark.parametrize("operation", examples())
@pytest.mark.sweep
def test_examples_have_the_documented_shape(operation: str) -> None:
    import jsonschema_rs

    data = plain(document())
    found = next(
        each for path in data["paths"].values() for each in path.values() if each["operationId"] == operation
    )
    sent, answered = examples()[operation]
    good = next(each for status, each in found["responses"].items() if status.startswith("2"))
    shape = good["content"]["application/json"]["schema"] | {"components": data["components"]}
    jsonschema_rs.validator_for(shape).validate(plain(answered))
    if sent is not None:
        body = found["requestBody"]["content"]["application/json"]["schema"] | {
            "components": data["components"]
        }
        jsonschema_rs.validator_for(body).validate(plain(sent))


@pytest.mark.parametrize("write", commands(), ids=lambda write: write.action)
def test_every_body_has_an_example_that_is_one(write: Write) -> None:
    assert bool(body_of(write).fields) == (write.operation in example_bodies())
    body_of(write, data=example_bodies().get(write.operation, {}), partial=write.method == "PATCH").is_valid(
        raise_exception=True
    )


# Events that the examples fit, where those of the commands' tests do not: with two players at a table, as there.
FITTING: dict[str, Callable[[], Case]] = {}


def fitting(make: Callable[[], Case]) -> Callable[[], Case]:
    FITTING[make.__name__] = make
    return make


@fitting
def plan_event() -> Case:
    return event(), "plan_event", {}


@fitting
def copy_event() -> Case:
    return running_match(), "copy_event", {}


@fitting
def grant_role() -> Case:
    return running_match(players=2), "grant_role", {}


@fitting
def place_referee() -> Case:
    made = running_match(players=2)
    return made, "place_referee", {"user": made.referee("table_referee").uid}


@fitting
def plan_stage() -> Case:
    return running_match(players=6), "plan_stage", {}


@fitting
def finish_stage() -> Case:
    made = running_heats(players=8, tables=4)
    for table in made.tables[:3]:
        recorded_heat(made, table)
    return made, "finish_stage", {"stage": made.stage.uid}


@fitting
def record_round() -> Case:
    made = running_match(players=2)
    return made, "record_round", {"table": made.table.uid}


@fitting
def correct_round() -> Case:
    made = running_match(players=2)
    return made, "correct_round", {"play": recorded_round(made)}


@fitting
def record_game() -> Case:
    made = running_session(players=2)
    return made, "record_game", {"table": made.table.uid}


@fitting
def correct_game() -> Case:
    made, play = running_session(players=2), uuid4()
    first, second = ({"entry": uid, "outcome": "gave_up"} for uid in made.at(made.table))
    ending = {
        "ended": "early",
        "duration_s": 60,
        "results": [first, {**second, "outcome": "remaining", "hand": {"7": 1}}],
    }
    made.act(actions.record_game, table=made.table.uid, play=play, number=1, **ending)
    return made, "correct_game", {"play": play}


@fitting
def end_game() -> Case:
    made = running_session(players=2)
    Tournament.objects.update(rehearsal=True)  # whose games may begin before their stage
    return made, "end_game", {"play": started_game(made, elapsed_s=3100)}


@fitting
def accept_proposal() -> Case:
    made, there = running_match(players=2), uuid4()
    token = token_for("table", made.table.uid)
    by_link(made, actions.propose_result, token=token, proposal=there, play=uuid4(), number=1, fields={})
    return made, "accept_proposal", {"proposal": there}


OF_THE_EVENT = {"row", "to", "plays", "expires_at", "goes_on_at", "started_at"}  # what no example can know


@pytest.mark.parametrize("action", [each for each in example_bodies() if each in BY_ACTION])
@pytest.mark.sweep
@pytest.mark.django_db
def test_example_is_accepted_as_it_is(client: Client, action: str) -> None:
    """With the uids, versions and moments of an event that it fits."""
    write, example = BY_ACTION[action], example_bodies()[action]
    made, _action, arguments = (FITTING.get(action) or CASES[action])()
    text = json.dumps(example)
    for uid, real in {**uids_in(made), **dict(uids_named(example, arguments))}.items():
        text = text.replace(uid, str(real))
    named = {name: arguments[name] for name in write.in_address - {"tournament"}}
    known = {name: arguments[name] for name in OF_THE_EVENT & arguments.keys()}
    body = json.loads(text)
    body = {name: value for name, value in body.items() if name != "sequence" or not known} | named | known
    headers = {"if-match": "*"} if write.needs_version else {}
    response = send(client, made, action, body, headers=headers, method=write.method)
    assert response.status_code in {200, 201}, response.content


def test_the_way_through_an_event_names_addresses_and_kinds_that_there_are() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    section = page.partition("## An event from start to end")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(GET|POST|PUT) ([a-z{][^` ]*)`", section))
    assert len(named) > 15
    paths = document()["paths"]
    assert [each for each in named if each[0].lower() not in paths.get(f"/api/v1/{each[1]}", {})] == []
    kinds = re.findall(r"^\| (`[a-z`, ]+`) \|", section, re.MULTILINE)
    assert {*re.findall(r"\w+", " ".join(kinds))} - {"kind"} == {*Stage.Kind.values}


@pytest.mark.django_db
def test_the_command_lines_of_the_page_work_as_printed(client: Client) -> None:
    """With its placeholders filled in; the stream's is a server's."""
    made = running_match(players=2)
    aino, borje = made.at(made.table)
    secret = access_token(made.user)
    page = (ROOT / "docs" / "api.md").read_text()
    for placeholder, real in (
        ("https://cards.example.org", ""),
        ("lc_…", secret),
        ("c2f5…", made.table.uid),
        ("1a2b…", aino),
        ("3c4d…", borje),
    ):
        page = page.replace(placeholder, str(real))
    lines = re.findall(r"^    (curl (?:.*\\\n)*.*)$", page, re.MULTILINE)
    answers = [
        by_curl(client, shlex.split(line.replace("\\\n", ""))) for line in lines if "/live/" not in line
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 201]


def by_curl(client: Client, words: list[str]) -> Any:
    """The request of a curl command line."""
    parser = ArgumentParser()
    parser.add_argument("-X", default="GET")
    parser.add_argument("-H", action="append", default=[])
    parser.add_argument("-d", default="")
    parser.add_argument("address")
    asked = parser.parse_args(words[1:])
    headers = dict(line.split(": ", 1) for line in asked.H)
    kind = headers.pop("Content-Type", "")
    return client.generic(asked.X, asked.address, asked.d, content_type=kind, headers=headers)


def uids_in(made: Event) -> dict[str, Any]:
    """The event's uids, by those of the examples."""
    stage, table = getattr(made, "stage", None), next(iter(made.tables), None)
    seated = [*(made.at(table) if table else made.uids), uuid4(), uuid4()]
    return {
        writes.TOURNAMENT: made.tournament.uid,
        writes.HEATS: stage.uid if stage else uuid4(),
        writes.TABLE: table.uid if table else uuid4(),
        writes.OTHER_TABLE: made.tables[-1].uid if table else uuid4(),
        writes.AINO: seated[0],
        writes.BORJE: seated[1],
        writes.NEW: UserFactory().uid,
    }


def uids_named(example: Mapping[str, Any], arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Uids of the example with those that the command's test names in their place."""
    for name, value in example.items():
        there = arguments.get(name)
        if isinstance(there, UUID):
            yield value, there
        elif isinstance(there, list) and name == "entries":
            yield from zip(value, there, strict=False)
        elif isinstance(there, list) and name == "groups":
            yield from zip(value[0], there[0], strict=True)
