"""The geometry of a line chart: values in, points within a box of 380 by 260 units out.

A unit is a little less than a pixel on a phone, so the text of 13 units can be read there, and grows with the picture
on a wall. Up to 8 lines are named: each has its own dashes, its own mark and a label at its end, so that nothing
depends on colour alone. The others are pale.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, count, groupby
from math import ceil, floor
from typing import ClassVar
from unicodedata import category, combining, east_asian_width

NAMED = 8  # lines with a label: as many as there are marks

WIDTH, HEIGHT = 380, 260
LEFT, RIGHT, TOP, BOTTOM = 34, 228, 22, 216  # the box that lines stay within
NUMBERS_END = 26  # where the numbers at the left end
INSET = 6  # from the box's side to the first and the last step
LABELS = RIGHT + 12  # where the labels' marks are
LETTERS = 13  # the text's height
BOLD = 1.1  # how much wider bold letters are: the numbers, and the first line's name
LINE = 16  # from one label to the next at least
APART = 20  # from one mark of a line to the next at least
STEPS = (1, 2, 5)  # round numbers: these, and ten, a hundred times as much

# How wide letters are is estimated for the system's sans, rather too wide than too narrow.
NARROW = frozenset("iljtfrI.,:;'’|!()[]- ")
WIDE = frozenset("mwMWÆŒæœ@%")
ELLIPSIS = "…"
JOINER = "\N{ZERO WIDTH JOINER}"

Point = tuple[float, float]

# How each mark is drawn round its middle, in the order of the lines; the first four are filled.
MARKS = (
    "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0",
    "m-3 -3h6v6h-6z",
    "m0 -4l4 7h-8z",
    "m0 -4.5l4.5 4.5-4.5 4.5-4.5-4.5z",
) * 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One player's numbers: `values` from the first step on, None for a step without one, and `texts` as readers see
    them, not empty. `named` lines have a label with the last one at their end, the best first; others are pale."""

    name: str
    values: Sequence[float | None]
    texts: Sequence[str]
    named: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The axes: the labels of the `steps` from left to right, and `across`, the name of a step; `upwards` names what is
    counted, for those who do not see it. `from_zero`: the first step is before anything was played, with 0 for all;
    `places`: 1 is at the top. `target` is a number and its label."""

    across: str
    steps: Sequence[str]
    upwards: str
    from_zero: bool = False
    places: bool = False
    target: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """A number of an axis, or the target that ends a match: `at` units from the left or the top."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """The label at a line's end: `number`, aligned right with those of the other labels, and `name`, cut to fit.
    `joint` leads from the line to its label."""

    y: float
    number: str
    number_x: float
    name: str
    name_x: float
    mark: str
    joint: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its mark: `look` 1 to 8, or 0 for a pale one. `runs` are its parts where it is interrupted."""

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
    """A drawing with its data as text. `key` is unique in a page; `said` tells the ends of the named lines."""

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
    below: ClassVar[int] = BOTTOM + 20  # where the steps are written
    foot: ClassVar[int] = HEIGHT - 6  # where it is written what the steps are

    @property
    def view_box(self) -> str:
        """The SVG's view box, with room at the left for numbers of more than three digits."""
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
        """The lines in the order of drawing: the one that matters most last, on top."""
        return sorted(self.lines, key=lambda line: -line.look if line.look else -NAMED - 1)


def line_chart(*, key: str, title: str, caption: str, frame: Frame, series: Sequence[Series]) -> Picture:
    """The picture of these series in their frame."""
    values = [value for each in series for value in each.values if value is not None]
    if frame.target:
        values.append(frame.target[0])
    numbers, up = _upwards(frame, values)
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


def _upwards(frame: Frame, values: Sequence[float]) -> tuple[list[int], "_Scale"]:
    """The numbers at the left, and where each is."""
    most = max(values, default=0)
    if frame.places:
        return _place_numbers(int(most)), _Scale(1, max(most, 2), TOP, BOTTOM)
    numbers = round_numbers(0 if frame.from_zero else min(values, default=0), most)
    return numbers, _Scale(numbers[0], numbers[-1], BOTTOM, TOP)


def round_numbers(low: float, high: float, most: int = 7) -> list[int]:
    """Whole round numbers from `low` or below to `high` or above: at most `most`, at least two."""
    step = next(step for step in _rising_steps() if ceil(high / step) - floor(low / step) < most)
    first = floor(low / step)
    return [number * step for number in range(first, max(ceil(high / step), first + 1) + 1)]


def spread(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Positions near those `wanted`, in their order, `least` apart, and from `low` to `high` if they fit there."""
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
    """The scale from numbers to units of the picture."""

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
    """The places to write: up to ten all, of more the first and round ones; the worst may lie below them."""
    if worst <= 10:
        return list(range(1, max(worst, 2) + 1))
    step = next(step for step in _rising_steps() if step >= 5 and worst <= 6 * step)
    return [1, *range(step, worst + 1, step)]


def _written(steps: Sequence[str]) -> list[int]:
    """The steps that are written below: all of a few, those with a round number of many."""
    room = {0: 1, 1: 10, 2: 8}.get(len(max(steps, key=len, default="")), 6)
    stride = next(step for step in _rising_steps() if len(steps) <= room * step)
    return [at for at, text in enumerate(steps) if stride == 1 or int(text) % stride == 0]


def _lines(series: Sequence[Series], across: _Scale, up: _Scale) -> list[Line]:
    looks = iter(range(1, NAMED + 1))
    lines = []
    for each in series:
        look = next(looks) if each.named else 0
        points = (
            None if value is None else (across(step), up(value)) for step, value in enumerate(each.values)
        )
        runs = tuple(
            tuple(point for point in run if point) for there, run in groupby(points, key=bool) if there
        )
        lines.append(Line(look, each.name, runs, _marked(runs, across(1) - across(0)) if look else ()))
    return lines


def _marked(runs: Sequence[Sequence[Point]], apart: float) -> tuple[Point, ...]:
    """The points of a line to mark: all, or as many as fit without marks that touch; always the last one."""
    points = [point for run in runs for point in run]
    stride = max(1, ceil(APART / apart)) if apart else 1
    return tuple(points[::-1][::stride][::-1])


def _with_labels(lines: Sequence[Line], series: Sequence[Series]) -> tuple[Line, ...]:
    """Give the named lines labels that do not overlap."""
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
            # None for a line that ended before the others.
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
    """The width of a text in letters `size` high."""
    return sum(_em(character) for character in text) * size


def cut(text: str, room: float, size: float) -> str:
    """Cut the text with an ellipsis if it does not fit; isolated, so that its script does not change the direction of
    others."""
    if width_of(text, size) > room:
        left = room - width_of(ELLIPSIS, size)
        widths = accumulate(width_of(character, size) for character in text)
        text = _whole(text, sum(width <= left for width in widths)).rstrip() + ELLIPSIS
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


def _whole(text: str, end: int) -> str:
    """Cut the text at `end`, or before a character of several joined code points that would be split there."""
    while 0 < end < len(text) and JOINER in (text[end - 1], text[end]):
        end -= 1
    return text[:end]
