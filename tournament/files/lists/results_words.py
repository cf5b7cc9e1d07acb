"""Words for what is wrong with a workbook of results or one of its cells, each with what to do about it."""

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy as _, override

from tournament.files.lists.problems import IMPORT_PROBLEMS, REFUSALS, Parameters, Problem
from tournament.files.lists.results import CellProblem

# Refusals of the file, where the words for lists do not fit.
RESULT_REFUSALS: dict[str, str | Promise] = {
    "too_large": _("The file is larger than %(most)s MB, far more than a workbook with results."),
    "too_many_rows": _("There are too many rows: at most %(most)s in a sheet."),
    "too_much_inside": _(
        "There is far more in the file than in a workbook with results. Export the results anew, or take a new"
        " template."
    ),
    "unzips_too_large": _(
        "Unpacked, the file is far larger than a workbook with results (more than %(most)s MB)."
    ),
    "not_a_workbook": _("This is no Excel workbook (.xlsx). Save the file as one."),
    "no_column": _(
        "The column “%(column)s” is missing from the sheet “%(sheet)s”, or has lost its name. Put it back, or export"
        " the workbook anew."
    ),
    "no_results": _(
        "The names by which the columns are known are not in this file. Take the template or an exported workbook, and"
        " save it with Excel or LibreOffice as .xlsx."
    ),
    "busy": _("Other files are being read just now. Try again in a minute."),
    "lost_on_the_way": _("The results did not come back whole. Choose the file again."),
    "nothing_ticked": _("Tick at least one result."),
}

CELL_PROBLEMS: dict[str, str | Promise] = {
    "no_id": _(
        "This row has not the id that came with it, so nobody knows what it is about. Take a new template for more"
        " rows."
    ),
    "row_twice": _("This player’s row stands here a second time."),
    "unknown_play": _("This is no game, round or heat of this event."),
    "other_event": _(
        "Nothing in this file belongs to this event. It may be the file of another event: look at its name."
    ),
    "another_player": _(
        "By its id this is the row of %(name)s, but it says “%(text)s”. Leave the names where they are and move the"
        " results, or change the seats in Lastcard."
    ),
    "hand_missing": _(
        "What %(player)s held is recorded (%(cards)s) and not in the file: a row or a column of the hands is missing."
        " Put it back, or export the workbook anew."
    ),
    "unknown_entry": _("This player is not in this event."),
    "rows_missing": _("Rows are missing: %(players)s. Put them back, or export the workbook anew."),
    "number_gap": _("The next of this table is number %(next)s. Fill them in one after the other."),
    "game_running": _("The game runs at its table just now. End it there first."),
    "no_outcome": _("Choose an outcome."),
    "unknown_word": _("“%(text)s” is none of the words of the list."),
    "cards_not_counted": _("Cards count only for those remaining. Choose that outcome, or empty the hand."),
    "winner_has_cards": _("The winner has no cards left."),
    "two_winners": _("A round has one winner."),
    "no_winner": _("Nobody won this round. Choose the winner."),
    "two_drew": _("Only one player draws for the last cards."),
    "not_yes": _("“%(text)s” is not yes. Write yes, or leave it empty."),
    "no_ending": _("Choose how the game ended: several players remained."),
    "says_otherwise": _("Another row of the same game or round says “%(other)s”."),
    "not_a_time": _("“%(text)s” is no time up to an hour. Write minutes and seconds: 12:34."),
    "not_whole": _("“%(text)s” is no whole number."),
    "unknown_card": _("“%(text)s” are no cards. Write for example “2 × Draw 2”."),
    "place_twice": _("Two players are number %(place)s."),
    "place_missing": _("Nobody is number %(place)s."),
}


# The headings of columns that a sheet cannot do without, by their keys.
COLUMN_NAMES: dict[str, str | Promise] = {
    "play": _("Number"),
    "outcome": _("Outcome"),
    "out_after": _("Out after"),
    "ending": _("How it ended"),
    "duration": _("Duration"),
    "last_cards": _("Last cards played"),
    "drew": _("Drew for the last cards"),
    "finish": _("Order of going out"),
}


# The titles of the sheets of the workbooks, by which one sees in which language a file was made.
SHEET_NAMES: tuple[str | Promise, ...] = (_("Games"), _("Rounds"), _("Heats"), _("Hands"))


def refusal_text(problem: Problem) -> str:
    """Say why the file is not read, in the reader's language; a missing column is called as in the file."""
    words = RESULT_REFUSALS.get(problem.code) or REFUSALS.get(problem.code) or REFUSALS["damaged"]
    parameters = dict(problem.parameters)
    if "column" in parameters:
        with override(_language_of(str(parameters.get("sheet", "")))):
            parameters["column"] = str(COLUMN_NAMES.get(str(parameters["column"]), parameters["column"]))
    return str(words) % Parameters(parameters)


def _language_of(sheet: str) -> str:
    """Give the language of a file with a sheet of this title; the reader's where none of ours has one."""
    for language, _name in settings.LANGUAGES:
        with override(language):
            if sheet in map(str, SHEET_NAMES):
                return language
    return get_language() or settings.LANGUAGE_CODE


def cell_text(problem: CellProblem) -> str:
    """Say what is wrong in a cell, in the reader's language."""
    words = CELL_PROBLEMS.get(problem.code) or IMPORT_PROBLEMS.get(problem.code) or REFUSALS["damaged"]
    return str(words) % Parameters(problem.parameters)
