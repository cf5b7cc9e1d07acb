"""Races: the cases and the properties of the description, and what breaks its rules."""

from copy import deepcopy
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from scoring import needs_of, places_so_far, score, why_of
from scoring.needs import RaceNeeds
from scoring.reading import RANKS
from scoring.why import RaceNeighbour

from .builders import ONE, Json, faults_of, hand_of, race
from .fault_cases import RACES
from .sheets import races, worth

B_20 = hand_of("ab", "a", {"b": {"skip": 1}})
VOID = {"players": ["a", "b"], "void": True}
FIRST = hand_of("abc", "a", {"b": {"7": 1}, "c": {"skip": 1, "2": 2}})
FOUR = hand_of("abcd", "a", {"b": {"7": 1}, "c": {"7": 1}, "d": {"0": 1}})
CHANGING = [B_20, hand_of("bcd", "b", {"c": {"5": 1}, "d": {"draw2": 1}})]
BELL = hand_of("abc", None, {"a": {"7": 1}, "b": {"1": 2}, "c": {"skip": 1}})
TWO = [
    hand_of("abc", "a", {"b": {"9": 1}, "c": {"1": 1, "2": 1}}),
    hand_of("abc", None, {"a": {"skip": 1}, "b": {"5": 1}, "c": {"1": 1}}),
]
THREE = [hand_of("ab", "b", {"a": {"9": 1}}), B_20, hand_of("ab", "a", {"b": {"4": 1}})]
CASES: list[tuple[Json, str]] = [
    (race(FIRST), "a 1 0, b 2 7, c 3 24"),
    (race(FIRST, scoring="winner_takes"), "a 1 31, b 2 0, c 2 0"),
    (race(FIRST, scoring="placing"), "a 1 1, b 2 1/2, c 3 0"),
    (race(FOUR, ids="abcd", scoring="placing"), "a 1 1, d 2 2/3, b 3 1/6, c 3 1/6"),
    (race(*CHANGING, ids="abcd", scoring="winner_takes"), "a 1 20, b 2 25/2, c 3 0, d 3 0"),
    (race(B_20, VOID, ids="ab", min_games=2), "a too_few_games 0, b too_few_games 20"),
    (race(BELL), "b 1 2, a 2 7, c 3 20"),
    (race(BELL, scoring="winner_takes"), "a 1 0, b 1 0, c 1 0"),
    (race(BELL, scoring="placing"), "b 1 1, a 2 1/2, c 3 0"),
    (race(*TWO, rank=["wins", "cards", "total"]), "a 1 10, b 2 7, c 3 2"),
    (race(*TWO, rank=["wins", "total"]), "a 1 10, c 2 2, b 3 7"),
    (race(*THREE, ids="ab", scoring="winner_takes", rank=["total"], best=2), "a 1 12, b 2 9/2"),
    (race(*THREE, ids="ab", best=2), "a 1 0, b 2 2"),
]


def lines(sheet: Json) -> str:
    """Who has which place, or why none, and which average."""
    rows = score(sheet).as_json()["standings"]
    assert isinstance(rows, list)
    return ", ".join(f"{row['player']} {row['place'] or row['status']} {row['average']}" for row in rows)


@pytest.mark.parametrize(("sheet", "right"), CASES, ids=[right for _, right in CASES])
def test_case_of_the_description(sheet: Json, right: str) -> None:
    assert lines(sheet) == right


