"""Tests that needed their second try: a run of pytest notes them, then each must pass ten times in a row.

    python -m tests.support.second_tries FILE

runs the tests that FILE lists, one a line after the name of its database. The exit code is 1 if one of them fails, or
if they are more than MOST: then none is asked again.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

import pytest

NOTED = "LASTCARD_SECOND_TRIES"  # the environment variable that names the file; without it nothing is noted
MOST = 3  # tests in a run
TIMES = 10
AT_ONCE = 2  # runs of pytest


class Noting:
    """Appends to a file, at the end of a run, the tests that passed at their second try."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.tests: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome == "rerun":  # type: ignore[comparison-overlap]  # pytest-rerunfailures' own
            self.tests.add(report.nodeid)
        elif report.failed:  # at the second try too: the run is red already
            self.tests.discard(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        database = "postgresql" if os.environ.get("DATABASE_URL", "").startswith("postgres") else "sqlite"
        with self.file.open("a") as file:
            file.writelines(f"{database} {test}\n" for test in sorted(self.tests))


def note(config: pytest.Config) -> None:
    """Note this run's second tries, in the one process that hears of all tests."""
    file = os.environ.get(NOTED)
    if file and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Noting(Path(file)))


def main(file: Path) -> int:
    tests = sorted(set(file.read_text().splitlines())) if file.exists() else []
    print(f"Tests that needed a second try: {len(tests)}", *tests, sep="\n")
    if not tests:
        return 0
    if len(tests) > MOST:
        print(f"At most {MOST} may.")
        return 1
    commands = [
        command(database, [line.split(" ", 1)[1] for line in lines])
        for database, lines in groupby(tests, key=lambda line: line.split(" ", 1)[0])
    ]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        outputs = [output for output in pool.map(failure, commands * TIMES) if output is not None]
    print(f"Runs that failed: {len(outputs)} of {len(commands) * TIMES}", *outputs, sep="\n")
    return 1 if outputs else 0


def command(database: str, tests: list[str]) -> list[str]:
    """Runs these tests on that database without a second try."""
    asked = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--force-reruns=0", *tests]
    return (
        [sys.executable, "-m", "tests.support.postgres", "--", *asked] if database == "postgresql" else asked
    )


def failure(command: list[str]) -> str | None:
    """The output of a command that failed, None if it did not."""
    environment = {name: value for name, value in os.environ.items() if name != NOTED}
    done = subprocess.run(
        command, env=environment, check=False, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.stdout if done.returncode else None


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
