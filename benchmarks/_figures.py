"""The form in which every benchmark reports its figures, and the command line of each script."""

import argparse
import inspect
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "BENCHMARK_FIGURES"  # names the file to which figures are added, one line of JSON each


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value. `reference` is the same unit's value of `beside`, from the same run; None where there is
    nothing to compare with."""

    name: str
    figure: float
    unit: str
    reference: float | None = None
    beside: str = ""
    aim: str = ""

    @property
    def ratio(self) -> float | None:
        """The figure divided by its reference; None without a reference, and where that is 0."""
        return self.figure / self.reference if self.reference else None

    @property
    def line(self) -> str:
        """The figure as a person reads it."""
        parts = []
        if self.reference is not None:
            parts.append(f"{self.beside} {number(self.reference)} {self.unit}")
        if self.ratio is not None:
            parts.append(f"ratio {number(self.ratio)}")
        if self.aim:
            parts.append(f"aim {self.aim}")
        note = f" ({', '.join(parts)})" if parts else ""
        return f"{self.name}: {number(self.figure)} {self.unit}{note}"


def number(value: float) -> str:
    """Three significant digits, two below 0.1; whole numbers from 100 on."""
    if abs(value) >= 99.95:
        return f"{value:,.0f}"
    if abs(value) >= 9.995:
        return f"{value:.1f}"
    return f"{value:.2f}" if abs(value) >= 0.095 or not value else f"{value:.2g}"


def report(
    name: str, figure: float, unit: str, *, reference: float | None = None, beside: str = "", aim: str = ""
) -> None:
    """Print a figure, and add it to the file that FILE names."""
    found = Figure(name, figure, unit, reference, beside, aim)
    print(found.line, flush=True)
    if path := os.environ.get(FILE):
        with Path(path).open("a") as file:
            file.write(json.dumps(asdict(found)) + "\n")


def figures_in(path: Path) -> list[Figure]:
    """The figures that were reported to this file."""
    return [Figure(**json.loads(line)) for line in path.read_text().splitlines()]


def run(main: Callable[..., None], *smallest: float | str) -> None:
    """Call `main` as the command line asks: with its defaults, with the `smallest` arguments, which only show that it
    runs, or with numbers in the order of its parameters."""
    parameters = list(inspect.signature(main).parameters.values())
    parser = argparse.ArgumentParser(description=inspect.getmodule(main).__doc__)
    for each in parameters:
        parser.add_argument(each.name, nargs="?", type=type(each.default), default=each.default)
    parser.add_argument("--smallest", action="store_true", help="with the fewest rounds: shows that it runs")
    options = parser.parse_args()
    main(*(smallest if options.smallest else (getattr(options, each.name) for each in parameters)))
