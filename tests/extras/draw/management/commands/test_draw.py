"""`manage.py draw`: a draw repeated from a list, and from the stage that was drawn."""

import io
import json
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command

from tests.seating.cases import crowd
from tests.support.factories import Event, running_heats
from tournament import actions
from tournament.extras.draw.management.commands import draw as command
from tournament.models import Draw, Seat
from tournament.seating import DrawRecord, Person, draw, draw_evening, repair_evening

LIST = "1,Aino,North\n2,Börje,\n3,Cécile,North\n\n4, Dima ,South\n5,Eeva\n6\n"


def told(*arguments: object) -> str:
    """Give the command's output."""
    out = io.StringIO()
    call_command("draw", *map(str, arguments), stdout=out)
    return out.getvalue()


def refused(*arguments: object) -> str:
    """Give the command's refusal, on its way to exit code 2."""
    with pytest.raises(CommandError) as error:
        told(*arguments)
    assert error.value.returncode == 2
    return str(error.value)


@pytest.fixture
def players(tmp_path: Path) -> Path:
    path = tmp_path / "players.csv"
    path.write_text(LIST, encoding="utf-8")
    return path


def test_list_is_drawn_as_the_pages_draw_it(players: Path) -> None:
    people = [
        Person(1, 1, "North"),
        Person(2, 2),
        Person(3, 3, "North"),
        Person(4, 4, "South"),
        Person(5, 5),
        Person(6, 6),
    ]
    answer = json.loads(told("--seed", "483920", "--tables", 2, "--json", players))
    assert answer["seed"] == "483920"
    assert [[each["number"] for each in table["players"]] for table in answer["tables"]] == draw(
        people, (3, 3), "483920"
    )
    assert answer["tables"][0]["table"] == 1
    assert {"number": 4, "name": "Dima"} in [each for table in answer["tables"] for each in table["players"]]


def test_tables_are_printed_a_line_each(players: Path) -> None:
    first, second = told("--seed", "483920", "--tables", 2, players).splitlines()
    assert first.startswith("Table 1: ")
    assert second.startswith("Table 2: ")
    assert sorted(first.partition(": ")[2].split(", ") + second.partition(": ")[2].split(", ")) == [
        "1 Aino",
        "2 Börje",
        "3 Cécile",
        "4 Dima",
        "5 Eeva",
        "6",
    ]


def test_number_of_tables_follows_from_the_sizes(players: Path) -> None:
    assert len(told("--seed", "x", players).splitlines()) == 1
    assert len(told("--seed", "x", "--least", 2, "--most", 3, players).splitlines()) == 2


def test_pairs_are_kept_apart_and_the_file_may_come_behind_them(players: Path) -> None:
    for seed in range(10):
        lines = told("--seed", seed, "--tables", 2, "--apart", "1:3", "2:4", players).splitlines()
        assert not any({"1 Aino", "3 Cécile"} <= set(line[9:].split(", ")) for line in lines)
        assert not any({"2 Börje", "4 Dima"} <= set(line[9:].split(", ")) for line in lines)
        assert (
            lines
            == told(players, "--seed", seed, "--tables", 2, "--apart", "1:3", "--apart", "4:2").splitlines()
        )


def test_groups_can_be_left_out_of_account(tmp_path: Path) -> None:
    players = tmp_path / "players.csv"
    players.write_text("".join(f"{number};Player;{'AB'[number % 2]}\n" for number in range(1, 9)))
    answer = json.loads(told("--seed", "x", "--tables", 2, "--no-group-spread", "--json", players))
    assert [[each["number"] for each in table["players"]] for table in answer["tables"]] == draw(
        crowd(8), (4, 4), "x"
    )


