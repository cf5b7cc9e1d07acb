"""Survivors that are accepted: each mutant that no test can or need notice, with the reason.

One TOML file for each folder under test, `accepted/scoring.toml` for `scoring/`:

    [["scoring/why.py"]]
    function = "_how"
    mutants = ["Out(row.elapsed_s or 0) → Out(row.elapsed_s or 1)"]
    reason = "Who is out has a time: a sheet without it is refused."

A mutant is known by its function and its text, not by its line, so that an entry outlives changes elsewhere.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .sites import Mutant

FOLDER = Path(__file__).parent / "accepted"
Key = tuple[str, str, str]  # file, function, text


@dataclass(frozen=True, slots=True)
class Accepted:
    """One survivor, and why it is one."""

    file: str
    function: str
    text: str
    reason: str

    @property
    def key(self) -> Key:
        return self.file, self.function, self.text


def key_of(mutant: Mutant) -> Key:
    """Give the key of a mutant."""
    return mutant.file, mutant.function, mutant.text


def accepted(files: Iterable[Path]) -> dict[Key, Accepted]:
    """Read the accepted survivors from these TOML files. Raises ValueError for one without a reason, or listed
    twice."""
    found: dict[Key, Accepted] = {}
    for path in files:
        for file, entries in tomllib.loads(path.read_text()).items():
            for entry in entries:
                for text in entry["mutants"]:
                    each = Accepted(file, entry["function"], text, entry["reason"].strip())
                    if not each.reason or each.key in found:
                        raise ValueError(f"{path.name}: {each.function}: {text}")
                    found[each.key] = each
    return found
