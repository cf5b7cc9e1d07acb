"""The Python client that `make client` makes of the API's document, against a running server."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.e2e.arranger import Arranger
from tests.e2e.server import ROOT, Server

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The client's package, made just now."""
    folder = tmp_path_factory.mktemp("client")
    subprocess.run([sys.executable, "docs/make_client.py", str(folder)], cwd=ROOT, check=True)
    sys.path.insert(0, str(folder))
    yield importlib.import_module("lastcard_client")
    sys.path.remove(str(folder))


def call(group: str, name: str) -> ModuleType:
    """The module of one operation."""
    return importlib.import_module(f"lastcard_client.api.{group}.{name}")


@pytest.mark.soak
def test_anybody_lists_events_and_reads_standings(
    client: ModuleType, lastcard: Server, arranger: Arranger
) -> None:
    event = arranger.match()
    anybody = client.Client(lastcard.url)
    listed = call("tournaments", "tournaments_read").sync(client=anybody, slug=event.slug)
    assert [each.slug for each in listed.results] == [event.slug]
    standings = call("stages", "standings_read").sync(UUID(event.stage), client=anybody)
    assert str(standings.stage) == event.stage


@pytest.mark.sweep
def test_client_plays_an_event(client: ModuleType, lastcard: Server, arranger: Arranger) -> None:
    """From its plan to the standings, through the models and functions of the generated package alone."""
    event = arranger.match()
    token = arranger("token", slug=event.slug, scope="organise", everywhere=True)
    organiser = client.AuthenticatedClient(lastcard.url, token=token)
    models = importlib.import_module("lastcard_client.models")

    def send(group: str, operation: str, /, *uids: UUID, **body: Any) -> Any:
        words = "".join(word.capitalize() for word in operation.split("_"))
        sent = {"body": getattr(models, f"{words}Request").from_dict(body)} if body else {}
        module = call(group, operation)
        receipt = module.sync(*uids, client=organiser, idempotency_key=str(uuid4()), **sent)
        assert isinstance(receipt, models.Receipt), receipt
        return receipt

    stages = [{"kind": "match", "settings": {"target": 100}}]
    night = {"name": "Client's night", "starts_on": "2026-05-09", "ruleset": "mattel-108", "stages": stages}
    made = send("tournaments", "plan_event", **night).made
    (stage,) = call("tournaments", "stages_read").sync(made, client=organiser).results
    players = [{"public_name": "Aino"}, {"public_name": "Börje"}]
    aino, borje = send("tournaments", "enter_players", made, players=players).entries
    seats = [{"number": 1, "entries": [str(aino), str(borje)]}]
    (table,) = send("stages", "seat_stage", stage.uid, tables=seats).tables
    send("stages", "start_stage", stage.uid)
    hands = {str(borje): {"wild": 1}}  # 50 points
    for number in (1, 2):
        entered = send("tables", "record_round", table, number=number, winner=str(aino), hands=hands)
        assert entered.play.version == entered.sequence
    send("stages", "finish_stage", stage.uid)
    standings = call("stages", "standings_read").sync(stage.uid, client=client.Client(lastcard.url))
    assert [(row.public_name, row.place) for row in standings.standings] == [("Aino", 1), ("Börje", 2)]


@pytest.mark.soak
def test_token_enters_a_round_once(client: ModuleType, lastcard: Server, arranger: Arranger) -> None:
    event = arranger.match()
    token = arranger("token", slug=event.slug, scope="enter")
    referee = client.AuthenticatedClient(lastcard.url, token=token)
    winner, *others = event.seats[0]
    models = importlib.import_module("lastcard_client.models")
    entered = models.RecordRoundRequest.from_dict(
        {"number": 1, "winner": winner, "hands": {uid: {"7": 1} for uid in others}}
    )
    key, record = str(uuid4()), call("tables", "record_round")
    for replayed in (False, True):
        receipt = record.sync(UUID(event.tables[0]), client=referee, body=entered, idempotency_key=key)
        assert receipt.replayed is replayed
    assert arranger.states(event) == ["entered"]


@pytest.mark.soak
def test_refusal_is_a_problem_with_its_code(client: ModuleType, lastcard: Server, arranger: Arranger) -> None:
    wrong = client.AuthenticatedClient(lastcard.url, token="lc_wrong")
    said = call("me", "me_read").sync(client=wrong)
    assert (said.status, said.code) == (401, "unauthenticated")
