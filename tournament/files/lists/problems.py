"""Problems of a file and of its rows: a code, a place and parameters, like the faults of actions; and the words for
each, with what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

from tournament.files.lists.columns import BIRTH_DATE, CLUB, CONTACT, GUARDIAN, NAME, NICKNAME, START_NUMBER

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, worded by `problem_text`. `row` is numbered as in the file, 0 where it is about the
    whole file; `column` is one of columns.COLUMNS, "" where it is about the whole row."""

    code: str
    row: int = 0
    column: str = ""
    parameters: Mapping[str, str | int] = field(default_factory=dict)


# Problems of a row that are only noted, and those that leave the row unticked until somebody has looked. Every other
# problem of a row keeps it from being entered.
NOTES = {"merged_filled"}
ASKS = {"hidden_row", "number_for_name", "address_is_public", "broken_letters"}


class Refusal(Exception):
    """The file is not read at all. Caught in lists.py, so nobody outside of this package sees it."""

    def __init__(self, code: str, **parameters: str | int) -> None:
        super().__init__(code)
        self.problem = Problem(code, parameters=parameters)


def refuse(*checks: tuple[object, str]) -> None:
    """Raise Refusal with the code of the first of these checks that is true."""
    if code := next((code for wrong, code in checks if wrong), ""):
        raise Refusal(code)


COLUMN_NAMES: dict[str, Text] = {
    NAME: _("Name"),
    NICKNAME: _("Nickname"),
    CLUB: _("Club or group"),
    START_NUMBER: _("Start number"),
    BIRTH_DATE: _("Birth date"),
    CONTACT: _("Contact"),
    GUARDIAN: _("A guardian agrees"),
}

# The file is not read at all.
REFUSALS: dict[str, Text] = {
    "too_large": _(
        "The file is larger than %(most)s MB, far more than a list of players. Copy the list alone into a new file."
    ),
    "empty_file": _("The file is empty. Choose the one that holds the list."),
    "damaged": _(
        "The file is damaged or only half there. Open it in your spreadsheet program and save it again."
    ),
    "old_excel": _("This is a file of an old Excel (.xls). Open it and save it as .xlsx or .csv."),
    "old_with_macros": _(
        "This is a file of an old Excel (.xls) with macros. Open it and save it as .xlsx or .csv."
    ),
    "binary_workbook": _("This is a binary workbook (.xlsb). Open it and save it as .xlsx or .csv."),
    "open_document": _("This is an OpenDocument file (.ods). Open it and save it as .xlsx or .csv."),
    "numbers_document": _("This is a file of Numbers. Export it from there as Excel (.xlsx) or CSV."),
    "text_document": _(
        "This is a text document. Copy the list into a spreadsheet and save that as .xlsx or .csv."
    ),
    "pdf": _("This is a PDF. Copy the list into a spreadsheet and save that as .xlsx or .csv."),
    "picture": _("This is a picture. A list of players must be an .xlsx or .csv file."),
    "web_page": _(
        "This is a web page or XML, even if its name says otherwise. Open it in your spreadsheet program and save it as"
        " .xlsx or .csv."
    ),
    "archive": _("This is an archive, not a workbook. Unpack it and choose the list that is in it."),
    "not_a_list": _("This is no list of players. Choose an .xlsx or .csv file, or paste names."),
    "password": _("The file is locked with a password. Save it without one and choose it again."),
    "macros": _("The file has macros, which are programs. Save it as .xlsx, the workbook without macros."),
    "links_elsewhere": _(
        "The file fetches data from other files or from the net. Copy the list into a new workbook with “paste"
        " values” and save that as .xlsx."
    ),
    "embedded_object": _(
        "The file has objects of other programs in it. Copy the list alone into a new workbook and save that as .xlsx."
    ),
    "nested_archive": _(
        "The file has other files packed in it. Copy the list alone into a new workbook and save that as .xlsx."
    ),
    "entities": _(
        "The file has declarations that no spreadsheet program writes and that could read other files. Copy the list"
        " into a new workbook and save that as .xlsx."
    ),
    "unsafe_names": _(
        "The file has parts with names that no spreadsheet program writes. Copy the list into a new workbook and save"
        " that as .xlsx."
    ),
    "false_sizes": _(
        "The file says other sizes than it has: it is damaged or was made to do harm. Copy the list into a new workbook"
        " and save that as .xlsx."
    ),
    "false_dimensions": _(
        "The sheet claims %(rows)s rows and %(columns)s columns, which it does not have. Copy the list into a new"
        " workbook and save that as .xlsx."
    ),
    "unzips_too_large": _(
        "Unpacked, the file is far larger than a list of players (more than %(most)s MB, or the same over and over)."
        " Copy the list alone into a new workbook and save that as .xlsx."
    ),
    "too_much_inside": _(
        "There is far more in the file than a list of players. Copy the list alone into a new workbook and save that"
        " as .xlsx."
    ),
    "too_many_rows": _(
        "There are too many rows: at most %(most)s players at a time. Split the list, or copy it into a new file if"
        " most rows are empty."
    ),
    "too_many_columns": _(
        "There are more than %(most)s columns. Copy the columns of the list alone into a new file."
    ),
    "cell_too_long": _(
        "A cell has more than %(most)s characters, which is no name. In a .csv file a quotation mark may be missing."
    ),
    "too_much_text": _("There is too much text in the list. Leave out what is not about the players."),
    "no_rows": _("There are no players in the list."),
    "no_name_column": _(
        "No heading says where the names are. The headings found are: %(found)s. Call one column “Name”."
    ),
    "lost_on_the_way": _("The list did not come back whole. Choose or paste it again."),
    "nobody_ticked": _("Tick at least one player."),
    "confirmed_before": _(
        "This list was confirmed before with other ticks. What was entered then is marked; look at the rest again."
    ),
    "busy": _("Other lists are being read just now. Try again in a minute."),
}

