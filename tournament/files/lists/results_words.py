"""Texts for problems of results workbooks."""

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy as _, override

from tournament.files.lists.problems import IMPORT_PROBLEMS, REFUSALS, Parameters, Problem
from tournament.files.lists.results import CellProblem

# Override the texts for lists.
RESULT_REFUSALS: dict[str, str | Promise] = {
    "too_large": _(
        "The file is larger than %(most)s MB, far more than a file of results. Export the results again."
    ),
    "too_many_rows": _("There are too many rows. A sheet can have at most %(most)s."),
    "too_much_inside": _(
        "The file contains far more than results. Export the results again, or use a new template."
    ),
    "unzips_too_large": _(
        "Unpacked, the file is far larger than a file of results (more than %(most)s MB). Export "
        "the results again."
    ),
    "not_a_workbook": _("This is not an Excel file (.xlsx). Save it as one."),
    "no_column": _(
        "The column “%(column)s” is missing from the sheet “%(sheet)s”, or has lost its name. Put"
        " it back, or export the Excel file again."
    ),
    "no_results": _(
        "The file lacks the names that identify its columns. Use the template or an exported "
        "Excel file, and save it as .xlsx with Excel or LibreOffice."
    ),
    "busy": _("Other files are being read just now. Try again in a minute."),
    "lost_on_the_way": _("Some of the results were lost on the way. Choose the file again."),
    "nothing_ticked": _("Tick at least one result."),
}

CELL_PROBLEMS: dict[str, str | Promise] = {
    "no_id": _(
        "This row has lost its id, so Lastcard cannot tell what it belongs to. If you need more "
        "rows, use a new template."
    ),
    "row_twice": _("This player’s row is listed twice. Remove one."),
    "unknown_play": _("This is not a game, round or heat of this event."),
    "other_event": _(
        "Nothing in this file belongs to this event. Check its name. It may be the file of another event."
    ),
    "another_player": _(
        "This row’s id belongs to %(name)s, but the row says “%(text)s”. Leave the names where "
        "they are and move the results, or change the seats in Lastcard."
    ),
    "hand_missing": _(
        "The cards of %(player)s are recorded (%(cards)s) but missing from the file. Put the row "
        "or column of the hand back, or export the Excel file again."
    ),
    "unknown_entry": _("This player is not in this event."),
    "rows_missing": _("Rows are missing: %(players)s. Put them back, or export the Excel file again."),
    "number_gap": _("Number %(next)s is next at this table. Fill them in without gaps."),
    "game_running": _("This game is running at its table. End it there first."),
    "no_outcome": _("Choose an outcome."),
    "unknown_word": _("“%(text)s” is not on the list. Choose an entry from it."),
    "cards_not_counted": _(
        "Cards count only for players who remained. Choose that outcome, or empty the hand."
    ),
    "winner_has_cards": _("The winner cannot have cards left. Empty the hand."),
    "two_winners": _("A round has only one winner. Choose one."),
    "no_winner": _("Nobody won this round. Choose the winner."),
    "two_drew": _("Only one player draws for the last cards. Choose one."),
    "not_yes": _("“%(text)s” is not yes. Write yes, or leave it empty."),
    "no_ending": _("Several players remained. Choose how the game ended."),
    "says_otherwise": _("Another row of the same game or round says “%(other)s”. Choose one of them."),
    "not_a_time": _("“%(text)s” is not a time of up to an hour. Write minutes and seconds, such as 12:34."),
    "not_whole": _("“%(text)s” is not a whole number."),
    "unknown_card": _("“%(text)s” is not a list of cards. Write, for example, “2 × Draw 2”."),
    "place_twice": _("Two players are number %(place)s. Give each a number of their own."),
    "place_missing": _("Nobody is number %(place)s. Number the players without gaps."),
}


# Headings of required columns, by key.
COLUMN_NAMES: dict[str, str | Promise] = {
    "play": _("Number"),
    "outcome": _("Outcome"),
    "out_after": _("Out after"),
    "ending": _("How it ended"),
    "duration": _("Duration"),
    "last_cards": _("Last cards played"),
    "drew": _("Who drew for the last cards"),
    "finish": _("Finishing order"),
}


# Sheet titles reveal a file's language.
SHEET_NAMES: tuple[str | Promise, ...] = (_("Games"), _("Rounds"), _("Heats"), _("Hands"))


def refusal_text(problem: Problem) -> str:
    """Text of a refusal in the active language; a missing column is named as in the file."""
    words = RESULT_REFUSALS.get(problem.code) or REFUSALS.get(problem.code) or REFUSALS["damaged"]
    parameters = dict(problem.parameters)
    if "column" in parameters:
        with override(_language_of(str(parameters.get("sheet", "")))):
            parameters["column"] = str(COLUMN_NAMES.get(str(parameters["column"]), parameters["column"]))
    return str(words) % Parameters(parameters)


def _language_of(sheet: str) -> str:
    for language, _name in settings.LANGUAGES:
        with override(language):
            if sheet in map(str, SHEET_NAMES):
                return language
    return get_language() or settings.LANGUAGE_CODE


def cell_text(problem: CellProblem) -> str:
    """Text of a cell's problem, in the active language."""
    words = CELL_PROBLEMS.get(problem.code) or IMPORT_PROBLEMS.get(problem.code) or REFUSALS["damaged"]
    return str(words) % Parameters(problem.parameters)
