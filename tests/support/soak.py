"""`make soak`: what takes too long for every change, part by part, and docs/soak.md's table of how each part ended.

    python -m tests.support.soak [PART...] [-- ARGUMENTS]

All parts run without a name; one that fails does not stop the others, and each is written as soon as it has ended. The
arguments behind `--` go to the command of each part, as `-k NAME` does to pytest; the table is left alone then.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass

from tests.support import records

PAGE = records.ROOT / "docs" / "soak.md"
MARK = "REPORT"
PYTEST = r"=+ (.*(?:passed|failed|error|no tests ran).*) =+$"  # its last line


@dataclass(frozen=True, slots=True)
class Part:
    """`holds` is what the part shows; `command` pytest's paths, Python's arguments, or a command of make. `said` finds
    the result in its output; `depth` names the setting by which tests take more examples (tests/depth.py)."""

    holds: str
    command: str
    said: str = PYTEST
    depth: str = "LASTCARD_SOAK"
    at_once: bool = True  # on all processors; not where the clock on the wall matters

    def words(self, arguments: list[str]) -> list[str]:
        """The command line with these arguments."""
        words = shlex.split(self.command)
        if words[0] == "make":
            *words, last = words if words[-1].startswith("ARGS=") else [*words, "ARGS="]
            return [*words, "--no-print-directory", f"{last} {shlex.join(arguments)}".strip()]
        if words[0].startswith("tests/"):
            words = ["-m", "pytest", *(["-n", "auto"] if self.at_once else []), *words]
        return [sys.executable, *words, *arguments]


PARTS = {
    "sheets": Part("the properties of score sheets, 10,000 generated sheets each", "tests/rulesets tests/scoring"),
    "races": Part(
        "servers and clients that write the same rounds at once lose and double nothing", "tests/concurrency"
    ),
    "outboxes": Part(
        "entries of phones that are duplicated, delayed and mixed give the facts of entering them in order",
        "tests/views/entry/outbox/test_any_order.py",
    ),
    "clocks": Part(
        "on 1,000 evenings phones whose clocks jump, drift and sleep tell each start as it was, or people are asked",
        "tests/views/entry/outbox/test_clocks.py",
    ),
    "any-order": Part(
        "2,000 events entered in any order, with detours, give the standings, pages, API, workbook and archive "
        "of having been entered right at first",
        "tests/actions/test_any_order.py",
    ),
    "lists": Part(
        "lists of names in more than 20 encodings are read right, or asked about", "tests/extras/imports/files"
    ),
    "people": Part(
        "on 500 evenings on which people change tables, leave and come back, what was played "
"stands and every legal correction is joined",
        "tests/actions/test_people_move.py",
    ),
    "api": Part(
        "the API answers requests of every kind as its document promises",
        "tests/extras/programs/api/test_schema.py tests/extras/programs/api/test_writes_schema.py",
    ),
    "pages": Part(
        "every page is published as Django renders it, hides what is frozen, and takes junk in each field; the admin "
        "changes no row without its ledger",
        "tests/live/test_every_public_address.py tests/views/public/test_freeze.py "
        "tests/views/organiser/test_urls.py tests/extras/administration/admin/test_base.py",
    ),
    "archive": Part("an archive that is read again is the same event", "tests/extras/archive"),
    "workbooks": Part(
        "LibreOffice computes scoring's totals, averages and places in each workbook and each season's, also after "
        "changes, and a results file has only values",
        "tests/extras/workbook/files/test_formulas.py tests/files/results_file tests/extras/season",
    ),
    "roles": Part("every address answers each role in each event as the table says", "tests/roles"),
    "faults": Part(
        "servers and databases that are killed, full, slow or cut off lose and double nothing ([faults](faults.md))",
        "tests/faults", at_once=False,
    ),
    "attacks": Part(
        "strangers who attack for a minute hold up no referee and no player; 20,000 malformed requests break nothing",
        "tests/attacks", at_once=False,
    ),
    "deploy": Part(
        "the wheel, the Windows folder, updates and replicas start and serve", "tests/deploy tests/extras/update",
        at_once=False
    ),
    "deletion": Part(
        "without any one of the extras the rest loads, keeps its types and tests, and shows the history that the "
        "extra wrote", "tests/support/test_deletion.py", at_once=False,
    ),
    "browsers": Part(
        "phones in bad wifi arrive whole, and with their times",
        "tests/e2e/test_bad_wifi.py tests/e2e/test_clocks.py tests/e2e/test_phones.py", at_once=False,
    ),
    "looks": Part(
        "axe finds nothing on any page, in any language and role; what is shown can be tapped; a table's page and "
        "hostile names fit each screen",
        "tests/e2e/test_axe.py tests/e2e/test_pages.py tests/e2e/test_frame.py",
    ),
    "postgres": Part(
        "every test of the database, on PostgreSQL", "make test-postgres DATABASES=", depth="LASTCARD_FULL"
    ),
    "benchmarks": Part(
        "each benchmark runs at its own sizes ([how fast](speed.md))",
        "-m benchmarks", said="(.* benchmarks ran.*)", depth="",
    ),
    "rehearsal": Part(
        "a whole event day ([rehearsal](rehearsal.md))",
        "manage.py rehearse", said="(acknowledged .*)", depth="",
    ),
    "coverage": Part(
        "tests take every branch of scoring, the actions and the permissions",
        "make coverage", said="(TOTAL .*)", depth="",
    ),
    "mutants": Part(
        "tests notice small changes to scoring and the actions ([mutants](mutants.md))",
        "-m tests.mutants", said=r"\| (together .*) \|", depth="",
    ),
}  # fmt: skip
ELSEWHERE = " ".join(
    f"--ignore={word}"
    for part in PARTS.values()
    for word in part.command.split()
    if word.startswith("tests/")
)
PARTS |= {
    "dear": Part(
        "pages that CI opens at one size hold at the others and in the dark; clients that are generated play an event",
        f"make test-sqlite ARGS='-m soak {ELSEWHERE}'",
    ),
    "properties": Part(
        "every generated case of what no other part tries, on SQLite",
        f"make test-sqlite ARGS='-m hypothesis {ELSEWHERE}'", depth="LASTCARD_FULL",
    ),
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(prog="make soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("part", nargs="*", help=f"some of: {', '.join(PARTS)} (all without a name)")
    given = sys.argv[1:]
    split = given.index("--") if "--" in given else len(given)
    names = parser.parse_args(given[:split]).part or list(PARTS)
    if unknown := set(names) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    failed = [name for name in names if ran(name, given[split + 1 :])]
    print("== The soak", f"failed: {', '.join(failed)}" if failed else "holds")
    return 1 if failed else 0


def ran(name: str, arguments: list[str]) -> int:
    """Run a part, and write its row if all of it ran; gives the exit code."""
    part, load, commit, began = PARTS[name], records.load(), records.commit(), time.monotonic()
    words = part.words(arguments)
    print(f"== {name}: {shlex.join(words)}", flush=True)
    found: list[str] = []
    with subprocess.Popen(
        words, cwd=records.ROOT, env={**os.environ, **({part.depth: "1"} if part.depth else {})},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            if said := re.match(part.said, line.strip()):
                found.append(said[1])
    result = ("" if process.returncode == 0 else f"**exit code {process.returncode}** ") + "; ".join(found)
    print(f"== {name}: {result}", flush=True)
    if not arguments:
        minutes = f"{(time.monotonic() - began) / 60:.1f} min"
        row = records.row(name, part.holds, result, minutes, records.today(), commit, load, records.machine())
        heading = ["part", "what holds", "result", "took", "date", "commit", "load before", "machine"]
        records.write_between(PAGE, MARK, heading, [row])
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
