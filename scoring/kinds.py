"""Scoring for each kind of score sheet, and the questions that it answers about any of them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulesets import ByKind

from .answers import Answer
from .faults import Faults
from .heats import check_heats, score_heats
from .history import Places, places_in_match, places_in_session
from .match import score_match
from .match_checks import check_match
from .needs import Needs, needs_in_heats, needs_in_match, needs_in_session
from .reading import read_sheet
from .session import score_session
from .session_checks import check_session
from .sheets import Memos, Row
from .why import Why, why_in_heats, why_in_match, why_in_session

Data = Mapping[str, Any]  # a scored sheet, as parsed JSON


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of sheet. `check` notes every rule that a typed sheet breaks, `score` answers one that keeps them all,
    both with each row's cache; `places` gives the places after some games or rounds, if there are standings."""

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
    },
)


def score(data: object) -> Answer:
    """Answer one score sheet, given as parsed JSON.

    Raises SheetInvalid with every fault found; a sheet whose shape is wrong is not checked by the rules.
    """
    sheet = read_sheet(data)
    assert isinstance(data, dict)  # read_sheet refuses anything else
    memos: Memos = [row.kept if isinstance(row, Row) else {} for row in data[sheet.rows]]
    kind, faults = KINDS[sheet.kind], Faults()
    kind.check(sheet, memos, faults)
    faults.stop()
    return kind.score(sheet, memos)


def needs_of(data: Data, answer: Answer, player: str, gone: Collection[str] = ()) -> Needs | None:
    """Compute the needs of `player`, from a scored sheet and its answer. `gone` are those who left or were removed,
    whom a sheet of heats does not name before their heat.

    None for a player who is gone, withdrawn or disqualified, and in a match that is over or has no target yet.
    """
    return None if player in gone else KINDS[answer.kind].needs(data, answer, player, gone)


def why_of(data: Data, answer: Answer, player: str) -> Why | None:
    """Explain the place of `player`, from a scored sheet and its answer; None for a player who is not in the standings,
    and in heats before the player's heat has a result."""
    return KINDS[answer.kind].why(data, answer, player)


def places_so_far(data: Data, answer: Answer, after: Sequence[int] | None = None) -> list[Places]:
    """Compute everybody's place, if they have one, after the first game or round, after the first two, and so on.

    `answer` is the one to the score sheet in `data`. `after` names other moments by their number of games or rounds,
    rising: if several tables play side by side, not every game is a moment. Heats have none.
    """
    places = KINDS[answer.kind].places
    if places is None:
        return []
    moments = list(range(1, len(answer.rounds) + 1)) if after is None else list(after)
    found = list(places(data, answer, moments))
    if moments and moments[-1] == len(answer.rounds):
        found[-1] = {row.player: row.place for row in answer.standings if row.place is not None}
    return found
