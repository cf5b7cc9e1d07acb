"""`manage.py rehearse`: how large a day is, and when it says no."""

import json
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tournament.extras.rehearsal.management.commands import rehearse
from tournament.extras.rehearsal.management.commands.rehearse import size_of
from tournament.extras.rehearsal.organiser import Impossible
from tournament.extras.rehearsal.plan import Size

NOT_ASKED = dict.fromkeys(
    ("players", "tables", "referees", "watchers", "games", "seconds", "kind", "own_pages", "seed"), None
) | {"quick": False, "no_faults": False}


def test_quick_is_small_unless_a_size_is_asked_for() -> None:
    assert size_of(NOT_ASKED | {"seed": 5}) == Size(seed=5)
    quick = size_of(NOT_ASKED | {"quick": True, "watchers": 70, "no_faults": True})
    assert (quick.players, quick.watchers, quick.seconds, quick.faults) == (100, 70, 20, False)


class Organiser:
    """Somebody on a server with so many real events, who signs in as they are told."""

    real = 0
    signed: list[tuple[str, ...]]

    def __init__(self, address: Any, token: str = "") -> None:
        self.address, self.token = address, token

    def sign_in(self, user: str, password: str) -> None:
        self.signed.append((self.address.url, user, password))

    def real_events(self) -> int:
        return self.real


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give the way a rehearsal ends, and the arguments that it was held with."""
    held = SimpleNamespace(passed=True, wrong="", closed=0, sizes=[], organisers=[])

    class Own:
        url, user, password = "http://127.0.0.1:9", "own", "word"

        def __init__(self, database: str) -> None:
            held.database = database

        def prepare(self) -> None:
            held.prepared = True

        def close(self) -> None:
            held.closed += 1

    def rehearsed(organiser: Any, size: Size, _own: Any, say: Any) -> Any:
        held.sizes.append(size)
        held.organisers.append(organiser)
        say("The day begins.")
        if held.wrong:
            raise Impossible(held.wrong)
        return SimpleNamespace(passed=held.passed, as_text=lambda: "the report", as_json=lambda: {"lost": 0})

    Organiser.signed, Organiser.real = [], 0
    for name, each in {"OwnServer": Own, "Organiser": Organiser, "rehearse": rehearsed}.items():
        monkeypatch.setattr(rehearse, name, each)
    for name in (rehearse.PASSWORD, rehearse.TOKEN):
        monkeypatch.delenv(name, raising=False)
    return held


def run(*options: str) -> str:
    out = StringIO()
    call_command("rehearse", *options, stdout=out)
    return out.getvalue()


def test_without_an_address_the_server_is_its_own(held: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    assert run("--quick", "--json", str(file), "--database", "sqlite:///x") == "The day begins.\nthe report\n"
    assert json.loads(file.read_text()) == {"lost": 0}
    assert (held.database, held.prepared, held.closed) == ("sqlite:///x", True, 1)
    assert Organiser.signed == [("http://127.0.0.1:9", "own", "word")]
    assert held.sizes[0].players == 100


def test_a_rehearsal_that_fails_ends_with_1_and_one_that_cannot_be_says_why(held: Any) -> None:
    held.passed = False
    with pytest.raises(CommandError, match=r"The answer is no\.") as no:
        run()
    assert no.value.returncode == 1
    held.wrong = "The server did not start."
    with pytest.raises(CommandError, match=r"The server did not start\."):
        run()
    assert held.closed == 2


def test_on_a_server_that_runs_one_signs_in_by_a_password_or_a_token(
    held: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = ("--url", "http://localhost:8000")
    monkeypatch.setenv(rehearse.PASSWORD, "kept")
    run(*address, "--user", "kim")
    run(*address, "--user", "kim", "--password", "typed")
    monkeypatch.setenv(rehearse.TOKEN, "secret")
    run(*address)
    assert Organiser.signed == [
        ("http://127.0.0.1:8000", "kim", "kept"),
        ("http://127.0.0.1:8000", "kim", "typed"),
    ]
    assert [each.token for each in held.organisers] == ["", "", "secret"]
    assert held.closed == 0


def test_beside_real_events_it_is_asked_for_twice(held: Any) -> None:
    Organiser.real = 2
    with pytest.raises(CommandError, match="The server has 2 real events"):
        run()
    assert (held.sizes, held.closed) == ([], 1)
    run("--yes")
    assert len(held.sizes) == 1
