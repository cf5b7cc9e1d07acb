"""The questions that every kind of score sheet answers."""

import pytest

from scoring import needs_of, places_so_far, score, totals_so_far, why_of
from scoring.needs import MatchNeeds

from .builders import ONE, Json, game, heat, heats, last, match, out, session, won

SHEETS: dict[str, Json] = {
    "session": session(*[game("last", out("a", 60), last("b"))] * 2, ids="ab"),
    "match": match(*[won("a", {"b": ONE})] * 2, ids="ab"),
    "heats": heats(heat("ab", "a"), ids="ab"),
}


@pytest.mark.parametrize("kind", SHEETS)
def test_needs_are_nobodys_who_is_gone(kind: str) -> None:
    answer = score(SHEETS[kind])
    assert needs_of(SHEETS[kind], answer, "b") is not None
    assert needs_of(SHEETS[kind], answer, "b", gone=["b"]) is None


def test_needs_are_of_the_kind_of_the_sheet() -> None:
    needs = needs_of(SHEETS["match"], score(SHEETS["match"]), "a")
    assert isinstance(needs, MatchNeeds)
    assert (needs.missing, needs.rounds) == (498, 498)


@pytest.mark.parametrize("kind", SHEETS)
def test_why_is_none_of_somebody_unknown(kind: str) -> None:
    answer = score(SHEETS[kind])
    assert why_of(SHEETS[kind], answer, "a") is not None
    assert why_of(SHEETS[kind], answer, "z") is None


@pytest.mark.parametrize(("kind", "levels"), [("session", [1, 1]), ("match", [1, 2])])
def test_places_after_each_play_or_after_those_that_are_asked_for(kind: str, levels: list[int]) -> None:
    sheet = SHEETS[kind]
    each = dict(zip("ab", levels, strict=True))
    assert places_so_far(sheet, score(sheet)) == [each, each]
    assert places_so_far(sheet, score(sheet), after=[1]) == [each]


def test_the_last_moment_is_the_answer() -> None:
    sheet = {**SHEETS["match"], "withdrawn": ["a"]}
    assert places_so_far(sheet, score(sheet)) == [{"a": 1, "b": 2}, {"b": 1}]


def test_heats_have_no_places_so_far() -> None:
    assert places_so_far(SHEETS["heats"], score(SHEETS["heats"])) == []


def test_nothing_played_has_no_moment() -> None:
    assert places_so_far(session(), score(session())) == []
    assert totals_so_far(score(match()), "ab") == {"a": (), "b": ()}