GONE: list[tuple[Json, str]] = [
    (race(FIRST, {**B_20, "players": ["a", "b"]}), "a 1 0, b 2 27/2, c 3 24"),
    ({**race(FIRST), "withdrawn": ["b"]}, "a 1 0, b 2 7, c 3 24"),
    (
        {**race(FIRST, min_games=2), "withdrawn": ["b"]},
        "a too_few_games 0, c too_few_games 24, b withdrawn 7",
    ),
    (race(FIRST, {**VOID, "withdrawn": ["b"]}), "a 1 0, b 2 7, c 3 24"),
    (race(FIRST, hand_of("abc", "a", {"c": ONE}, withdrawn=["b"])), "a 1 0, c 2 25/2, b withdrawn 7"),
    (race(FIRST, {**VOID, "removed": ["b"]}), "a 1 0, c 2 24, b disqualified 7"),
    (race(FIRST, {"players": ["a", "b"], "withdrawn": ["b"]}), "a 1 0, c 2 24, b withdrawn 7"),
    ({**race(FIRST, {**VOID, "withdrawn": ["b"]}), "removed": ["b"]}, "a 1 0, c 2 24, b disqualified 7"),
    (race(), "a not_played None, b not_played None, c not_played None"),
]


@pytest.mark.parametrize(("sheet", "right"), GONE, ids=[right for _, right in GONE])
def test_who_leaves_and_what_does_not_count(sheet: Json, right: str) -> None:
    assert lines(sheet) == right


def test_every_game_is_answered_for_each_of_its_players() -> None:
    sheet = race(
        VOID, hand_of("bca", "c", {"a": {"9": 2}}, withdrawn=["b"]), {"players": ["a", "c"], "removed": ["a"]}
    )

    assert score(sheet).as_json()["rounds"] == [
        {"number": 1, "results": [{"player": "a", "points": None}, {"player": "b", "points": None}]},
        {
            "number": 2,
            "results": [
                {"player": "b", "points": None},
                {"player": "c", "points": "0"},
                {"player": "a", "points": "18"},
            ],
        },
        {"number": 3, "results": [{"player": "a", "points": None}, {"player": "c", "points": None}]},
    ]


def test_what_is_not_read_is_not_judged() -> None:
    nonsense = {"winner": 7, "hands": [], "last_cards": 1, "drew": 2, "emptied": 3, "ended": "never"}
    bell = {**BELL, "last_cards": {"draw2": 9}, "drew": "z", "emptied": ["a"]}

    assert lines(race({**VOID, **nonsense}, bell)) == lines(race(BELL))


def test_a_games_own_decks_outrank_the_settings() -> None:
    two_decks = hand_of("ab", "a", {"b": {"wild4": 5}})

    assert faults_of(race(two_decks)) == [("deck_exceeded", "/games/0/hands/b/wild4")]
    assert lines(race({**two_decks, "decks": 2})) == lines(race(two_decks, decks=2))


def test_void_games_and_those_one_is_removed_from_are_not_among_the_most() -> None:
    games = [B_20, VOID, hand_of("abc", "a", {"c": ONE}, withdrawn=["b"])]

    assert lines(race(*games, max_games=2)) == "a 1 0, c 2 1, b withdrawn 20"


@pytest.mark.parametrize(("code", "path", "games"), RACES)
def test_game_at_fault(code: str, path: str, games: list[Json]) -> None:
    sheet = race(*games, ids="wxyz", max_games=2)

    assert faults_of(sheet) == [(code, f"/games/{len(games) - 1}{path}")]


def test_a_player_is_in_a_race_once() -> None:
    assert faults_of(race(ids="xxy")) == [("duplicate_player", "/players/1/id")]


# ---- Properties ----


def by_player(sheet: Json) -> dict[str, Json]:
    rows = score(sheet).as_json()["standings"]
    assert isinstance(rows, list)
    return {row["player"]: row for row in rows}


def left(game: Json) -> bool:
    return bool(game.get("removed") or game.get("withdrawn"))


@given(races(), st.randoms(use_true_random=False))
def test_no_order_changes_anybodys_line(sheet: Json, random: Random) -> None:
    shuffled = deepcopy(sheet)
    random.shuffle(shuffled["players"])
    for game in shuffled["games"]:
        random.shuffle(game["players"])
        if "hands" in game:
            rows = list(game["hands"].items())
            random.shuffle(rows)
            game["hands"] = dict(rows)
    if not any(left(game) for game in shuffled["games"]):
        random.shuffle(shuffled["games"])
        for number, game in enumerate(shuffled["games"], 1):
            game["number"] = number
    assert by_player(shuffled) == by_player(sheet)


