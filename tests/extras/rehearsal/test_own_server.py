"""A server of the rehearsal's own, with a program in the place of Lastcard that answers and can be killed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tournament.extras.rehearsal import own_server
from tournament.extras.rehearsal.organiser import Impossible
from tournament.extras.rehearsal.own_server import OwnServer

PROGRAM = """
import os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Healthy(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(200 if self.path == "/healthz" else 404)
        self.end_headers()

match sys.argv[1:]:
    case ["up", "--host", host, "--port", port]:
        print("serves", os.environ["DATABASE_URL"], flush=True)
        HTTPServer((host, int(port)), Healthy).serve_forever()
    case ["createsuperuser", *_]:
        print(os.environ["DJANGO_SUPERUSER_PASSWORD"])
    case _:
        print("no such command")
        sys.exit("it failed")
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnServer]:
    (tmp_path / "tournament").mkdir()
    (tmp_path / "tournament" / "__main__.py").write_text(PROGRAM)
    monkeypatch.setattr(own_server, "ROOT", tmp_path)
    server = OwnServer()
    yield server
    server.close()


def test_it_answers_once_it_is_prepared_and_can_be_killed_and_started_again(own: OwnServer) -> None:
    assert own.pid == 0
    own.kill()  # nothing is there to kill
    own.prepare()
    first = own.pid
    assert first > 0
    assert own._answers()
    own.kill()
    assert (own.pid, own._answers()) == (0, False)
    own.start()
    assert own.pid not in {0, first}
    assert own.log.read_text() == f"serves sqlite:///{own.data / 'lastcard.sqlite3'}\n" * 2


def test_close_ends_it_and_removes_its_data(own: OwnServer) -> None:
    own.start()
    process = own._process
    own.close()
    assert process is not None
    assert process.poll() is not None
    assert not own.data.exists()


def test_commands_run_on_its_database_and_say_what_failed(own: OwnServer) -> None:
    assert own.manage("createsuperuser", DJANGO_SUPERUSER_PASSWORD="abc") == "abc\n"
    with pytest.raises(Impossible, match=r"manage.py verify: no such command\nit failed"):
        own.manage("verify")


def test_server_that_ends_or_never_answers_is_said_with_its_log(
    own: OwnServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tournament" / "__main__.py").write_text("raise SystemExit('the port is taken')")
    with pytest.raises(Impossible, match=r"did not start\. It ended\. the port is taken"):
        own.start()
    (tmp_path / "tournament" / "__main__.py").write_text("import time; time.sleep(60)")
    monkeypatch.setattr(own_server, "START", 0.2)
    with pytest.raises(Impossible, match="It did not answer within 0 seconds"):
        own.start()
    monkeypatch.setattr(own_server, "STOP", 5.0)
    own.close()


def test_database_of_its_own_is_that_of_the_address() -> None:
    server = OwnServer("postgres://user@host/name")
    assert server.env["DATABASE_URL"] == "postgres://user@host/name"
    assert server.env["SECRET_KEY"] != OwnServer().env["SECRET_KEY"]
    server.close()
