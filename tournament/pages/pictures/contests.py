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

from scoring import places_so_far, totals_so_far
from tournament.pages.pictures.chart import NAMED, Frame, Picture, Series, line_chart
from tournament.pages.pictures.kinds import KINDS, Drawn, key_of, moments_of
from tournament.pages.public.standings import isolated
from tournament.results.answer import ContestResults
from tournament.words import kinds as words

FEW = 24  # players: of so many everybody has a line, of more only the best and who is asked for


class WithName(Protocol):
    """Somebody with a name."""

    @property
    def name(self) -> str: ...


def contest_pictures(results: ContestResults, people: Mapping[str, WithName]) -> list[Picture]:
    """Every picture of a session or a match that there is something to draw for: from the first round of a match, else
    from the second game on. None of heats. `people` are by the ids in the answer, as those with a name."""
    kind, order = KINDS[results.answer.kind], _order(results)
    if kind is None:
        return []
    few = len(order) <= FEW
    drawn = {player: at < NAMED for at, player in enumerate(order) if few or at < NAMED}
    names = {player: people[player].name for player in drawn}
    caption = _best(len(order), few=few)
    pictures = [
        kind.course(results, results.answer, names, drawn, caption),
        _places(results, names, drawn, caption),
    ]
    return [picture for picture in pictures if picture]


def player_picture(results: ContestResults, player: str, name: str) -> Picture | None:
    """The player's points or average over the contest, drawn strongly among the others' pale lines; with the best's
    beside it. None where they have nothing to draw. `player` is their id in the answer."""
    kind, order = KINDS[results.answer.kind], _order(results)
    if kind is None or player not in order:
        return None
    best, others = order[0], order if len(order) <= FEW else order[:NAMED]
    named = dict.fromkeys([player, best], True)
    drawn = named | {other: False for other in others if other not in named}
    caption = _("The strong line is %(name)s.") % {"name": isolated([name])}
    return kind.course(results, results.answer, {**results.names, player: name}, drawn, caption)


def _order(results: ContestResults) -> list[str]:
    """Everybody who has points, in the order of the standings; nobody in heats."""
    players = [row.player for row in results.answer.standings]
    totals = totals_so_far(results.answer, players)
    return [player for player in players if totals[player]]


def _places(results: ContestResults, names: Mapping[str, str], drawn: Drawn, caption: str) -> Picture | None:
    moments = moments_of(results)
    ends = [end for _number, end in moments]
    over_time = results.once("places over time", lambda own: places_so_far(own.sheet.data, own.answer, ends))
    begin = next((at for at, places in enumerate(over_time) if places), len(moments))
    courses = {player: [places.get(player) for places in over_time[begin:]] for player in drawn}
    if len(moments) - begin < 2:
        return None
    return line_chart(
        key=key_of("places", results),
        title=_("Places over time"),
        caption=caption,
        frame=Frame(
            across=str(words.KINDS[results.answer.kind].step),
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


def _best(players: int, *, few: bool) -> str:
    if players <= NAMED:
        return ""
    values = {"best": NAMED, "players": players}
    if few:
        return _("The best %(best)s of %(players)s are named, the others are pale.") % values
    return _("The best %(best)s of %(players)s.") % values
