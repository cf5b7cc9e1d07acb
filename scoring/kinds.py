"""Checks, scoring and queries by kind of sheet."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulesets import ByKind

from .answers import Answer
from .faults import Faults
from .heats import check_heats, score_heats
from .history import Places, places_in_match, places_in_race, places_in_session
from .match import check_match, score_match
from .needs import Needs, needs_in_heats, needs_in_match, needs_in_race, needs_in_session
from .race import check_race, score_race
from .reading import read_sheet
from .session import check_session, score_session
from .sheets import Memos, Row
from .why import Why, why_in_heats, why_in_match, why_in_race, why_in_session

Data = Mapping[str, Any]  # a scored sheet, parsed JSON


@dataclass(frozen=True, slots=True)
class Kind:
    """Functions of one kind. `check` records faults, `score` needs a valid sheet (both with row caches); `places`
    yields places at moments."""

    check: Callable[[Any, Memos, Faults], None]
    score: Callable[[Any, Memos], Answer]
    needs: Callable[[Data, Any, str, Collection[str]], Needs | None]
    why: Callable[[Data, Any, str], Why | None]
    places: Callable[[Data, Any, Sequence[int]], Iterable[Places]] | None = None


KINDS: ByKind[Kind] = ByKind(
    "scoring/kinds.py",
    {
        "session": Kind(check_session, score_session, needs_in_session, why_in_session, places_in_session),
        "match": Kind(check_match, score_match, needs_in_match, why_in_match, places_in_match),
        "heats": Kind(check_heats, score_heats, needs_in_heats, why_in_heats),
        "race": Kind(check_race, score_race, needs_in_race, why_in_race, places_in_race),
    },
)


def score(data: object) -> Answer:
    """Score a parsed JSON sheet. Raises SheetInvalid with all faults; a malformed sheet is not checked further."""
    sheet = read_sheet(data)
    assert isinstance(data, dict)
    memos: Memos = [row.kept if isinstance(row, Row) else {} for row in data[sheet.rows]]
    kind, faults = KINDS[sheet.kind], Faults()
    kind.check(sheet, memos, faults)
    faults.stop()
    return kind.score(sheet, memos)


def needs_of(data: Data, answer: Answer, player: str, gone: Collection[str] = ()) -> Needs | None:
    """Needs of `player`; None for gone, withdrawn or disqualified players, and matches over or without target. `gone`:
    withdrawn or removed players, missing from heats sheets."""
    return None if player in gone else KINDS[answer.kind].needs(data, answer, player, gone)


def why_of(data: Data, answer: Answer, player: str) -> Why | None:
    """Explain `player`'s place; None outside the standings, or before a heat's result."""
    return KINDS[answer.kind].why(data, answer, player)


def places_so_far(data: Data, answer: Answer, after: Sequence[int] | None = None) -> list[Places]:
    """Places by player after each play; empty for heats. `after`: other moments, as ascending play counts (parallel
    tables)."""
    places = KINDS[answer.kind].places
    if places is None:
        return []
    moments = list(range(1, len(answer.rounds) + 1)) if after is None else list(after)
    found = list(places(data, answer, moments))
    if moments and moments[-1] == len(answer.rounds):
        found[-1] = {row.player: row.place for row in answer.standings if row.place is not None}
    return found
