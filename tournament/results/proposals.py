"""A proposed result: the fields of a referee's form that players may fill by their table's code."""

import re
from collections.abc import Mapping

from rulesets import CARDS
from tournament.models import Play, Result, Seat
from tournament.results.faults import Fault, Refused

MOST_FIELDS = 400  # a hand of every kind of card for 20 players
NAME = re.compile(r"[a-z_]{1,20}(-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-[0-9a-z]{1,10})?)?")
NUMBER = re.compile(r"[0-9]{1,4}([:.,][0-9]{1,2})?", re.ASCII)
UID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
WORDS = frozenset({*CARDS, *Result.Outcome.values, *Play.Ended.values, *Seat.OutAs.values})


def sound_fields(fields: object) -> dict[str, str]:
    """The fields that hold something: ids, numbers and the rules' own words. Refused `malformed` for any other text."""
    if not isinstance(fields, Mapping) or len(fields) > MOST_FIELDS:
        raise Refused(Fault("malformed", "/fields"))
    kept = {str(name): str(value) for name, value in fields.items() if value}
    if not all(NAME.fullmatch(name) and _is_said(value) for name, value in kept.items()):
        raise Refused(Fault("malformed", "/fields"))
    return kept


def _is_said(value: str) -> bool:
    return bool(value in WORDS or NUMBER.fullmatch(value) or UID.fullmatch(value))
