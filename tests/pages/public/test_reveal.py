"""A reveal shows what was unveiled, and of the rest the numbers of the places alone."""

from dataclasses import replace

from tests.support.contests import play, player, round_, seats
from tests.support.contests_shown import FROZEN, seen_contest
from tournament.pages.public.reveal import reveal_of, reveals_of
from tournament.pages.public.standings import NO_SHOW, Person
from tournament.queries.visible import unveiled

PEOPLE = {str(player(number)): Person(name=f"P{number}") for number in (1, 2, 3)}
ROUNDS = (round_(1, 1, {"7": 1}, 2, 3), round_(2, 2, {"7": 1}, 1, 3))


def test_nothing_is_shown_before_the_reveal_begins() -> None:
    seen, _results = seen_contest("match", *ROUNDS, seats=seats(1, 2, 3), frozen=FROZEN)
    assert reveals_of(seen, PEOPLE) == []
    assert reveals_of(replace(seen, frozen=None), PEOPLE) == []


def test_the_best_of_what_is_shown_is_the_newest() -> None:
    seen, results = seen_contest("match", *ROUNDS, seats=seats(1, 2, 3), frozen=FROZEN)
    part = unveiled(results, 1)
    (shown,) = reveals_of(replace(seen, frozen=replace(FROZEN, unveiled=(part,))), PEOPLE)
    whole = reveal_of(unveiled(results, 0), PEOPLE)
    assert [(row.person.name, row.place, row.value) for row in whole.rows] == [
        ("P1", 1, "14"),
        ("P2", 1, "14"),
        ("P3", 3, "0"),
    ]
    assert (whole.hidden, whole.unit, whole.is_heats) == ((), "Points", False)
    assert [row.person.name for row in whole.rows if row.newest] == ["P1", "P2"]
    assert {row.key for row in shown.rows} <= {row.key for row in whole.rows}
    assert len(shown.rows) + len(shown.hidden) == 3


def test_who_did_not_come_is_called_so_and_a_stranger_has_no_name() -> None:
    out = [*seats(1, 2), *(replace(one, out_as="withdrawn", out_from=1) for one in seats(3))]
    _seen, results = seen_contest("match", round_(1, 1, {"7": 1}, 2), seats=out)
    gone = {**PEOPLE, str(player(3)): Person(name="P3", state=NO_SHOW)}
    rows = reveal_of(unveiled(results, 0), gone).rows
    assert [(row.person.name, row.status) for row in rows] == [("P1", ""), ("P2", ""), ("P3", NO_SHOW)]
    assert reveal_of(unveiled(results, 0), {}).rows[0].person.name == "–"


def test_a_heat_is_in_the_order_of_going_out() -> None:
    heat = play(1, (2, "finished", 1), (1, "playing", None), (3, "playing", None), advance=1)
    _seen, results = seen_contest("heats", heat, seats=seats(1, 2, 3), ruleset="tite-2022")
    people = {**PEOPLE, str(player(3)): Person(name="P3", state="left")}
    shown = reveal_of(unveiled(results, 0), people)
    (heat_row,) = shown.heats
    assert (shown.is_heats, heat_row.number, heat_row.newest) == (True, 1, True)
    assert [(row.person.name, row.place, row.status) for row in heat_row.rows] == [
        ("P2", 1, "through"),
        ("P1", None, "not_through"),
        ("P3", None, "left"),
    ]
