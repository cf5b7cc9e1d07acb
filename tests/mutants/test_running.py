"""A small module whose tests notice some changes and not others, through the whole runner."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .running import _tests
from .sites import mutants_of

pytestmark = pytest.mark.sweep
ROOT = Path(__file__).parents[2]

PRICES = """\
def price(age):
    return 5 if age < 18 else 9

def days(left):
    while left > 0:
        left -= 1
    return left

class Ticket:
    def __init__(self, age):
        self.age = age

    @property
    def is_free(self):
        return self.age == 0

def unused():
    return 7

def twice(function):
    def run(age):
        return 2 * function(age)
    return run

@twice
def fare(age):
    return age + 1
"""
TESTS = """\
import gc
import pytest
from prices import Ticket, days, fare, price, twice

gc.freeze()  # as tests/conftest.py does

@pytest.mark.parametrize(("age", "euros"), [(10, 5), (30, 9)])
def test_price(age, euros):
    assert price(age) == euros

def test_days():
    assert days(3) == 0

def test_free():
    assert Ticket(0).is_free and not Ticket(1).is_free

def test_fare():
    assert fare(1) == 4

def test_twice():
    assert callable(twice(len))

def test_that_fails():
    assert price(10) == 6
"""
PROGRAM = """\
import json, sys
from pathlib import Path
import pytest
from tests.mutants import running

running.AT_LEAST_S = 1
found, said = [], []
run = running.Run(
    [Path("prices.py")],
    lambda mutant: mutant.line != 11,
    at_once=2,
    seconds=60,
    tell=lambda verdict: found.append((verdict.mutant.text, verdict.state, verdict.test)),
    say=said.append,
)
code = pytest.main(["-q", "-p", "no:django", "-p", "no:cacheprovider", "test_prices.py"], plugins=[run])
Path("found.json").write_text(json.dumps({"code": int(code), "found": found, "said": said}))
"""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[str]]]:
    folder = tmp_path_factory.mktemp("prices")
    for name, text in {"prices.py": PRICES, "test_prices.py": TESTS, "program.py": PROGRAM}.items():
        (folder / name).write_text(text)
    subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder,
        env={"PYTHONPATH": f"{folder}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"},
        check=True,
        capture_output=True,
        timeout=600,
    )
    found: dict[str, list[list[str]]] = json.loads((folder / "found.json").read_text())
    return found


def test_change_that_no_test_notices_is_alive(ran: dict[str, list[list[str]]]) -> None:
    assert {text for text, state, _ in ran["found"] if state == "alive"} == {
        "return 5 if age < 18 else 9 → return 5 if age <= 18 else 9",
        "return 5 if age < 18 else 9 → return 5 if age < 19 else 9",
        "return 7 → return None",
        "return 7 → return 8",
    }


def test_change_that_is_noticed_names_the_test(ran: dict[str, list[list[str]]]) -> None:
    killed = {text: test for text, state, test in ran["found"] if state == "killed"}

    assert killed["return self.age == 0 → return self.age != 0"] == "test_prices.py::test_free"
    assert (
        killed["return 5 if age < 18 else 9 → return 6 if age < 18 else 9"]
        == "test_prices.py::test_price[10-5]"
    )


def test_change_to_what_a_decorator_made_at_import_is_noticed_too(ran: dict[str, list[list[str]]]) -> None:
    killed = {text: test for text, state, test in ran["found"] if state == "killed"}

    for changed in ("3 * function(age)", "2 // function(age)", "None"):
        name = f"return 2 * function(age) → return {changed}"
        assert killed[name] == "test_prices.py::test_fare"


def test_tests_of_the_file_s_name_are_asked_first_then_the_quickest() -> None:
    mutant = mutants_of("def who():\n    return 7\n", "actions/_people.py", {})[0]
    usual = {"test_screens.py::test_people": 0.1, "test_seats.py::test": 0.2, "test_people.py::test_who": 3.0}

    assert _tests(mutant, {mutant.file: {2: list(usual)}}, usual) == [
        "test_people.py::test_who",
        "test_screens.py::test_people",
        "test_seats.py::test",
    ]


def test_change_that_never_ends_is_stopped(ran: dict[str, list[list[str]]]) -> None:
    assert {text for text, state, _ in ran["found"] if state == "timed out"} == {
        "left -= 1 → left += 1",
        "left -= 1 → pass",
    }


def test_test_that_fails_without_a_change_is_named_and_not_asked(ran: dict[str, list[list[str]]]) -> None:
    assert any("test_prices.py::test_that_fails" in line for line in ran["said"])
    assert all(test != "test_prices.py::test_that_fails" for _, _, test in ran["found"])
