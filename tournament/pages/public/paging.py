"""Paging: at most PEOPLE_PER_PAGE people a page; every page is published.

Standings of one contest split between rows; heats, seats and tables that are contests stay whole.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar
from uuid import UUID

from django.urls import reverse

from tournament.pages.components import PageLink, Pages
from tournament.pages.public.stage import StageBoard, TableBoard
from tournament.pages.public.standings import Board

PEOPLE_PER_PAGE = 100  # people on a page
BESIDE = 2  # page links on either side

T = TypeVar("T")


def on_page(board: StageBoard, number: int, slug: str) -> StageBoard | None:
    """Part of the board on page `number` (from 1), or None."""
    of, sizes, numbers = _list(board)
    found = part_of(of, sizes, numbers, number, lambda at: page_url(slug, board.uid, at))
    if found is None:
        return None
    part, pages = found
    return _only(board, part, pages) if pages else board


def part_of(
    of: str, sizes: Sequence[int], numbers: Sequence[int], number: int, url: Callable[[int], str]
) -> tuple[range, Pages | None] | None:
    """Page `number` (from 1) as (item range, links or None), or None. `of`: what `numbers` count; `sizes`: people per
    item."""
    parts = cut(sizes)
    if not 1 <= number <= len(parts):
        return None
    if len(parts) == 1:
        return parts[0], None
    near = range(number - BESIDE, number + BESIDE + 1)
    links = {
        at: PageLink(number=at, url=url(at), first=numbers[part.start], last=numbers[part.stop - 1])
        for at, part in enumerate(parts, 1)
        if at in {1, len(parts)} or at in near
    }
    return parts[number - 1], Pages(
        of=of,
        here=links[number],
        links=[*links.values()],
        previous=links.get(number - 1),
        next=links.get(number + 1),
    )


def cut(sizes: Sequence[int]) -> list[range]:
    """Cut items into pages of at most PEOPLE_PER_PAGE people, at least one item each."""
    parts: list[range] = []
    start = people = 0
    for index, size in enumerate(sizes):
        if people and people + size > PEOPLE_PER_PAGE:
            parts.append(range(start, index))
            start, people = index, 0
        people += size
    return [*parts, range(start, len(sizes))]


def page_with(sizes: Sequence[int], index: int) -> int:
    """Page number of item `index`; `sizes`: people per item."""
    return next(number for number, part in enumerate(cut(sizes), 1) if index in part)


def page_url(slug: str, stage: UUID, number: int) -> str:
    """URL of page `number` of a stage."""
    return (
        reverse("stage-page", args=[slug, stage, number])
        if number > 1
        else reverse("stage", args=[slug, stage])
    )


def _list(board: StageBoard) -> tuple[str, list[int], list[int]]:
    """Listed (kind, people per item, item numbers)."""
    if board.heats:
        return "heats", [len(heat.rows) for heat in board.heats], [heat.number for heat in board.heats]
    if board.several:
        return (
            "tables",
            [_people(each.board) for each in board.tables],
            [each.number or 0 for each in board.tables],
        )
    if board.tables:
        rows = _people(board.tables[0].board)
        return "places", [1] * rows, list(range(1, rows + 1))
    return "tables", [len(each.people) for each in board.seats], [each.number for each in board.seats]


def _people(board: Board) -> int:
    return len(board.table.rows) if board.table else 0


def _only(board: StageBoard, part: range, pages: Pages) -> StageBoard:
    """Parts above the list are on the first page only."""
    shown, first = slice(part.start, part.stop), part.start == 0
    tables = list(board.tables[shown])
    if pages.of == "places":
        each, whole = board.tables[0], board.tables[0].board
        table = replace(whole.table, rows=whole.table.rows[shown], of=str(board.uid)) if whole.table else None
        rows = replace(
            whole if first else Board(state=whole.state),
            table=table,
            scores=replace(whole.scores, rows=whole.scores.rows[shown]) if whole.scores else None,
        )
        tables = [
            replace(each, board=rows)
            if first
            else TableBoard(number=each.number, board=rows, running=(), asides=())
        ]
    more = replace(board, tables=tables, heats=board.heats[shown], seats=board.seats[shown], pages=pages)
    if first:
        return more
    return replace(
        more,
        through=(),
        gone=(),
        instead=(),
        decided=(),
        steps_back=(),
        reserves=(),
        asides=(),
        unaccepted=(),
    )
