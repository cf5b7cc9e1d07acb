"""Which cases each of make's sets asks, by their names without their files, so that moved tests compare as equal:

    python -m tests.support.cases FOLDER     # writes a list for each set
    diff -r BEFORE AFTER

The sets are read from the Makefile's own commands (`make -n`); a name that several files have stands there as often.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.soak import PARTS

SETS = {
    "change": "test",
    "sqlite": "test-sqlite",
    "postgres": "test-postgres",
    "postgres-soak": "test-postgres DATABASES=",
    "coverage": "coverage",
}
# Collecting asks nothing of the server: that it is PostgreSQL decides.
NOWHERE = "postgres://nobody@/nowhere/nothing"
APART = re.compile(r"^(-q|-n|\d+|auto|--dist|worksteal)$")  # how it runs, not what


def commands(target: str) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Give the environment and the arguments of each call of pytest that the target makes."""
    printed = subprocess.run(
        ["make", "-n", *target.split()], check=True, capture_output=True, text=True
    ).stdout
    for line in printed.replace("\\\n", " ").splitlines():
        head, called, arguments = line.partition("-m pytest")
        if called:
            environment = dict(re.findall(r"\b(LASTCARD_\w+)=(\S+)", head))
            if "tests.support.postgres" in head:
                environment["DATABASE_URL"] = NOWHERE
            yield environment, [each for each in shlex.split(arguments) if not APART.match(each)]


def cases(environment: dict[str, str], arguments: list[str]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *arguments],
        env=os.environ | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return [line.partition("::")[2] for line in done.stdout.splitlines() if line.startswith("tests/")]


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sets = {name: list(commands(target)) for name, target in SETS.items()}
    sets |= {
        f"soak-{name}": [({part.depth: "1"}, part.command.split())]
        for name, part in PARTS.items()
        if part.command.startswith("tests/")
    }
    for name, calls in sets.items():
        found = [case for call in calls for case in cases(*call)]
        (folder / f"{name}.txt").write_text("".join(f"{case}\n" for case in sorted(found)))
        print(f"{name:16} {len(found):6}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
