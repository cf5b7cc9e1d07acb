"""Scoring: score sheet to places and points, by the rules in `rulesets`; pure and deterministic.

`score` is the entry point: `reading` types the sheet, checks validate it, scoring answers with frozen values.
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
    PlayAnswer,
    Points,
    RaceAnswer,
    RaceGameAnswer,
    RaceResult,
    RaceStanding,
    ResultAnswer,
    RoundAnswer,
    RoundResult,
    SessionAnswer,
    SessionStanding,
    StandingAnswer,
)
from .clubs import CLUB_MOST, ClubResult, ClubRule, ClubStanding, best_of, score_clubs
from .faults import ERROR_CODES, SheetError, SheetInvalid
from .hands import (
    cards_available,
    cards_for_deal,
    deal_fits,
    deciding_steps,
    decks_for,
    hand_points,
    places_of,
    rank_remaining,
)
from .history import averages_so_far, totals_so_far
from .kinds import needs_of, places_so_far, score, why_of
from .reading import parse_sheet
from .season import SEASON_LEAST_GAMES, SeasonStanding, score_season
from .sheets import Row

__all__ = [
    "CLUB_MOST",
    "ERROR_CODES",
    "SEASON_LEAST_GAMES",
    "Answer",
    "ClubResult",
    "ClubRule",
    "ClubStanding",
    "GameAnswer",
    "GameResult",
    "HeatAnswer",
    "HeatResult",
    "HeatsAnswer",
    "MatchAnswer",
    "MatchStanding",
    "PlayAnswer",
    "Points",
    "RaceAnswer",
    "RaceGameAnswer",
    "RaceResult",
    "RaceStanding",
    "ResultAnswer",
    "RoundAnswer",
    "RoundResult",
    "Row",
    "SeasonStanding",
    "SessionAnswer",
    "SessionStanding",
    "SheetError",
    "SheetInvalid",
    "StandingAnswer",
    "averages_so_far",
    "best_of",
    "cards_available",
    "cards_for_deal",
    "deal_fits",
    "deciding_steps",
    "decks_for",
    "hand_points",
    "needs_of",
    "parse_sheet",
    "places_of",
    "places_so_far",
    "rank_remaining",
    "score",
    "score_clubs",
    "score_season",
    "totals_so_far",
    "why_of",
]
