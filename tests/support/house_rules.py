"""The house rules of docs/adding.md, placed in a folder of a test."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulesets import RULESETS, put_away
from tournament.server import house_rules

PAGE = Path(__file__).parents[2] / "docs" / "adding.md"
SHOWN = re.compile(r"```python\n(.*?)```", re.DOTALL)
HOUSE = "house-2026"


def place(folder: Path, **changes: str) -> None:
    """Save the page's file in the folder and take it in, with these pieces of its text exchanged for others."""
    text = next(shown for shown in SHOWN.findall(PAGE.read_text()) if "RULESET" in shown)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "house_2026.py").write_text(text)
    for ruleset in set(RULESETS) & {HOUSE}:
        put_away(ruleset)
    house_rules.take_in_all(folder)


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """A folder of house rules; what is taken in from it is forgotten afterwards."""
    known = set(RULESETS)
    folder = tmp_path / "rules"
    folder.mkdir()
    settings.HOUSE_RULES = str(folder)
    yield folder
    for ruleset in set(RULESETS) - known:
        put_away(ruleset)
    house_rules._problems.clear()


def said_by(check: list[Any]) -> list[str]:
    return [f"{fault.id} {fault.msg}" for fault in check]
