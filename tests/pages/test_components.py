"""The data of the fragments: a pad keeps what was typed, a clock stops at its limit."""

import pytest

from rulesets import RULESETS
from tournament.pages.components import Clock, Comparison, ComparisonRow, Heat, HeatPlayer, Tile, card_pad

COPIES = {"7": 8, "wild4": 4, "draw2": 0}
RULES = RULESETS["mattel-108"]


def test_pad_has_a_field_for_each_kind_in_play_with_what_was_typed() -> None:
    pad = card_pad(
        [("a", "Aino"), ("b", "Börje")],
        copies=COPIES,
        ruleset=RULES,
        typed={"hand-a-7": "x", "hand-b-wild4": 2},
        errors={"b": "Too many."},
        winners=True,
        winner="a",
    )
    assert (pad.winners, pad.winner) == (True, "a")
    assert [(player.key, player.name, player.error) for player in pad.players] == [
        ("a", "Aino", ""),
        ("b", "Börje", "Too many."),
    ]
    assert [
        (field.name, field.points, field.copies, field.count)
        for player in pad.players
        for field in player.fields
    ] == [
        ("hand-a-7", 7, 8, "x"),
        ("hand-a-wild4", 50, 4, None),
        ("hand-b-7", 7, 8, None),
        ("hand-b-wild4", 50, 4, 2),
    ]


def test_pad_counts_cards_where_they_rank_the_hands() -> None:
    (player,) = card_pad([("a", "Aino")], ruleset=RULES, copies=COPIES, by_number=True).players
    assert [(field.kind, field.points) for field in player.fields] == [("7", 1), ("wild4", 1)]


@pytest.mark.parametrize(
    ("elapsed_s", "face", "run"),
    [(0, "00:00", 0), (1384, "23:04", 230), (3600, "60:00", 600), (9999, "60:00", 600)],
)
def test_clock_goes_up_to_its_limit(elapsed_s: int, face: str, run: int) -> None:
    clock = Clock(elapsed_s=elapsed_s, state="running")
    assert (clock.face, clock.run) == (face, run)


def test_heat_has_a_number_for_each_player() -> None:
    heat = Heat(players=[HeatPlayer(key=key, name=key) for key in "abc"])
    assert (list(heat.numbers), heat.players[1].field) == ([1, 2, 3], "order-b")


def test_minutes_of_a_tile_are_whole_ones() -> None:
    tile = Tile(key="t", number=1, title="Table 1", state="running", elapsed_s=119)
    assert tile.minutes == 1
    assert Tile(key="t", number=1, title="Table 1", state="ready").minutes == 0


def test_comparison_marks_what_differs() -> None:
    rows = [
        ComparisonRow(what="Aino", yours="7", theirs="7"),
        ComparisonRow(what="Börje", yours="7", theirs="9"),
    ]
    compared = Comparison(yours="now", theirs="then", rows=rows)
    assert [row.differs for row in compared.rows] == [False, True]
