"""Numbers and chart lines per kind of contest.

Points, averages and rounds won come from the answer; games won and played are counted here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rulesets import ByKind
from scoring import averages_so_far, totals_so_far
from tournament.results import ContestResults

Numbers = tuple[int | Fraction | None, ...]
Courses = Mapping[str, Sequence[int | Fraction]]
Text = str | Promise


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind's texts and numbers. `plays`: what plays are called; `headings` of a player's `numbers`, the deciding one
    first; `course`: totals or averages after each play, by player."""

    plays: Text
    headings: Sequence[Text] = ()
    numbers: Callable[[ContestResults], Mapping[str, Numbers]] = lambda _results: {}
    course: Callable[[Any, Sequence[str]], Courses] = lambda _answer, _players: {}


def _played(results: ContestResults) -> dict[str, tuple[int, int]]:
    """Return {player: (plays won, plays with points)}."""
    found = {line.player: (0, 0) for line in results.answer.lines}
    for _play, answer in results.counted:
        for row in answer.results:
            won, played = found.get(row.player, (0, 0))
            found[row.player] = won + (row.place == 1), played + (row.points is not None)
    return found


def _session(results: ContestResults) -> dict[str, Numbers]:
    answer: Any = results.answer
    played = _played(results)
    return {line.player: (line.average, played[line.player][0], line.games) for line in answer.standings}


def _match(results: ContestResults) -> dict[str, Numbers]:
    answer: Any = results.answer
    played = _played(results)
    return {line.player: (line.points, line.rounds_won, played[line.player][1]) for line in answer.standings}


KINDS: ByKind[Kind] = ByKind(
    "files/results_file/kinds.py",
    {
        "session": Kind(_("Games"), (_("Average"), _("Games won"), _("Games")), _session, averages_so_far),
        "match": Kind(_("Rounds"), (_("Points"), _("Rounds won"), _("Rounds")), _match, totals_so_far),
        "heats": Kind(_("Heats")),
    },
)
