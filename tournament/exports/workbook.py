"""The workbook of a tournament: what its sheets are and in which order.

| sheet | what |
| --- | --- |
| Tournament | name, date, ruleset, who won; the time of the export and the ledger's head at that time |
| Standings, or one for each stage | places, points, averages |
| Games, Rounds, Heats | every play with one row a player, also the void and set aside ones |
| Hands | the cards that were counted |
| Players | start number, public name, club, state: never a birth date or contact |
| Ledger | who entered what and why, for readers who may see it |

Headings are in the tournament's language, times in its zone. A sheet that would be empty is left out.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import IO

from django.utils import translation
from django.utils.translation import gettext as _

from tournament.exports import plays, standings
from tournament.exports.cells import Book, Row
from tournament.exports.reading import Event, LedgerLine
from tournament.models import Stage
from tournament.words import action_name, drawn_text, ruleset_name


def write_workbook(event: Event, file: IO[bytes]) -> None:
    """Write the event as an Excel workbook into a file open for bytes."""
    tournament = event.tournament
    with translation.override(tournament.language):
        book = Book(
            title=tournament.name,
            language=tournament.language,
            zone=tournament.zone,
            made=event.read_at,
        )
        book.add_sheet(
            _("Tournament"), [_("Tournament"), tournament.name], lambda: _about(event), filtered=False
        )
        _add_standings(book, event)
        zone = tournament.time_zone
        _add(book, _("Games"), plays.game_headings(zone), lambda: plays.games(event))
        _add(book, _("Rounds"), plays.round_headings(zone), lambda: plays.rounds(event))
        _add(book, _("Heats"), plays.heat_headings(zone), lambda: plays.heats(event))
        _add(book, _("Hands"), plays.hand_headings(), lambda: plays.hands(event))
        _add(book, _("Players"), _player_headings(), lambda: _players(event))
        if event.ledger is not None:
            lines = event.ledger
            _add(book, _("Ledger"), _ledger_headings(zone), lambda: _ledger(lines))
        book.save(file)


def _add(book: Book, title: str, headings: list[str], rows: Callable[[], Iterable[Row]]) -> None:
    if next(iter(rows()), None) is not None:
        book.add_sheet(title, headings, rows)


def _add_standings(book: Book, event: Event) -> None:
    for read in event.stages:
        title = _("Standings") if len(event.stages) == 1 else f"{read.stage.number} {read.stage}"
        _add(
            book,
            title,
            standings.headings(read.stage),
            lambda read=read: standings.rows(read, event.entries),  # type: ignore[misc]  # binds this stage
        )


def _about(event: Event) -> Iterator[Row]:
    tournament = event.tournament
    ruleset = ruleset_name(tournament.ruleset)
    if tournament.rehearsal:
        yield [_("Rehearsal"), _("Nothing here is official.")]
    yield [_("Date"), tournament.starts_on]
    yield [_("Venue"), tournament.place or None]
    yield [_("Ruleset"), f"{ruleset} ({tournament.ruleset}, {tournament.ruleset_revision})"]
    yield [_("State"), str(tournament.get_state_display())]
    if event.frozen_at:
        yield [_("Standings frozen at (%(zone)s)") % {"zone": tournament.time_zone}, event.frozen_at]
    for read in event.stages:
        for what, players in standings.decided_by(read):
            if players:
                yield [
                    f"{read.stage}: {what}",
                    ", ".join(event.entries[player].public_name for player in players),
                ]
    for read in event.stages:
        yield from _settings(read.stage)
    yield [_("Exported (%(zone)s)") % {"zone": tournament.time_zone}, event.read_at]
    yield [_("Last row of the ledger"), tournament.version]
    yield [_("Digest of that row"), tournament.ledger_head or None]
    yield [
        _("Note"),
        _("UNO is a trademark of Mattel, Inc. Lastcard is neither theirs nor approved by them."),
    ]


def _settings(stage: Stage) -> Iterator[Row]:
    """What the ruleset leaves open and was set for this stage."""
    words = {
        "target": _("target"),
        "scoring": _("count"),
        "decks": _("decks"),
        "custom_cards": _("Customizable cards in each deck"),
        "min_games": _("fewest games to be ranked"),
        "advance": _("through from each heat"),
    }
    counts = {"winner_takes": _("standard count"), "own_hand": _("alternative count")}
    for name, word in words.items():
        value = stage.settings.get(name)
        if value is not None:
            yield [f"{stage}: {word}", value if isinstance(value, int) else counts.get(value, str(value))]
    for text in stage.card_texts:
        yield [f"{stage}: {_('a Customizable card says')}", text]


def _player_headings() -> list[str]:
    return [_("Start number"), _("Player"), _("Club or group"), _("State")]


def _players(event: Event) -> Iterator[Row]:
    for entry in event.entries.values():
        yield [entry.start_number, entry.public_name, entry.club or None, str(entry.get_state_display())]


def _ledger_headings(zone: str) -> list[str]:
    return [
        _("Row"),
        _("Time (%(zone)s)") % {"zone": zone},
        _("Who"),
        _("Device"),
        _("What"),
        _("Replaces row"),
        _("Note"),
        _("Digest"),
    ]


def _ledger(lines: Iterable[LedgerLine]) -> Iterator[Row]:
    names: dict[str, str] = {}
    for line in lines:
        if line.action not in names:
            names[line.action] = action_name(line.action)
        yield [
            line.sequence,
            line.at,
            line.who,
            line.device or None,
            names[line.action],
            line.replaces,
            drawn_text(line.action, line.note) or line.note or None,
            line.digest,
        ]
