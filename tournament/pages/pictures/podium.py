"""The picture of a podium, to share: the first three places of a stage, a row for each person, the best first.

Places and values come as they are; this module fits the words into their rooms, and templates/public/podium.svg draws
them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.pages.components import StandingsRow
from tournament.pages.pictures.chart import BOLD, cut, width_of
from tournament.words.text import clean

WIDTH, TOP, GAP = 960, 280, 24  # units, of the rows
HIGH, LOW, FEW = 200, 120, 3  # the height of a row for up to so many people, and for more
NAME_X, SMALLEST = 200, 36  # where a name begins, and its smallest letters


@dataclass(frozen=True, slots=True)
class Text:
    """Words and the height of their letters, `y` units from the top."""

    words: str
    size: int
    y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Podium:
    """The picture: what it is about, and the people by their rows, each `high`."""

    heading: Text
    about: Text
    high: int
    rows: Sequence[tuple[StandingsRow, Text]]


def podium_picture(heading: str, about: str, people: Sequence[StandingsRow]) -> Podium:
    """Lay out the picture of these people, the best first."""
    high = HIGH if len(people) <= FEW else LOW
    return Podium(
        heading=_fitted(heading, WIDTH, 84, 150),
        about=_fitted(about, WIDTH, 44, 225),
        high=high,
        rows=[(each, _name(each, high, TOP + at * (high + GAP))) for at, each in enumerate(people)],
    )


def _name(each: StandingsRow, high: int, y: int) -> Text:
    size = high * 2 // 5
    return _fitted(each.name, WIDTH - NAME_X - 2 * GAP - width_of(each.value, size * BOLD), size, y)


def _fitted(words: str, room: float, largest: int, y: int) -> Text:
    """The words as large as they fit in one line; what does not fit in the smallest letters is cut."""
    words = clean(words)
    size = max(min(largest, int(room / max(width_of(words, BOLD), 1))), SMALLEST)
    return Text(cut(words, room, size * BOLD), size, y)
