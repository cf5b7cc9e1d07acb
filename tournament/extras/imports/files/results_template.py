"""Offline results template: a row per player of the next plays."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID, uuid5

from django.conf import settings
from django.db.models import Max
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext as _, gettext_lazy, override

from rulesets import CARDS, RULESETS, Ruleset
from tournament.extras.imports.files.problems import IMPORT_PROBLEMS, REFUSALS, Parameters, Problem
from tournament.extras.imports.files.results import (
    GAME_OUTCOMES,
    GAMES,
    HEATS,
    ROUND_OUTCOMES,
    ROUNDS,
    CellProblem,
)
from tournament.files.workbook.writer import Looks, Row, WorkbookWriter
from tournament.models import Play, Result, Seat, Stage, Table, Tournament
from tournament.results import kind_of
from tournament.words.faults import card_name

ORDER = (GAMES, ROUNDS, HEATS)


UNREAD = (Stage.Kind.RACE, Stage.Kind.RACES)  # kinds of stage that files do not bring results of


@dataclass(frozen=True, slots=True)
class Offered:
    """A play to fill in; its uid derives from table and number."""

    table: Table
    number: int
    seats: Sequence[Seat]

    @property
    def uid(self) -> UUID:
        return uuid5(self.table.uid, f"play {self.number}")

    @property
    def sheet(self) -> str:
        return kind_of(self.table.stage.kind).rows


def offered_plays(tournament: Tournament, plays: int) -> list[Offered]:
    """The next `plays` of each playable table; a heat only if none exists."""
    seats = (
        Seat.objects.filter(table__stage__tournament=tournament, table__stage__state=Stage.State.RUNNING)
        .filter(table__stopped=False)
        .exclude(table__stage__kind__in=UNREAD)
        .playing_on()
        .select_related("entry", "table__stage")
        .order_by("table__stage__number", "table__number", "position")
    )
    entered = dict(
        Play.objects.filter(table__stage__tournament=tournament)
        .order_by()
        .values_list("table_id")
        .annotate(Max("number"))
    )
    offered: list[Offered] = []
    for _table, group in groupby(seats, key=lambda seat: seat.table_id):
        at_table = list(group)
        table = at_table[0].table
        last = entered.get(table.pk, 0)
        many = int(not last) if kind_of(table.stage.kind).one_play else plays
        offered += [Offered(table, last + nth, at_table) for nth in range(1, many + 1)]
    return offered


def results_template(tournament: Tournament, plays: int, made: datetime, language: str) -> bytes:
    """Workbook, as bytes, for the next `plays` of each table."""
    offered, ruleset, file = offered_plays(tournament, plays), RULESETS[tournament.ruleset], io.BytesIO()
    with translation.override(language):
        workbook = WorkbookWriter(
            file, title=tournament.name, language=language, zone=tournament.zone, made=made
        )
        kinds = [kind for kind in ORDER if any(each.sheet == kind for each in offered)]
        title = _("How to fill this in")
        workbook.add_sheet(title, {"what": title, "how": tournament.name}, _instructions(kinds, ruleset))
        titles = {GAMES: _("Games"), ROUNDS: _("Rounds"), HEATS: _("Heats")}
        for kind in kinds:
            columns = _columns(kind, ruleset)
            rows: Iterator[Row] = (
                [
                    str(each.table.stage),
                    each.table.number,
                    each.number,
                    seat.entry.start_number,
                    seat.entry.shown_name,
                    *[None] * (len(columns) - 6),
                    f"{each.uid} {seat.entry.uid} {each.table.uid}",
                ]
                for each in offered
                if each.sheet == kind
                for seat in each.seats
            )
            workbook.add_sheet(titles[kind], columns, rows, _looks(kind, columns))
        workbook.finish()
        return file.getvalue()


def _columns(kind: str, ruleset: Ruleset) -> dict[str, str]:
    fixed = {
        "stage": _("Stage"),
        "table": _("Table"),
        "play": {GAMES: _("Game"), ROUNDS: _("Round"), HEATS: _("Heat")}[kind],
    }
    fixed |= {"number": _("Start number"), "player": _("Player")}
    hand = {card: card_name(card, ruleset) for card in CARDS if card in ruleset.deck}
    typed = {
        GAMES: {
            "outcome": _("Outcome"),
            "out_after": _("Out after"),
            "ending": _("How it ended"),
            "duration": _("Duration"),
            **hand,
        },
        ROUNDS: {
            "outcome": _("Outcome"),
            "last_cards": _("Last cards played"),
            "drew": _("Who drew for the last cards"),
            **hand,
        },
        HEATS: {"finish": _("Finishing order")},
    }
    return {**fixed, **typed[kind], "id": _("Id")}


def _looks(kind: str, columns: Iterable[str]) -> Looks:
    fixed = {"stage", "table", "play", "number", "player", "id"}
    words = {
        GAMES: {
            "outcome": [str(each.label) for each in GAME_OUTCOMES if each != Result.Outcome.PLAYING],
            "ending": [str(each.label) for each in Play.Ended],
        },
        ROUNDS: {
            "outcome": [str(each.label) for each in (*ROUND_OUTCOMES, *Seat.OutAs)],
            "drew": [_("yes")],
        },
        HEATS: {},
    }[kind]
    texts = {"outcome", "out_after", "ending", "duration", "last_cards", "drew"}
    return Looks(
        hidden=["id"],
        kept="player",
        groups=["stage", "table", "play"],
        words=words,
        named=kind,
        typed={key: "text" if key in texts else "whole" for key in columns if key not in fixed},
    )


def _instructions(kinds: Sequence[str], ruleset: Ruleset) -> Iterator[Row]:
    yield [_("Fill in"), _("Only the coloured columns. A row is one player in one game, round or heat.")]
    if GAMES in kinds:
        yield [
            _("Games"),
            _(
                "Choose an outcome for everyone who played. For players who went out, write when, in "
                "minutes and seconds (12:34). For players who remained, write how many of each card they "
                "hold. In the first row of the game, choose how it ended and, if it was stopped early, "
                "write after how long."
            ),
        ]
    if ROUNDS in kinds:
        yield [
            _("Rounds"),
            _(
                "Choose “%(won)s” for the winner. For the others, write how many of each card they hold. "
                "If the last cards made someone draw, write them in the winner’s row, for example "
                "“%(cards)s”, and choose who drew. If a player drops out of the match, choose that as the"
                " outcome in the round where it happened, and leave later rounds empty."
            )
            % {"won": Result.Outcome.WON.label, "cards": f"2 × {card_name('draw2', ruleset)}"},
        ]
    if HEATS in kinds:
        yield [_("Heats"), _("Write 1 for the player who went out first, 2 for the next, and so on.")]
    yield [
        _("Leave empty"),
        _("Games and rounds that were not played, and the rows of players who did not play."),
    ]
    yield [
        _("Then"),
        _(
            "Save the file as .xlsx and choose it under “Results from a file”. You see everything "
            "before it is entered. You can read the same file again at any time."
        ),
    ]


# ---- Texts for problems of results workbooks ----

# Override the texts for lists.
RESULT_REFUSALS: dict[str, str | Promise] = {
    "too_large": gettext_lazy(
        "The file is larger than %(most)s MB, far more than a file of results. Export the results again."
    ),
    "too_many_rows": gettext_lazy("There are too many rows. A sheet can have at most %(most)s."),
    "too_much_inside": gettext_lazy(
        "The file contains far more than results. Export the results again, or use a new template."
    ),
    "unzips_too_large": gettext_lazy(
        "Unpacked, the file is far larger than a file of results (more than %(most)s MB). Export "
        "the results again."
    ),
    "not_a_workbook": gettext_lazy("This is not an Excel file (.xlsx). Save it as one."),
    "no_column": gettext_lazy(
        "The column “%(column)s” is missing from the sheet “%(sheet)s”, or has lost its name. Put"
        " it back, or export the Excel file again."
    ),
    "no_results": gettext_lazy(
        "The file lacks the names that identify its columns. Use the template or an exported "
        "Excel file, and save it as .xlsx with Excel or LibreOffice."
    ),
    "busy": gettext_lazy("Other files are being read just now. Try again in a minute."),
    "lost_on_the_way": gettext_lazy("Some of the results were lost on the way. Choose the file again."),
    "nothing_ticked": gettext_lazy("Tick at least one result."),
}

CELL_PROBLEMS: dict[str, str | Promise] = {
    "no_id": gettext_lazy(
        "This row has lost its id, so Lastcard cannot tell what it belongs to. If you need more "
        "rows, use a new template."
    ),
    "row_twice": gettext_lazy("This player’s row is listed twice. Remove one."),
    "unknown_play": gettext_lazy("This is not a game, round or heat of this event."),
    "other_event": gettext_lazy(
        "Nothing in this file belongs to this event. Check its name. It may be the file of another event."
    ),
    "another_player": gettext_lazy(
        "This row’s id belongs to %(name)s, but the row says “%(text)s”. Leave the names where "
        "they are and move the results, or change the seats in Lastcard."
    ),
    "hand_missing": gettext_lazy(
        "The cards of %(player)s are recorded (%(cards)s) but missing from the file. Put the row "
        "or column of the hand back, or export the Excel file again."
    ),
    "unknown_entry": gettext_lazy("This player is not in this event."),
    "rows_missing": gettext_lazy(
        "Rows are missing: %(players)s. Put them back, or export the Excel file again."
    ),
    "number_gap": gettext_lazy("Number %(next)s is next at this table. Fill them in without gaps."),
    "game_running": gettext_lazy("This game is running at its table. End it there first."),
    "no_outcome": gettext_lazy("Choose an outcome."),
    "unknown_word": gettext_lazy("“%(text)s” is not on the list. Choose an entry from it."),
    "cards_not_counted": gettext_lazy(
        "Cards count only for players who remained. Choose that outcome, or empty the hand."
    ),
    "winner_has_cards": gettext_lazy("The winner cannot have cards left. Empty the hand."),
    "two_winners": gettext_lazy("A round has only one winner. Choose one."),
    "no_winner": gettext_lazy("Nobody won this round. Choose the winner."),
    "two_drew": gettext_lazy("Only one player draws for the last cards. Choose one."),
    "not_yes": gettext_lazy("“%(text)s” is not yes. Write yes, or leave it empty."),
    "no_ending": gettext_lazy("Several players remained. Choose how the game ended."),
    "says_otherwise": gettext_lazy(
        "Another row of the same game or round says “%(other)s”. Choose one of them."
    ),
    "not_a_time": gettext_lazy(
        "“%(text)s” is not a time of up to an hour. Write minutes and seconds, such as 12:34."
    ),
    "not_whole": gettext_lazy("“%(text)s” is not a whole number."),
    "unknown_card": gettext_lazy("“%(text)s” is not a list of cards. Write, for example, “2 × Draw 2”."),
    "place_twice": gettext_lazy("Two players are number %(place)s. Give each a number of their own."),
    "place_missing": gettext_lazy("Nobody is number %(place)s. Number the players without gaps."),
}


# Headings of required columns, by key.
COLUMN_NAMES: dict[str, str | Promise] = {
    "play": gettext_lazy("Number"),
    "outcome": gettext_lazy("Outcome"),
    "out_after": gettext_lazy("Out after"),
    "ending": gettext_lazy("How it ended"),
    "duration": gettext_lazy("Duration"),
    "last_cards": gettext_lazy("Last cards played"),
    "drew": gettext_lazy("Who drew for the last cards"),
    "finish": gettext_lazy("Finishing order"),
}


# Sheet titles reveal a file's language.
SHEET_NAMES: tuple[str | Promise, ...] = (
    gettext_lazy("Games"),
    gettext_lazy("Rounds"),
    gettext_lazy("Heats"),
    gettext_lazy("Hands"),
)


def refusal_text(problem: Problem) -> str:
    """Text of a refusal; a missing column is named as in the file."""
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
