"""A table's setup before the first card, and where a draw's people sit, in words."""

from datetime import date
from typing import Any
from uuid import UUID

import pytest

from tournament.models import Entry, Player, Stage, Table, Tournament
from tournament.queries.stage_rules import (
    by_age,
    decks_text,
    known_by_age,
    line_text,
    moved_texts,
    needs_of,
    oldest_and_youngest,
    start_text,
    taken_out_text,
)
from tournament.seating import Moved


def stage(ruleset: str, kind: str, **settings: Any) -> Stage:
    return Stage(tournament=Tournament(ruleset=ruleset), kind=kind, settings=settings)


@pytest.mark.parametrize(
    ("ruleset", "kind", "settings", "players", "line"),
    [
        ("kpgut-2016", "session", {}, 7, "7 players · 1 deck"),
        ("kpgut-2016", "session", {}, 8, "8 players · 2 decks"),
        ("kpgut-2016", "session", {"decks": 1}, 8, "8 players · 1 deck"),
        ("mattel-108", "match", {}, 15, "15 players · 1 deck"),
        ("mattel-108", "match", {}, 16, "16 players · 1 deck: not enough cards for this many players"),
        ("mattel-108", "match", {}, 0, "0 players"),
    ],
)
def test_a_table_is_a_line(
    ruleset: str, kind: str, settings: dict[str, int], players: int, line: str
) -> None:
    needs = needs_of(stage(ruleset, kind, **settings), players)
    assert line_text(needs) == line
    assert needs.by_age is (kind == "session")
    assert decks_text(needs) in f"{line} · {decks_text(needs)}"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (stage("mattel-112", "match"), ""),
        (stage("mattel-112", "match", custom_cards=1), "From a box of 112 take out: 2 × Customizable."),
        (
            stage("mattel-108", "match"),
            "From a box of 112 take out: 1 × Shuffle Hands and 3 × Customizable.",
        ),
        (
            stage("tite-2022", "heats"),
            "Take out of each deck: 4 × Joker. "
            "From a box of 112 also take out: 1 × Shuffle hands and 3 × Customizable.",
        ),
    ],
)
def test_cards_that_are_not_played_with_are_taken_out(made: Stage, said: str) -> None:
    assert taken_out_text(made) == said


def test_each_wording_says_who_starts() -> None:
    texts = [start_text(ruleset) for ruleset in ("kpgut-2016", "mattel-108", "tite-2022")]
    assert len({*texts, ""}) == 4
    assert texts[0].startswith("The oldest player deals and keeps the time")


@pytest.mark.parametrize(
    ("origin", "goal", "said"),
    [
        (None, 2, "Aino was not drawn but sits at table 2"),
        (1, None, "Aino was drawn to table 1 but has no seat"),
        (1, 1, "Aino has another seat at table 1"),
        (1, 2, "Aino moved from table 1 to table 2"),
    ],
)
def test_who_was_moved_is_said_by_name(origin: int | None, goal: int | None, said: str) -> None:
    assert moved_texts([Moved("a", origin, goal), Moved("gone", 1, 2)], {"a": "Aino"}) == [said]


def born(number: int, day: date | None) -> Entry:
    return Entry(uid=UUID(int=number), player=Player(birth_date=day))


def test_the_oldest_comes_first_and_on_one_day_the_ids_decide() -> None:
    young, old, twin = born(3, date(2001, 1, 1)), born(1, date(1980, 5, 5)), born(2, date(2001, 1, 1))
    assert by_age([young, old, twin]) == [old, twin, young]
    assert oldest_and_youngest([young, old, twin]) == (old, young)
    assert oldest_and_youngest([old]) is None


def test_without_every_birth_date_it_is_as_somebody_said_at_the_table() -> None:
    known, unknown, gone = born(1, date(1980, 5, 5)), born(2, None), born(3, None)
    assert by_age([known, unknown]) == []
    table = Table(oldest=unknown, youngest=gone)
    assert known_by_age(table, [known, unknown]) == (unknown, None)
    assert known_by_age(table, [known, born(4, date(1990, 1, 1))])[0] is known
