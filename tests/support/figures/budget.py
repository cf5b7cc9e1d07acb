"""The budget: budget.toml holds today's value of each figure, and what each move away from a target has bought.

`faults` compares figures with their lines. `read_moves` reads from git how each line has moved, so that a line that was
raised without its capability is found too. Without a repository only the file itself is checked.
"""

import json
import re
import subprocess
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from .sources import ROOT

FILE = "tests/support/figures/budget.toml"
FEWER = -1  # the target of a figure that may only fall
ENTRY = {"figure", "from", "to", "buys"}
LINE = re.compile(r'^([-+]?)"(.+?)" = ([\d.]+)', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Row:
    """One figure. `target` is the most that it should be, None if the figure is only printed. `tolerance` is the share
    by which two runs of the same code may differ. `counted` says what it counts, where a list helps to bring it down.
    """

    figure: str
    value: float
    target: int | None
    counted: tuple[str, ...] = ()
    tolerance: float = 0


class Move(NamedTuple):
    """A line of the budget was changed."""

    figure: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Budget:
    lines: Mapping[str, float]
    bought: Mapping[Move, str]  # the capability for which a figure moved away from its target


def read_budget(text: str) -> Budget:
    """Raises ValueError, which says how to mend the file."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{FILE}: {error}") from error
    lines, moved = found.get("figures", {}), found.get("moved", [])
    for figure, value in lines.items():
        if not isinstance(value, int | float):
            raise ValueError(f'{FILE}: "{figure}" = {value!r}: write a number')
    for entry in moved:
        if entry.keys() != ENTRY or not str(entry["buys"]).strip():
            raise ValueError(f"{FILE}: {entry} in `moved`: name the figure, from, to, and what it buys")
    return Budget(
        lines, {Move(entry["figure"], entry["from"], entry["to"]): entry["buys"] for entry in moved}
    )


def faults(rows: Sequence[Row], budget: Budget, moves: Iterable[Move] = ()) -> Iterator[str]:
    """Say what is wrong and how to mend it. `rows` are all figures that the budget has lines for."""
    held = {row.figure: row for row in rows if row.target is not None}
    for figure, row in held.items():
        line = budget.lines.get(figure)
        if line is None:
            yield f'{figure}: {row.value:,}, no line: add "{figure}" = {row.value} to {FILE}'
            continue
        now = f"{figure}: {row.value:,}, budget {line:,}"
        if _is_lower(row, line):
            yield f"{now}: lower its line in {FILE} in this commit (make figures ARGS=--write)"
        elif row.value <= line * (1 + row.tolerance):
            continue
        elif _is_away(row, line, row.value):
            yield f"{now}: make it {line:,} again, or raise its line in {FILE} and name in `moved` what that buys"
        else:
            yield f"{now}: within its target of {row.target:,}: raise its line in {FILE}"
    for figure in sorted(budget.lines.keys() - held.keys()):
        yield f"{figure}: nothing has counted it: count it, or delete its line in {FILE}"
    for figure, before, after in _unpaid(held, budget, moves):
        yield (
            f"{figure}: its line was raised from {before:,} to {after:,}: lower it again, or add to `moved` in {FILE}"
            f' {{ figure = "{figure}", from = {before}, to = {after}, buys = "the capability" }}'
        )


def _unpaid(held: Mapping[str, Row], budget: Budget, moves: Iterable[Move]) -> Iterator[Move]:
    """From where to where a line moved away from its target, unless it came back or `moved` has the same move."""
    paid: dict[str, float] = {}
    for figure, before, after in moves:
        level = paid.setdefault(figure, before)
        if figure in held and (
            not _is_away(held[figure], level, after) or Move(figure, level, after) in budget.bought
        ):
            paid[figure] = after
    for figure in sorted(held.keys() & budget.lines.keys() & paid.keys()):
        if _is_away(held[figure], paid[figure], budget.lines[figure]):
            yield Move(figure, paid[figure], budget.lines[figure])


def _is_away(row: Row, before: float, after: float) -> bool:
    """Whether the figure would be further from its target than before; within it all values are alike."""
    assert row.target is not None
    return after > max(before, row.target)


def _is_lower(row: Row, line: float) -> bool:
    return row.value < line * (1 - row.tolerance)


def lowered(text: str, rows: Iterable[Row]) -> str:
    """The budget's text with the lines of the figures that have fallen."""
    values = {row.figure: row for row in rows}

    def line(found: re.Match[str]) -> str:
        row = values.get(found[2])
        return f'"{found[2]}" = {row.value}' if row and _is_lower(row, json.loads(found[3])) else found[0]

    return LINE.sub(line, text)


def read_moves(root: Path = ROOT) -> list[Move]:
    """How lines moved in each commit of the current branch, the oldest first, and since then."""
    if not (root / ".git").exists():
        return []
    log = ["log", "--reverse", "--first-parent", "-m", "-p", "--format="]
    patches = "".join(
        subprocess.run(
            ["git", "-c", "color.ui=never", *command, "--no-ext-diff", "-U0", "--", FILE],
            cwd=root,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        for command in (log, ["diff", "HEAD"])
    )
    return [move for patch in patches.split("\ndiff --git ") for move in _moves_in(patch)]


def _moves_in(patch: str) -> Iterator[Move]:
    values: dict[str, dict[str, float]] = {"-": {}, "+": {}, "": {}}
    for sign, figure, value in LINE.findall(patch):
        values[sign][figure] = json.loads(value)
    for figure in sorted(values["-"].keys() & values["+"].keys()):
        yield Move(figure, values["-"][figure], values["+"][figure])
