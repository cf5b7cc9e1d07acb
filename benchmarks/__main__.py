"""Run the benchmarks one after the other and write docs/speed.md's table: `python -m benchmarks [NAME...]`.

Each script runs in a process of its own; one that fails is named at the end, and the others run all the same.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks import _data
from benchmarks._figures import FILE, Figure, figures_in, number
from tests.support import records

PAGE = _data.ROOT / "docs" / "speed.md"
FIGURES, RUNS = "FIGURES", "RUNS"
CHANGED = 0.20  # of a ratio, from which `--compare` names it


@dataclass(frozen=True, slots=True)
class Ran:
    """One script's run: its exit code, the load and the commit when it began, and its figures."""

    script: str
    code: int
    seconds: float
    load: str
    commit: str
    figures: list[Figure]


def main() -> int:
    scripts = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", nargs="*", help=f"some of: {', '.join(scripts)} (all without a name)")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--smallest", action="store_true", help="only show that each runs; writes nothing")
    only.add_argument("--compare", action="store_true", help="name the ratios that changed; writes nothing")
    options = parser.parse_args()
    if unknown := set(options.name) - set(scripts):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    os.environ[_data.PREPARED] = str(_data.prepared())
    with ThreadPoolExecutor(os.cpu_count() if options.smallest else 1) as pool:
        done = list(
            pool.map(lambda name: ran(name, smallest=options.smallest), options.name or scripts, chunksize=1)
        )
    passed = [each for each in done if each.code == 0]
    if options.compare:
        print(*compared(passed), sep="\n")
    elif not options.smallest:
        write(passed)
    failed = [each.script for each in done if each.code]
    if failed:
        print(f"Failed: {', '.join(failed)}")
    return 1 if failed else 0


def ran(script: str, *, smallest: bool) -> Ran:
    """Run a script. At its smallest size it prints nothing but its name, unless it fails."""
    command = [sys.executable, "-m", f"benchmarks.{script}", *(["--smallest"] if smallest else [])]
    kept = subprocess.PIPE if smallest else None
    load, commit, began = records.load(), records.commit(), time.monotonic()
    if not smallest:
        print(f"== {script}", flush=True)
    with tempfile.NamedTemporaryFile() as file:
        process = subprocess.run(
            command, cwd=_data.ROOT, env={**os.environ, FILE: file.name}, check=False,
            stdin=subprocess.DEVNULL, stdout=kept, stderr=kept and subprocess.STDOUT, text=True,
        )  # fmt: skip
        figures, code = figures_in(Path(file.name)), process.returncode
    seconds = time.monotonic() - began
    if not code and not figures:
        print(f"{script} reported no figure")
        code = 1
    if smallest:
        print(f"{'FAILED' if code else 'ok':6} {seconds:5.1f} s  {script}", flush=True)
        if code:
            print(process.stdout, flush=True)
    return Ran(script, code, seconds, load, commit, figures)


def write(done: list[Ran]) -> None:
    """Put these figures and runs into the page's tables; those of other scripts stay."""
    rows = [row for each in done for row in rows_of(each)]
    heading = ["benchmark", "what", "Lastcard", "reference", "ratio", "aim"]
    records.write_between(PAGE, FIGURES, heading, rows)
    runs = [
        records.row(
            each.script, records.today(), each.commit, each.load, f"{each.seconds:.0f} s", records.machine()
        )
        for each in done
    ]
    heading = ["benchmark", "date", "commit", "load before", "took", "machine"]
    records.write_between(PAGE, RUNS, heading, runs)


def rows_of(done: Ran) -> list[str]:
    rows = []
    for each in done.figures:
        reference = "" if each.reference is None else f"{number(each.reference)} {each.unit}, {each.beside}"
        ratio = "" if each.ratio is None else number(each.ratio)
        rows.append(
            records.row(
                done.script, each.name, f"{number(each.figure)} {each.unit}", reference, ratio, each.aim
            )
        )
    return rows


def compared(done: list[Ran]) -> list[str]:
    """A line for each ratio that differs from the page's by more than CHANGED, and for each that only one side has."""
    before = {
        (script, what): ratio
        for script, what, _, _, ratio, _ in map(records.cells, records.between(PAGE, FIGURES))
        if ratio and script in {each.script for each in done}
    }
    lines = []
    for each in done:
        for figure in each.figures:
            if figure.ratio is None:
                continue
            was = before.pop((each.script, figure.name), None)
            if was is None:
                lines.append(f"new: {each.script}, {figure.name}: ratio {number(figure.ratio)}")
                continue
            change = figure.ratio / float(was.replace(",", "")) - 1
            if abs(change) > CHANGED:
                lines.append(
                    f"changed by {change:+.0%}: {each.script}, {figure.name}: ratio {number(figure.ratio)}, was {was}"
                )
    lines += [f"gone: {script}, {what}: ratio was {was}" for (script, what), was in before.items()]
    return lines or [f"No ratio changed by more than {CHANGED:.0%}."]


if __name__ == "__main__":
    sys.exit(main())
