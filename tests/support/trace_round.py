"""How far a play goes between the view and the answer.

`python -m tests.support.trace_round` lists as JSON which files one POST of a round of a match enters and how often it
goes back to one, and the same of one POST of a game of a session; both are saved on the desk. The traced POST is the
second of its kind, so that everything is imported and known. From the call of the view's own function, inside its
decorators, until it returns:

- `files` are the files of the product whose functions run.
- `back` are the calls from one of these files into another that ran before. Each pair of calling file and called
  function counts once, however often a loop repeats it. A call by a library counts as one by the file that called
  the library.
"""

import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from urllib.parse import urlencode

import django
from django.db import connection
from django.test import Client
from django.test.utils import setup_test_environment
from django.urls import resolve, reverse

from tests.support.figures.sources import PACKAGES

ROOT = f"{Path(__file__).resolve().parents[2]}/"
COUNTED = tuple(f"{ROOT}{package}/" for package in PACKAGES)


class Tracer:
    """Follows what a function calls, from its own code on; `files` and `back` are in the order of the first call."""

    def __init__(self, begin: CodeType, counted: Callable[[str], bool]) -> None:
        self.begin, self.counted = begin, counted
        self.files: dict[str, None] = {}
        self.back: dict[str, None] = {}
        self._open: list[str] = []

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event not in {"call", "return"} or not (self._open or code is self.begin):
            return
        if code.co_name == "<module>" or not self.counted(code.co_filename):
            return
        if event == "return":
            self._open.pop()
            return
        path = code.co_filename.removeprefix(ROOT)
        if path in self.files and self._open and path != self._open[-1]:
            self.back[f"{self._open[-1]} calls {path} {code.co_qualname}"] = None
        self.files[path] = None
        self._open.append(path)

    @contextmanager
    def following(self) -> Iterator[None]:
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)


def trace_post(client: Client, url: str, data: Mapping[str, str]) -> Tracer:
    """The trace of a form that a browser sends without files and that is saved."""
    tracer = Tracer(inspect.unwrap(resolve(url).func).__code__, lambda path: path.startswith(COUNTED))
    with tracer.following():
        answer = client.post(url, urlencode(data), content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 303, answer.content.decode()
    return tracer


def trace_round() -> Tracer:
    """Three players, the second round of a match; the winner's hand is empty."""
    from tests.support.desk import as_referee, hands, hidden, open_page
    from tests.support.factories import running_match

    match = running_match(players=3)
    first, second, third = match.uids

    def post() -> Tracer:
        form = hidden(open_page(client, "table", match.table.uid))
        held = hands((second, "7", 1), (third, "draw2", 2))
        return trace_post(client, url, {**form, "winner": str(first), "last": "", **held, "step": "save"})

    client, url = as_referee(match), reverse("table-record", args=[match.table.uid])
    post()
    return post()


def trace_game() -> Tracer:
    """Three players, the second game of a session, from paper."""
    from tests.support.desk import as_referee, hidden, open_page
    from tests.support.factories import running_session

    session = running_session(players=3)
    first, second, third = session.uids
    times = {f"time-{first}": "12:30", f"time-{second}": "20:05"}
    outcomes = {f"outcome-{first}": "out", f"outcome-{second}": "out", f"outcome-{third}": "last"}

    def post() -> Tracer:
        form = hidden(open_page(client, "table-record", session.table.uid))
        return trace_post(client, url, {**form, "ended": "last", **outcomes, **times, "step": "save"})

    client, url = as_referee(session), reverse("table-record", args=[session.table.uid])
    post()
    return post()


TRACES = {"round": trace_round, "game": trace_game}


def trace_in_its_own_process() -> dict[str, dict[str, list[str]]]:
    """`files` and `back` of each trace, taken in a new process with its own SQLite file, also during a test run."""
    command = [sys.executable, "-m", "tests.support.trace_round"]
    own = {
        name: value
        for name, value in os.environ.items()
        if name not in {"DATABASE_URL", "PYTEST_XDIST_WORKER"}
    }
    done = subprocess.run(command, cwd=ROOT, env=own, stdout=subprocess.PIPE, text=True, check=True)
    traces: dict[str, dict[str, list[str]]] = json.loads(done.stdout.splitlines()[-1])
    return traces


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    setup_test_environment()
    connection.creation.create_test_db(verbosity=0)
    traces = {name: trace() for name, trace in TRACES.items()}
    print(
        json.dumps({name: {"files": [*trace.files], "back": [*trace.back]} for name, trace in traces.items()})
    )


if __name__ == "__main__":
    main()
