"""Public seats before play: tables, needs, draw. Oldest and youngest come from the table's row, never from a birth
date."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.urls import reverse

from tournament.models import Entry, Stage, Table
from tournament.pages.public.standings import Person
from tournament.queries.draws import last_draw
from tournament.queries.table_setup import line_text, moved_texts, needs_of
from tournament.queries.visible import Shown, freezing, shown, still_sitting
from tournament.results import SeatFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTable:
    """Players of a table, clockwise, and its needs in one line."""

    number: int
    people: Sequence[Person]
    line: str = ""
    oldest: Person | None = None
    youngest: Person | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawNote:
    """A stage's last draw. `moved`: manual moves since; `whole`: `url` suffices to repeat it (separated pairs are
    unpublished)."""

    seed: str
    at: datetime | None
    moved: Sequence[str]
    whole: bool
    url: str


def seat_tables(
    seen: Shown, everybody: Mapping[str, Person], entries: Mapping[str, Entry]
) -> list[SeatTable]:
    """Tables of a stage not begun; people by uid. While frozen, without oldest and youngest, which would reveal
    current seats."""
    rows = Table.objects.filter(stage=seen.stage).select_related("oldest", "youngest")
    tables = {} if seen.frozen else {table.number: table for table in rows}

    seats = still_sitting(seen, entries)
    here = {seat.entry for seat in seats}

    def named(entry: Entry | None) -> Person | None:
        return everybody[str(entry.uid)] if entry and entry.uid in here else None

    people = {
        number: [everybody[str(seat.entry)] for seat in sitting(seats, number)]
        for contest in seen.contests
        for number in sorted(contest.table_numbers.values())
    }
    return [
        SeatTable(
            number=number,
            people=at_table,
            line=line_text(needs_of(seen.stage, len(at_table))),
            oldest=named(tables[number].oldest) if number in tables else None,
            youngest=named(tables[number].youngest) if number in tables else None,
        )
        for number, at_table in people.items()
    ]


def sitting(seats: Sequence[SeatFacts], table: int) -> list[SeatFacts]:
    """Seats at table number `table`, clockwise."""
    return sorted((seat for seat in seats if seat.table == table), key=lambda seat: seat.position)


def is_known(stage: Stage, entry: UUID, table: int, stages: Sequence[Stage]) -> bool:
    """Whether the public may know the seat: not if given after an earlier stage froze. `table`: number."""
    if freezing(stage, stages) in {None, stage}:
        return True
    seats = [seat for contest in shown(stage, stages).contests for seat in contest.seats]
    return any(seat.entry == entry and seat.table == table for seat in seats)


def draw_note(stage: Stage, entries: Mapping[str, Entry]) -> DrawNote | None:
    """Public facts of an unfrozen stage's draw, or None. `entries` by uid."""
    drawn = last_draw(stage)
    if drawn is None:
        return None
    return DrawNote(
        seed=drawn.record.seed,
        at=drawn.at,
        moved=moved_texts(drawn.moved, {uid: entry.shown_name for uid, entry in entries.items()}),
        whole=not drawn.record.apart,
        url=reverse("stage-draw", args=[stage.tournament.slug, stage.uid]),
    )