@given(races())
def test_a_void_game_may_be_dropped(sheet: Json) -> None:
    games = [game for game in sheet["games"] if not game.get("void") or left(game)]
    games = [{**game, "number": number} for number, game in enumerate(games, 1)]
    assert by_player({**sheet, "games": games}) == by_player(sheet)


@given(races())
def test_a_games_results_add_up_to_its_cards(sheet: Json) -> None:
    rounds: Any = score(sheet).as_json()["rounds"]
    for game, answer in zip(sheet["games"], rounds, strict=True):
        given_ = [Fraction(row["points"]) for row in answer["results"] if row["points"] is not None]
        held = sum(worth(hand) for hand in game.get("hands", {}).values()) if given_ else 0
        if sheet["settings"]["scoring"] == "placing":
            assert sum(given_) == Fraction(len(given_), 2)
        elif sheet["settings"]["scoring"] == "winner_takes" and "winner" not in game:
            assert sum(given_) == 0
        else:
            assert sum(given_) == held


@given(races(), st.data())
def test_players_who_swap_their_parts_swap_their_lines(sheet: Json, data: st.DataObject) -> None:
    ids = [player["id"] for player in sheet["players"]]
    one, other = data.draw(st.sampled_from(ids)), data.draw(st.sampled_from(ids))
    names = {one: other, other: one}
    swapped = deepcopy(sheet)
    for part in (swapped, *swapped["games"]):
        for key in ("removed", "withdrawn", "emptied", *(["players"] if part is not swapped else [])):
            if key in part:
                part[key] = [names.get(player, player) for player in part[key]]
        for key in ("winner", "drew"):
            if key in part:
                part[key] = names.get(part[key], part[key])
        if "hands" in part:
            part["hands"] = {names.get(player, player): hand for player, hand in part["hands"].items()}
    before, after = by_player(sheet), by_player(swapped)
    assert {**before[one], "player": other} == after[other]
    assert {player: row for player, row in before.items() if player not in names} == {
        player: row for player, row in after.items() if player not in names
    }


NUMBERS = ("games", "points", "average", "wins", "cards")


@given(races())
def test_a_game_changes_the_numbers_of_nobody_who_is_not_in_it(sheet: Json) -> None:
    if not sheet["games"]:
        return
    before, after = by_player({**sheet, "games": sheet["games"][:-1]}), by_player(sheet)
    for player in before.keys() - set(sheet["games"][-1]["players"]):
        assert [before[player][key] for key in NUMBERS] == [after[player][key] for key in NUMBERS]


@given(races(), st.sampled_from(RANKS))
def test_a_longer_rank_only_parts_who_shared_a_place(sheet: Json, word: str) -> None:
    settings = {**sheet["settings"], "best": 99}  # all games count, whatever they are judged by
    rank = settings.setdefault("rank", ["average"])
    if word in rank:
        return
    before = by_player({**sheet, "settings": settings})
    after = by_player({**sheet, "settings": {**settings, "rank": [*rank, word]}})
    ranked = [player for player, row in before.items() if row["place"]]
    for one in ranked:
        for other in ranked:
            if before[one]["place"] < before[other]["place"]:
                assert after[one]["place"] < after[other]["place"]


@given(races(removals=False))
def test_one_more_game_never_makes_anybody_worse_who_has_the_best_already(sheet: Json) -> None:
    best = 1
    settings = {**sheet["settings"], "best": best}
    if not sheet["games"] or sheet["games"][-1].get("void"):
        return
    before = by_player({**sheet, "settings": settings, "games": sheet["games"][:-1]})
    after = by_player({**sheet, "settings": settings})
    side = 1 if settings["scoring"] == "own_hand" else -1

    def value(row: Json, word: str) -> Fraction:
        if word == "wins":
            return Fraction(-row["wins"])
        return Fraction(row["cards"]) if word == "cards" else side * Fraction(row["points"])

    rank = settings.get("rank", ["average"])
    for player, row in before.items():
        if row["games"] >= best:
            assert [value(after[player], word) for word in rank] <= [value(row, word) for word in rank]


