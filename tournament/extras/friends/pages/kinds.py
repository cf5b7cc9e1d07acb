"""Forms and texts for friends, by kind of contest."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rulesets import ByKind
from scoring import Answer
from tournament.extras.friends.pages import games, heats, rounds
from tournament.extras.friends.pages.sheets import Row, RowRules, Sheet
from tournament.results import Typed


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind's forms. `summary`: outcome; `entry`: form fields; `read`: typed row; `typed`: form values of a row;
    `to_count`: players whose hands to ask for."""

    way: str | Promise
    label: str | Promise
    summary: Callable[[Sheet, Row, Answer | None, int], str]
    entry: Callable[[Sheet, RowRules, Mapping[str, str], Mapping[str, str], Sequence[str]], dict[str, Any]]
    read: Callable[[RowRules, Typed], Row]
    typed: Callable[[Row], dict[str, str]]
    to_count: Callable[[RowRules, Typed], list[str]] = lambda _rules, _typed: []


KINDS: ByKind[Kind] = ByKind(
    "extras/friends/pages/kinds.py",
    {
        "session": Kind(
            _("Timed games, the lowest average wins"),
            _("Game %(n)s"),
            games.summary,
            games.entry,
            games.read,
            games.typed_again,
            games.to_count,
        ),
        "match": Kind(
            _("Rounds for points until the target is reached"),
            _("Round %(n)s"),
            rounds.summary,
            rounds.entry,
            rounds.read,
            rounds.typed_again,
        ),
        "heats": Kind(
            _("Heats without points decide who goes through"),
            _("Heat %(n)s"),
            heats.summary,
            heats.entry,
            heats.read,
            heats.typed_again,
        ),
    },
)


def read_row(sheet: Sheet, index: int, typed: Typed) -> Row:
    """The typed row; unreadable values become faults of `typed`."""
    return {"number": index + 1} | KINDS[sheet["kind"]].read(RowRules.of(sheet, index), typed)


def typed_row(sheet: Sheet, row: Row) -> dict[str, str]:
    """Form values of a row."""
    return KINDS[sheet["kind"]].typed(row)


def hands_to_count(sheet: Sheet, index: int, typed: Typed) -> list[str]:
    """Players whose hands to ask for."""
    return KINDS[sheet["kind"]].to_count(RowRules.of(sheet, index), typed)


def row_label(sheet: Sheet, index: int) -> str:
    """Label of a row."""
    return str(KINDS[sheet["kind"]].label) % {"n": index + 1}