def test_list_may_come_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\ufeff7,Aino\n".encode())))
    assert told("--seed", "x", "--least", 1, "-") == "Table 1: 7 Aino\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("number,name\n1,Aino\n", 'Line 1: "number" is not a start number'),
        ("1,Aino\n-2,Börje\n", 'Line 2: "-2" is not a start number'),
        ("1,Aino\n\n01,Börje\n", "Line 3: start number 1 is already in the list"),
        ("1,Aino,North,South\n", "Line 1 has more than"),
        ("", "has no players"),
        ("1,\x00Aino\n2,B\n\x00", "Line"),
        (b"1,\xff\xfe", "not text in UTF-8"),
        ("1,Aino\n", "1 player is too few. At least 2 are needed."),
    ],
)
def test_bad_list_is_refused_at_its_line(tmp_path: Path, content: str | bytes, words: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert words in refused("--seed", "x", path)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Name the seed of the draw"),
        (("--seed", "x", "--tables", 7), "6 players can sit at 1 to 6 tables, not at 7."),
        (("--seed", "x", "--tables", 0), "not at 0"),
        (("--seed", "x", "--tables", 2, "--most", 5), "Use either --tables, or"),
        (("--seed", "x", "--least", 4, "--most", 5), "Possible: 1 table of 6 or 2 tables of 3."),
        (("--seed", "x", "--apart", "1-3"), 'not "1-3"'),
        (("--seed", "x", "--apart", "3:3"), 'not "3:3"'),
        (("--seed", "x", "--apart", "1:99"), "nobody has the start number 99"),
        (
            ("--seed", "x", "--tables", 1, "--apart", "1:3"),
            "These pairs cannot all be kept apart: Aino – Cécile.",
        ),
        (("--stage", uuid4()), "Leave out file"),
    ],
)
def test_what_cannot_be_drawn_is_refused(players: Path, arguments: tuple[object, ...], words: str) -> None:
    assert words in refused(players, *arguments)


def test_something_must_be_drawn(tmp_path: Path) -> None:
    assert "Name a file" in refused("--seed", "x")
    assert "cannot be read: No such file" in refused("--seed", "x", tmp_path / "nothing.csv")
    assert "cannot be read: Is a directory" in refused("--seed", "x", tmp_path)


@pytest.fixture
def drawn(db: None) -> Event:
    """Heats of eight at two tables, seated by a draw."""
    made = running_heats(8, tables=2, start=False)
    record = DrawRecord.of(
        [Person(entry.uid, entry.start_number, "AB"[entry.start_number % 2]) for entry in made.entries],
        (4, 4),
        "483920",
        past=[[made.uids[:4], made.uids[4:]]],
        apart=[(made.uids[0], made.uids[5])],
    )
    rows = [{"number": number, "entries": list(map(UUID, table))} for number, table in record.seats().items()]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=rows, seed="483920", draw=record.as_json())
    return made.refresh()


def moved(made: Event) -> Any:
    return json.loads(told("--stage", made.stage.uid, "--json"))["moved"]


def test_draw_of_a_stage_is_repeated(drawn: Event) -> None:
    lines = told("--stage", drawn.stage.uid).splitlines()
    names = {entry.uid: f"{entry.start_number} {entry.public_name}" for entry in drawn.entries}
    assert lines == [
        "Seed 483920",
        *(
            f"Table {table.number}: {', '.join(names[uid] for uid in drawn.at(table))}"
            for table in sorted(drawn.tables, key=lambda each: each.number)
        ),
        "The seats are those of the draw.",
    ]
    assert moved(drawn) == []


def test_draw_of_a_stage_tells_who_was_moved_since(drawn: Event) -> None:
    seats = {table.number: drawn.at(table) for table in drawn.tables}
    going, gone = seats[1][0], seats[2][1]
    rows = [
        {"number": 1, "entries": seats[1][1:]},
        {"number": 2, "entries": [uid for uid in seats[2] if uid != gone] + [going]},
    ]
    drawn.act(actions.seat_stage, stage=drawn.stage.uid, tables=rows)
    named = {entry.uid: entry for entry in drawn.entries}
    assert sorted(moved(drawn), key=lambda move: move["from"]) == [
        {"number": named[going].start_number, "name": named[going].public_name, "from": 1, "to": 2},
        {"number": named[gone].start_number, "name": named[gone].public_name, "from": 2, "to": None},
    ]
    lines = told("--stage", drawn.stage.uid).splitlines()
    assert f"  {named[going].start_number} {named[going].public_name}: table 1 to 2" in lines
    assert f"  {named[gone].start_number} {named[gone].public_name}: left table 2" in lines
    assert "The seats are those of the draw." not in lines


def test_who_is_out_was_not_moved(drawn: Event) -> None:
    drawn.act(actions.start_stage, stage=drawn.stage.uid)
    Seat.objects.filter(table=drawn.table, position=1).update(out_as="withdrawn", out_from=1)
    assert moved(drawn) == []


