"""Line chart: values in, points in a box of 380 by 260 units out.

A unit is just under a phone pixel. Up to 8 named lines differ in dashes, mark and label, not in colour alone.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, count, groupby
from math import ceil, floor
from typing import ClassVar
from unicodedata import category, combining, east_asian_width

NAMED = 8  # as many as there are marks

WIDTH, HEIGHT = 380, 260
LEFT, RIGHT, TOP, BOTTOM = 34, 228, 22, 216  # box of the lines
NUMBERS_END = 26  # right edge of the y-axis numbers
INSET = 6  # box to first and last step
LABELS = RIGHT + 12  # x of the labels' marks
LETTERS = 13  # text height
BOLD = 1.1  # width factor of bold text
LINE = 16  # least distance of labels
APART = 20  # least distance of a line's marks
STEPS = (1, 2, 5)  # times powers of ten

# Rather too wide.
NARROW = frozenset("iljtfrI.,:;'’|!()[]- ")
WIDE = frozenset("mwMWÆŒæœ@%")
ELLIPSIS = "…"
JOINER = "\N{ZERO WIDTH JOINER}"
NAMESAKE = re.compile(r"(.+?)( #\d+| \(.+\))")  # "Anna #12", "Anna (Club)"

Point = tuple[float, float]

# Mark paths round their centre; the first four are filled.
MARKS = (
    "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0",
    "m-3 -3h6v6h-6z",
    "m0 -4l4 7h-8z",
    "m0 -4.5l4.5 4.5-4.5 4.5-4.5-4.5z",
) * 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A player's line. `values` per step (None: none), `texts` as shown. `named` lines are labelled, best first."""

    name: str
    values: Sequence[float | None]
    texts: Sequence[str]
    named: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Axes. `across` names a step, `upwards` the value for screen readers. `from_zero`: first step 0 for all;
    `places`: 1 on top; `target`: (number, label)."""

    across: str
    steps: Sequence[str]
    upwards: str
    from_zero: bool = False
    places: bool = False
    target: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """Axis number or target, `at` units from the left or top."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """A line's label: `number` right-aligned, `name` cut; `joint`: path from the line."""

    y: float
    number: str
    number_x: float
    name: str
    name_x: float
    mark: str
    joint: str


@dataclass(frozen=True, slots=True)
class Line:
    """A drawn line. `look`: 1 to 8, 0 for pale; `runs`: uninterrupted parts."""

    look: int
    name: str
    runs: tuple[tuple[Point, ...], ...]
    marked: tuple[Point, ...] = ()
    label: Label | None = None

    @property
    def path(self) -> str:
        return "".join("M" + " ".join(f"{x:g} {y:g}" for x, y in run) for run in self.runs)

    @property
    def marks(self) -> str:
        return "".join(f"M{x:g} {y:g}{MARKS[self.look - 1]}" for x, y in self.marked)


