"""The picture of a podium, to share: the first three places of a stage, a row for each person, the best first.

Places and values come as they are; this module fits the words into their rooms, and templates/public/podium.svg draws
them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tournament.pages.components import StandingsRow
from tournament.pages.pictures.chart import BOLD, cut, width_of
from tournament.words.text import clean

WIDTH, TOP, GAP = 960, 280, 24  # units, of the rows
HIGH, LOW, FEW = 200, 120, 3  # the height of a row for up to so many people, and for more
NAME_X, SMALLEST = 200, 36  # where a name begins, and its smallest letters


class Text(NamedTuple):
    """Words and the height of their letters."""

    words: str
    size: int


def podium_rows(people: Sequence[StandingsRow]) -> list[tuple[StandingsRow, Text, int, int]]:
    """Each person's row with the name, its height, and where it begins, in units from the top."""
    high = HIGH if len(people) <= FEW else LOW
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


def fitted(words: str, room: float, largest: int) -> Text:
    """The words as large as they fit in one line; what does not fit in the smallest letters is cut."""
    words = clean(words)
    size = max(min(largest, int(room / max(width_of(words, BOLD), 1))), SMALLEST)
    return Text(cut(words, room, size * BOLD), size)
