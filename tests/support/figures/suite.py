"""Figures of a run of the whole suite, which it notes in a file: LASTCARD_SUITE, else var/suite.json.

    python -m pytest --collect-only -q -p tests.support.figures.suite

notes how many cases there are.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from .budget import FEWER, Row
from .sources import ROOT

NOTED = Path(os.environ.get("LASTCARD_SUITE", ROOT / "var/suite.json"))
# What a run may note: the figure, its target and its tolerance. Tests may become more, and seconds are never checked.
SUITE = {
    "cases": ("test cases", None, 0.0),
    "cases with a server": ("test cases with a browser or a server", FEWER, 0.0),
    "queries": ("queries of the whole suite", FEWER, 0.02),  # some tests query until another process is ready
    "processor seconds": ("processor seconds of the whole suite", None, 0.0),
}


def note(figures: Mapping[str, float]) -> None:
    """Add figures to those that are noted, by their names in SUITE."""
    NOTED.parent.mkdir(exist_ok=True)
    NOTED.write_text(json.dumps(_noted() | dict(figures), indent=2))


def suite_rows() -> list[Row]:
    noted = _noted()
    return [
        Row(figure, noted[name], target, tolerance=tolerance)
        for name, (figure, target, tolerance) in SUITE.items()
        if name in noted
    ]


def _noted() -> dict[str, float]:
    found: dict[str, float] = json.loads(NOTED.read_text()) if NOTED.exists() else {}
    return found


def pytest_collection_finish(session: pytest.Session) -> None:
    served = [item for item in session.items if any(map(item.get_closest_marker, ("browser", "server")))]
    note({"cases": len(session.items), "cases with a server": len(served)})
