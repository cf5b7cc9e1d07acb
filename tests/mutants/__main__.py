"""`python -m tests.mutants [FOLDER or FILE ...]`: changes to the code that no test notices.

Without a name, everything in TESTS, one folder after the other. Ends with 1 when more than five per cent of the mutants
are alive, or one without a reason in accepted/.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from .accepted import FOLDER, accepted
from .report import Report
from .running import Run
from .sites import Mutant

# Files to change, and the tests that state their rules.
TESTS = {
    "scoring": ["tests/scoring", "tests/rulesets"],
    "tournament/actions": [
        "tests/actions",
        "tests/extras/archive/files/test_stored.py",
        "tests/extras/archive/files/test_reading.py",
        "tests/extras/archive/files/test_prepared.py",
        "tests/extras/programs",
        "tests/views/desk/test_tables.py",
        "tests/views/entry/test_conflict.py",
        "tests/views/entry/test_entering.py",
        "tests/views/entry/test_rounds.py",
        "tests/views/test_answer.py",
        "tests/views/test_personal_data.py",
        "tests/views/test_sign_in.py",
        "tests/views/organiser/test_checklist.py",
        "tests/views/organiser/test_copy.py",
        "tests/views/organiser/programme/test_programme.py",
        "tests/extras/friends/test_views.py",
        "tests/test_permissions.py",
        "tests/views/public/test_practice.py",
        "tests/queries/test_advancing.py",
        "tests/queries/test_qualifying.py",
        "tests/jobs/test_ledger_check.py",
    ],
}
# The actions of an extra, by the tests of that extra.
TESTS |= {
    path.as_posix(): [f"tests/extras/{path.parent.name}"]
    for path in sorted(Path("tournament/extras").glob("*/actions*"))
}
QUIET = [
    "-q",
    "--no-header",
    "--no-summary",
    "--capture=sys",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:faulthandler",
]


def main(arguments: list[str]) -> int:
    """Run what the arguments ask for; the exit code."""
    options = _options(arguments)
    if not options.what:
        return max(
            subprocess.call([sys.executable, "-m", "tests.mutants", *arguments, each]) for each in TESTS
        )
    folder = _folder(options.what[0])
    report = Report(accepted(sorted(FOLDER.glob("*.toml"))))
    run = Run(
        _files(options.what),
        _wanted(options.only),
        at_once=options.at_once,
        seconds=options.seconds,
        tell=report.add,
        say=print,
    )
    os.environ["LASTCARD_MUTANTS"] = "1"
    began = time.monotonic()
    tests = options.tests or TESTS[folder]
    code = pytest.main([*QUIET, "--ds=tests.mutants.settings", "-m", "not e2e", *tests], plugins=[run])
    print(f"{folder}: {time.monotonic() - began:.0f} s")
    report.print()
    if options.page:
        Path(options.page).write_text(f"{report.table()}\n\n{report.survivors()}\n")
    return int(code) or (0 if report.fine() else 1)


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("what", nargs="*", metavar="FOLDER|FILE", help="of one of: " + ", ".join(TESTS))
    parser.add_argument(
        "--tests", action="append", metavar="PATH", help="ask these tests instead (may be repeated)"
    )
    parser.add_argument("--only", metavar="FILE:LINE", help="or FILE:FUNCTION, as scoring/why.py:_how")
    parser.add_argument(
        "--at-once", type=int, default=len(os.sched_getaffinity(0)), help="mutants beside each other"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=60,
        help="processor seconds that the tests of one mutant may usually take",
    )
    parser.add_argument("--page", metavar="FILE", help="write the tables of the page there")
    return parser.parse_args(arguments)


def _folder(name: str) -> str:
    for folder in TESTS:
        if Path(name).is_relative_to(folder):
            return folder
    raise SystemExit(f"{name} is in none of: {', '.join(TESTS)}")


def _files(names: list[str]) -> list[Path]:
    paths = [Path(name) for name in names]
    return [each for path in paths for each in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]


def _wanted(only: str | None) -> Callable[[Mutant], bool]:
    file, _, place = (only or "").rpartition(":")
    return lambda mutant: not only or (mutant.file == file and place in (mutant.function, str(mutant.line)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
