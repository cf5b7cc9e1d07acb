"""The fields of a ruleset: the facts that tell one way of playing UNO from another, and for what kinds of contest.

A ruleset is data. The program reads these fields and never asks which ruleset it has, so a new revision is a new file
beside `kpgut_2016.py`, and an old championship keeps the rules of its time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import TypeVar

from .penalties import Penalty

NUMBERS: tuple[str, ...] = tuple("0123456789")
COLOURED_SPECIALS: tuple[str, ...] = ("draw2", "reverse", "skip")
BLACK_CARDS: tuple[str, ...] = ("wild", "wild4", "shuffle", "custom")
SPECIALS: tuple[str, ...] = COLOURED_SPECIALS + BLACK_CARDS
CARDS: tuple[str, ...] = NUMBERS + SPECIALS

KINDS: tuple[str, ...] = ("session", "match", "heats")
WINNER_TAKES = "winner_takes"
OWN_HAND = "own_hand"
SCORINGS: tuple[str, ...] = (WINNER_TAKES, OWN_HAND)

# Fields that affect nobody's points or places; they may be corrected in a revision that was played.
ONLY_SAID = frozenset({"names", "card_names", "notes", "sheets", "wording", "penalties"})

V = TypeVar("V")


def frozen(entries: Mapping[str, V]) -> Mapping[str, V]:
    """Make a read-only copy of a table, for example from card id to a number."""
    return MappingProxyType(dict(entries))


class ByKind(dict[str, V]):
    """A room's objects by the kind of contest. `file` holds them, as "pages/kinds.py".

    Raises LookupError for a kind without an object, with a sentence that names the file.
    """

    def __init__(self, file: str, objects: Mapping[str, V]) -> None:
        super().__init__(objects)
        self.file = file

    def __missing__(self, kind: str) -> V:
        raise LookupError(f"{self.file} has no object for the kind {kind!r}")


DECK_108 = frozen(
    {
        "0": 4,
        **dict.fromkeys(NUMBERS[1:], 8),
        **dict.fromkeys(COLOURED_SPECIALS, 8),
        "wild": 4,
        "wild4": 4,
    }
)
DECK_112 = frozen({**DECK_108, "shuffle": 1, "custom": 3})
CARD_POINTS = frozen(
    {
        **{number: int(number) for number in NUMBERS},
        **dict.fromkeys(COLOURED_SPECIALS, 20),
        "wild": 50,
        "wild4": 50,
        "shuffle": 40,
        "custom": 40,
    }
)


class Source(str):
    """The name of a rule sheet in English, which is all of it that fingerprints hold; `said`, what is told about it in
    each language; and `newest`, where its newest version is."""

    def __new__(cls, name: str, **_more: str) -> Source:
        return super().__new__(cls, name)

    def __init__(self, _name: str, newest: str = "", **said: str) -> None:
        self.newest, self.said = newest, frozen(said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One revision of one rule sheet. Times are seconds, `deck` and the draws are cards, the rest points."""

    id: str
    name: str  # in English
    revision: str
    source: str  # or a `Source`
    kinds: tuple[str, ...]  # of score sheet: session, match, heats

    names: Mapping[str, str] = field(default_factory=lambda: frozen({}))  # language -> the name in it
    card_names: Mapping[str, Mapping[str, str]] = field(
        default_factory=lambda: frozen({})
    )  # language -> card id -> the sheet's own name of it; the other cards have the usual ones
    notes: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: frozen({})
    )  # language -> what to know
    sheets: tuple[
        str, ...
    ] = ()  # languages, where sheets in several differ: first that for readers of others
    wording: str = ""  # whose texts tell it, one of sound.WORDINGS; "": what this data says, and the notes
    penalties: tuple[Penalty, ...] = ()

    deck: Mapping[str, int]  # card id -> how many in one deck
    points: Mapping[str, int]  # card id -> points
    players_per_deck: int | None = None  # a deck for each started so many players; None: one deck
    dealt_cards: int = 7  # to each player
    turned_up_cards: int = 1  # on the discard pile before the first turn
    custom_cards: bool = False  # whether the players agree how many Customizable cards are in

    scorings: tuple[str, ...] = ()  # ways to count a match, the default first
    default_target: int | None = None  # points; None: the sheet must say it
    least_target: int = 1
    most_target: int | None = None  # None: no bound
    several_last_cards: bool = False  # whether one turn may play several cards of a kind
    forbidden_last_cards: tuple[str, ...] = ()
    last_card_draws: Mapping[str, int] = field(default_factory=lambda: frozen({}))  # cards drawn for each

    hour_s: int = 3600  # the longest a timed game lasts
    remaining_base: int = 60  # a player remaining has base + step x place among the remaining
    remaining_step: int = 5
    give_up_extra: int = 30  # a player who gave up has the worst of the others + extra ...
    give_up_least: int = 60  # ... but at least so many

    def sheet_for(self, language: str) -> str:
        """Tell the language of the sheet that holds where people read this one; "" if sheets do not differ."""
        return language if language in self.sheets else "".join(self.sheets[:1])

    def fingerprint(self) -> str:
        """SHA-256, in hexadecimal, of all that results follow from; a revision once played never changes it."""
        content = {
            entry.name: getattr(self, entry.name) for entry in fields(self) if entry.name not in ONLY_SAID
        }
        canonical = json.dumps(content, default=dict, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()
