"""Which names look like one person, which do not, and how long it takes to look."""

from datetime import date
from random import Random
from time import process_time

import pytest

from tournament.queries.people import Somebody, among, between, likeness

BORN, OTHER = date(1990, 1, 31), date(1991, 1, 31)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Aino Mäkelä", "aino mäkelä", 100),  # case
        ("Aino Mäkelä", "AINO MAKELA", 100),  # accents
        ("Aino Mäkelä", "Mäkelä, Aino", 100),  # order
        ("Ole Søren", "Ole Soren", 100),
        ("Anna-Maija Laine", "Annamaija Laine", 100),
        ("Aino Maria Mäkelä", "Aino Mäkelä", 90),  # a word left out
        ("Joni Virtanen", "Joni Wirtanen", 87),  # a slip in a long word
        ("Noppis", "Nopis", 90),
        ("Katarina Kallioniemi", "Katariina Kalioniemi", 94),
        ("Aino M.", "Aino Mäkelä", 70),  # an initial
        ("Anna Virtanen", "Anni Virtanen", 0),  # a short word is another name
        ("Player 1", "Player 11", 0),
        ("Aino Mäkelä", "Eetu Mäkelä", 0),
        ("🎉", "🎉", 0),
        ("", "", 0),
    ],
)
def test_names_alike(one: str, other: str, expected: int) -> None:
    pair = [Somebody(1, (one,)), Somebody(2, (other,))]
    assert likeness(*pair) == likeness(*reversed(pair)) == expected
    assert [found.likeness for found in among(pair)] == ([expected] if expected else [])
    assert bool(between(pair[:1], pair[1:])) == bool(expected)


@pytest.mark.parametrize(
    ("one", "other", "born", "expected"),
    [
        ("Anna Virtanen", "Anni Virtanen", BORN, 75),
        ("Aino Mäkelä", "Mäkelä Aino", OTHER, 50),  # namesakes, listed last
        ("Joni Virtanen", "Joni Wirtanen", OTHER, 0),
    ],
)
def test_birth_dates_strengthen_and_part(one: str, other: str, born: date, expected: int) -> None:
    assert likeness(Somebody(1, (one,), BORN), Somebody(2, (other,), born)) == expected


def test_a_nickname_is_found_by_the_real_name() -> None:
    pair = [Somebody(1, ("Noppis", "Aino Mäkelä")), Somebody(2, ("Mäkelä Aino",))]
    assert [(found.first, found.second) for found in among(pair)] == [(1, 2)]


def test_the_most_alike_come_first_and_each_pair_once() -> None:
    people = [
        Somebody(number, (name,))
        for number, name in enumerate(["Joni Virtanen", "Joni Wirtanen", "Virtanen Joni"])
    ]
    assert [(found.first, found.second, found.likeness) for found in among(people)] == [
        (0, 2, 100),
        (0, 1, 87),
        (1, 2, 87),
    ]


def test_an_event_of_500_is_compared_with_2000_players_in_seconds() -> None:
    chance = Random(1)
    syllables = ["ka", "li", "mo", "ra", "sen", "tu", "vi", "nen", "pe", "jo", "hal", "ma"]

    def name() -> str:
        return " ".join("".join(chance.choices(syllables, k=size)) for size in (2, 4))

    here = [Somebody(number, (name(),)) for number in range(500)]
    earlier = [Somebody(-number, (name(),)) for number in range(1, 2001)]
    began = process_time()
    among(here)
    between(here, earlier)
    assert (
        process_time() - began < 30
    )  # seconds of the processor, usually 4; everybody with everybody takes far more
