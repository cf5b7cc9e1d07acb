"""Data tables of an event, as sheets or CSV.

| table | one row per |
| --- | --- |
| check | table with formulas: disagreeing rows |
| settings | fact of event and stages, export, ledger head |
| players, seats | player; seat |
| standings | player and stage |
| games, rounds, heats, race | player and play, also void or on hold |
| hands | row of games, rounds and races |
| cards, rulings | card; ruling where the rules are silent |
| incidents, ledger | incident; ledger row (private) |

Headings and codes are language-independent. Keys: `stage`, `table` (numbers), `play_id`, `entry_id`. Columns in `_f`
recompute others by formula; `check` compares. `counts`: "yes" or `ContestResults.why_not`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from json import dumps

from rulesets import CARDS, RULESETS
from tournament.extras.workbook.files import games, hands, race, rounds, standings_by_kind
from tournament.extras.workbook.files.plays import Cells
from tournament.files.workbook.event import Event
from tournament.files.workbook.writer import Formula, Row
from tournament.words.faults import card_name
from tournament.words.rulings import rulings_of

CHECKED = ("games", "rounds", "heats", "race", "standings")


@dataclass(frozen=True, slots=True)
class DataTable:
    """A data table. `columns`: headings separated by spaces; `cells`: rows by heading; `private`: ledger readers."""

    name: str
    columns: str
    cells: Callable[[Event], Iterable[Cells]]
    private: bool = False

    @property
    def headings(self) -> list[str]:
        return self.columns.split()

    def rows(self, event: Event) -> Iterator[Row]:
        """Rows in heading order."""
        headings = self.headings
        return ([cells.get(key) for key in headings] for cells in self.cells(event))


def _check(event: Event) -> Iterator[Cells]:
    """Rows not "OK", including errors and gaps."""
    counts = {name: sum(1 for _row in _TABLES[name].cells(event)) for name in CHECKED}
    for table, names in {"all": CHECKED, **{name: (name,) for name in CHECKED}}.items():
        count = sum(counts[name] for name in names)
        rows = "+".join(f"COUNTA({name}_entry_id)" for name in names)
        fine = "+".join(f'COUNTIF({name}_check,"OK")' for name in names)
        yield {
            "table": table,
            "rows": Formula(rows, count),
            "ok": Formula(fine, count),
            "not_ok": Formula("[rows]-[ok]", 0),
        }


def _settings(event: Event) -> Iterator[Cells]:
    tournament = event.tournament
    facts = {
        "name": tournament.name,
        "rehearsal": "yes" if tournament.rehearsal else None,
        "date": tournament.starts_on,
        "venue": tournament.place or None,
        "time_zone": tournament.time_zone,
        "ruleset": tournament.ruleset,
        "ruleset_revision": tournament.ruleset_revision,
        "state": str(tournament.state),
        "frozen_at": event.frozen_at,
        "exported_at": event.read_at,
        "ledger_row": tournament.version,
        "ledger_hash": tournament.ledger_head or None,
    }
    yield from ({"key": key, "value": value} for key, value in facts.items() if value is not None)
    for read in event.stages:
        played_by = {"kind": str(read.stage.kind), "state": read.state, **read.stage.settings}
        for contest in read.results[:1]:
            played_by |= standings_by_kind.KINDS[contest.answer.kind].settings(contest.sheet.data)
        texts = {f"custom_card_{number}": text for number, text in enumerate(read.stage.card_texts, 1)}
        if read.stage.source:
            texts["source"] = dumps(read.stage.source)
        for key, value in (played_by | texts).items():
            text = ", ".join(value) if isinstance(value, list) else value
            yield {"stage": read.stage.number, "stage_name": str(read.stage), "key": key, "value": text}


def _players(event: Event) -> Iterator[Cells]:
    for player, entry in event.entries.items():
        yield {
            "number": entry.start_number,
            "player": entry.shown_name,
            "club": entry.club or None,
            "division": entry.division or None,
            "state": str(entry.state),
            "entry_id": player,
        }


def _seats(event: Event) -> Iterator[Cells]:
    for read in event.stages:
        for seat in (seat for contest in read.contests for seat in contest.seats):
            entry = event.entries[str(seat.entry)]
            yield {
                "stage": read.stage.number,
                "stage_name": str(read.stage),
                "table": seat.table,
                "seat": seat.position,
                "number": entry.start_number,
                "player": entry.shown_name,
                "out": str(seat.out_as) or None,
                "out_from": seat.out_from,
                "entry_id": str(seat.entry),
            }


def _cards(event: Event) -> Iterator[Cells]:
    ruleset = RULESETS[event.tournament.ruleset]
    for card in (card for card in CARDS if card in ruleset.deck):
        yield {
            "card": card,
            "name": card_name(card, ruleset),
            "points": ruleset.points[card],
            "in_a_deck": ruleset.deck[card],
        }


def _rulings(event: Event) -> Iterator[Cells]:
    """The ruleset's rulings; for readers of incidents also cited rules with counts, and referees' rulings."""
    if not any(read.results for read in event.stages):
        return
    ruleset = event.tournament.ruleset
    for question, ruling in rulings_of(ruleset):
        yield {"source": ruleset, "question": question, "ruling": ruling}
    stand = event.standing_incidents
    for (title, rule), count in Counter((line.title, line.rule) for line in stand if line.rule).items():
        yield {"source": "rule_sheet", "question": title, "ruling": rule, "incidents": count}
    for line in stand:
        if own := line.ruling or line.answer:
            yield {"source": "referees", "question": line.text or line.title, "ruling": own, "incidents": 1}


def _incidents(event: Event) -> Iterator[Cells]:
    for line in event.incidents or ():
        yield {
            "at": line.at,
            "where": line.where,
            "player": line.player or None,
            "kind": str(line.kind),
            "title": line.title,
            "rule": line.rule or None,
            "cards": line.cards,
            "text": line.text or None,
            "ruling": line.ruling or None,
            "answer": line.answer or None,
            "by": line.by,
            "withdrawn": "yes" if line.withdrawn else None,
        }


def _ledger(event: Event) -> Iterator[Cells]:
    for line in event.ledger or ():
        yield {
            "row": line.sequence,
            "at": line.at,
            "by": line.who,
            "device": line.device or None,
            "action": line.action,
            "stage": line.stage,
            "table": line.table or None,
            "play": line.plays or None,
            "player": line.players or None,
            "replaces": line.replaces,
            "reason": line.note or None,
            "hash": line.digest,
        }


TABLES = (
    DataTable("check", "table rows ok not_ok", _check),
    DataTable("settings", "stage stage_name key value", _settings),
    DataTable("players", "number player club division state entry_id", _players),
    DataTable("seats", "stage stage_name table seat number player out out_from entry_id", _seats),
    DataTable("standings", standings_by_kind.COLUMNS, standings_by_kind.rows),
    DataTable("games", games.COLUMNS, games.rows),
    DataTable("rounds", rounds.COLUMNS, rounds.rows),
    DataTable("heats", rounds.HEAT_COLUMNS, rounds.heat_rows),
    DataTable("race", race.COLUMNS, race.rows),
    DataTable("hands", hands.COLUMNS, hands.rows),
    DataTable("cards", "card name points in_a_deck", _cards),
    DataTable("rulings", "source question ruling incidents", _rulings),
    DataTable(
        "incidents",
        "at where player kind title rule cards text ruling answer by withdrawn",
        _incidents,
        private=True,
    ),
    DataTable(
        "ledger",
        "row at by device action stage table play player replaces reason hash",
        _ledger,
        private=True,
    ),
)
_TABLES = {table.name: table for table in TABLES}


def tables_of(event: Event) -> list[DataTable]:
    """Tables visible to the event's reader."""
    return [table for table in TABLES if event.ledger is not None or not table.private]
