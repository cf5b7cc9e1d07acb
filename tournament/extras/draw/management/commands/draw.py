"""`manage.py draw`: repeat a draw of seats.

    draw --seed 483920 --tables 4 players.csv     lines of "start number,name,group"
    draw --seed 483920 --tables 4 --games 5 players.csv     all games of an evening, fewest pairs meeting again
    draw ... --games 5 --planned evening.json --begun 2 players.csv     with few changes for the list of today
    draw --stage <uid>                            its last draw, and moves since

`-` is standard input. Exits 0, or 2 if unreadable or impossible.
"""

import csv
import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from tournament.management.base import check_database, say_database
from tournament.models import Entry, Seat, Stage
from tournament.queries.draws import seating_now
from tournament.seating import (
    COMFORTABLE,
    MOST_GAMES,
    DrawRecord,
    Impossible,
    Moved,
    Person,
    Progress,
    Sizes,
    draw,
    draw_evening,
    even_sizes,
    plan_tables,
    repair_evening,
    repeats_in,
)
from tournament.words.seating import impossible_text

BAD = 2
LEAST_PLAYERS = 2

Seats = Mapping[int, Sequence[Person[str]]]
Evening = Sequence[Sequence[Sequence[str]]]  # ids by game and table


class Command(BaseCommand):
    help = "Repeat a draw of seats, from a list of players and a seed or from the last draw of a stage."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", nargs="?", help="lines of start number,name,group; - reads standard input"
        )
        parser.add_argument("--stage", metavar="UID", help="repeat the last draw of this stage instead")
        parser.add_argument("--seed", help="the seed of the draw")
        parser.add_argument("--tables", type=int, metavar="N", help="exactly N tables")
        parser.add_argument("--games", type=int, metavar="G", help="this many games at once")
        parser.add_argument(
            "--planned",
            metavar="EVENING",
            help="an evening that --games printed as JSON: change it as little as possible for this list",
        )
        parser.add_argument(
            "--begun",
            type=int,
            default=0,
            metavar="N",
            help="the first N games of --planned stay as they are (default 0)",
        )
        parser.add_argument(
            "--least", type=int, metavar="L", help=f"fewest players at a table (default {LEAST_PLAYERS})"
        )
        parser.add_argument(
            "--most", type=int, metavar="M", help=f"most players at a table (default {COMFORTABLE['heats']})"
        )
        parser.add_argument(
            "--apart",
            nargs="+",
            action="extend",
            default=[],
            metavar="A:B",
            help="start numbers that are never at the same table",
        )
        parser.add_argument(
            "--together",
            nargs="+",
            action="extend",
            default=[],
            metavar="A:B",
            help="start numbers that are always at the same table (with --games)",
        )
        parser.add_argument(
            "--no-group-spread", dest="spread", action="store_false", help="ignore the groups"
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the seats; errors are CommandErrors with exit code 2."""
        for pairs in (options["apart"], options["together"]):
            if options["file"] is None and pairs and ":" not in pairs[-1]:
                options["file"] = pairs.pop()  # the file, taken for a pair
        of_list = [
            name
            for name in (
                *("file", "seed", "tables", "games", "planned", "begun"),
                *("least", "most", "apart", "together"),
            )
            if options[name]
        ]
        if options["stage"] is not None:
            if of_list:
                raise _refused(f"--stage uses the stored draw. Leave out {', '.join(of_list)}.")
            answer, lines = _of_stage(options["stage"])
        else:
            answer, lines = _of_list(options, self._progress)
        self.stdout.write(json.dumps(answer, ensure_ascii=False) if options["as_json"] else "\n".join(lines))

    def _progress(self, done: int) -> None:
        """On a terminal, on a line that the seats then take."""
        if self.stderr.isatty():
            self.stderr.write(f"\r{done} %\r", ending="")


def _refused(words: str) -> CommandError:
    return CommandError(words, returncode=BAD)


def _of_list(options: Mapping[str, Any], progress: Progress) -> tuple[dict[str, Any], list[str]]:
    if options["file"] is None:
        raise _refused("Name a file of players (- reads standard input), or a stage with --stage.")
    if options["seed"] is None:
        raise _refused("Name the seed of the draw with --seed.")
    people, names = _read(options["file"])
    if not options["spread"]:
        people = [replace(person, group="") for person in people]
    sizes = _sizes(len(people), options)
    apart, together = (
        [_pair(name, text, {person.number for person in people}) for text in options[name]]
        for name in ("apart", "together")
    )
    games = 1 if options["games"] is None else options["games"]
    if not 1 <= games <= MOST_GAMES:
        raise _refused(f"An evening has 1 to {MOST_GAMES} games, not {games}.")
    if together and options["games"] is None:
        raise _refused("--together is for a whole evening. Add --games.")
    planned = _planned(options)
    try:
        if options["games"] is None:
            drawn = [draw(people, sizes, options["seed"], apart=apart)]
        elif planned:
            drawn = repair_evening(
                planned,
                people,
                len(sizes),
                options["seed"],
                begun=options["begun"],
                apart=apart,
                together=together,
                progress=progress,
            )
        else:
            drawn = draw_evening(
                people, len(sizes), games, options["seed"], apart=apart, together=together, progress=progress
            )
    except Impossible as refusal:
        raise _refused(impossible_text(refusal, names)) from refusal
    by_id = {person.id: person for person in people}
    seats = [
        {
            number: [by_id.get(uid) or Person(uid, int(uid)) for uid in table]  # or left the list
            for number, table in enumerate(tables, start=1)
        }
        for tables in drawn
    ]
    if options["games"] is None:
        return {"seed": options["seed"], "tables": _as_json(seats[0], names)}, _lines(seats[0], names)
    return _evening(options["seed"], seats, names, _changes(planned, drawn, names) if planned else [])


def _evening(
    seed: str, games: Sequence[Seats], names: Mapping[str, str], changes: Sequence[str]
) -> tuple[dict[str, Any], list[str]]:
    numbers = [[[person.number for person in table] for table in seats.values()] for seats in games]
    lines = [
        line for game, seats in enumerate(games, start=1) for line in (f"Game {game}", *_lines(seats, names))
    ]
    answer = {"seed": seed, "games": [{"tables": tables} for tables in numbers]}
    return answer, [*lines, f"Repeated meetings: {repeats_in(numbers)}", *changes]


def _planned(options: Mapping[str, Any]) -> Evening:
    file, games, begun = options["planned"], options["games"], options["begun"]
    if file is None:
        if begun:
            raise _refused("--begun is for an evening that was planned. Add --planned.")
        return []
    if games is None:
        raise _refused("--planned is for a whole evening. Add --games.")
    if file == options["file"] == "-":
        raise _refused("Standard input has either the players or the planned evening.")
    try:
        written = json.loads(_text(file))["games"]
        planned = [[[repr(number) for number in table] for table in game["tables"]] for game in written]
    except ValueError as error:
        raise _refused(f"{file} is not JSON.") from error
    except (KeyError, TypeError, RecursionError) as error:
        raise _refused(f"{file} is not an evening that --games printed with --json.") from error
    for game, tables in enumerate(planned or [[]], start=1):
        seats = Counter(chain.from_iterable(tables))
        if not (seats and all(tables) and all(map(_whole, seats))):
            raise _refused(f"{file}, game {game}: each table has start numbers, like [3, 17, 5].")
        uid, times = seats.most_common(1)[0]
        if times > 1:
            raise _refused(f"{file}, game {game}: start number {uid} has {times} seats.")
    if len(planned) != games:
        raise _refused(f"Set --games to {len(planned)}, as many as {file} has, not to {games}.")
    if not 0 <= begun <= games:
        raise _refused(f"Of {games} planned games, 0 to {games} can have begun, not {begun}.")
    return planned


def _changes(planned: Evening, drawn: Evening, names: Mapping[str, str]) -> list[str]:
    lines: list[str] = []
    for game, evenings in enumerate(zip(planned, drawn, strict=True), start=1):
        was, sits = (
            {
                uid: (number, place)
                for number, table in enumerate(tables, start=1)
                for place, uid in enumerate(table)
            }
            for tables in evenings
        )
        moved = [uid for uid in sorted({**was, **sits}, key=int) if was.get(uid) != sits.get(uid)]
        if moved:
            lines.append(f"Changed in game {game}:")
        moves = (Moved(uid, was.get(uid, (None,))[0], sits.get(uid, (None,))[0]) for uid in moved)
        lines += [
            f"  {_called(Person(move.player, int(move.player)), names)}: {_way(move)}" for move in moves
        ]
    return lines or ["The seats are as planned."]


def _sizes(players: int, options: Mapping[str, Any]) -> Sizes:
    if options["tables"] is None:
        least = LEAST_PLAYERS if options["least"] is None else options["least"]
        most = COMFORTABLE["heats"] if options["most"] is None else options["most"]
        try:
            return plan_tables(players, least=least, most=most)
        except Impossible as refusal:
            raise _refused(impossible_text(refusal)) from refusal
    if options["least"] is not None or options["most"] is not None:
        raise _refused("Use either --tables, or --least and --most.")
    if not 1 <= options["tables"] <= players:
        raise _refused(f"{players} players can sit at 1 to {players} tables, not at {options['tables']}.")
    return even_sizes(players, options["tables"])


def _text(file: str) -> str:
    try:
        return (sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()).decode("utf-8-sig")
    except OSError as error:
        raise _refused(f"{file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise _refused(f"{file} is not text in UTF-8.") from error


def _read(file: str) -> tuple[list[Person[str]], dict[str, str]]:
    text = _text(file)
    first = text.partition("\n")[0]
    people: list[Person[str]] = []
    names: dict[str, str] = {}
    reader = csv.reader(
        StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ","
    )
    try:
        for cells in ([cell.strip() for cell in row] for row in reader):
            if any(cells):
                number, name, group, *more = [*cells, "", ""] if len(cells) < 3 else cells
                line = f"Line {reader.line_num}"
                if not _whole(number):
                    raise _refused(
                        f'{line}: "{number}" is not a start number. Write: start number,name,group.'
                    )
                if any(more):
                    raise _refused(f"{line} has more than a start number, a name and a group.")
                person = Person(str(int(number)), int(number), group)
                if person.id in names:
                    raise _refused(f"{line}: start number {person.number} is already in the list.")
                people.append(person)
                names[person.id] = name
    except csv.Error as error:
        raise _refused(f"Line {reader.line_num}: {error}.") from error
    if not people:
        raise _refused(f"{file} has no players.")
    return people, names


def _pair(option: str, text: str, numbers: set[int]) -> tuple[str, str]:
    one, _, other = text.partition(":")
    if not (_whole(one) and _whole(other)) or int(one) == int(other):
        raise _refused(f'--{option} takes pairs of start numbers like 3:17, not "{text}".')
    for number in (int(one), int(other)):
        if number not in numbers:
            raise _refused(f"--{option} {text}: nobody has the start number {number}.")
    return str(int(one)), str(int(other))


def _whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _of_stage(text: str) -> tuple[dict[str, Any], list[str]]:
    say_database()
    check_database()
    try:
        stage = Stage.objects.get(uid=UUID(text))
    except (ValueError, Stage.DoesNotExist) as error:
        raise _refused(f"There is no stage {text}.") from error
    if not stage.draw:
        raise _refused("The seats of this stage were not drawn.")
    try:
        record = DrawRecord.from_json(stage.draw)
        drawn = record.seats()
    except (ValueError, Impossible) as error:
        raise _refused(f"The draw of this stage cannot be repeated by this version: {error}.") from error
    rows = {str(entry.uid): entry for entry in Entry.objects.filter(tournament=stage.tournament_id)}
    names = {uid: entry.shown_name for uid, entry in rows.items()}
    people = {person.id: person for person in record.people}

    def known(uid: str) -> Person[str]:
        return people.get(uid) or Person(uid, rows[uid].start_number if uid in rows else 0)

    seats = {number: [known(uid) for uid in table] for number, table in drawn.items()}
    out = Seat.objects.filter(table__stage=stage).exclude(out_as="").values_list("entry__uid", flat=True)
    moved = record.moved(seating_now(stage), out={str(uid) for uid in out})
    answer = {
        "seed": record.seed,
        "tables": _as_json(seats, names),
        "moved": [
            {"number": known(move.player).number, "name": names.get(move.player, "")}
            | {"from": move.origin, "to": move.goal}
            for move in moved
        ],
    }
    since = [f"  {_called(known(move.player), names)}: {_way(move)}" for move in moved]
    end = ["Moved since:", *since] if moved else ["The seats are those of the draw."]
    return answer, [f"Seed {record.seed}", *_lines(seats, names), *end]


def _way(move: Moved) -> str:
    if move.origin is None:
        return f"came to table {move.goal}"
    if move.goal is None:
        return f"left table {move.origin}"
    return (
        f"another seat at table {move.goal}"
        if move.origin == move.goal
        else f"table {move.origin} to {move.goal}"
    )


def _as_json(seats: Seats, names: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "table": number,
            "players": [{"number": person.number, "name": names.get(person.id, "")} for person in table],
        }
        for number, table in seats.items()
    ]


def _lines(seats: Seats, names: Mapping[str, str]) -> list[str]:
    return [
        f"Table {number}: {', '.join(_called(person, names) for person in table)}"
        for number, table in seats.items()
    ]


def _called(person: Person[str], names: Mapping[str, str]) -> str:
    return f"{person.number} {names.get(person.id, '')}".strip()
