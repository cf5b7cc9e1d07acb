"""The clients that openapi-generator makes of the API's document, in three languages, against a running server.

The generator is no dependency: the soak's machine has `openapi-generator-cli`, which needs Java.
"""

import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.e2e.arranger import Arranger
from tests.e2e.server import ROOT, Server

GENERATOR = shutil.which("openapi-generator-cli", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
NODE = shutil.which("node")
PHP = shutil.which("php")
TSC = shutil.which("tsc", path=ROOT / ".ci/js/node_modules/.bin") or shutil.which("tsc")

pytestmark = [
    pytest.mark.server,
    pytest.mark.soak,
]


def generate(folder: Path, language: str, **properties: str) -> None:
    """Write the client in this language into the folder."""
    from tournament.extras.programs.api.schema import document

    assert GENERATOR, "Clients are made by openapi-generator: pip install openapi-generator-cli"
    folder.mkdir()
    (folder / "api.json").write_text(json.dumps(document(), default=str))
    given = ",".join(f"{name}={value}" for name, value in properties.items())
    words = ["generate", "-g", language, "-i", "api.json", "-o", ".", f"--additional-properties={given}"]
    subprocess.run([GENERATOR, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def token(arranger: Arranger) -> str:
    """A token for all events of an organiser."""
    secret: str = arranger("token", slug=arranger.match().slug, scope="organise", everywhere=True)
    return secret


def test_python_client_plays_an_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lastcard: Server, token: str
) -> None:
    generate(tmp_path / "client", "python", packageName="lastcard_generated")
    monkeypatch.syspath_prepend(tmp_path / "client")
    client: Any = importlib.import_module("lastcard_generated")
    asks = client.ApiClient(client.Configuration(host=lastcard.url, access_token=token))
    tournaments, stages, tables = client.TournamentsApi(asks), client.StagesApi(asks), client.TablesApi(asks)

    def send(operation: Any, name: str = "", body: Any = None, **named: UUID) -> Any:
        words = "".join(word.capitalize() for word in name.split("_"))
        sent = {f"{name}_request": getattr(client, f"{words}Request").from_dict(body)} if body else {}
        return operation(idempotency_key=uuid4(), **named, **sent)

    plan: dict[str, Any] = {"name": "Python's night", "starts_on": "2026-05-09", "ruleset": "mattel-108"}
    plan |= {"stages": [{"kind": "match", "settings": {"target": 100}}]}
    event = send(tournaments.plan_event, "plan_event", plan).made
    (stage,) = (row.uid for row in tournaments.stages_read(event).results)
    players = {"players": [{"public_name": "Aino"}, {"public_name": "Börje"}]}
    aino, borje = map(
        str, send(tournaments.enter_players, "enter_players", players, tournament=event).entries
    )
    seats = {"tables": [{"number": 1, "entries": [aino, borje]}]}
    (table,) = send(stages.seat_stage, "seat_stage", seats, stage=stage).tables
    send(stages.start_stage, stage=stage)
    for number in (1, 2):
        entered = {"number": number, "winner": aino, "hands": {borje: {"wild": 1}}}  # 50 points
        send(tables.record_round, "record_round", entered, table=table)
    send(stages.finish_stage, stage=stage)
    standings = stages.standings_read(stage).standings
    assert [(row.place, row.public_name) for row in standings] == [(1, "Aino"), (2, "Börje")]
    assert tournaments.tournament_read(event).name == "Python's night"


def test_typescript_client_compiles_and_plays_an_event(tmp_path: Path, lastcard: Server, token: str) -> None:
    assert NODE, "The client runs in node 18 or later: apt-get install nodejs"
    assert TSC, "The client is compiled by TypeScript: npm --prefix .ci/js ci"
    generate(tmp_path / "client", "typescript-fetch")
    shutil.copy(ROOT / "tests/e2e/play_event.ts", tmp_path)
    options = {
        "strict": True,
        "target": "es2022",
        "module": "commonjs",
        "lib": ["es2022", "dom"],
        "types": [],
    }
    (tmp_path / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": options, "files": ["play_event.ts"]})
    )
    subprocess.run([TSC, "--project", "."], cwd=tmp_path, check=True)
    words = [NODE, "play_event.js", lastcard.url, token]
    done = subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout == "1 Aino, 2 Börje\n"


def test_php_client_plays_an_event(tmp_path: Path, lastcard: Server, token: str) -> None:
    assert PHP, "The client runs in PHP with Guzzle, whose Debian packages .ci/install names"
    generate(tmp_path / "client", "php")
    words: list[str | Path] = [
        PHP,
        ROOT / "tests/e2e/play_event.php",
        tmp_path / "client",
        lastcard.url,
        token,
    ]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.stdout == "1 Aino, 2 Börje\n", done.stderr
