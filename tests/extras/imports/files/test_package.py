"""Bad files: those made to do harm are refused with what to do about it, those merely wrong are read with the row
named; within 200 MB of memory, without a request and without a file written."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from tests.support.list_files import DANGEROUS, OTHER_KINDS, WRONG, Bad, Wrong, largest
from tournament.extras.imports.files.lists import read_list
from tournament.extras.imports.files.matching import Kind, plan
from tournament.extras.imports.files.problems import problem_text

TODAY = date(2026, 5, 9)
REFUSED = DANGEROUS | OTHER_KINDS
MOST_MEMORY = 200_000  # kB
ROOT = Path(__file__).parents[4]
CHILD = ROOT / "tests" / "support" / "reading_alone.py"


def test_there_are_enough_of_them() -> None:
    assert len(DANGEROUS) >= 12
    assert len(WRONG) >= 8


@pytest.mark.parametrize("bad", REFUSED.values(), ids=REFUSED)
def test_bad_file_is_refused_with_what_to_do(bad: Bad) -> None:
    read = read_list(bad.make(), bad.filename, today=TODAY)
    assert read.refusal is not None
    assert read.refusal.code == bad.code
    assert read.rows == ()
    said = problem_text(read.refusal)
    assert len(said) > 20
    assert "%" not in said
    assert "…" not in said


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_wrong_file_is_read_with_the_row_named(wrong: Wrong) -> None:
    read = read_list(wrong.make(), wrong.filename, today=TODAY)
    assert read.refusal is None
    found = {(0, "", problem.code) for problem in read.problems}
    for each in plan(read.rows, [], []):
        found |= {(problem.row, problem.column, problem.code) for problem in each.problems}
        if each.kind is Kind.TWICE:
            found.add((each.row.number, "", "twice"))
    assert found == wrong.found


@pytest.mark.sweep
def test_reading_takes_little_memory_and_touches_neither_disk_nor_net(tmp_path: Path) -> None:
    """Every bad file and the largest good one, in a process of their own that watches itself."""
    for number, bad in enumerate(REFUSED.values()):
        (tmp_path / f"{number}.bad").write_bytes(bad.make())
    (tmp_path / "good").write_bytes(largest())
    done = subprocess.run(
        [sys.executable, CHILD, tmp_path], capture_output=True, check=True, text=True, cwd=ROOT
    )
    said = json.loads(done.stdout)
    assert said["touched"] == []
    assert said["read"] == len(REFUSED) + 1
    assert said["rows"] == 1000
    assert said["memory"] <= MOST_MEMORY, said
