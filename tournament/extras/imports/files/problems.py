"""Limits of parsing; problems of a file or row (code, location, parameters) and their texts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

from tournament.extras.imports.files.columns import (
    BIRTH_DATE,
    CLUB,
    CONTACT,
    DIVISION,
    GUARDIAN,
    NAME,
    NICKNAME,
    PAID,
    START_NUMBER,
)

# Far above 1000 players or, for RESULTS, 10,000 results.
MOST_ROWS = 1000  # players
MOST_COLUMNS = 256
LONGEST_CELL = 32_767  # characters, as in Excel
LONGEST_KEPT = 300  # characters, above any field's limit

# Workbooks: zip archives of XML parts.
MOST_PARTS = 500
MOST_UNZIPPED = 20 * 1024 * 1024  # bytes in total
MOST_RATIO = 150  # compression ratio; empty cells have 30
RATIO_FROM = 512 * 1024  # bytes; no ratio check below
MOST_ELEMENTS = 250_000  # XML elements in total
MOST_OTHERS = 70_000  # per part, except rows, cells, texts; Excel allows 64,000 formats
LONGEST_FORMAT = 255  # characters
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
MOST_SHEET_ROWS = 20_000  # including formatted empty ones
LONGEST_TAG = 256 * 1024  # bytes to the next tag
DEEPEST = 64  # XML nesting
MOST_SHEETS = 50
MOST_MERGES = 2000  # per sheet; others are ignored

HEADING_ROWS = 10  # non-empty rows


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a workbook: `unzipped` bytes, XML `elements`; non-empty `rows` per sheet."""

    unzipped: int = MOST_UNZIPPED
    elements: int = MOST_ELEMENTS
    rows: int = MOST_ROWS + HEADING_ROWS


