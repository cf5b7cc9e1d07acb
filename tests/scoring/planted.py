"""A strategy of sheets in which one fault of `fault_cases` is planted behind parts that are sound."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from .builders import match, players, won
from .fault_cases import GAMES, HEATS, ROUNDS, SHEETS
from .sheets import Draw, heats, sessions

Planted = tuple[Any, str, str]  # the sheet, the code and the path of its fault
QUIET = won("x", {"y": {"1": 1}, "z": {"0": 1}})


@st.composite
def _in_session(draw: Draw) -> Planted:
    sheet = draw(sessions(most_games=2))
    code, path, part = draw(st.sampled_from(GAMES))
    return _append(sheet, "games", part, "xyz"), code, f"/games/{len(sheet['games'])}{path}"


@st.composite
def _in_heats(draw: Draw) -> Planted:
    sheet = draw(heats())
    sheet["settings"] = {}
    for heat in sheet["heats"]:
        heat.pop("advance", None)
    code, path, part = draw(st.sampled_from(HEATS))
    return _append(sheet, "heats", part, "wxyz"), code, f"/heats/{len(sheet['heats'])}{path}"


@st.composite
def _in_match(draw: Draw) -> Planted:
    code, path, ruleset, part = draw(st.sampled_from(ROUNDS))
    sheet = match(*[QUIET] * draw(st.integers(0, 3)), ruleset=ruleset, ids="xyz")
    return _append(sheet, "rounds", part), code, f"/rounds/{len(sheet['rounds'])}{path}"


def _append(sheet: Any, key: str, part: Any, ids: str = "") -> Any:
    """The sheet with one more part, and the players who are in it."""
    parts = [*sheet[key], {"number": len(sheet[key]) + 1, **part}]
    return {**sheet, "players": sheet["players"] + players(*ids), key: parts}


def planted_fault() -> st.SearchStrategy[Planted]:
    """A sheet, and the code and path of the one fault in it."""
    whole = st.sampled_from([(sheet, code, path) for code, path, sheet in SHEETS])
    return st.one_of(_in_session(), _in_match(), _in_heats(), whole)
