"""Event data as a workbook (a sheet per table) or a zip of CSV files."""

import csv
from collections.abc import Callable
from datetime import datetime, timedelta
from fractions import Fraction
from io import TextIOWrapper
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile
from zoneinfo import ZoneInfo

from django.utils import translation

from tournament.extras.workbook.files.tables import tables_of
from tournament.files.workbook.event import Event
from tournament.files.workbook.writer import Formula, Looks, Value, WorkbookWriter, csv_text

Progress = Callable[[int, int], None]
OF_IDS = 80  # characters: a result's id on one line


def write_workbook(event: Event, file: IO[bytes], progress: Progress | None = None) -> None:
    """Write the workbook to a binary file. `progress` gets (rows written, estimated total); equal once complete."""
    contests = [contest.contest for read in event.stages for contest in read.results]
    results = sum(len(play.results) for contest in contests for play in contest.plays)
    # an estimate: a result has a row for its play and one for its hand
    in_all = 1 + 2 * results + 3 * len(event.entries) + len(event.ledger or ())
    tournament = event.tournament
    with translation.override(tournament.language):
        workbook = WorkbookWriter(
            file,
            title=tournament.name,
            language=tournament.language,
            zone=tournament.zone,
            made=event.read_at,
            written=lambda rows: progress(min(rows, in_all - 1), in_all) if progress else None,
        )
        for table in tables_of(event):
            workbook.add_sheet(
                table.name, table.headings, table.rows(event), Looks(named=table.name, widest=OF_IDS)
            )
        workbook.finish()
    if progress:
        progress(in_all, in_all)


def write_csv(event: Event, file: IO[bytes]) -> None:
    """Write a zip of CSV files to a binary file."""
    tournament = event.tournament
    with translation.override(tournament.language), ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for table in tables_of(event):
            with (
                archive.open(f"{table.name}.csv", "w") as part,
                TextIOWrapper(part, "utf-8-sig", newline="") as text,  # with BOM for Excel
            ):
                writer = csv.writer(text)
                writer.writerow(table.headings)
                writer.writerows([_text(cell, tournament.zone) for cell in row] for row in table.rows(event))


def _text(value: Value, zone: ZoneInfo) -> str:
    match value.value if isinstance(value, Formula) else value:
        case None:
            return ""
        case str() as text:
            return csv_text(text)
        case Fraction() as fraction:
            return repr(float(fraction))
        case datetime() as at:
            return at.astimezone(zone).isoformat(timespec="seconds")
        case timedelta() as span:
            return str(int(span.total_seconds()))
        case other:
            return str(other)