LIST = Limits()
MOST_PLAYS = 40  # per table
MOST_ENTERED = 200  # per import
MOST_RESULT_BYTES = 8 * 1024 * 1024  # bytes
RESULTS = Limits(unzipped=96 * 1024 * 1024, elements=2_000_000, rows=MOST_SHEET_ROWS)

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem. `row` as in the file, 0 for all; `column` of columns.COLUMNS, "" for the row."""

    code: str
    row: int = 0
    column: str = ""
    parameters: Mapping[str, str | int] = field(default_factory=dict)


# NOTES inform, ASKS untick a row, others block it.
NOTES = {"merged_filled", "only_year", "left_out_before"}
ASKS = {
    "hidden_row",
    "cancelled",
    "above_headings",
    "repeated_headings",
    "fee_unclear",
    "number_for_name",
    "total_for_name",
    "no_result",
    "address_is_public",
    "broken_letters",
}


class Refusal(Exception):
    """Raised for a file that cannot be read."""

    def __init__(self, code: str, **parameters: str | int) -> None:
        super().__init__(code)
        self.problem = Problem(code, parameters=parameters)


def refuse(*checks: tuple[object, str]) -> None:
    """Raise Refusal with the first code whose check is true."""
    if code := next((code for wrong, code in checks if wrong), ""):
        raise Refusal(code)


COLUMN_NAMES: dict[str, Text] = {
    NAME: _("Name"),
    NICKNAME: _("Nickname"),
    CLUB: _("Club or group"),
    START_NUMBER: _("Start number"),
    BIRTH_DATE: _("Birth date"),
    CONTACT: _("Contact details"),
    GUARDIAN: _("Guardian’s consent"),
    PAID: _("Fee paid"),
    DIVISION: _("Division"),
}

# Why a file is not read.
REFUSALS: dict[str, Text] = {
    "too_large": _(
        "The file is larger than %(most)s MB, far more than a player list. Copy only the list into a new file."
    ),
    "empty_file": _("The file is empty. Choose the one with the list."),
    "damaged": _("The file is damaged or incomplete. Open it in your spreadsheet program and save it again."),
    "old_excel": _("This is an old Excel file (.xls). Open it and save it as .xlsx or .csv."),
    "old_with_macros": _(
        "This is an old Excel file (.xls) with macros. Open it and save it as .xlsx or .csv."
    ),
    "binary_workbook": _("This is a binary Excel file (.xlsb). Open it and save it as .xlsx or .csv."),
    "open_document": _("This is an OpenDocument file (.ods). Open it and save it as .xlsx or .csv."),
    "numbers_document": _("This is a Numbers file. Export it from Numbers as Excel (.xlsx) or CSV."),
    "text_document": _(
        "This is a text document. Copy the list into a spreadsheet and save it as .xlsx or .csv."
    ),
    "pdf": _("This is a PDF. Copy the list into a spreadsheet and save it as .xlsx or .csv."),
    "picture": _("This is a picture. A player list must be an .xlsx or .csv file."),
    "web_page": _(
        "This is a web page or XML, whatever its name says. Open it in your spreadsheet program "
        "and save it as .xlsx or .csv."
    ),
    "archive": _("This is a packed archive, not a list. Unpack it and choose the list inside."),
    "not_a_list": _("This is not a player list. Choose an .xlsx or .csv file, or paste names."),
    "password": _("The file is locked with a password. Save it without one and choose it again."),
    "macros": _("The file contains macros, which are programs. Save it as .xlsx, without macros."),
    "links_elsewhere": _(
        "The file takes data from other files or the internet. Copy the list into a new "
        "spreadsheet with “paste values” and save it as .xlsx."
    ),
    "embedded_object": _(
        "The file contains objects from other programs. Copy only the list into a new spreadsheet"
        " and save it as .xlsx."
    ),
    "nested_archive": _(
        "The file has other files packed inside it. Copy only the list into a new spreadsheet and"
        " save it as .xlsx."
    ),
    "entities": _(
        "The file contains declarations that no spreadsheet program writes and that could read "
        "other files. Copy only the list into a new spreadsheet and save it as .xlsx."
    ),
    "unsafe_names": _(
        "The file has parts with names that no spreadsheet program writes. Copy only the list "
        "into a new spreadsheet and save it as .xlsx."
    ),
    "false_sizes": _(
        "The file gives wrong sizes for its contents. It is damaged or malicious. Copy only the "
        "list into a new spreadsheet and save it as .xlsx."
    ),
    "false_dimensions": _(
        "The sheet claims to have %(rows)s rows and %(columns)s columns, but it does not. Copy "
        "only the list into a new spreadsheet and save it as .xlsx."
    ),
    "unzips_too_large": _(
        "Unpacked, the file is far larger than a player list (more than %(most)s MB, or the same "
        "data repeated). Copy only the list into a new spreadsheet and save it as .xlsx."
    ),
    "too_much_inside": _(
        "The file contains far more than a player list. Copy only the list into a new spreadsheet"
        " and save it as .xlsx."
    ),
    "too_many_rows": _(
        "There are too many rows. At most %(most)s players can be read at a time. Split the list,"
        " or copy it into a new file if most rows are empty."
    ),
    "too_many_columns": _(
        "There are more than %(most)s columns. Copy only the columns of the list into a new file."
    ),
    "cell_too_long": _(
        "A cell has more than %(most)s characters, too many for a name. A .csv file may lack a quotation mark."
    ),
    "too_much_text": _("The list has too much text. Leave out what is not about the players."),
    "no_rows": _("There are no players in the list."),
    "no_name_column": _(
        "No heading says where the names are. Headings found: %(found)s. Call one column “Name”."
    ),
    "lost_on_the_way": _("Part of the list was lost on the way. Choose or paste it again."),
    "nobody_ticked": _("Tick at least one player."),
    "confirmed_before": _(
        "This list was already confirmed with different boxes ticked. Players added then are marked. "
        "Check the rest again."
    ),
    "busy": _("Other lists are being read just now. Try again in a minute."),
}

# Notes on a file that was read.
FILE_NOTES: dict[str, Text] = {
    "encoding_guessed": _(
        "Read as %(encoding)s. Look at the names: if letters are wrong, read it differently."
    ),
    "other_sheets": _("Read from the sheet “%(sheet)s”. Not read: %(others)s."),
    "no_headings": _(
        "There are no headings. The first column is read as names. To include the others, write "
        "headings above them."
    ),
    "no_headings_club": _(
        "There are no headings. The first column is read as names and the next, if any, as clubs."
    ),
    "column_twice": _("Only one column can have this meaning. Leave the other out."),
    "no_name_chosen": _("Choose the column with the names."),
    "rows_above": _("The headings are in row %(heading)s. Not read above it: %(above)s."),
    "ignored_columns": _("Columns not read: %(columns)s."),
    "totals_left_out": _("Not read, since they look like totals: rows %(rows)s."),
}

# Problems of rows.
ROW_PROBLEMS: dict[str, Text] = {
    "no_name": _("The name is missing."),
    "too_long": _("More than %(most)s characters. Shorten it."),
    "bad_number": _("“%(text)s” is not a whole number from 1 to %(most)s."),
    "bad_date": _("“%(text)s” is not a date. Write it as 2001-02-03 or 3.2.2001."),
    "date_ambiguous": _("“%(text)s” could be two dates. Write it as 2001-02-03 or 3.2.2001."),
    "date_out_of_range": _("“%(text)s” cannot be a player’s birth date. Correct it."),
    "only_year": _("%(text)s is only a year. The player is added without a birth date."),
    "bad_consent": _("“%(text)s” is neither yes nor no. Write yes or no, or leave it empty."),
    "formula_without_value": _(
        "The cell has a formula without a saved value. Open the file in your spreadsheet program and save it."
    ),
    "formula_error": _("The cell’s formula gives an error. Correct it."),
    "fee_unclear": _("“%(text)s” is neither yes nor no. Tick the row to add the player with the fee unpaid."),
    "open_quote": _("A quotation mark is never closed, so several rows became one. Close it in the file."),
    "merged_name": _("This cell is merged with the one above. Give each player a cell of their own."),
    "merged_filled": _("Read from a cell merged across several rows."),
    "hidden_row": _("The row is hidden in the file. Tick it to add the player."),
    "cancelled": _("The list says that this player does not come. Tick the row to add the player."),
    "above_headings": _("The row is above the headings. Tick it to add the player."),
    "repeated_headings": _("These are the headings again. Tick the row if it is a player."),
    "number_for_name": _("“%(text)s” is where a name should be. Tick the row if it is a name."),
    "total_for_name": _("“%(text)s” looks like a total. Tick the row if it is a name."),
    "no_result": _("Nothing says how they did. Tick the row if they took part."),
    "left_out_before": _("“%(text)s” before the name is left out."),
    "address_is_public": _("Everyone would see “%(text)s”. Tick the row if it is right."),
    "broken_letters": _(
        "Letters in “%(text)s” look broken. Save the file as “CSV UTF-8” or .xlsx, or tick the "
        "row if it is right."
    ),
    "number_twice": _("Row %(other)s has the same start number, %(number)s. Change one of them."),
    "number_taken": _("Start number %(number)s belongs to %(player)s. Choose another."),
    "several_persons": _("Tick only one of the players from earlier events."),
    "same_person_twice": _("The same player is also ticked for row %(other)s. Untick one."),
    "unknown_person": _("This player from earlier events no longer exists. Choose again."),
    "changed_meanwhile": _("Someone has added a player with this name in the meantime. Check again."),
}

IMPORT_PROBLEMS = REFUSALS | FILE_NOTES | ROW_PROBLEMS


class Parameters(dict[str, Any]):
    """Parameters of a text; a missing one becomes "…"."""

    def __missing__(self, key: str) -> str:
        return "…"


def problem_text(problem: Problem) -> str:
    """Text of a problem, with its column but not its row."""
    text = str(IMPORT_PROBLEMS.get(problem.code, REFUSALS["damaged"])) % Parameters(problem.parameters)
    if problem.column not in COLUMN_NAMES:
        return text
    return gettext("%(column)s: %(text)s") % {"column": COLUMN_NAMES[problem.column], "text": text}
