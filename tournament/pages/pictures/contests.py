"""The pictures of one contest, from the one answer: who they show, in which words.

| picture | of | shows |
| --- | --- | --- |
| points over rounds | a match | everybody's total after each round, and the target |
| average over games | a session | everybody's average after each game of their own |
| places over time | both | everybody's place after each game or round; of several tables after each game number |

Of many players the best are drawn; of one who is asked for, their own line among them.
"""

from collections.abc import Mapping
from typing import Protocol

from django.utils.translation import gettext as _

from scoring import MatchAnswer, SessionAnswer, averages_so_far, places_so_far, totals_so_far
from tournament.pages.pictures.chart import NAMED, Frame, Picture, Series, line_chart
from tournament.pages.public.figures import average_text
from tournament.pages.public.standings import isolated
from tournament.results.answer import ContestResults, lowest_wins, target_of

FEW = 24  # players: of so many everybody has a line, of more only the best and who is asked for

Drawn = Mapping[str, bool]  # the players who have a line, best first, and whether it is named


class WithName(Protocol):
    """Somebody with a name."""

    @property
    def name(self) -> str: ...


def contest_pictures(results: ContestResults, people: Mapping[str, WithName]) -> list[Picture]:
    """Every picture of a session or a match that there is something to draw for: from the first round of a match, else
    from the second game on. None of heats. `people` are by the ids in the answer, as those with a name."""
    order = _order(results)
    few = len(order) <= FEW
    drawn = {player: at < NAMED for at, player in enumerate(order) if few or at < NAMED}
    names = {player: people[player].name for player in drawn}
    caption = _best(len(order), few=few)
    pictures = [_course(results, names, drawn, caption), _places(results, names, drawn, caption)]
    return [picture for picture in pictures if picture]


def player_picture(results: ContestResults, player: str, name: str) -> Picture | None:
    """The player's points or average over the contest, drawn strongly among the others' pale lines; with the best's
    beside it. None where they have nothing to draw. `player` is their id in the answer."""
    order = _order(results)
    if player not in order:
        return None
    best, others = order[0], order if len(order) <= FEW else order[:NAMED]
    named = dict.fromkeys([player, best], True)
    drawn = named | {other: False for other in others if other not in named}
    caption = _("The strong line is %(name)s.") % {"name": isolated([name])}
    return _course(results, {**results.names, player: name}, drawn, caption)


def _order(results: ContestResults) -> list[str]:
    """Everybody who has points, in the order of the standings; nobody in heats."""
    answer = results.answer
    if isinstance(answer, SessionAnswer):
        return [row.player for row in answer.standings if row.games]
    if not isinstance(answer, MatchAnswer):
        return []
    played = {result.player for round_ in answer.rounds for result in round_.results}
    return [row.player for row in answer.standings if row.player in played]


def _course(results: ContestResults, names: Mapping[str, str], drawn: Drawn, caption: str) -> Picture | None:
    if isinstance(results.answer, MatchAnswer):
        return _points(results, results.answer, names, drawn, caption)
    if isinstance(results.answer, SessionAnswer):
        return _averages(results, results.answer, names, drawn, caption)
    return None


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
        key=_key("points", results),
        title=_("Points over rounds"),
        caption=_joined(goal, caption),
        frame=Frame(
            across=_("Round"),
            steps=["0", *(str(number) for number, _end in _moments(results))],
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
        key=_key("average", results),
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


def _places(results: ContestResults, names: Mapping[str, str], drawn: Drawn, caption: str) -> Picture | None:
    answer = results.answer
    if not isinstance(answer, SessionAnswer | MatchAnswer):
        return None
    moments = _moments(results)
    ends = [end for _number, end in moments]
    over_time = results.once("places over time", lambda own: places_so_far(own.sheet.data, answer, ends))
    begin = next((at for at, places in enumerate(over_time) if places), len(moments))
    courses = {player: [places.get(player) for places in over_time[begin:]] for player in drawn}
    if len(moments) - begin < 2:
        return None
    return line_chart(
        key=_key("places", results),
        title=_("Places over time"),
        caption=caption,
        frame=Frame(
            across=_("Round") if isinstance(answer, MatchAnswer) else _("Game"),
            steps=[str(number) for number, _end in moments[begin:]],
            upwards=_("Place"),
            places=True,
        ),
        series=[
            Series(
                name=names[player],
                values=course,
                texts=["–" if place is None else str(place) for place in course],
                named=drawn[player],
            )
            for player, course in courses.items()
            if any(course)
        ],
    )


def _moments(results: ContestResults) -> list[tuple[int, int]]:
    """The games or rounds by their numbers at the table, each with how many of the answer's come up to its end: one at
    one table, where several play side by side each table's of that number."""
    plays = results.sheet.plays
    following = (
        max((play.number for play in results.contest.plays), default=0) + 1
    )  # a walkover has the next number
    numbers = [following if play is None else play.number for play in plays]
    ends = {number: end for end, number in enumerate(numbers, 1)}
    return list(ends.items())


def _best(players: int, *, few: bool) -> str:
    if players <= NAMED:
        return ""
    values = {"best": NAMED, "players": players}
    if few:
        return _("The best %(best)s of %(players)s are named, the others are pale.") % values
    return _("The best %(best)s of %(players)s.") % values


def _key(what: str, results: ContestResults) -> str:
    return f"{what}-{results.table or results.contest.stage}"


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)