def test_stage_without_a_draw_is_refused(db: None) -> None:
    made = running_heats(8, tables=2)
    assert "were not drawn" in refused("--stage", made.stage.uid)
    Draw.objects.create(stage=made.stage, number=1, record={"version": 99})
    assert "cannot be repeated by this version" in refused("--stage", made.stage.uid)


@pytest.mark.parametrize("uid", ["", "x", "00000000-0000-0000-0000-000000000000"])
def test_unknown_stage_is_refused(db: None, uid: str) -> None:
    assert refused("--stage", uid) == f"There is no stage {uid}."


def test_all_games_of_an_evening_are_drawn_at_once(players: Path) -> None:
    answer = json.loads(told("--seed", "483920", "--tables", 2, "--games", 3, "--json", players))
    assert answer == {
        "seed": "483920",
        "games": [
            {"tables": tables}
            for tables in draw_evening(crowd(6, ["A", "", "A", "B", "", ""]), 2, 3, "483920")
        ],
    }
    assert [len(game["tables"]) for game in answer["games"]] == [2, 2, 2]


def test_evening_is_printed_game_by_game(players: Path) -> None:
    lines = told("--seed", "x", "--most", 3, "--games", 2, "--together", "1:3", "2:4", players).splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "Game 1",
        "Table 1",
        "Table 2",
        "Game 2",
        "Table 1",
        "Table 2",
        "Repeated meetings",
    ]
    assert all(("1 Aino" in line) == ("3 Cécile" in line) for line in lines)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--games", 0), "An evening has 1 to 99 games, not 0."),
        (("--games", 100), "An evening has 1 to 99 games, not 100."),
        (("--together", "1:3"), "--together is for a whole evening. Add --games."),
        (("--games", 2, "--together", "1:9"), "--together 1:9: nobody has the start number 9."),
        (("--games", 2, "--apart", "1:3", "1:5", "3:5"), "These pairs cannot all be kept apart"),
        (("--games", 2, "--together", "1:3", "3:5", "5:6"), "These pairs cannot all sit together"),
    ],
)
def test_evening_that_cannot_be_is_refused(players: Path, arguments: tuple[object, ...], words: str) -> None:
    assert words in refused(players, "--seed", "x", "--tables", 2, *arguments)


PLANNED = [
    [["1", "2", "3"], ["4", "5", "6"]],
    [["1", "4", "5"], ["2", "3", "6"]],
    [["1", "6", "2"], ["3", "5", "4"]],
]
brief_repair = partial(repair_evening, work=30_000)


