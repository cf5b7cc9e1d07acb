"""Tests at the path of what they test."""

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from .sources import ROOT, SMALL, Sources, lines


def large_modules(sources: Sources) -> list[str]:
    return [path for path, text in sources.items() if lines(text) > SMALL]


def mirrored_tests(module: str, tests: Collection[str]) -> list[str]:
    """The test files among `tests` that stand where the module does: of tournament/pages/desk/table.py
    tests/pages/desk/test_table.py, or all in tests/pages/desk/table/. A package's `__init__.py` is the package."""
    path = PurePosixPath(module.removeprefix("tournament/"))
    if path.stem == "__init__":
        path = path.parent
    name = path.stem.removeprefix("_")
    folder = PurePosixPath("tests") / path.parent
    own = f"{folder / name}/test_"
    return sorted(test for test in tests if test == f"{folder}/test_{name}.py" or test.startswith(own))


def test_files() -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]


def well_tested(sources: Sources, size: int) -> dict[str, bool]:
    """For a sample of the modules above 50 lines, the same one for the same modules, whether the tests at the mirrored
    path take by themselves more than half of its branches. Runs them, one module after the other."""
    modules = sorted(large_modules(sources))
    tests = test_files()
    return {
        module: _share_of_branches(module, own) > 0.5 if (own := mirrored_tests(module, tests)) else False
        for module in sorted(random.Random(size).sample(modules, min(size, len(modules))))
    }


def _share_of_branches(module: str, tests: list[str]) -> float:
    """Measure the share of branches covered or, in a module without branches, of lines."""
    with tempfile.TemporaryDirectory() as folder:
        coverage = [sys.executable, "-m", "coverage"]
        options = ["--rcfile=/dev/null", f"--data-file={Path(folder) / 'data'}"]
        pytest = ["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tests]
        run = [*coverage, "run", *options, "--branch", f"--include={module}", *pytest]
        subprocess.run(run, cwd=ROOT, stdout=sys.stderr, check=True)
        report = Path(folder) / "report.json"
        subprocess.run([*coverage, "json", "-q", *options, "-o", report], cwd=ROOT, check=True)
        totals = json.loads(report.read_text())["totals"]
    if totals["num_branches"]:
        return float(totals["covered_branches"] / totals["num_branches"])
    return float(totals["covered_lines"] / totals["num_statements"])
