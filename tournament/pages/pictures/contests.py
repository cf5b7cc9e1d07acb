"""Pictures of one contest, drawn by templates/public/_picture.html.

| picture | of | shows |
| --- | --- | --- |
| points over rounds | match | totals, target |
| average over games | session, race by average | averages by own games |
| points over games | other races | totals by own games |
| places over time | all | places after each play |

Of many players only the best are drawn, and the one asked for.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from rulesets import ByKind
from scoring import MatchAnswer, RaceAnswer, SessionAnswer, averages_so_far, places_so_far, totals_so_far
from tournament.pages.components import StandingsRow
from tournament.pages.pictures.chart import BOLD, NAMED, Frame, Picture, Series, cut, line_chart, width_of
from tournament.pages.public.standings import Person, isolated
from tournament.results import ContestResults, lowest_wins, target_of
from tournament.words import kinds as words
from tournament.words.kinds import goal_text
from tournament.words.text import amount_text, average_text, clean

FEW_LINES = 24  # players; beyond, only the best and the one asked for

Drawn = Mapping[str, bool]  # players with a line, best first: whether named


def contest_pictures(results: ContestResults, people: Mapping[str, Person]) -> list[Picture]:
    """Pictures from a match's first round, a session's second game; none for heats."""
    course, order = KINDS[results.answer.kind], _order(results)
    if course is None:
        return []
    few = len(order) <= FEW_LINES
    drawn = {player: at < NAMED for at, player in enumerate(order) if few or at < NAMED}
    names = {player: people[player].name for player in drawn}
    caption = _best(len(order), few=few)
    points = course(results, results.answer, names, drawn, caption)
    return [picture for picture in (points, _places(results, names, drawn, caption)) if picture]


def player_picture(results: ContestResults, player: str, name: str) -> Picture | None:
    """The player's bold line, the best's, and pale others, if there is enough. `player`: id in the answer."""
    course, order = KINDS[results.answer.kind], _order(results)
    if course is None or player not in order:
        return None
    best, others = order[0], order if len(order) <= FEW_LINES else order[:NAMED]
    named = dict.fromkeys([player, best], True)
    drawn = named | {other: False for other in others if other not in named}
    caption = _("The bold line is %(name)s.") % {"name": isolated([name])}
    return course(results, results.answer, {**results.names, player: name}, drawn, caption)


def _order(results: ContestResults) -> list[str]:
    of = results.answer.results
    players = [row.player for row in results.answer.standings]
    return [player for player in players if any(each.points is not None for _index, each in of[player])]


def _places(results: ContestResults, names: Mapping[str, str], drawn: Drawn, caption: str) -> Picture | None:
    moments = _moments(results)
    ends = [end for _number, end in moments]
    over_time = results.once("places over time", lambda own: places_so_far(own.sheet.data, own.answer, ends))
    begin = next((at for at, places in enumerate(over_time) if places), len(moments))
    courses = {player: [places.get(player) for places in over_time[begin:]] for player in drawn}
    if len(moments) - begin < 2:
        return None
    return line_chart(
        key=_key("places", results),
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
    return (_("The top %(best)s are named.") if few else _("The top %(best)s of %(players)s.")) % values


def _moments(results: ContestResults) -> list[tuple[int, int]]:
    """Return (number, count of plays up to its end)."""
    steps = results.contest.steps
    # A walkover has the next number.
    following = max(steps.values(), default=0) + 1
    numbers = [following if play is None else steps[play.uid] for play in results.sheet.plays]
    return list({number: end for end, number in enumerate(numbers, 1)}.items())


def _key(what: str, results: ContestResults) -> str:
    return f"{what}-{results.table or results.contest.stage}"


def _points(
    results: ContestResults, answer: MatchAnswer, names: Mapping[str, str], drawn: Drawn, caption: str
) -> Picture | None:
    if not drawn:
        return None
    sheet = results.sheet.data
    target = target_of(sheet)
    goal = "" if target is None else goal_text(target, lowest=lowest_wins(sheet))
    totals = totals_so_far(answer, drawn)
    return line_chart(
        key=_key("points", results),
        title=_("Points over rounds"),
        caption=f"{goal} {caption}".strip(),
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
                values=[0, *map(float, totals[player])],
                texts=["0", *map(str, totals[player])],
                named=named,
            )
            for player, named in drawn.items()
        ],
    )


def _averages(
    results: ContestResults, answer: SessionAnswer, names: Mapping[str, str], drawn: Drawn, caption: str
) -> Picture | None:
    caption = " ".join(filter(None, [_("Points a game. The lowest average is best."), caption]))
    return _by_own_games(results, averages_so_far(answer, drawn), names, drawn, caption)


def _race(
    results: ContestResults, answer: RaceAnswer, names: Mapping[str, str], drawn: Drawn, caption: str
) -> Picture | None:
    """Of all games, also those that do not count."""
    course = averages_so_far if answer.decided_by == "average" else totals_so_far
    return _by_own_games(results, course(answer, drawn), names, drawn, caption)


def _by_own_games(
    results: ContestResults,
    courses: Mapping[str, Sequence[int | Fraction]],
    names: Mapping[str, str],
    drawn: Drawn,
    caption: str,
) -> Picture | None:
    most = max((len(each) for each in courses.values()), default=0)
    if most < 2:
        return None
    averages = results.answer.decided_by == "average"
    return line_chart(
        key=_key("average" if averages else "points", results),
        title=_("Average over games") if averages else _("Points over games"),
        caption=caption,
        frame=Frame(
            across=_("Games played"),
            steps=[str(game) for game in range(1, most + 1)],
            upwards=_("Average") if averages else _("Points"),
        ),
        series=[
            Series(
                name=names[player],
                values=[float(value) for value in courses[player]],
                texts=[
                    average_text(Fraction(value)) if averages else amount_text(value)
                    for value in courses[player]
                ],
                named=named,
            )
            for player, named in drawn.items()
        ],
    )


KINDS: ByKind[Callable[[ContestResults, Any, Mapping[str, str], Drawn, str], Picture | None] | None] = ByKind(
    "pages/pictures/contests.py",
    {"session": _averages, "match": _points, "heats": None, "race": _race},
)


# ---- Podium to share, a row per person, drawn by templates/public/podium.svg ----

WIDTH, TOP, GAP = 960, 280, 24  # units, of the rows
HIGH, LOW, PODIUM_FEW = 200, 120, 3  # row height up to FEW people, and above
NAME_X, SMALLEST = 200, 36  # x of a name; its smallest letters


class Text(NamedTuple):
    """Words and letter height."""

    words: str
    size: int


def podium_rows(people: Sequence[StandingsRow]) -> list[tuple[StandingsRow, Text, int, int]]:
    """People as (row, name, height, y), in units."""
    high = HIGH if len(people) <= PODIUM_FEW else LOW
    size = high * 2 // 5
    room = WIDTH - NAME_X - 2 * GAP
    return [
        (
            each,
            fitted(each.name, room - width_of(each.value, size * BOLD), size),
            high,
            TOP + at * (high + GAP),
        )
        for at, each in enumerate(people)
    ]


def fitted(text: str, room: float, largest: int) -> Text:
    """Words as large as fit, cut at the smallest size."""
    text = clean(text)
    size = max(min(largest, int(room / max(width_of(text, BOLD), 1))), SMALLEST)
    return Text(cut(text, room, size * BOLD), size)
