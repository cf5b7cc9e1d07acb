"""A draw that is kept, repeated and compared with the seats of today."""

import json
from dataclasses import replace
from itertools import chain, count
from typing import Any
from uuid import UUID

import pytest

from tests.seating.cases import crowd
from tournament.seating import DrawRecord, Moved, Person, beside_in, draw, even_sizes, met_in, positions_in

PAST = [[[1, 2, 3, 77], [4, 5, 6], [7, 8, 9]], [[78, 79], [9, 1], [5, 2, 77, 7]]]


def recorded(**more: Any) -> DrawRecord:
    return DrawRecord.of(
        crowd(9, ["North", "", "South"]), (3, 3, 3), "seed", past=PAST, apart=[(9, 1)], **more
    )


def test_record_gives_the_seats_of_the_draw_again() -> None:
    drawn = draw(
        crowd(9, ["North", "", "South"]),
        (3, 3, 3),
        "seed",
        apart=[(1, 9)],
        met=met_in(PAST),
        positions=positions_in(PAST),
        beside=beside_in(PAST),
    )
    expected = {number: list(map(str, table)) for number, table in zip(count(1), drawn, strict=False)}
    assert recorded().seats() == expected
    kept = json.loads(json.dumps(recorded().as_json()))
    assert DrawRecord.from_json(kept) == recorded()
    assert DrawRecord.from_json(kept).seats() == expected


def test_record_holds_ids_and_numbers_only() -> None:
    assert DrawRecord.of(
        [Person("b", 7, "South"), Person("a", 3, "North"), Person("c", 8), Person("d", 9, "North")],
        (2, 2, 1),
        "seed",
        tables=(1, 4, 5),
        apart=[("b", "a"), ("a", "gone")],
        past=[[["gone", "c", "a"], ["gone"]]],
        fixed={5: ["e"]},
    ).as_json() == {
        "version": 1,
        "seed": "seed",
        "people": [["a", 3, 1], ["b", 7, 2], ["c", 8, 0], ["d", 9, 1]],
        "tables": [1, 4, 5],
        "sizes": [2, 2, 1],
        "apart": [["a", "b"]],
        "past": [[[None, 2, 0]]],
        "fixed": {"5": ["e"]},
    }


def test_record_takes_uuids() -> None:
    uids = [UUID(int=number) for number in range(1, 5)]
    record = DrawRecord.of(
        [Person(uid, number) for number, uid in enumerate(uids, start=1)],
        (2, 2),
        "seed",
        apart=[(uids[0], uids[1])],
        past=[[uids[:2], uids[2:]]],
    )
    assert sorted(chain(*record.seats().values())) == [str(uid) for uid in uids]
    assert record.apart == ((str(uids[0]), str(uids[1])),)


def test_tables_that_had_begun_come_back_as_they_were() -> None:
    record = recorded(tables=(1, 2, 5), fixed={2: [3, 1, 2]})
    seats = record.seats()
    assert list(seats) == [1, 2, 5]
    assert seats[2] == ["3", "1", "2"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        None,
        [],
        {"version": 2},
        {**recorded().as_json(), "version": 99},
        {**recorded().as_json(), "people": [["a", 1]]},
        {**recorded().as_json(), "people": [["a", "x", 0]]},
        {**recorded().as_json(), "past": [[[99]]]},
        {**recorded().as_json(), "past": [[[-1]]]},
        {**recorded().as_json(), "fixed": []},
        {key: value for key, value in recorded().as_json().items() if key != "seed"},
    ],
)
def test_what_is_no_record_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match=r"draw|literal|unpack"):
        DrawRecord.from_json(data)


@pytest.mark.parametrize(
    "wrong",
    [{"sizes": [3, 3]}, {"tables": [1, 2]}, {"fixed": {"9": ["x"]}}, {"people": [["a", 1, 0], ["b", 1, 0]]}],
)
def test_record_that_holds_together_badly_is_not_drawn(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"fill|start number|zip"):
        DrawRecord.from_json({**recorded().as_json(), "past": [], "apart": [], **wrong}).seats()