# The file was read, and these notes say how.
FILE_NOTES: dict[str, Text] = {
    "other_sheets": _("Read from the sheet “%(sheet)s”. Not read: %(others)s."),
    "no_headings": _(
        "There are no headings, so the first column is read as the names. To have the others read, write their"
        " headings above."
    ),
    "no_headings_club": _(
        "There are no headings, so the first column is read as the names and the next, if there is one, as the clubs."
    ),
    "column_twice": _("Only one column can be this. Leave the other out."),
    "no_name_chosen": _("Choose which column holds the names."),
    "rows_above": _("The headings are in row %(heading)s. Not read above them: %(above)s."),
    "ignored_columns": _("Columns that are not read: %(columns)s."),
}

# Problems of a row.
ROW_PROBLEMS: dict[str, Text] = {
    "no_name": _("There is no name."),
    "too_long": _("More than %(most)s characters."),
    "bad_number": _("“%(text)s” is no whole number from 1 to %(most)s."),
    "bad_date": _("“%(text)s” is no date. Write it as 2001-02-03 or 3.2.2001."),
    "date_ambiguous": _("“%(text)s” may be two dates. Write it as 2001-02-03 or 3.2.2001."),
    "date_out_of_range": _("“%(text)s” is nobody’s birth date here."),
    "bad_consent": _("“%(text)s” says neither yes nor no. Write yes, no, or leave it empty."),
    "formula_without_value": _(
        "The cell holds a formula whose value was never saved. Open the file in your spreadsheet program and save it."
    ),
    "formula_error": _("The cell’s formula gives an error."),
    "open_quote": _("A quotation mark is opened and not closed, so several rows became one."),
    "merged_name": _(
        "This cell is merged with the one above. Write each player’s own into a cell of its own."
    ),
    "merged_filled": _("Read from a cell that is merged over several rows."),
    "hidden_row": _("The row is hidden in the file. Tick it to enter it."),
    "number_for_name": _("“%(text)s” stands where a name should be. Tick it if it is one."),
    "address_is_public": _(
        "“%(text)s” looks like an address, and everybody would see it. Tick it if it is right."
    ),
    "broken_letters": _(
        "Letters are broken: “%(text)s”. Save the file as “CSV UTF-8” or .xlsx, or tick it if it is right."
    ),
    "number_twice": _("Row %(other)s has the same start number, %(number)s."),
    "number_taken": _("The start number %(number)s belongs to %(player)s."),
    "several_persons": _("Tick only one of the players of earlier events."),
    "same_person_twice": _("The same player is ticked for row %(other)s."),
    "unknown_person": _("This player of earlier events is not there any more. Choose again."),
    "changed_meanwhile": _("Somebody entered a player of this name meanwhile. Look again."),
}

IMPORT_PROBLEMS = REFUSALS | FILE_NOTES | ROW_PROBLEMS


class Parameters(dict[str, Any]):
    """Parameters of a text; one that is not there is left out instead of breaking the page."""

    def __missing__(self, key: str) -> str:
        return "…"


def problem_text(problem: Problem) -> str:
    """Say what is wrong, in the reader's language, with the column that it is about. The caller says which row it
    is."""
    text = str(IMPORT_PROBLEMS.get(problem.code, REFUSALS["damaged"])) % Parameters(problem.parameters)
    if problem.column not in COLUMN_NAMES:
        return text
    return gettext("%(column)s: %(text)s") % {"column": COLUMN_NAMES[problem.column], "text": text}


def column_list(columns: Mapping[str, Text] | tuple[str, ...]) -> str:
    """List the names of columns, separated by commas."""
    return ", ".join(str(COLUMN_NAMES[column]) for column in columns)
