"""The formulas of a workbook as LibreOffice works them out, against scoring: as exported, and with cells changed."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.utils import translation
from django.utils.translation import gettext as _
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from rulesets import CARDS, RULESETS, put_away
from scoring import HeatsAnswer, MatchAnswer, SessionAnswer
from scoring.answers import PlayAnswer
from tests.depth import SOAK, dear
from tests.support.factories import Event as Played, running_match
from tests.support.recalculated import recalculated
from tests.support.workbook_events import changed, close_calls, generated
from tournament import actions
from tournament.files.workbook.cells import safe_text
from tournament.files.workbook.columns import clubs
from tournament.files.workbook.event import Event, StageRead, read_event
from tournament.files.workbook.plays import MATCHES
from tournament.files.workbook.sheets import write_workbook
from tournament.files.workbook.standings_by_kind import KINDS
from tournament.models import Play, Result, Stage, Table, Tournament
from tournament.queries.clubs import stage_clubs
from tournament.results.answer import target_of
from tournament.results.facts import PlayFacts
from tournament.server.database import snapshot

pytestmark = pytest.mark.program

CHANGES = 50
AT_ONCE = 25  # events in one start of LibreOffice
TYPED_IN = 1 if SOAK else 2  # of so many events one is changed too
MADE_UP = 4  # of so many events one is also played by a ruleset that nobody wrote
# Outside of a soak ten of the two hundred, which between them have every language, ruleset, count, outcome, ending and
# status, ties at each step, walkovers, stopped matches and plays set aside.
ALL = range(200) if SOAK else (13, 61, 67, 80, 105, 107, 116, 135, 145, 155)
SEEDS = [ALL[first : first + AT_ONCE] for first in range(0, len(ALL), AT_ONCE)]

Cells = dict[str, Any]
PLAYS = {
    "games": (("place_f", "points_f"), [Stage.Kind.SESSION]),
    "rounds": (("points_f",), list(MATCHES)),
    "heats": (("place_f", "through_f"), [Stage.Kind.HEATS]),
}
STANDINGS = {
    "session": ("place_f", "points_f", "games_f", "average_f"),
    "match": ("place_f", "points_f", "won_f", "wins_f"),
    "final": ("place_f", "points_f", "won_f", "wins_f"),
    "heats": ("place_f", "through_f"),
}


def exported(event: Event) -> bytes:
    file = BytesIO()
    write_workbook(event, file)
    return file.getvalue()


@pytest.fixture
def only_here() -> Iterator[None]:
    """Forgets the rulesets that a test takes in."""
    known = set(RULESETS)
    yield
    for ruleset in set(RULESETS) - known:
        put_away(ruleset)


@pytest.mark.parametrize("seeds", dear(*SEEDS), ids=lambda seeds: f"from-{seeds[0]}")
def test_formulas_find_what_scoring_says_also_after_changes_and_by_any_rules(
    seeds: Sequence[int], tmp_path: Path, only_here: None
) -> None:
    events = {f"{seed}": generated(seed) for seed in seeds}
    books = {name: exported(event) for name, event in events.items()}
    for name in list(events)[::TYPED_IN]:
        after, plays = changed(events[name], int(name), CHANGES)
        books[f"{name} changed"] = typed_in(books[name], plays, str(after.tournament.language))
        events[f"{name} changed"] = after
    for seed in seeds[::MADE_UP]:
        events[f"made-up-{seed}"] = generated(seed, made_up=True)
        books[f"made-up-{seed}"] = exported(events[f"made-up-{seed}"])
    opened = recalculated(books, tmp_path)
    faults = {name: wrong(opened[name], events[name], events[name.split()[0]]) for name in events}
    assert {name: found for name, found in faults.items() if found} == {}
    checks = {name: said(opened[name], event) for name, event in events.items()}
    assert {check for name, check in checks.items() if "changed" not in name} == {("OK",)}
    assert {check for name, check in checks.items() if "changed" in name} >= {("OK", "differs")}


@pytest.mark.sqlite
@pytest.mark.django_db
def test_formulas_find_what_scoring_says_in_the_demo_and_where_it_is_close(
    tmp_path: Path, settings: Any
) -> None:
    settings.DATA_DIR = tmp_path
    call_command("make_demo")
    events = {"close": close_calls()}
    for tournament in Tournament.objects.exclude(state="planned"):
        with snapshot():
            events[tournament.slug] = read_event(tournament, everything=True)
    books = {slug: exported(event) for slug, event in events.items()}
    opened = recalculated(books, tmp_path)
    assert {slug: ends_of_lines(books[slug], opened[slug]) for slug in events} == {
        slug: ends_said(event) for slug, event in events.items()
    }
    assert {
        slug: found for slug, event in events.items() if (found := wrong(opened[slug], event, event))
    } == {}
    assert {said(opened[slug], event) for slug, event in events.items()} == {("OK",)}


@pytest.mark.sqlite
@pytest.mark.django_db
def test_d3_champion_who_left_afterwards_is_champion_by_formula_too(tmp_path: Path) -> None:
    made = left_after_the_end()
    with snapshot():
        event = read_event(made.tournament, everything=True)
    opened = recalculated({"left": exported(event)}, tmp_path)["left"]
    assert (wrong(opened, event, event), said(opened, event)) == ([], ("OK",))
    winners = [contest.answer.winners for read in event.stages for contest in read.results]
    assert winners == [(str(made.at(table)[2 * (table.number == 5)]),) for table in made.tables]


def left_after_the_end() -> Played:
    """Matches that end by a walkover's round, by departures alone, at the target and by being stopped; then everybody
    leaves. At table 5 a correction says that the first was out before the others."""
    made = running_match(players=15, tables=5, target=100)
    for table, hand in zip(made.tables, ({"7": 1}, {"7": 1}, {"wild": 1}, {"7": 1}, {"7": 1}), strict=True):
        first, *others = made.at(table)
        held = {str(uid): hand for uid in others}
        add_round(made, table, 1, winner=first, hands=held)
        if table.number == 5:
            second, third = others
            made.act(actions.player_leaves, entry=second)
            add_round(made, table, 2, winner=None, hands={}, removed=[third])
            play = Play.objects.get(table=table, number=1)
            more = {"winner": second, "hands": {str(third): hand}, "withdrawn": [first]}
            made.act(actions.correct_round, play=play.uid, version=play.version, reason="gone", **more)
            continue
        if table.number == 1:
            add_round(made, table, 2, winner=None, hands={}, withdrawn=others)
        elif table.number == 4:
            made.act(actions.stop_match, table=table.uid)
        for uid in (*([] if table.number == 1 else others), first):
            made.act(actions.player_leaves, entry=uid)
    return made


def add_round(made: Played, table: Table, number: int, **more: Any) -> None:
    made.act(actions.record_round, table=table.uid, play=uuid4(), number=number, **more)


def ends_of_lines(content: bytes, book: Workbook) -> list[tuple[str, Any]]:
    """Where the lines of the charts end, each with its name, in their order: the target's is at a match's end."""
    found = []
    sheets: Any = load_workbook(BytesIO(content))  # the stubs know no charts
    for sheet in sheets:
        for chart in sheet._charts:
            for line in chart.series:
                cells = (ref.f.rpartition("!") for ref in (line.tx.strRef, line.val.numRef))
                name, values = (book[title.strip("'").replace("''", "'")][at] for title, _, at in cells)
                numbers = [cell.value for (cell,) in values if cell.value is not None]
                found.append((name.value, pytest.approx(numbers[-1])))
    return found


def ends_said(event: Event) -> list[tuple[str, Any]]:
    """Give the same by the answers: everybody's average or points, the ten best of those who played."""
    found: list[tuple[str, Any]] = []
    for read in event.stages:
        for contest in read.results:
            answer = contest.answer
            if isinstance(answer, SessionAnswer):
                lines: list[tuple[str, Any]] = [
                    (row.player, row.average) for row in answer.standings if row.games
                ]
                begun = len({play.number for play in contest.contest.plays if play.results}) > 1
            elif isinstance(answer, MatchAnswer):
                played = {str(row.entry) for play in contest.contest.plays for row in play.results}
                lines = [(row.player, row.points) for row in answer.standings if row.player in played]
                begun = bool(lines)
            else:
                continue
            if begun:
                found += [(event.entries[player].public_name, float(value)) for player, value in lines[:10]]
            if begun and isinstance(answer, MatchAnswer):
                with translation.override(str(event.tournament.language)):
                    found.append((_("Target"), target_of(contest.sheet.data)))
    return found


