"""Checks, scoring and queries by kind of sheet."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast, get_args

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
from .sheets import Memos, Row, Sheet, kept_for, same_start
from .why import Why, why_in_heats, why_in_match, why_in_race, why_in_session

Data = Mapping[str, Any]  # a scored sheet, parsed JSON
ROWS = {each.kind: each.rows for each in get_args(Sheet)}
History = tuple[Data, list[Any], dict[int, Places]]  # a sheet but its rows, these, and places after so many
ANSWERS = 3  # of a save, of the head before, and of another language's or process's question in between


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
    """Score a parsed JSON sheet. Raises SheetInvalid with all faults; a malformed sheet is not checked further.

    The last answers for a Roster are cached: saves and pages ask for the same ones, and for the one before.
    """
    kept = kept_for(data)
    answered = cast("tuple[tuple[object, Answer], ...]", kept.get("answered", ()))
    for before, answer in answered:
        if before == data:
            return answer
    sheet = read_sheet(data)
    assert isinstance(data, dict)
    memos: Memos = [row.kept if isinstance(row, Row) else {} for row in data[sheet.rows]]
    kind, faults = KINDS[sheet.kind], Faults()
    kind.check(sheet, memos, faults)
    faults.stop()
    answer = kind.score(sheet, memos)
    kept["answered"] = ((data, answer), *answered[: ANSWERS - 1])
    return answer


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
    rows = ROWS[answer.kind]
    kept, beside = kept_for(data), {key: value for key, value in data.items() if key != rows}
    of, known_rows, found = cast("History", kept.get("places", ({}, [], {})))
    same = same_start(known_rows, data[rows]) if of == beside else 0
    found = {end: each for end, each in found.items() if end <= same and end in moments}
    missing = [end for end in moments if end not in found and end < len(answer.rounds)]
    found |= dict(zip(missing, places(data, answer, missing), strict=True))
    kept["places"] = (beside, data[rows], found)
    now = {row.player: row.place for row in answer.standings if row.place is not None}
    return [found.get(end, now) for end in moments]
