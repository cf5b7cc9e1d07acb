"""Results as the cells of a play state them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from rulesets import CARDS
from tests.support.workbook_events import generated
from tournament.extras.imports.files.results import (
    GAMES,
    HEATS,
    READ,
    ROUNDS,
    Cell,
    ParsedPlay,
    PlayRead,
    Row,
    said_of,
    says_the_same,
)
from tournament.models import Play, Result, Seat
from tournament.results.given import GameEntry, HeatEntry, RoundEntry

Outcome = Result.Outcome
OUT, LAST, REMAINING, PLAYING, WON, EMPTIED, REMOVED = (
    str(each.label)
    for each in (
        Outcome.OUT,
        Outcome.LAST,
        Outcome.REMAINING,
        Outcome.PLAYING,
        Outcome.WON,
        Outcome.EMPTIED,
        Seat.OutAs.REMOVED,
    )
)
EARLY = str(Play.Ended.EARLY.label)
ENTRIES: Mapping[str, Any] = {"session": GameEntry, "heats": HeatEntry}


def said(sheet: str, *rows: Mapping[str, str], lost: str = "") -> ParsedPlay:
    """Read the result of a play whose players 1, 2 and so on have these texts; the cell `lost` of each cannot be
    read."""
    read = {}
    for number, texts in enumerate(rows, 1):
        cells = {
            key: Cell(f"{key}{number}", texts.get(key, ""), "formula_error" if key == lost else "")
            for key in READ[sheet] | set(CARDS)
        }
        read[UUID(int=number)] = Row(cells, {card: cells[card] for card in CARDS})
    return said_of(PlayRead(sheet, UUID(int=99), None, None, read))


def faults(found: ParsedPlay) -> list[tuple[str, str]]:
    return [(problem.code, problem.place) for problem in found.problems]


def test_a_play_that_nobody_filled_in_says_nothing() -> None:
    for sheet in (GAMES, ROUNDS, HEATS):
        assert said(sheet, {}, {}) == ParsedPlay()


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        ("12:34", 754),
        ("12.34", 754),
        ("0:45", 45),
        ("12:34:00", 754),
        ("0:45:00", 2700),
        ("0:59:59", 3599),
        ("1:00:00", 3600),
        ("34", 2040),
    ],
)
def test_a_time_is_read_as_what_was_meant(typed: str, seconds: int) -> None:
    found = said(GAMES, {"outcome": OUT, "out_after": typed}, {"outcome": LAST})
    assert found.problems == []
    assert isinstance(found.entry, GameEntry)
    assert [(row["outcome"], row["elapsed_s"]) for row in found.entry.results] == [
        ("out", seconds),
        ("last", None),
    ]
    assert (found.entry.ended, found.entry.duration_s, found.running) == ("last", None, False)


def test_a_game_that_was_stopped_says_how_and_after_how_long() -> None:
    rows = [{"outcome": REMAINING, "7": "2", "ending": EARLY, "duration": "20:00"}, {"outcome": REMAINING}]
    found = said(GAMES, *rows)
    assert found.problems == []
    assert isinstance(found.entry, GameEntry)
    assert (found.entry.ended, found.entry.duration_s) == (Play.Ended.EARLY, 1200)
    assert [row["hand"] for row in found.entry.results] == [{"7": 2}, {}]
    assert said(GAMES, {"outcome": PLAYING}).running


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([{"outcome": OUT, "out_after": "61:00"}], [("not_a_time", "out_after1")]),
        ([{"outcome": "gone"}], [("unknown_word", "outcome1")]),
        ([{"out_after": "12:34"}], [("no_outcome", "outcome1")]),
        ([{"7": "1"}], [("cards_not_counted", "71"), ("no_outcome", "outcome1")]),
        ([{"outcome": OUT, "7": "1"}], [("cards_not_counted", "71")]),
        ([{"outcome": REMAINING, "7": "x"}, {"outcome": REMAINING}], [("not_whole", "71"), ("no_ending", "ending1")]),
        (
            [{"outcome": LAST, "ending": EARLY}, {"ending": "gone"}],
            [("unknown_word", "ending2"), ("says_otherwise", "ending2")],
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_game_is_named_at_its_cell(
    rows: list[dict[str, str]], expected: list[tuple[str, str]]
) -> None:
    assert faults(said(GAMES, *rows)) == expected


def test_a_round_says_everything_that_a_round_has() -> None:
    found = said(
        ROUNDS,
        {"outcome": WON, "last_cards": "2 × Draw 2, wild"},
        {"7": "1", "drew": "yes"},
        {"outcome": EMPTIED},
        {"outcome": REMOVED},
    )
    assert found.problems == []
    assert found.entry == RoundEntry(
        winner=UUID(int=1),
        hands={str(UUID(int=2)): {"7": 1}, str(UUID(int=3)): {}},
        drew=UUID(int=2),
        removed=[UUID(int=4)],
        withdrawn=[],
        emptied=[UUID(int=3)],
        last_cards={"draw2": 2, "wild": 1},
    )


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([{"outcome": WON}, {"outcome": WON}], [("two_winners", "outcome2")]),
        ([{"outcome": WON, "7": "1"}], [("winner_has_cards", "71")]),
        ([{"drew": "yes"}, {"drew": "x"}], [("two_drew", "drew2"), ("no_winner", "outcome1")]),
        ([{"outcome": WON}, {"drew": "perhaps"}], [("not_yes", "drew2")]),
        ([{"outcome": WON, "last_cards": "2 × Draw 7"}], [("unknown_card", "last_cards1")]),
    ],
)
def test_what_is_wrong_with_a_round_is_named_at_its_cell(
    rows: list[dict[str, str]], expected: list[tuple[str, str]]
) -> None:
    assert faults(said(ROUNDS, *rows)) == expected


@pytest.mark.parametrize(
    ("order", "finish", "expected"),
    [
        (("2", "", "1"), [3, 1], []),
        (("1,0", "2.00"), [1, 2], []),
        (("1.5", "2,"), [], [("not_whole", "finish1"), ("not_whole", "finish2")]),
        (("1", "1"), [1], [("place_twice", "finish2")]),
        (("1", "3"), [1, 2], [("place_missing", "finish2")]),
        (("0",), [], [("not_whole", "finish1")]),
    ],
)
def test_a_heat_says_the_order_of_going_out(
    order: tuple[str, ...], finish: list[int], expected: list[tuple[str, str]]
) -> None:
    found = said(HEATS, *({"finish": each} for each in order))
    assert found.entry == HeatEntry(finish_order=[UUID(int=number) for number in finish])
    assert faults(found) == expected


def test_a_cell_that_could_not_be_read_is_named_with_its_code() -> None:
    assert ("formula_error", "finish1") in faults(said(HEATS, {}, lost="finish"))


@pytest.mark.parametrize("seed", [13, 61, 135])
def test_what_is_stored_already_is_no_change(seed: int) -> None:
    for read in generated(seed).stages:
        for contest in (results.contest for results in read.results):
            for play in contest.plays:
                match entry := ENTRIES.get(read.stage.kind, RoundEntry).stored(play, contest):
                    case GameEntry():
                        other: Any = replace(entry, results=entry.results[1:])
                    case HeatEntry():
                        other = replace(entry, finish_order=[*entry.finish_order, UUID(int=1)])
                    case _:
                        other = replace(entry, winner=UUID(int=1))
                assert says_the_same(entry, play, contest)
                assert not says_the_same(other, play, contest)
