"""Run the benchmarks one after the other and write docs/speed.md's tables: `python -m benchmarks [NAME...]`.

Each script runs in a process of its own, and its rows are written as soon as it has ended. One that fails keeps its old
rows; it is named at the end with its last lines, and the others run all the same.
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
LAST_LINES = 15  # of a failed script's output, shown again at the end


@dataclass(frozen=True, slots=True)
class Ran:
    """One script's run: its exit code, the load and the commit when it began, its figures and what it printed."""

    script: str
    code: int
    seconds: float
    load: str
    commit: str
    figures: list[Figure]
    output: str = ""


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
    writes = not options.smallest and not options.compare
    done = []
    with ThreadPoolExecutor(os.cpu_count() if options.smallest else 1) as pool:
        for each in pool.map(lambda name: ran(name, smallest=options.smallest), options.name or scripts):
            done.append(each)
            if writes and not each.code:
                write(each)
    if options.compare:
        print(*compared([each for each in done if not each.code]), sep="\n")
    print(*closing(done), sep="\n")
    return 1 if any(each.code for each in done) else 0


def ran(script: str, *, smallest: bool) -> Ran:
    """Run a script. At its smallest size it prints nothing but its name, unless it fails."""
    command = [sys.executable, "-m", f"benchmarks.{script}", *(["--smallest"] if smallest else [])]
    load, commit, began = records.load(), records.commit(), time.monotonic()
    if not smallest:
        print(f"== {script}", flush=True)
    lines = []
    with tempfile.NamedTemporaryFile() as file:
        with subprocess.Popen(
            command, cwd=_data.ROOT, env={**os.environ, FILE: file.name},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line)
                if not smallest:
                    print(line, end="", flush=True)
        figures, code = figures_in(Path(file.name)), process.returncode
    seconds = time.monotonic() - began
    if not code and not figures:
        lines.append("It reported no figure.\n")
        code = 1
    output = "".join(lines)
    if smallest:
        print(f"{'FAILED' if code else 'ok':6} {seconds:5.1f} s  {script}", flush=True)
        if code:
            print(output, flush=True)
    return Ran(script, code, seconds, load, commit, figures, output)


def closing(done: list[Ran]) -> list[str]:
    """The file of each script that failed with its last lines, and how many ran: the line that the soak records."""
    failed = [each for each in done if each.code]
    lines = []
    for each in failed:
        lines.append(f"benchmarks/{each.script}.py failed: mend it; its last lines:")
        lines += [f"    {line}" for line in each.output.splitlines()[-LAST_LINES:]]
    names = f"; failed: {', '.join(each.script for each in failed)}" if failed else ""
    return [*lines, f"{len(done) - len(failed)} of {len(done)} benchmarks ran{names}"]


def write(done: Ran) -> None:
    """Put a script's figures and its run into the page's tables; the rows of other scripts stay."""
    heading = ["benchmark", "what", "Lastcard", "reference", "ratio", "aim", "commit"]
    records.write_between(PAGE, FIGURES, heading, rows_of(done))
    run = records.row(
        done.script, records.today(), done.commit, done.load, f"{done.seconds:.0f} s", records.machine()
    )
    heading = ["benchmark", "date", "commit", "load before", "took", "machine"]
    records.write_between(PAGE, RUNS, heading, [run])


def rows_of(done: Ran) -> list[str]:
    rows = []
    for each in done.figures:
        reference = "" if each.reference is None else f"{number(each.reference)} {each.unit}, {each.beside}"
        ratio = "" if each.ratio is None else number(each.ratio)
        figure = f"{number(each.figure)} {each.unit}"
        rows.append(records.row(done.script, each.name, figure, reference, ratio, each.aim, done.commit))
    return rows


def compared(done: list[Ran]) -> list[str]:
    """A line for each ratio that differs from the page's by more than CHANGED, and for each that only one side has."""
    before = {
        (script, what): ratio
        for script, what, _, _, ratio, *_ in map(records.cells, records.between(PAGE, FIGURES))
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