# ---- what is typed into a workbook ----


def _who(cell: object) -> str:
    """The play and the entry of a row's id, without the version that it says."""
    return str(cell).rpartition(" ")[0]


def typed_in(content: bytes, plays: list[PlayFacts], language: str) -> bytes:
    """The workbook with these plays as somebody would type them over what was there: states, outcomes, times, orders
    and cards, nothing else."""
    book = load_workbook(BytesIO(content))
    with translation.override(language):
        for sheet in (*PLAYS, "hands"):
            where = named(book, sheet)
            if not where:
                continue
            rows = {_who(cell.value): cell.row for cell in where["id"]}
            for play in plays:
                for row in play.results:
                    at = rows.get(f"{play.uid} {row.entry}")
                    if at:
                        for key, value in typed(sheet, play, row.entry).items():
                            if key in where:
                                first = where[key][0]
                                first.parent.cell(at, first.column).value = value
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def named(book: Workbook, sheet: str) -> dict[str, list[Any]]:
    """The cells of each column of a sheet, by its key: found by the names that the workbook gives them."""
    found = {}
    for name, area in book.defined_names.items():
        if name.startswith(f"{sheet}_"):
            [(title, cells)] = area.destinations
            found[name.removeprefix(f"{sheet}_")] = [row[0] for row in book[title][cells]]
    return found


