"""The workbook of a tournament: its sheets and their order.

| sheet | what |
| --- | --- |
| Tournament | name, date, ruleset, who won; the time of the export and the ledger's head at that time |
| Standings, or one for each stage | places, points, averages |
| Clubs | the clubs of each stage, where two have results |
| Games, Rounds, Heats | every play with one row a player, also the void and set aside ones |
| Hands | the cards that were counted, a row for each of the games' and rounds' |
| Cards, Settings | what a card is worth, what the ruleset and the organisers set |
| Points over rounds, Average over games | charts of each stage, a page each, and their values |
| Bracket | who went on from which table to which, and why |
| Rulings used | how the rule sheet was read where it is silent |
| Players | start number, public name, club, state: never a birth date or contact |
| Incidents, Ledger | what happened beside the cards; who entered what and why: for readers who may see it |

Words are in the language of the reader who asks, times in the tournament's zone. A sheet that would be empty is
left out.

The answers of scoring stand in plain numbers; beside them formulas compute the same from what was entered, and the two
are compared. So the workbook proves itself, and a correction can be tried in it. Formulas come without their values:
spreadsheet programs compute them on opening, and a reader that does not still has the plain numbers. Points and places
come from `tournament.results.answer` alone; tests/files/workbook/test_formulas.py holds the formulas against scoring.

| step | where |
| --- | --- |
| read everything as of one moment | `event.read_event` |
| which sheets there are | `write_workbook` |
| which columns, and in which cell everything stands | `columns`, `standings_by_kind`, `layout` |
| rows and their formulas | `standings`, `clubs`, `games`, `rounds`, `heats`, `hands`; shared: `plays`, `sheet_look` |
| charts, the bracket, incidents and rulings | `charts`, `bracket`, `referees` |
| sheets with their looks; how a value becomes a cell, never text a formula | `writer`, `cells` |
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import IO

from django.utils import translation
from django.utils.translation import gettext as _

from tournament.files.workbook import (
    bracket,
    clubs,
    games,
    hands,
    heats,
    referees,
    rounds,
    sheet_look,
    standings,
)
from tournament.files.workbook.addresses import Rows, Sheet, quoted
from tournament.files.workbook.cells import Formula, Row
from tournament.files.workbook.charts import courses
from tournament.files.workbook.event import Event
from tournament.files.workbook.layout import FIRST, Layout
from tournament.files.workbook.standings_by_kind import KINDS
from tournament.files.workbook.writer import PLAIN, TALL, Looks, WorkbookWriter
from tournament.models import Stage
from tournament.words.faults import action_name, drawn_text, ruleset_name

LAST = 1_048_576  # row of a sheet

Progress = Callable[[int, int], None]


def write_workbook(event: Event, file: IO[bytes], progress: Progress | None = None) -> None:
    """Write the event as an Excel workbook into a file open for bytes. `progress` is called at intervals with the
    number of rows written and the number of all rows; once both are the same, the file is complete."""
    tournament = event.tournament
    language = event.language or tournament.language
    with translation.override(language):
        workbook = WorkbookWriter(
            title=tournament.name,
            language=language,
            zone=tournament.zone,
            made=event.read_at,
            written=lambda rows: progress(min(rows, in_all - 1), in_all) if progress else None,
        )
        first = workbook.reserve(_("Event"))
        layout = Layout(event, workbook.reserve)
        in_all = layout.row_count + len(event.entries) + len(event.ledger or ()) + 1
        computed = _computed(event, layout)
        workbook.add_sheet(
            first,
            [_("Event"), tournament.name],
            lambda: _about(event, computed),
            filtered=False,
            looks=TALL,
        )
        for sheet, looks, rows in computed:
            workbook.add_sheet(sheet.title, sheet.headings, rows, looks=looks)
        for course in courses(event, layout, workbook.reserve):
            workbook.add_charts(course.drawn, course.charts())
            workbook.add_sheet(
                course.title,
                course.headings(),
                partial(course.rows, event, layout),
                filtered=False,
            )
        zone = tournament.time_zone
        _add(workbook, _("Bracket"), bracket.headings(event), lambda: bracket.rows(event))
        _add(
            workbook, _("Rulings used"), referees.ruling_headings(event), lambda: referees.ruling_rows(event)
        )
        players = [_("Start number"), _("Player"), _("Club or group"), _("State")]
        _add(workbook, _("Players"), players, lambda: _players(event), TALL)
        _add(
            workbook,
            _("Penalties and notes"),
            referees.incident_headings(zone),
            lambda: referees.incident_rows(event),
        )
        _add(workbook, _("Ledger"), _ledger_headings(zone), lambda: _ledger(event))
        workbook.save(file)
        if progress:
            progress(in_all, in_all)


def _add(
    workbook: WorkbookWriter,
    title: str,
    headings: list[str],
    rows: Callable[[], Iterable[Row]],
    looks: Looks = PLAIN,
) -> None:
    if next(iter(rows()), None) is not None:
        workbook.add_sheet(title, headings, rows, looks=looks)


Computed = Sequence[tuple[Sheet, Looks, Callable[[], Iterable[Row]]]]


def _computed(event: Event, layout: Layout) -> Computed:
    """The sheets that formulas link, in their order, without those that would be empty."""
    sheets: Computed = [
        *(
            (sheet, standings.look(read, sheet), partial(standings.rows, read, event.entries, layout))
            for read in event.stages
            if (sheet := layout.standings.get(read.stage.uid))
        ),
        (layout.clubs, clubs.look(layout), partial(clubs.rows, event, layout)),
        (layout.games, games.look(layout), partial(games.rows, event, layout)),
        (
            layout.rounds,
            sheet_look.looks(layout.rounds, "rounds", rounds.OUTCOMES),
            partial(rounds.rows, event, layout),
        ),
        (
            layout.heats,
            sheet_look.looks(layout.heats, "heats", heats.OUTCOMES),
            partial(heats.rows, event, layout),
        ),
        (layout.hands, sheet_look.looks(layout.hands, "hands"), partial(hands.rows, event, layout)),
        *(
            [(layout.cards, PLAIN, partial(hands.card_rows, layout))]
            if layout.games_played or layout.rounds_played
            else []
        ),
        (layout.settings, PLAIN, layout.setting_rows),
    ]
    return [each for each in sheets if next(iter(each[2]()), None) is not None]


def _about(event: Event, computed: Computed) -> Iterator[Row]:
    tournament = event.tournament
    if tournament.rehearsal:
        yield [_("Rehearsal"), _("Nothing here is official.")]
    yield [_("Date"), tournament.starts_on]
    yield [_("Venue"), tournament.place or None]
    yield [
        _("Ruleset"),
        f"{ruleset_name(tournament.ruleset)} ({tournament.ruleset}, {tournament.ruleset_revision})",
    ]
    yield [_("State"), str(tournament.get_state_display())]
    if event.frozen_at:
        yield [_("Standings frozen at (%(zone)s)") % {"zone": tournament.time_zone}, event.frozen_at]
    for read in event.stages:
        for contest in read.results:
            for what, players in KINDS[contest.answer.kind].decided(read, contest):
                if players:
                    yield [
                        f"{read.stage}: {what}",
                        ", ".join(event.entries[player].shown_name for player in players),
                    ]
    for read in event.stages:
        yield from _settings(read.stage)
    if checked := [sheet for sheet, _looks, _rows in computed if "check" in sheet.columns]:
        yield [_("Rows where a formula differs"), _differing(checked)]
    yield [_("Exported (%(zone)s)") % {"zone": tournament.time_zone}, event.read_at]
    yield [_("Last row of the ledger"), tournament.version]
    yield [_("Hash of that row"), tournament.ledger_head or None]
    yield [
        _("Note"),
        _(
            "UNO is a trademark of Mattel, Inc. Lastcard is not a Mattel product and is not approved by Mattel."
        ),
    ]


def _differing(sheets: Iterable[Sheet]) -> Formula:
    """Count the rows of these sheets whose formulas do not agree with the program."""
    word = quoted(sheet_look.other_word())
    whole = Rows(FIRST, LAST)
    return Formula("+".join(f"COUNTIF({each.rows_from_elsewhere('check', whole)},{word})" for each in sheets))


def _settings(stage: Stage) -> Iterator[Row]:
    """List the settings of this stage that the ruleset leaves open."""
    words = {
        "target": _("target"),
        "scoring": _("scoring"),
        "decks": _("decks"),
        "custom_cards": _("Customizable cards in each deck"),
        "min_games": _("fewest games needed to be ranked"),
        "advance": _("through from each heat"),
    }
    counts = sheet_look.count_words()
    for name, word in words.items():
        if (value := stage.settings.get(name)) is not None:
            yield [f"{stage}: {word}", value if isinstance(value, int) else counts.get(value, str(value))]
    says = _("a Customizable card says")
    for text in stage.card_texts:
        yield [f"{stage}: {says}", text]


def _players(event: Event) -> Iterator[Row]:
    for entry in event.entries.values():
        yield [entry.start_number, entry.shown_name, entry.club or None, str(entry.get_state_display())]


def _ledger_headings(zone: str) -> list[str]:
    return [
        _("Row"),
        _("Time (%(zone)s)") % {"zone": zone},
        _("Who"),
        _("Device"),
        _("Action"),
        _("Replaces row"),
        _("Note"),
        _("Hash"),
    ]


def _ledger(event: Event) -> Iterator[Row]:
    name_of = cache(action_name)
    for line in event.ledger or ():
        yield [
            line.sequence,
            line.at,
            line.who,
            line.device or None,
            name_of(line.action),
            line.replaces,
            drawn_text(line.action, line.note) or line.note or None,
            line.digest,
        ]
