"""Rulesets: one data file per revision, discovered by `RULESET`."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from .penalties import Penalty
from .ruleset import (
    BLACK_CARDS,
    CARDS,
    DECK_108,
    DECK_112,
    KINDS,
    NUMBERS,
    OWN_HAND,
    SHEETS,
    SPECIALS,
    WINNER_TAKES,
    ByKind,
    Ruleset,
    frozen,
)

_KNOWN: dict[str, Ruleset] = {}
RULESETS: Mapping[str, Ruleset] = MappingProxyType(_KNOWN)


def take_in(ruleset: Ruleset) -> None:
    """Register a ruleset. Raises ValueError for a duplicate id."""
    if ruleset.id in _KNOWN:
        raise ValueError(ruleset.id)
    _KNOWN[ruleset.id] = ruleset


def put_away(ruleset: str) -> None:
    """Unregister a ruleset."""
    del _KNOWN[ruleset]


for _module in iter_modules(__path__):
    if hasattr(_file := import_module(f"{__name__}.{_module.name}"), "RULESET"):
        take_in(_file.RULESET)


def penalties_of(ruleset: str) -> tuple[Penalty, ...]:
    """A ruleset's penalties, as referees look them up."""
    return RULESETS[ruleset].penalties


def disputes_by_vote(ruleset: str) -> bool:
    """Whether players vote on disputes, not referees."""
    return any(row.code == "dispute" and row.kind != "referees" for row in penalties_of(ruleset))


def ejects_after_warning(ruleset: str) -> bool:
    """Whether a second warning means ejection."""
    return any(row.kind == "ejection" for row in penalties_of(ruleset))


__all__ = [
    "BLACK_CARDS",
    "CARDS",
    "DECK_108",
    "DECK_112",
    "KINDS",
    "NUMBERS",
    "OWN_HAND",
    "RULESETS",
    "SHEETS",
    "SPECIALS",
    "WINNER_TAKES",
    "ByKind",
    "Penalty",
    "Ruleset",
    "disputes_by_vote",
    "ejects_after_warning",
    "frozen",
    "penalties_of",
    "put_away",
    "take_in",
]