def typed(sheet: str, play: PlayFacts, entry: object) -> Cells:
    """Give the cells of a player's row that people may change."""
    row = next(row for row in play.results if row.entry == entry)
    if sheet == "hands":
        return {card: row.hand.get(card) for card in CARDS}
    out_after = None if row.elapsed_s is None else Fraction(row.elapsed_s, 86_400)
    return {
        "state": str(Play.State(play.state).label),
        "outcome": str(Result.Outcome(row.outcome).label),
        "out_after": None if out_after is None else float(out_after),
        "finish": row.finish,
    }


# ---- what a workbook says ----


def wrong(book: Workbook, event: Event, exported: Event) -> list[Any]:
    """List where the workbook's formulas differ from the event's answers, and every cell with an error. `exported` is
    the event that the workbook was written of, before changes."""
    with translation.override(str(event.tournament.language)):
        faults: list[Any] = [
            (cell.coordinate, cell.value)
            for sheet in book
            for row in sheet.iter_rows()
            for cell in row
            if cell.data_type == "e"
        ]
        for name, (keys, kinds) in PLAYS.items():
            says = dict(said_of_plays(event, keys, kinds))
            where = named(book, name)
            finds = {
                _who(cell.value): tuple(where[key][index].value for key in keys)
                for index, cell in enumerate(where.get("id", []))
            }
            faults += different(says, finds)
        listed = [read.stage for read in exported.stages if has_lines(read)]
        for read in event.stages:
            if read.stage in listed:  # behind the first sheet, in the order of the stages
                sheet = cast("Worksheet", book.worksheets[1 + listed.index(read.stage)])
                faults += of_standings(sheet, read, event)
        faults += of_clubs(book, event, exported)
    return faults


def of_clubs(book: Workbook, event: Event, exported: Event) -> list[Any]:
    """List where the sheet of clubs differs; not where clubs or heats came or went by the changes,
    which have no rows then."""
    rows = iter(
        book[_("Clubs")].iter_rows(min_row=2, values_only=True) if _("Clubs") in book.sheetnames else ()
    )
    faults = []
    for read, before in zip(event.stages, exported.stages, strict=True):
        now, then = (
            stage_clubs(each.stage, each.results, each.through, event.entries) for each in (read, before)
        )
        cells = [dict(zip(clubs(), next(rows), strict=True)) for _line in (then.lines if then else ())]
        finds = {row["club"]: (row["place_f"], row["players_f"], row["value_f"]) for row in cells}
        same_rows = _listed(read) == _listed(before)
        if (
            same_rows
            and now
            and then
            and {each.club for each in now.lines} == {each.club for each in then.lines}
        ):
            says = {now.names[line.club]: (line.place, line.players, line.value) for line in now.lines}
            faults += different(says, finds)
    return faults


def _listed(read: StageRead) -> set[str]:
    return {line.player for each in read.results for line in each.answer.lines}


def of_standings(sheet: Worksheet, read: StageRead, event: Event) -> list[Any]:
    titles = list(KINDS[read.results[0].answer.kind].columns())
    keys = STANDINGS[str(read.stage.kind)]
    says = dict(said_of_standings(read, event))
    finds, names = {}, {}
    for row in sheet.iter_rows(min_row=2, max_col=len(titles), values_only=True):
        cells: dict[str, Any] = dict(zip(titles, row, strict=True))
        table = cells.get("table")
        finds[table, cells["number"]] = tuple(cells[key] for key in keys)
        names[cells["number"]] = cells["player"]
    known = {entry.start_number: safe_text(entry.public_name) for entry in event.entries.values()}
    if read.stage.kind == Stage.Kind.HEATS:
        says = {key: value for key, value in says.items() if key in finds}  # not of heats that never counted
    return different(says, finds) + different({number: known[number] for number in names}, names)


