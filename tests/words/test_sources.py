"""Where a stage's players come from, in words."""

import pytest

from tests.support.chains import first
from tournament.models import Stage
from tournament.words.sources import lives_text, of_each_table, source_text

ROUND = Stage(number=1, kind="match", name="Round 1")
FINAL = Stage(number=2, kind="final", name="Small final")
HEATS = Stage(number=3, kind="heats", name="Heats")
STAGES = {stage.number: stage for stage in (ROUND, FINAL, HEATS)}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ({}, "who goes through from Heats"),
        ({"parts": []}, ""),
        ({"parts": [first(1, 1)]}, "the first of each table of Round 1"),
        ({"parts": [first(2, 3)]}, "the first 3 of Small final"),
        ({"parts": [first(1, 2, "next")]}, "the next 2 of each table of Round 1"),
        (
            {"parts": [first(2, 1), {"stage": 1, "take": "out"}], "division": "Juniors"},
            "the first of Small final and who is out of Round 1, only Juniors",
        ),
        ({"parts": [{"stage": 2, "take": "level"}]}, "who shares the place at the cut of Small final"),
        ({"parts": [first(9, 1)], "lives": 2}, "2 lives"),
    ],
)
def test_source_is_said_by_its_parts(source: dict[str, object], words: str) -> None:
    assert source_text(Stage(number=4, kind="match", source=source), STAGES) == words


def test_places_are_of_each_table_where_tables_have_their_own() -> None:
    kinds = ("session", "match", "heats", "final")
    assert [of_each_table(Stage(kind=kind)) for kind in kinds] == [False, True, True, False]


def test_lives_are_said_where_they_are_counted() -> None:
    assert [lives_text(lives) for lives in (None, 0, 1, 2)] == [
        "",
        "0 lives left",
        "1 life left",
        "2 lives left",
    ]
