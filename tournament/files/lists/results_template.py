"""Offline results template: a row per player of the next plays, read back by results.py."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID, uuid5

from django.db.models import Max
from django.utils import translation
from django.utils.translation import gettext as _

from rulesets import CARDS, RULESETS, Ruleset
from tournament.files.lists.results import GAMES, HEATS, ROUNDS
from tournament.files.lists.results_said import GAME_OUTCOMES, ROUND_OUTCOMES
from tournament.files.workbook.cells import Row
from tournament.files.workbook.writer import Looks, WorkbookWriter
from tournament.models import Play, Result, Seat, Stage, Table, Tournament
from tournament.results import kind_of
from tournament.words.faults import card_name

ORDER = (GAMES, ROUNDS, HEATS)


@dataclass(frozen=True, slots=True)
class Offered:
    """A play to fill in. Its uid derives from table and number: two templates give the same play."""

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
    """Workbook in `language`, as bytes, to fill in the next `plays` of each table."""
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
            rows = _rows([each for each in offered if each.sheet == kind], len(columns))
            workbook.add_sheet(titles[kind], columns, rows, _looks(kind, columns))
        workbook.finish()
        return file.getvalue()


def _columns(kind: str, ruleset: Ruleset) -> dict[str, str]:
    """Headings by the keys of results.py."""
    numbers = {GAMES: _("Game"), ROUNDS: _("Round"), HEATS: _("Heat")}
    fixed = {"stage": _("Stage"), "table": _("Table"), "play": numbers[kind]}
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


def _rows(offered: Sequence[Offered], columns: int) -> Iterator[Row]:
    for each in offered:
        for seat in each.seats:
            yield [
                str(each.table.stage),
                each.table.number,
                each.number,
                seat.entry.start_number,
                seat.entry.shown_name,
                *[None] * (columns - 6),
                f"{each.uid} {seat.entry.uid} {each.table.uid}",
            ]


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
