"""Lastcard runs on systems that are not Unix: its pages, exports and commands ask nothing of Unix alone."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.depth import dear

pytestmark = [pytest.mark.server, pytest.mark.sqlite]

ROOT = Path(__file__).resolve().parents[1]
HERE = [
    "tests/roles/once.py",
    "tests/extras/workbook/files/test_sheets.py",
    "tests/extras/workbook/files/test_jobs.py",
    "tests/backup",
    "tests/management",
    "tests/server/test_machine.py",
]
# Only Unix lets a process inherit the locks of the server that began it, and has SIGKILL.
UNIX = "killed or outlives or two_jobs"
EVERYBODY = "tests/roles/test_matrix.py::test_everybody_gets_what_the_table_says"


@pytest.mark.parametrize("paths", dear(HERE, [EVERYBODY]), ids=["each once", "everybody"])
def test_pages_exports_and_commands_need_nothing_of_unix(paths: list[str]) -> None:
    asked = [*("-m", "pytest", "-p", "tests.support.elsewhere"), *("-q", "-n", "0", "-k", f"not ({UNIX})")]
    done = subprocess.run(
        [sys.executable, *asked, *paths], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


@pytest.mark.parametrize("module", ["fcntl", *dear("resource", "uvloop")])
def test_a_module_of_unix_is_missing_there(module: str) -> None:
    """The plugin takes away what it says, or the test above shows nothing."""
    script = f"import tests.support.elsewhere as there; there.take_away(); import {module}"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert f"No module named '{module}'" in done.stderr
