"""Stage kinds, one object each.

Packages add their own facts by kind. A score sheet's kind equals its stage's; a final is a match at one table.
"""

from dataclasses import dataclass, replace

from rulesets import RULESETS, ByKind
from tournament.models import Stage


@dataclass(frozen=True, slots=True)
class Kind:
    """Facts of a kind of stage. `sheet`: score sheet kind; `rows`: key of plays; `settings`: names.

    `sheet_each_table`, else one sheet per stage. `seats_change` between games. `to_target`: a contest ends by itself.
    `timed`: games run by a clock of their own. `by_average`: lowest points per game wins. `one_play` per table;
    qualifiers fill the next stage, no standings. `filled` from preceding heats. `all_together`: one table. `least`:
    recommended minimum of players per table.
    """

    sheet: str
    rows: str
    settings: frozenset[str]
    sheet_each_table: bool = False
    seats_change: bool = False
    to_target: bool = False
    timed: bool = False
    by_average: bool = False
    one_play: bool = False
    filled: bool = True
    all_together: bool = False
    least: int = 2


SESSION = Kind(
    "session",
    "games",
    frozenset({"min_games", "decks"}),
    seats_change=True,
    timed=True,
    by_average=True,
    least=4,
    filled=False,
)
HEATS = Kind("heats", "heats", frozenset({"advance"}), one_play=True, least=3)
MATCH = Kind(
    "match",
    "rounds",
    frozenset({"target", "scoring", "decks", "custom_cards"}),
    sheet_each_table=True,
    to_target=True,
)
RACE = Kind(
    "race",
    "games",
    frozenset({"scoring", "rank", "best", "min_games", "max_games", "decks", "custom_cards"}),
    seats_change=True,
    least=3,
    filled=False,
)
KINDS: ByKind[Kind] = ByKind(
    "results/kinds.py",
    {
        Stage.Kind.SESSION: SESSION,
        Stage.Kind.HEATS: HEATS,
        Stage.Kind.MATCH: MATCH,
        Stage.Kind.FINAL: replace(MATCH, all_together=True),
        Stage.Kind.RACE: RACE,
        Stage.Kind.RACES: replace(RACE, sheet_each_table=True, seats_change=False),
    },
)
SETTINGS = {each.sheet: each.settings for each in KINDS.values()}


def kinds_in(ruleset: str) -> list[str]:
    """The kinds of stage that the ruleset has, in the order of `Stage.Kind`."""
    return [kind for kind, each in KINDS.items() if RULESETS[ruleset].scores(each.sheet)]


kind_of = KINDS.__getitem__  # the `Kind` of a stage or sheet; LookupError if unknown
