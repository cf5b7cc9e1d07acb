"""The Python client that `make client` makes of the API's document, against a running server."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
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