@dataclass(frozen=True, slots=True)
class Row:
    """A player's numbers as text."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The picture's data as text."""

    headings: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A chart. `key`: unique on the page; `said`: last values of named lines."""

    key: str
    title: str
    caption: str
    said: str
    across: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[Line, ...]
    target: Tick | None
    table: Table

    left: ClassVar[int] = LEFT
    middle: ClassVar[float] = (LEFT + RIGHT) / 2
    below: ClassVar[int] = BOTTOM + 20  # y of the step labels
    foot: ClassVar[int] = HEIGHT - 6  # y of the axis title

    @property
    def view_box(self) -> str:
        """SVG view box, wider for numbers over three digits."""
        widest = max((width_of(tick.text, LETTERS) for tick in self.y_ticks), default=0)
        more = max(ceil(widest) - NUMBERS_END, 0)
        return f"{-more} 0 {WIDTH + more} {HEIGHT}"

    @property
    def target_line(self) -> str:
        return f"M{LEFT} {self.target.at:g}H{RIGHT}" if self.target else ""

    @property
    def grid(self) -> str:
        return "".join(f"M{LEFT} {tick.at:g}H{RIGHT}" for tick in self.y_ticks)

    @property
    def pale_first(self) -> list[Line]:
        """Lines, the most important last, on top."""
        return sorted(self.lines, key=lambda line: -line.look if line.look else -NAMED - 1)


def line_chart(*, key: str, title: str, caption: str, frame: Frame, series: Sequence[Series]) -> Picture:
    """Picture of the series in their frame."""
    values = [value for each in series for value in each.values if value is not None]
    if frame.target:
        values.append(frame.target[0])
    most = max(values, default=0)
    if frame.places:
        numbers, up = _place_numbers(int(most)), _Scale(1, max(most, 2), TOP, BOTTOM)
    else:
        numbers = round_numbers(0 if frame.from_zero else min(values, default=0), most)
        up = _Scale(numbers[0], numbers[-1], BOTTOM, TOP)
    across = _Scale(0, max(len(frame.steps) - 1, 1), LEFT + (0 if frame.from_zero else INSET), RIGHT - INSET)
    return Picture(
        key=key,
        title=title,
        caption=caption,
        said=f"{frame.upwards}: "
        + ", ".join(f"{each.name} {each.texts[-1]}" for each in series if each.named),
        across=frame.across,
        x_ticks=tuple(Tick(across(step), frame.steps[step]) for step in _written(frame.steps)),
        y_ticks=tuple(Tick(up(number), str(number)) for number in numbers),
        lines=_with_labels(_lines(series, across, up), series),
        target=Tick(up(frame.target[0]), frame.target[1]) if frame.target else None,
        table=_table(frame, series),
    )


def round_numbers(low: float, high: float, most: int = 7) -> list[int]:
    """Two to `most` whole round numbers that cover `low` to `high`."""
    step = next(step for step in _rising_steps() if ceil(high / step) - floor(low / step) < most)
    first = floor(low / step)
    return [number * step for number in range(first, max(ceil(high / step), first + 1) + 1)]


def spread(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Positions near `wanted` in its order, `least` apart, within `low` to `high` if they fit."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed = [0.0] * len(wanted)
    floor_at = low
    for index in order:
        placed[index] = max(wanted[index], floor_at)
        floor_at = placed[index] + least
    ceiling = max(high, low + least * (len(wanted) - 1))
    for index in reversed(order):
        placed[index] = min(placed[index], ceiling)
        ceiling = placed[index] - least
    return placed


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + share * (self.end - self.start), 1)


def _rising_steps() -> Iterable[int]:
    return (step * 10**zeros for zeros in count() for step in STEPS)


def _place_numbers(worst: int) -> list[int]:
    if worst <= 10:
        return list(range(1, max(worst, 2) + 1))
    step = next(step for step in _rising_steps() if step >= 5 and worst <= 6 * step)
    return [1, *range(step, worst + 1, step)]


def _written(steps: Sequence[str]) -> list[int]:
    room = {0: 1, 1: 10, 2: 8}.get(len(max(steps, key=len, default="")), 6)
    stride = next(step for step in _rising_steps() if len(steps) <= room * step)
    return [at for at, text in enumerate(steps) if stride == 1 or int(text) % stride == 0]


def _lines(series: Sequence[Series], across: _Scale, up: _Scale) -> list[Line]:
    """A named line has as many marks as fit apart, always one at its end."""
    looks = iter(range(1, NAMED + 1))
    apart = across(1) - across(0)
    stride = max(1, ceil(APART / apart)) if apart else 1
    lines = []
    for each in series:
        look = next(looks) if each.named else 0
        points = (
            None if value is None else (across(step), up(value)) for step, value in enumerate(each.values)
        )
        runs = tuple(
            tuple(point for point in run if point) for there, run in groupby(points, key=bool) if there
        )
        marked = [point for run in runs for point in run][::-1][::stride][::-1] if look else ()
        lines.append(Line(look, each.name, runs, tuple(marked)))
    return lines


def _with_labels(lines: Sequence[Line], series: Sequence[Series]) -> tuple[Line, ...]:
    named = [(line, each) for line, each in zip(lines, series, strict=True) if line.look and line.runs]
    ends = [line.runs[-1][-1] for line, _each in named]
    heights = spread([y for _x, y in ends], LINE, TOP, BOTTOM)
    number_x = (
        LABELS + 8 + BOLD * max((width_of(each.texts[-1], LETTERS) for _line, each in named), default=0)
    )
    name_x = number_x + 5
    labels = {
        line.look: Label(
            y=round(height, 1),
            number=each.texts[-1],
            number_x=round(number_x, 1),
            name=cut(each.name, WIDTH - name_x, LETTERS * BOLD if line.look == 1 else LETTERS),
            name_x=round(name_x, 1),
            mark=f"M{LABELS} {height:.1f}{MARKS[line.look - 1]}",
            # Empty if the line ended early.
            joint=f"M{x:g} {y:g}L{LABELS} {height:.1f}" if x >= RIGHT - INSET else "",
        )
        for (line, each), (x, y), height in zip(named, ends, heights, strict=True)
    }
    return tuple(Line(line.look, line.name, line.runs, line.marked, labels.get(line.look)) for line in lines)


def _table(frame: Frame, series: Sequence[Series]) -> Table:
    begin = 1 if frame.from_zero else 0
    return Table(
        headings=tuple(frame.steps[begin:]),
        rows=tuple(
            Row(each.name, (*each.texts[begin:], *[""] * (len(frame.steps) - len(each.texts))))
            for each in series
        ),
    )


def width_of(text: str, size: float) -> float:
    """Width in units, for letters `size` high."""
    return sum(_em(character) for character in text) * size


def cut(text: str, room: float, size: float) -> str:
    """Cut to `room` units with an ellipsis ("Matti… #12")."""
    if width_of(text, size) > room and (apart := NAMESAKE.fullmatch(text)):
        ending = cut(apart[2], room * 0.6, size)
        text = cut(apart[1], room - width_of(ending, size), size) + ending
    elif width_of(text, size) > room:
        widths = accumulate(width_of(character, size) for character in text)
        end = sum(width <= room - width_of(ELLIPSIS, size) for width in widths)
        while 0 < end < len(text) and JOINER in (text[end - 1], text[end]):  # joined code points stay whole
            end -= 1
        text = text[:end].rstrip() + ELLIPSIS
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


def _em(character: str) -> float:
    if combining(character) or category(character) in {"Mn", "Me", "Cf"}:
        return 0
    if character == ELLIPSIS or character in WIDE:
        return 1
    if east_asian_width(character) in {"W", "F"}:
        return 1.15
    if character in NARROW:
        return 0.36
    return 0.7 if character.isupper() else 0.64 if character.isdigit() else 0.6
