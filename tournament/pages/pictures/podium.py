"""Podium to share, a row per person, drawn by templates/public/podium.svg."""

from collections.abc import Sequence
from typing import NamedTuple

from tournament.pages.components import StandingsRow
from tournament.pages.pictures.chart import BOLD, cut, width_of
from tournament.words.text import clean

WIDTH, TOP, GAP = 960, 280, 24  # units, of the rows
HIGH, LOW, FEW = 200, 120, 3  # row height up to FEW people, and above
NAME_X, SMALLEST = 200, 36  # x of a name; its smallest letters


class Text(NamedTuple):
    """Words and letter height."""

    words: str
    size: int


def podium_rows(people: Sequence[StandingsRow]) -> list[tuple[StandingsRow, Text, int, int]]:
    """People as (row, name, height, y), in units."""
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
    """Words as large as fit, cut at the smallest size."""
    words = clean(words)
    size = max(min(largest, int(room / max(width_of(words, BOLD), 1))), SMALLEST)
    return Text(cut(words, room, size * BOLD), size)
