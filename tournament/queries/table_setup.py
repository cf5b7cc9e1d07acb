"""What a table needs before the first card: decks, cards to take out, and who starts, as its ruleset says."""

from collections.abc import Mapping
from dataclasses import dataclass

from rulesets import RULESETS
from rulesets.ruleset import DECK_108, DECK_112
from scoring import deal_fits, decks_for
from tournament.models import Stage
from tournament.results.kinds import kind_of


@dataclass(frozen=True, slots=True)
class Needs:
    """A table of so many players. `crowded`: the decks do not hold the deal. `by_age`: the oldest deals and the
    youngest opens; else a card draw says who starts."""

    players: int
    decks: int
    crowded: bool
    by_age: bool


@dataclass(frozen=True, slots=True)
class TakenOut:
    """Cards that are not played with, and how many: of any deck, and of a box of 112 beside those."""

    always: Mapping[str, int]
    of_112: Mapping[str, int]


def needs_of(stage: Stage, players: int) -> Needs:
    """What a table of so many players of this stage needs. Reads the stage's tournament."""
    ruleset = RULESETS[stage.tournament.ruleset]
    decks = stage.settings.get("decks") or decks_for(ruleset, players)
    return Needs(
        players=players,
        decks=decks,
        crowded=not deal_fits(ruleset, players, decks, stage.settings.get("custom_cards", 3)),
        by_age=kind_of(stage.kind).seats_change,
    )


def taken_out(stage: Stage) -> TakenOut:
    """Which cards are taken out of each deck before play. Reads the stage's tournament."""
    kept = dict(RULESETS[stage.tournament.ruleset].deck)
    if "custom" in kept:
        kept["custom"] = min(kept["custom"], stage.settings.get("custom_cards", kept["custom"]))
    out = {card: count - kept.get(card, 0) for card, count in DECK_112.items()}
    return TakenOut(
        always={card: count for card, count in out.items() if count > 0 and card in DECK_108},
        of_112={card: count for card, count in out.items() if count > 0 and card not in DECK_108},
    )
