"""The kinds of stages: one object for each, in one dict.

These are facts of the contest that every room above may use; a room keeps its own additions for each kind (words,
forms, sheets). A kind of score sheet has the name of its kind of stage, so `kind_of` finds that too; a final is a match
at which all sit together.
"""

from dataclasses import dataclass, replace

from rulesets import ByKind
from tournament.models import Stage


@dataclass(frozen=True, slots=True)
class Kind:
    """`sheet` is the kind of score sheet, `rows` the key of its plays there, `settings` the names of its settings.

    `sheet_each_table`: one sheet covers one table, whose match ends at a target; else it covers the whole stage.
    `seats_change`: seats may change between games. `by_average`: the lowest average of points a game wins, else totals
    decide. `one_play`: each table plays once, and the qualifiers fill the next stage; there are no standings. `filled`:
    the stage is filled from heats that come before it. `all_together`: everybody sits at one table. `least`: the fewest
    players at a table that is fun to play at.
    """

    sheet: str
    rows: str
    settings: frozenset[str]
    sheet_each_table: bool = False
    seats_change: bool = False
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
    by_average=True,
    least=4,
    filled=False,
)
HEATS = Kind("heats", "heats", frozenset({"advance"}), one_play=True, least=3)
MATCH = Kind(
    "match", "rounds", frozenset({"target", "scoring", "decks", "custom_cards"}), sheet_each_table=True
)
KINDS: ByKind[Kind] = ByKind(
    "results/kinds.py",
    {
        Stage.Kind.SESSION: SESSION,
        Stage.Kind.HEATS: HEATS,
        Stage.Kind.MATCH: MATCH,
        Stage.Kind.FINAL: replace(MATCH, all_together=True),
    },
)
SETTINGS = {each.sheet: each.settings for each in KINDS.values()}


def kind_of(kind: str) -> Kind:
    """Find the object of this kind of stage or sheet; raises LookupError with a sentence if there is none."""
    return KINDS[kind]
