"""HOW results follow: from a score sheet to places and points, by the rules that `rulesets` holds.

`score` is the one way in. Values in and out are frozen; nothing here knows time, chance, files or a database.
A sheet passes three steps: `reading` makes it typed, checks hold it against the rules, scoring works it out.
"""

from .answers import (
    Answer,
    GameAnswer,
    GameResult,
    HeatAnswer,
    HeatResult,
    HeatsAnswer,
    MatchAnswer,
    MatchStanding,
    RoundAnswer,
    RoundResult,
    SessionAnswer,
    SessionStanding,
    fraction_text,
)
from .faults import ERROR_CODES, Faults, SheetError, SheetInvalid
from .hands import (
    cards_available,
    cards_for_deal,
    deal_fits,
    deciding_steps,
    decks_for,
    hand_points,
    rank_remaining,
)
from .heats import check_heats, score_heats
from .history import averages_so_far, places_so_far, totals_so_far
from .match import score_match
from .match_checks import check_match
from .reading import read_sheet
from .rows import Row
from .season import SEASON_LEAST_GAMES, SeasonStanding, score_season
from .session import score_session
from .session_checks import check_session
from .sheets import MatchSheet, SessionSheet
from .text import parse_sheet


def score(data: object) -> Answer:
    """The answer to one score sheet, given as parsed JSON.

    Raises SheetInvalid with every fault found; a sheet whose shape is wrong is not held against the rules.
    """
    sheet = read_sheet(data)
    faults = Faults()
    if isinstance(sheet, SessionSheet):
        check_session(sheet, faults)
        faults.stop()
        return score_session(sheet)
    if isinstance(sheet, MatchSheet):
        check_match(sheet, faults)
        faults.stop()
        return score_match(sheet)
    check_heats(sheet, faults)
    faults.stop()
    return score_heats(sheet)


__all__ = [
    "ERROR_CODES",
    "SEASON_LEAST_GAMES",
    "Answer",
    "GameAnswer",
    "GameResult",
    "HeatAnswer",
    "HeatResult",
    "HeatsAnswer",
    "MatchAnswer",
    "MatchStanding",
    "RoundAnswer",
    "RoundResult",
    "Row",
    "SeasonStanding",
    "SessionAnswer",
    "SessionStanding",
    "SheetError",
    "SheetInvalid",
    "averages_so_far",
    "cards_available",
    "cards_for_deal",
    "deal_fits",
    "deciding_steps",
    "decks_for",
    "fraction_text",
    "hand_points",
    "parse_sheet",
    "places_so_far",
    "rank_remaining",
    "score",
    "score_season",
    "totals_so_far",
]
