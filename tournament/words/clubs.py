"""Words of club standings."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from rulesets import ByKind
from scoring import ClubRule
from tournament.words.kinds import DECIDING


@dataclass(frozen=True, slots=True)
class Kind:
    """Words of a kind. `unit`: result column, "" for what decides the players' places; `rule`: how n players make a
    result."""

    rule: Callable[[ClubRule, int], str]
    unit: str | Promise = ""


def _session_rule(_rule: ClubRule, best: int) -> str:
    return ngettext(
        "The average of each club’s best player, lowest first.",
        "The mean of the averages of each club’s best %(n)s players, lowest first. Clubs with "
        "fewer players come last.",
        best,
    ) % {"n": best}


def _match_rule(rule: ClubRule, best: int) -> str:
    lowest = ngettext(
        "The points of each club’s best player, fewest first.",
        "The points of each club’s best %(n)s players together, fewest first. Clubs with fewer "
        "players come last.",
        best,
    )
    most = ngettext(
        "The points of each club’s best player, most first.",
        "The points of each club’s best %(n)s players together, most first.",
        best,
    )
    return (lowest if rule.lowest else most) % {"n": best}


def _race_rule(rule: ClubRule, best: int) -> str:
    lowest = ngettext(
        "The result of each club’s best player, lowest first.",
        "The results of each club’s best %(n)s players together, lowest first. Clubs with fewer "
        "players come last.",
        best,
    )
    most = ngettext(
        "The result of each club’s best player, highest first.",
        "The results of each club’s best %(n)s players together, highest first.",
        best,
    )
    mean = ngettext(
        "The average of each club’s best player, highest first.",
        "The mean of the averages of each club’s best %(n)s players, highest first.",
        best,
    )
    if rule.mean:
        return _session_rule(rule, best) if rule.lowest else mean % {"n": best}
    return (lowest if rule.lowest else most) % {"n": best}


KINDS: ByKind[Kind] = ByKind(
    "words/clubs.py",
    {
        "session": Kind(_session_rule),
        "match": Kind(_match_rule),
        "heats": Kind(
            lambda _rule, _best: _("How many of each club’s players go through, most first."),
            gettext_lazy("Through"),
        ),
        "race": Kind(_race_rule),
    },
)


def rule_text(kind: str, rule: ClubRule, best: int) -> str:
    """How clubs rank in this kind of stage, by their `best` (number of) players."""
    return KINDS[kind].rule(rule, best)


def value_unit(kind: str, decided_by: str) -> str:
    """Unit of a club's result."""
    return str(KINDS[kind].unit or DECIDING[decided_by].unit)