def test_nobody_is_moved_from_the_seats_of_the_draw() -> None:
    assert recorded().moved(recorded().seats()) == []


def test_who_was_moved_is_named() -> None:
    record = recorded()
    seats = record.seats()
    first, second, third = (table[0] for table in seats.values())
    seats[1].remove(first)
    seats[2].append(first)
    seats[3] = [*seats[3][1:], third]
    seats[2].append("new")
    seats[2].remove(second)
    assert sorted(record.moved(seats), key=lambda move: (move.origin or 0, move.player)) == [
        Moved("new", None, 2),
        Moved(first, 1, 2),
        Moved(second, 2, None),
        Moved(third, 3, 3),
    ]


def test_who_moves_up_or_is_out_was_not_moved() -> None:
    record = recorded()
    seats = record.seats()
    gone = seats[1].pop(0)
    assert record.moved(seats, out={gone}) == []
    assert record.moved(seats) == [Moved(gone, 1, None)]


def test_a_table_that_is_gone_or_new_is_told() -> None:
    record = recorded()
    seats = record.seats()
    third = seats.pop(3)
    seats[4] = third
    assert {move.player: (move.origin, move.goal) for move in record.moved(seats)} == dict.fromkeys(
        third, (3, 4)
    )


def evening(people: int, games: int, before: DrawRecord | None = None, game: int = 1) -> DrawRecord:
    sizes = even_sizes(people, 3)
    return DrawRecord.of(crowd(people), sizes, f"seed {game}").with_games(games, before, game)


def test_record_of_an_evening_seats_one_game_after_another() -> None:
    record = evening(9, 3)
    assert [sorted(map(int, chain(*tables))) for tables in record.evening] == [list(range(1, 10))] * 3
    for game in (1, 2, 3):
        seats = replace(record, game=game).seats()
        assert tuple(map(tuple, seats.values())) == record.evening[game - 1]
        kept = DrawRecord.from_json(json.loads(json.dumps(replace(record, game=game).as_json())))
        assert (kept.seats(), kept.evening) == (seats, record.evening)
    assert evening(9, 3) == record
    assert max(met_in(record.evening).values()) == 1


def test_stored_evening_holds_its_seats_whatever_a_search_finds_today() -> None:
    """Drawn by the first search for evenings, of version 1."""
    people = [[str(number), number, 0] for number in range(1, 11)]
    games = [
        [[2, 0, 7, 1], [6, 8, 9], [5, 4, 3]],
        [[0, 3, 6, 5], [1, 7, 8], [9, 2, 4]],
        [[3, 9, 0, 7], [8, 5, 2], [4, 6, 1]],
    ]
    stored = {
        "version": 1,
        "seed": "483920",
        "people": people,
        "tables": [1, 2, 3],
        "sizes": [4, 3, 3],
        "apart": [],
        "past": [],
        "fixed": {},
        "evening": games,
        "game": 2,
    }
    record = DrawRecord.from_json(stored)
    assert record.as_json() == stored
    assert record.seats() == {1: ["1", "4", "7", "6"], 2: ["2", "8", "9"], 3: ["10", "3", "5"]}


def test_evening_changes_from_the_next_game_on() -> None:
    before = evening(9, 3)
    after = evening(10, 3, before, 2)
    assert after.game == 2
    assert after.evening[0] == before.evening[0]
    for tables in after.evening[1:]:
        assert sorted(map(int, chain(*tables))) == list(range(1, 11))
    # Who left plays in no later game; the record knows only those of today.
    fewer = evening(8, 3, before, 2)
    assert all("9" not in table for tables in fewer.evening for table in tables)
    assert DrawRecord.from_json(fewer.as_json()).seats() == fewer.seats()


@pytest.mark.parametrize(
    "wrong", [{"game": 0}, {"game": 4}, {"game": "x"}, {"evening": [[[99]]]}, {"evening": 7}]
)
def test_record_of_another_evening_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"no (game|record)|invalid literal"):
        DrawRecord.from_json(evening(9, 3).as_json() | wrong)
