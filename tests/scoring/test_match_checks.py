"""Each rule that a round of a match can break: the code and the exact path, and nothing else reported beside it."""

import pytest

from scoring import score

from .builders import ONE, WHOLE_DECK, Json, faults_of, match, won
from .fault_cases import ROUNDS


@pytest.mark.parametrize(("code", "path", "ruleset", "part"), ROUNDS)
def test_match_round_at_fault(code: str, path: str, ruleset: str, part: Json) -> None:
    assert faults_of(match(part, ruleset=ruleset, ids="xyz")) == [(code, "/rounds/0" + path)]


def test_drew_is_not_read_unless_the_last_card_makes_draw() -> None:
    hands = {"b": ONE, "c": ONE}

    score(match(won("a", hands, drew=17)))
    score(match(won("a", hands, drew=17, last_cards={"skip": 1, "draw2": 0})))


@pytest.mark.parametrize(
    ("ruleset", "last_cards", "drawn"),
    [
        ("mattel-108", {"draw2": 1}, 3),
        ("mattel-112", {"wild4": 1}, 5),
        ("tite-2022", {"draw2": 3}, 7),
    ],
)
def test_last_cards_make_the_next_player_draw(ruleset: str, last_cards: dict[str, int], drawn: int) -> None:
    answer = score(
        match(won("a", {"b": {"1": drawn}}, last_cards=last_cards, drew="b"), ruleset=ruleset, ids="ab")
    )

    assert answer.rounds[0].results[0].points == drawn


def test_custom_cards_bound_the_customizable_cards() -> None:
    sheet = match(won("a", {"b": {"custom": 2}}), ruleset="mattel-112", ids="ab", custom_cards=1, decks=2)

    assert score(sheet).rounds[0].results[0].points == 80


def test_card_that_is_not_there_may_be_counted_as_none() -> None:
    score(match(won("a", {"a": {"5": 0}, "b": {"1": 1, "shuffle": 0}}), ids="ab"))


def test_all_cards_but_the_last_one_may_be_in_hands() -> None:
    all_but_one = {**WHOLE_DECK, "7": 7}

    assert score(match(won("a", {"b": all_but_one}), ids="ab")).complete
    assert score(match(won("a", {"b": all_but_one}, last_cards={"7": 1}), ids="ab")).complete
