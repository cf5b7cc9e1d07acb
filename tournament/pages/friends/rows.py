"""Shared parts of friends' row forms.

Fields are the desk's (tournament/results/typed.py); a heat's `sat-<player>` is `sat`, a finishing number, or
`removed`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulesets import RULESETS
from scoring import decks_for
from tournament.models import Seat
from tournament.pages.components import CardPad, card_pad
from tournament.pages.friends.sheets import Sheet, names_of, out_before
from tournament.results import Fault, RoundRules, Typed

OUT_AS = (Seat.OutAs.WITHDRAWN.value, Seat.OutAs.REMOVED.value)
# Fields of a row's parts: whole row, one player.
PLAIN = {"last_cards": "last", "duration_s": "duration", "finish_order": "sat", "players": "sat"}
OF_PLAYER = {
    "hands": "hand",
    "removed": "out",
    "withdrawn": "out",
    "out": "out",
    "players": "sat",
    "finish_order": "sat",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """Value of a select or radio."""

    value: str
    word: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFields:
    """A player's fields in a game or heat."""

    key: str
    name: str
    options: Sequence[Option]
    time: str = ""
    error: str = ""
    time_error: str = ""


@dataclass(frozen=True, slots=True)
class RowRules:
    """Rules of a row: players (names by id), questions of a round, `decks` by the settings."""

    players: Mapping[str, str]
    cards: RoundRules
    decks: int | None

    @classmethod
    def of(cls, sheet: Sheet, index: int) -> "RowRules":
        """Rules of row `index`."""
        ruleset = RULESETS[sheet["ruleset"]]
        gone = out_before(sheet, index)
        players = {player: name for player, name in names_of(sheet).items() if player not in gone}
        settings = sheet["settings"]
        decks = min(settings.get("decks") or decks_for(ruleset, len(players)), 99)
        return cls(players, RoundRules.of(ruleset, decks, settings), settings.get("decks"))


def hands_were_asked(players: list[str], typed: Typed) -> bool:
    """Whether the sent form had fields for these hands."""
    return all(any(name.startswith(f"hand-{player}-") for name in typed.data) for player in players)


def field_of(fault: Fault) -> str:
    """Id of the form field of a fault; "" for the whole row."""
    _root, first, player, inner = [*fault.path.split("/"), "", "", ""][:4]
    if not player:
        return PLAIN.get(first, first)
    if first == "results":
        if inner == "hand" or fault.code in {"missing_hand", "empty_hand"}:
            return f"hand-{player}"
        return f"time-{player}" if inner == "elapsed_s" else f"outcome-{player}"
    return f"{OF_PLAYER[first]}-{player}" if first in OF_PLAYER else PLAIN.get(first, first)


def hands_pad(
    rules: RowRules,
    players: Sequence[str],
    typed: Mapping[str, str],
    errors: Mapping[str, str],
    *,
    winners: bool,
) -> CardPad:
    """Pad for these players' hands and, with `winners`, the winner."""
    return card_pad(
        [(player, rules.players[player]) for player in players],
        ruleset=rules.cards.ruleset,
        copies=rules.cards.available,
        typed=typed,
        errors={
            name.removeprefix("hand-"): text for name, text in errors.items() if name.startswith("hand-")
        },
        winners=winners,
        winner=typed.get("winner", ""),
        winner_error=errors.get("winner", ""),
    )


def options_of(words: Mapping[str, str], chosen: str) -> list[Option]:
    """Options of a select or radios, in this order."""
    return [Option(value=value, word=word, chosen=value == chosen) for value, word in words.items()]
