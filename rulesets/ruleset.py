"""Fields of a ruleset, as data. Code reads the fields, never the id: a new revision is a new file, and old
championships retain their rules."""

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
SHEETS: tuple[str, ...] = (*KINDS, "race")  # of the rulesets with matches and `races`
WINNER_TAKES = "winner_takes"
OWN_HAND = "own_hand"
SCORINGS: tuple[str, ...] = (WINNER_TAKES, OWN_HAND)

# Without effect on points or places: correctable after play.
ONLY_SAID = frozenset({"names", "card_names", "notes", "sheets", "wording", "penalties", "races"})

V = TypeVar("V")


def frozen(entries: Mapping[str, V]) -> Mapping[str, V]:
    """Read-only copy."""
    return MappingProxyType(dict(entries))


class ByKind(dict[str, V]):
    """Objects by kind of contest, defined in `file`, which LookupError names for a missing kind."""

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
    """A rule sheet's English name (all that fingerprints include). `said`: wording per language; `newest`: URL of its
    newest version."""

    def __new__(cls, name: str, **_more: str) -> Source:
        return super().__new__(cls, name)

    def __init__(self, _name: str, newest: str = "", **said: str) -> None:
        self.newest, self.said = newest, frozen(said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One revision of a rule sheet. Times are seconds, `deck` and draws cards, the rest points."""

    id: str
    name: str
    revision: str
    source: str  # maybe a `Source`
    kinds: tuple[str, ...]  # session, match, heats

    names: Mapping[str, str] = field(default_factory=lambda: frozen({}))
    card_names: Mapping[str, Mapping[str, str]] = field(
        default_factory=lambda: frozen({})
    )  # by language and card id: the sheet's name, if unusual
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: frozen({}))
    sheets: tuple[str, ...] = ()  # if sheets differ by language: default first
    wording: str = ""  # sound.WORDINGS; "": from data and notes
    penalties: tuple[Penalty, ...] = ()

    deck: Mapping[str, int]  # count per deck, by card id
    points: Mapping[str, int]  # by card id
    players_per_deck: int | None = None  # one deck per started group of so many; None: one deck
    dealt_cards: int = 7  # per player
    turned_up_cards: int = 1  # on the discard pile
    custom_cards: bool = False

    scorings: tuple[str, ...] = ()
    races: bool = True  # with matches: their rounds are also played at changing tables
    default_target: int | None = None  # None: required in the sheet
    least_target: int = 1
    most_target: int | None = None  # None: unbounded
    several_last_cards: bool = False  # of one kind in one turn
    forbidden_last_cards: tuple[str, ...] = ()
    last_card_draws: Mapping[str, int] = field(default_factory=lambda: frozen({}))  # cards drawn per card

    hour_s: int = 3600  # limit of a timed game
    remaining_base: int = 60  # remaining: base plus step times rank
    remaining_step: int = 5
    give_up_extra: int = 30  # gave up: worst of the others plus extra ...
    give_up_least: int = 60  # ... at least this

    def scores(self, kind: str) -> bool:
        """Whether it scores sheets of this kind."""
        return kind in self.kinds or (kind == "race" and self.races and "match" in self.kinds)

    def sheet_for(self, language: str) -> str:
        """Language of the sheet for readers of `language`; "" if sheets do not differ."""
        return language if language in self.sheets else "".join(self.sheets[:1])

    def fingerprint(self) -> str:
        """SHA-256 hex of all that affects results; fixed once played."""
        content = {
            entry.name: getattr(self, entry.name) for entry in fields(self) if entry.name not in ONLY_SAID
        }
        canonical = json.dumps(content, default=dict, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()
