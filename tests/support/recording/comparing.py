"""Two records compared with each other and with the list of wanted differences.

A row of the list:

    [[wanted]]
    key = "get /t/* | *"            # a shell pattern of the whole key
    gone = '<link .*old[.]css.*>'   # a regular expression: each such line may be missing
    new = '<link .*new[.]css.*>'    # each such line may be new
    why = "The stylesheet has another name."

Without `gone` and `new` the row takes whole keys: `only = "before"`, `only = "after"` or `only = "both"` (any text).
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import count
from pathlib import Path

from .markup import as_lines

LINES = 14  # of a difference that are shown
WIDTH = 300  # of a line
FIELDS = {"key", "gone", "new", "only", "why"}


@dataclass
class Wanted:
    """One row of the list. Raises ValueError if it gives no reason or could take more than it says."""

    key: str
    why: str
    gone: str = ""
    new: str = ""
    only: str = ""
    used: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        if not self.why.strip():
            raise ValueError(f"{self.key}: no reason")
        if bool(self.only) == bool(self.gone or self.new) or self.only not in {"", "before", "after", "both"}:
            raise ValueError(f'{self.key}: either gone and new, or only = "before", "after" or "both"')

    def takes_line(self, sign: str, line: str) -> bool:
        pattern = self.gone if sign == "-" else self.new
        return bool(pattern and re.fullmatch(pattern, line))


def wanted_in(file: Path) -> list[Wanted]:
    """The rows of the list; none where there is no file."""
    rows = tomllib.loads(file.read_text(encoding="utf-8")).get("wanted", []) if file.exists() else []
    return [Wanted(**row) for row in rows]


@dataclass(frozen=True)
class Difference:
    """An unwanted difference, and the keys that it is in."""

    text: str
    keys: tuple[str, ...]

    def __str__(self) -> str:
        more = f"\n    and {len(self.keys) - 3} more" if len(self.keys) > 3 else ""
        return "\n".join(self.keys[:3]) + more + f"\n{self.text}"


def compare(
    before: Mapping[str, str], after: Mapping[str, str], wanted: Sequence[Wanted] = ()
) -> list[Difference]:
    """The differences that the list does not have, those of most keys first; equal ones are one."""
    keys_of: dict[str, list[str]] = defaultdict(list)
    diffs: dict[tuple[str, str], list[str]] = {}
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) == after.get(key):
            continue
        rows = [row for row in wanted if fnmatchcase(key, row.key)]
        side = "after" if key not in before else "before" if key not in after else "both"
        whole = [row for row in rows if row.only == side]
        for row in whole:
            row.used = True
        if whole:
            continue
        if side != "both":
            keys_of[f"  only {side}"].append(key)
            continue
        pair = before[key], after[key]
        if pair not in diffs:
            diffs[pair] = list(changed_lines(as_lines(pair[0]), as_lines(pair[1])))
        left = _unwanted(diffs[pair], rows)
        if left:
            keys_of[_short(left)].append(key)
    found = [Difference(text, tuple(keys)) for text, keys in keys_of.items()]
    return sorted(found, key=lambda each: (-len(each.keys), each.keys))


def changed_lines(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """The lines that are missing, with `-`, and new, with `+`, up to the next three that are the same on both sides.
    Pages differ in many short places: there this takes a fraction of the time of difflib."""
    old = new = 0
    while old < len(before) or new < len(after):
        if before[old : old + 1] == after[new : new + 1]:
            old, new = old + 1, new + 1
            continue
        gone, come = next(
            (apart - come, come)
            for apart in count(1)
            for come in range(apart + 1)
            if before[old + apart - come : old + apart - come + 3] == after[new + come : new + come + 3]
        )
        yield from (f"-{line}" for line in before[old : old + gone])
        yield from (f"+{line}" for line in after[new : new + come])
        old, new = old + gone, new + come


def _unwanted(diff: Iterable[str], rows: Sequence[Wanted]) -> list[str]:
    left = []
    for line in diff:
        taken = [row for row in rows if row.takes_line(line[0], line[1:])]
        for row in taken:
            row.used = True
        if not taken:
            left.append(line)
    return left


def _short(lines: list[str]) -> str:
    shown = [f"  {line[:WIDTH]}" for line in lines[:LINES]]
    return "\n".join([*shown, *([f"  … {len(lines) - LINES} more lines"] if len(lines) > LINES else [])])
