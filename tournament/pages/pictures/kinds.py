"""What is drawn of each kind of contest beside its places: the points of a match, the averages of a session."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rulesets import ByKind
from scoring import MatchAnswer, SessionAnswer, averages_so_far, totals_so_far
from tournament.pages.pictures.chart import Frame, Picture, Series, line_chart
from tournament.results.answer import ContestResults, lowest_wins, target_of
from tournament.words.text import average_text

Drawn = Mapping[str, bool]  # the players who have a line, best first, and whether it is named


def moments_of(results: ContestResults) -> list[tuple[int, int]]:
    """The games or rounds by their numbers at the table, each with how many of the answer's come up to its end: one at
    one table, where several play side by side each table's of that number."""
    plays = results.sheet.plays
    following = (
        max((play.number for play in results.contest.plays), default=0) + 1
    )  # a walkover has the next number
    numbers = [following if play is None else play.number for play in plays]
    ends = {number: end for end, number in enumerate(numbers, 1)}
    return list(ends.items())


def key_of(what: str, results: ContestResults) -> str:
    """What tells a picture from the others on a page."""
    return f"{what}-{results.table or results.contest.stage}"


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _points(
    results: ContestResults, answer: MatchAnswer, names: Mapping[str, str], drawn: Drawn, caption: str
) -> Picture | None:
    if not drawn:
        return None
    sheet = results.sheet.data
    target = target_of(sheet)
    goal = ""
    if target is not None:
        lowest = _("To %(target)s points; the lowest total wins.")
        goal = (lowest if lowest_wins(sheet) else _("To %(target)s points.")) % {"target": target}
    totals = totals_so_far(answer, drawn)
    return line_chart(
        key=key_of("points", results),
        title=_("Points over rounds"),
        caption=_joined(goal, caption),
        frame=Frame(
            across=_("Round"),
            steps=["0", *(str(number) for number, _end in moments_of(results))],
            upwards=_("Points"),
            from_zero=True,
            target=None if target is None else (target, _("Target %(target)s") % {"target": target}),
        ),
        series=[
            Series(
                name=names[player],
                values=[0, *totals[player]],
                texts=["0", *map(str, totals[player])],
                named=named,
            )
            for player, named in drawn.items()
        ],
    )


def _averages(
    results: ContestResults, answer: SessionAnswer, names: Mapping[str, str], drawn: Drawn, caption: str
) -> Picture | None:
    averages = averages_so_far(answer, drawn)
    most = max((len(each) for each in averages.values()), default=0)
    if most < 2:
        return None
    return line_chart(
        key=key_of("average", results),
        title=_("Average over games"),
        caption=_joined(_("Points a game; the lowest average is best."), caption),
        frame=Frame(
            across=_("Games played"),
            steps=[str(game) for game in range(1, most + 1)],
            upwards=_("Average"),
        ),
        series=[
            Series(
                name=names[player],
                values=[float(average) for average in averages[player]],
                texts=[average_text(average) for average in averages[player]],
                named=named,
            )
            for player, named in drawn.items()
        ],
    )


@dataclass(frozen=True, slots=True)
class Kind:
    """`course` draws everybody's points or averages from the contest, its answer, the players' names, who is drawn and
    a caption; None while there is too little to draw."""

    course: Callable[[ContestResults, Any, Mapping[str, str], Drawn, str], Picture | None]


KINDS: ByKind[Kind | None] = ByKind(
    "pages/pictures/kinds.py",
    {"session": Kind(_averages), "match": Kind(_points), "heats": None},  # heats give no points
)
