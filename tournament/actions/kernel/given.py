"""What a command brings, held against the types that the actions declare: whole numbers, ids, hands.

A device may send anything. What is of another type is refused as `malformed` at its place before it is compared or
stored: in the ledger 1, 1.0 and true would be three things, in the database they are one.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from uuid import UUID

from rulesets import CARDS
from tournament.queries.programme import YEARS
from tournament.results.facts import Hand
from tournament.results.faults import Fault, Refused

MOST_SAID = 40  # characters of what is no id, as a refusal repeats them


def whole(value: object, path: str) -> int:
    """A whole number; Refused `malformed` for anything else, true and 3.0 too."""
    if type(value) is not int:
        raise Refused(Fault("malformed", path))
    return value


def planned_for(day: date | None, path: str) -> None:
    """Hold a day or a moment against the years that people plan for; Refused `field_invalid` for another, from which a
    time zone or a year more leads out of the calendar."""
    if day is not None and day.year not in YEARS:
        raise Refused(Fault("field_invalid", path))


def ids(values: object, path: str) -> tuple[UUID, ...]:
    """A list of ids; Refused `malformed` for anything else."""
    if not isinstance(values, list | tuple) or not all(isinstance(value, UUID) for value in values):
        raise Refused(Fault("malformed", path))
    return tuple(values)


def cards(hand: object, path: str) -> Hand:
    """A hand without the cards that it has none of; what else is wrong with it scoring says. Refused `malformed`
    for what is no hand at all."""
    if not isinstance(hand, Mapping):
        raise Refused(Fault("malformed", path))
    return {card: count for card, count in hand.items() if not _none_of(card, count)}


def hands(given: object, path: str = "/hands") -> dict[UUID, Hand]:
    """Hands by the entry, from hands by the entry's uid as text.

    Raises Refused `malformed`, `unknown_player` for a key that is no uid, `duplicate_player` for one written in two
    ways.
    """
    if not isinstance(given, Mapping):
        raise Refused(Fault("malformed", path))
    held: dict[UUID, Hand] = {}
    for key, hand in given.items():
        entry = _entry(key, path)
        if entry in held:
            raise Refused(Fault("duplicate_player", f"{path}/{entry}", {"player": str(entry)}))
        held[entry] = cards(hand, f"{path}/{entry}")
    return held


def _none_of(card: object, count: object) -> bool:
    return type(count) is int and count == 0 and card in CARDS


def _entry(key: object, path: str) -> UUID:
    if isinstance(key, str):
        with suppress(ValueError):
            return UUID(key)
    said = str(key)[:MOST_SAID]
    raise Refused(Fault("unknown_player", f"{path}/{said}", {"player": said}))
