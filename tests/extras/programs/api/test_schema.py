"""The OpenAPI document, and every answer held against it: no 500, no answer that is not documented, none of another
shape, for any asker."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings

from tests.depth import SOAK, deep
from tests.extras.programs.api.asking import plain
from tests.extras.programs.api.championship import championship, everybody, uids_of
from tournament.extras.programs.api.schema import document
from tournament.extras.programs.api.writes import commands
from tournament.server.rate_limits import ApiThrottle, ScoreThrottle

OPERATIONS = {write.operation for write in commands()}
WHO = ["anybody", "table referee", "head referee", "organiser", "other event's organiser"]


def described(data: dict[str, Any]) -> list[Any]:
    """The operations of a document, as schemathesis reads them."""
    return [operation.ok() for operation in read_schema(data).get_all_operations()]


def read_schema(data: dict[str, Any]) -> Any:
    """The document, as schemathesis reads it; its import takes a second, so tests make it."""
    import schemathesis

    schema = schemathesis.openapi.from_dict(data)
    schema.app = get_wsgi_application()
    return schema


def checks_of_answers() -> list[Any]:
    """What is asked of every answer: no 500, and nothing that is not documented."""
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    return [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
    ]


def ask(case: Any, headers: dict[str, str]) -> None:
    """Send what was generated, and hold the answer against the document."""
    from schemathesis.specs.openapi.checks import negative_data_rejection

    case.call_and_validate(headers=headers, checks=[*checks_of_answers(), negative_data_rejection])


@pytest.fixture(autouse=True)
def _one_transaction() -> Iterator[None]:
    """Requests go to the application itself: they must not close the connection that the test's transaction is in."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def naming(uids: dict[str, list[str]]) -> dict[str, Any]:
    """The document, with paths that name what is there (and something that is not)."""
    data: dict[str, Any] = plain(deepcopy(document()))
    for operations in data["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path" and parameter["name"] in uids:
                    parameter["schema"]["enum"] = [*uids[parameter["name"]], str(uuid4())]
    return data


@pytest.mark.sweep
@pytest.mark.sqlite
@pytest.mark.django_db
@pytest.mark.parametrize("who", WHO)
def test_every_answer_is_documented(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for throttle in (ApiThrottle, ScoreThrottle):
        monkeypatch.setattr(throttle, "rate", "1000000/min")
    cache.clear()
    made = championship()
    headers = everybody(made).headers(who)
    operations = described(naming(uids_of(made)))
    assert len(operations) >= 18
    limits = settings(
        max_examples=deep(8, fewest=1),
        phases=[Phase.generate, *([Phase.shrink] if SOAK else [])],
        suppress_health_check=list(HealthCheck),
        derandomize=not SOAK,
        database=None,
        deadline=None,
    )
    for operation in operations:
        if operation.definition.raw["operationId"] in OPERATIONS:
            continue  # test_writes_schema.py

        @limits
        @given(case=operation.as_strategy())
        def hold(case: Any) -> None:
            ask(case, headers)

        hold()


@pytest.mark.django_db
def test_document_is_served_as_it_is(client: Client) -> None:
    response = client.get("/api/v1/schema")
    assert response.status_code == 200
    assert json.loads(response.content) == plain(document())


def test_document_is_made_once_for_all_who_ask_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    making: list[None] = []
    second = Event()

    def make(*_: Any, **__: Any) -> dict[str, Any]:
        making.append(None)
        if len(making) > 1:
            second.set()
        second.wait(0.2)
        return {}

    document.cache_clear()
    monkeypatch.setattr("tournament.extras.programs.api.schema.SchemaGenerator.get_schema", make)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(lambda _: document(), range(4))) == [{}] * 4
    finally:
        document.cache_clear()
    assert len(making) == 1


def test_document_is_openapi() -> None:
    """By drf-spectacular's copy of the schema of OpenAPI, with schemathesis' validator, in a hundredth of its time."""
    import jsonschema_rs
    from drf_spectacular import validation

    schema = json.loads(Path(validation.__file__).with_name("openapi_3_1_schema.json").read_text())
    assert document()["openapi"].startswith("3.1")
    jsonschema_rs.validate(schema, plain(document()))


def test_document_is_made_without_a_warning() -> None:
    """As drf-spectacular counts them, from the first time that this process made it."""
    from drf_spectacular.drainage import GENERATOR_STATS

    assert document()["paths"]
    assert not GENERATOR_STATS


def test_every_operation_says_what_it_does() -> None:
    operations = [each for path in document()["paths"].values() for each in path.values()]
    assert [each["operationId"] for each in operations if not each.get("summary")] == []
    names = [each["operationId"] for each in operations]
    assert len(names) == len(set(names))
    assert {problem for each in operations for problem in each["responses"]} >= {
        "400",
        "401",
        "404",
        "422",
        "429",
    }


def test_document_is_what_generators_of_clients_take() -> None:
    """They ask for servers and security, and read a value that fits two alternatives as an error."""
    made = plain(document())
    assert made["servers"]
    assert [
        each["operationId"]
        for path in made["paths"].values()
        for each in path.values()
        if not each.get("security")
    ] == []
    for name, shape in made["components"]["schemas"].items():
        for member, each in shape.get("properties", {}).items():
            kinds = [part.get("type") for part in each.get("oneOf", ())]
            assert kinds.count("string") < 2, f"{name}.{member}"


def test_headers_and_csv_of_answers_are_documented() -> None:
    paths = document()["paths"]
    entries = paths["/api/v1/tournaments/{tournament}/entries"]["get"]
    assert [each["schema"]["enum"] for each in entries["parameters"] if each["name"] == "format"] == [
        ["csv", "json"]
    ]
    assert {*entries["responses"]["200"]["content"]} == {"application/json", "text/csv"}
    limits = {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}
    assert {*entries["responses"]["200"]["headers"]} == {"ETag", "Link", *limits}
    entered = paths["/api/v1/tables/{table}/rounds"]["post"]["responses"]["201"]
    assert {*entered["headers"]} == {"ETag", "Location", *limits}
    stage = paths["/api/v1/stages/{stage}"]["get"]
    assert {*stage["responses"]["200"]["content"]} == {"application/json"}


def test_hands_say_which_cards_a_deck_lacks() -> None:
    hands = document()["components"]["schemas"]["RecordRoundRequest"]["properties"]["hands"]
    said = hands["additionalProperties"]["description"]
    assert "The deck of `tite-2022` has no `wild`, `shuffle`, `custom`." in said
    assert "mattel-112" not in said


def test_operations_name_the_scope_of_a_token_and_no_code() -> None:
    """Texts are for readers of the API: no names of actions, of arguments or of classes."""
    operations = [each for path in document()["paths"].values() for each in path.values()]
    scopes = {each["operationId"]: each["security"][0]["token"] for each in operations}
    assert [scopes[name] for name in ("standings_read", "ledger_read", "invites_read", "record_round", "put_away")] == [
        [], ["read"], ["organise"], ["enter"], ["organise"],
    ]  # fmt: skip
    for each in operations:
        scope = scopes[each["operationId"]]
        assert not scope or f"Tokens need the scope `{scope[0]}`." in each["description"]
        assert not re.search(r"Raises|tournament\.|\bNone\b|as_json", each["description"]), each[
            "operationId"
        ]


@pytest.mark.sweep
@pytest.mark.sqlite
@pytest.mark.django_db
def test_every_answer_on_the_way_of_the_links_is_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    """From what a list or a command answers to what can be read of it."""
    from hypothesis.stateful import run_state_machine_as_test

    monkeypatch.setattr(ApiThrottle, "rate", "1000000/min")
    cache.clear()
    made = championship()
    headers = everybody(made).headers("organiser")
    read: set[str] = set()

    class Reader(read_schema(plain(document())).include(method="GET").as_state_machine()):  # type: ignore[misc]
        def get_call_kwargs(self, _case: Any) -> dict[str, Any]:
            return {"headers": {**headers, "Idempotency-Key": str(uuid4())}}

        def validate_response(self, response: Any, case: Any, **_more: Any) -> None:
            if response.status_code < 300:
                read.add(case.operation.definition.raw["operationId"])
            case.validate_response(response, checks=checks_of_answers())

    limits = settings(
        max_examples=deep(200, fewest=40),
        stateful_step_count=6,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        derandomize=not SOAK,
        database=None,
        deadline=None,
    )
    run_state_machine_as_test(Reader, settings=limits)
    assert {"tournament_read", "stages_read"} <= read


def test_links_lead_to_reads_with_their_parameters() -> None:
    paths = document()["paths"]
    names = {
        of["get"]["operationId"]: re.findall(r"{(\w+)}", path) for path, of in paths.items() if "get" in of
    }
    links = {
        operation["operationId"]: {
            link["operationId"]: link["parameters"] for link in answer["links"].values()
        }
        for of in paths.values()
        for operation in of.values()
        for answer in operation["responses"].values()
        if "links" in answer
    }
    assert all([*given] == names[read] for each in links.values() for read, given in each.items())
    assert links["plan_event"] == {"tournament_read": {"tournament": "$response.body#/made"}}
    assert links["plays_read"] == {"play_read": {"play": "$response.body#/results/0/uid"}}
    assert links["stage_read"]["standings_read"] == {"stage": "$request.path.stage"}