def evening_json(games: object) -> str:
    """Games of ids as the command prints them."""
    return json.dumps({"seed": "x", "games": games})


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An evening of three games for six, repaired with little work."""
    monkeypatch.setattr(command, "repair_evening", brief_repair)
    path = tmp_path / "evening.json"
    games = [{"tables": [[int(player) for player in table] for table in tables]} for tables in PLANNED]
    path.write_text(evening_json(games), encoding="utf-8-sig")
    return path


def repair(players: Path, evening: Path, *arguments: object) -> str:
    """Give the evening, repaired for two tables."""
    return told("--seed", "y", "--tables", 2, "--games", 3, "--planned", evening, *arguments, "--", players)


def test_planned_evening_is_changed_for_the_list_of_today(players: Path, evening: Path) -> None:
    players.write_text("1,Aino\n2,Börje\n3,Cécile\n4,Dima\n6\n7,Gül\n8\n", encoding="utf-8")
    answer = json.loads(repair(players, evening, "--begun", 1, "--json"))
    people = [Person(str(number), number) for number in (1, 2, 3, 4, 6, 7, 8)]
    repaired = brief_repair(PLANNED, people, 2, "y", begun=1)
    assert answer == {
        "seed": "y",
        "games": [{"tables": [[int(player) for player in table] for table in game]} for game in repaired],
    }
    assert answer["games"][0] == {"tables": [[1, 2, 3], [4, 5, 6]]}
    for game in answer["games"][1:]:
        assert sorted(number for table in game["tables"] for number in table) == [1, 2, 3, 4, 6, 7, 8]


def test_changed_seats_are_listed_by_game(players: Path, evening: Path) -> None:
    players.write_text("1,Aino\n2,Börje\n3,Cécile\n4,Dima\n6\n7,Gül\n", encoding="utf-8")
    lines = repair(players, evening, "--begun", 1).splitlines()
    assert lines[:3] == ["Game 1", "Table 1: 1 Aino, 2 Börje, 3 Cécile", "Table 2: 4 Dima, 5, 6"]
    assert lines[lines.index("Changed in game 2:") :] == [
        "Changed in game 2:",
        "  5: left table 1",
        "  7 Gül: came to table 1",
        "Changed in game 3:",
        "  5: left table 2",
        "  7 Gül: came to table 2",
    ]


def test_evening_may_be_over_or_as_planned(players: Path, evening: Path) -> None:
    for begun in (0, 3):
        assert repair(players, evening, "--no-group-spread", "--begun", begun).splitlines()[-2:] == [
            "Repeated meetings: 6",
            "The seats are as planned.",
        ]


def test_planned_evening_may_come_on_standard_input(
    players: Path, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--seed", "y", "--tables", 2, "--games", 3, "--begun", 3, "--json", "--planned", "-")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(evening.read_bytes())))
    assert json.loads(told(*asked, players)) == json.loads(evening.read_text("utf-8-sig")) | {"seed": "y"}
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LIST.encode())))
    assert refused(*asked, "-") == "Standard input has either the players or the planned evening."


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--planned", "evening.json"), "--planned is for a whole evening. Add --games."),
        (("--games", 3, "--begun", 1), "--begun is for an evening that was planned. Add --planned."),
        (
            ("--games", 2, "--planned", "evening.json"),
            "Set --games to 3, as many as evening.json has, not to 2.",
        ),
        (
            ("--games", 3, "--planned", "evening.json", "--begun", 4),
            "Of 3 planned games, 0 to 3 can have begun, not 4.",
        ),
        (("--games", 3, "--planned", "evening.json", "--begun", -1), "can have begun, not -1."),
        (("--games", 3, "--planned", "nothing.json"), "nothing.json cannot be read: No such file"),
        (
            ("--games", 3, "--planned", "evening.json", "--apart", "1:2", "1:3", "2:3"),
            "These pairs cannot all be kept apart",
        ),
    ],
)
def test_evening_that_does_not_go_with_the_options_is_refused(
    players: Path, evening: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[object, ...], words: str
) -> None:
    monkeypatch.chdir(evening.parent)
    assert words in refused(players, "--seed", "y", "--tables", 2, *arguments)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is not JSON."),
        ("Game 1\n", "is not JSON."),
        (f'{{"games": [{"1" * 5000}]}}', "is not JSON."),
        ("[" * 100_000, "is not an evening that --games printed with --json."),
        ("5", "is not an evening"),
        ('{"seed": "x", "tables": []}', "is not an evening"),
        (evening_json(None), "is not an evening"),
        (evening_json([[[1, 2]]]), "is not an evening"),
        (evening_json([{"tables": [1, 2]}]), "is not an evening"),
        (evening_json([]), "game 1: each table has start numbers"),
        (evening_json([{"tables": []}]), "game 1: each table has start numbers"),
        (evening_json([{"tables": [[1, 2], []]}]), "game 1: each table has start numbers"),
        (evening_json([{"tables": [[1]]}, {"tables": [["1"]]}]), "game 2: each table has start numbers"),
        (evening_json([{"tables": [[True]]}]), "game 1: each table has start numbers"),
        (evening_json([{"tables": [[-1]]}]), "game 1: each table has start numbers"),
        (evening_json([{"tables": ["12"]}]), "game 1: each table has start numbers"),
        (evening_json([{"tables": [[1, 2], [3, 1]]}]), "game 1: start number 1 has 2 seats."),
    ],
)
def test_what_is_not_an_evening_is_refused(players: Path, evening: Path, content: str, words: str) -> None:
    evening.write_text(content)
    asked = ("--seed", "y", "--tables", 2, "--games", 1, "--planned", evening)
    assert refused(*asked, players).startswith(str(evening))
    assert words in refused(*asked, players)


def test_draw_of_a_stage_takes_no_evening(evening: Path) -> None:
    assert "Leave out planned." in refused("--stage", uuid4(), "--planned", evening)
