"""Words of club standings."""

from collections.abc import Callable

from django.utils.translation import gettext as _, ngettext

from rulesets import ByKind
from scoring import ClubRule


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


KINDS: ByKind[Callable[[ClubRule, int], str]] = ByKind(
    "words/clubs.py",
    {
        "session": _session_rule,
        "match": _match_rule,
        "heats": lambda _rule, _best: _("How many of each club’s players go through, most first."),
        "race": _race_rule,
    },
)


def rule_text(kind: str, rule: ClubRule, best: int) -> str:
    """How clubs rank in this kind of stage, by their `best` (number of) players."""
    return KINDS[kind](rule, best)