def test_places_over_time_are_those_of_the_race_so_far() -> None:
    sheet = {**race(*TWO, rank=["wins", "cards", "total"]), "withdrawn": ["c"]}
    assert places_so_far(sheet, score(sheet)) == [{"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 2, "c": 3}]


@given(races())
def test_places_over_time_end_with_the_standings(sheet: Json) -> None:
    answer = score(sheet)
    places = places_so_far(sheet, answer)
    if places:
        assert places[-1] == {row.player: row.place for row in answer.standings if row.place is not None}


def test_a_removal_after_the_last_game_leaves_the_places_before_it() -> None:
    sheet = {**race(*TWO), "removed": ["b"]}
    assert places_so_far(sheet, score(sheet)) == [{"a": 1, "c": 2, "b": 3}, {"c": 1, "a": 2}]


def test_why_says_what_parts_a_place_from_its_neighbours() -> None:
    sheet = race(*TWO, rank=["wins", "cards", "total"])
    why: Any = why_of(sheet, score(sheet), "b")
    assert why.ahead == RaceNeighbour(("a",), "wins", Fraction(0), Fraction(1))
    assert why.behind == RaceNeighbour(("c",), "cards", Fraction(2), Fraction(3))
    assert [(game.winner, game.points, game.counts) for game in why.games] == [
        ("a", 9, True),
        (None, 5, True),
    ]
    assert [hand.points for game in why.games for hand in game.hands] == [9, 5]


def test_why_says_which_games_count_and_whose_hands_were_taken() -> None:
    sheet = race(*THREE, ids="ab", scoring="winner_takes", rank=["total"], best=2)
    why: Any = why_of(sheet, score(sheet), "a")
    assert [(game.points, game.counts) for game in why.games] == [(0, False), (20, True), (4, True)]
    assert [[hand.player for hand in game.hands] for game in why.games] == [["a"], ["b"], ["b"]]


def test_why_says_of_placing_how_many_held_more() -> None:
    sheet = race(FOUR, ids="abcd", scoring="placing")
    found: Any = [why_of(sheet, score(sheet), player) for player in "abcd"]
    assert [(game.worse, game.level, game.others) for why in found for game in why.games] == [
        (3, 0, 3), (0, 1, 3), (0, 1, 3), (2, 0, 3),
    ]  # fmt: skip
    assert [why.shared for why in found] == [(), ("c",), ("b",), ()]
    assert why_of(sheet, score(sheet), "e") is None


def test_why_names_the_nearest_neighbours() -> None:
    sheet = race(hand_of("abcde", "a", {each: {str(n): 1} for n, each in enumerate("bcde", 1)}), ids="abcde")
    why: Any = why_of(sheet, score(sheet), "c")
    assert (why.ahead.players, why.behind.players) == (("b",), ("d",))


def test_why_of_a_line_without_a_place_names_no_neighbours() -> None:
    sheet = race(FIRST, {**VOID, "removed": ["b"]})
    why: Any = why_of(sheet, score(sheet), "b")
    assert (why.line.status, why.shared, why.ahead, why.behind) == ("disqualified", (), None, None)


def test_a_player_needs_games_until_ranked_and_has_some_left() -> None:
    games = [B_20, hand_of("ad", "a", {"d": ONE}), hand_of("ad", "a", {"d": ONE})]
    sheet = {**race(*games, ids="abcde", min_games=2, max_games=3), "withdrawn": ["b"], "removed": ["e"]}
    needs = {player: needs_of(sheet, score(sheet), player) for player in "abcde"}
    assert needs == {"a": RaceNeeds(0, 0), "b": None, "c": RaceNeeds(2, 3), "d": RaceNeeds(0, 1), "e": None}