def has_lines(read: StageRead) -> bool:
    """Whether a stage has standings: heats have none before one counts."""
    return any(each.answer.standings or each.answer.rounds for each in read.results)


def different(says: Mapping[Any, Any], finds: Mapping[Any, Any]) -> list[Any]:
    return [
        (key, says.get(key), finds.get(key))
        for key in {**says, **finds}
        if not same(says.get(key), finds.get(key))
    ]


def same(says: Any, finds: Any) -> bool:
    """Whether a cell shows a value; no value is an empty text, a fraction its nearest number."""
    if isinstance(says, tuple) and isinstance(finds, tuple):
        return len(says) == len(finds) and all(map(same, says, finds))
    if isinstance(says, Fraction):
        return isinstance(finds, int | float) and abs(Fraction(finds) - says) < Fraction(1, 10**9)
    return (says in (None, "") and finds in (None, "")) or says == finds


def said_of_plays(event: Event, keys: tuple[str, ...], kinds: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Give the answers' values for each row of the plays."""
    for read in event.stages_of(*kinds):
        for contest in read.results:
            rounds: tuple[PlayAnswer, ...] = contest.answer.rounds
            answers = {
                play.uid: {row.player: row for row in answer.results}
                for play, answer in zip(contest.sheet.plays, rounds, strict=True)
                if play
            }
            for play in contest.contest.plays:
                for row in play.results:
                    line: Any = answers.get(play.uid, {}).get(str(row.entry))
                    values = {
                        "place_f": getattr(line, "place", None),
                        "points_f": getattr(line, "points", None),
                        "through_f": _("yes") if getattr(line, "advances", False) else None,
                    }
                    yield f"{play.uid} {row.entry}", tuple(values[key] for key in keys)


def said_of_standings(read: StageRead, event: Event) -> Iterator[tuple[tuple[int | None, int], Any]]:
    """Give the answers' values for each row of a stage's standings, by its table and the player's start number."""
    number = {player: entry.start_number for player, entry in event.entries.items()}
    for contest in read.results:
        answer = contest.answer
        if isinstance(answer, SessionAnswer):
            for line in answer.standings:
                yield (None, number[line.player]), (line.place, line.points, line.games, line.average)
        elif isinstance(answer, MatchAnswer):
            for standing in answer.standings:
                wins = _("yes") if standing.player in answer.winners else None
                values = (standing.place, standing.points, standing.rounds_won, wins)
                yield (contest.table_number, number[standing.player]), values
        else:
            yield from said_of_heats(read, answer, number)


def said_of_heats(
    read: StageRead, answer: HeatsAnswer, number: Mapping[str, int]
) -> Iterator[tuple[tuple[int, int], Any]]:
    """Give the rows of all heats, also of those that no longer count: nobody goes through from them but by decision."""
    contest = read.results[0]
    decided = dict.fromkeys(read.going_on.gone if read.going_on else (), _("no, does not play on"))
    decided |= dict.fromkeys(read.decided, _("by decision"))
    for play in contest.contest.plays:
        for row in play.results:
            player, table = str(row.entry), contest.contest.table_numbers[play.table]
            yield (table, number[player]), (None, decided.get(player))
    for counted, heat in zip(contest.sheet.plays, answer.rounds, strict=True):
        assert counted is not None
        for line in heat.results:
            through = decided.get(line.player, _("yes") if line.advances else None)
            table = contest.contest.table_numbers[counted.table]
            yield (table, number[line.player]), (line.place, through)


def said(book: Workbook, event: Event) -> tuple[str, ...]:
    """Give the words of the sheets' checks, each once, in English."""
    found = set()
    with translation.override(str(event.tournament.language)):
        english = {_("OK"): "OK", _("differs"): "differs"}
        for sheet in book:
            headings = [cell.value for cell in sheet[1]]
            if _("Check") in headings:
                column = headings.index(_("Check"))
                found |= {english[str(row[column])] for row in sheet.iter_rows(min_row=2, values_only=True)}
    return tuple(sorted(found))


def test_progress_is_told_up_to_the_last_row() -> None:
    told: list[tuple[int, int]] = []
    write_workbook(close_calls(), BytesIO(), lambda written, in_all: told.append((written, in_all)))
    assert told == sorted(told)
    assert len({in_all for _written, in_all in told}) == 1
    assert [written == in_all for written, in_all in told] == [False] * (len(told) - 1) + [True]
